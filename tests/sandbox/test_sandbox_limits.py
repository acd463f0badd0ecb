"""One case for each limit: the last value that passes and the first that does not."""

import struct
import zlib

import pytest

from bot.sandbox.files import image_size, sample_photo
from bot.sandbox.markup import read_markup

ROW = [{"text": "b", "callback_data": "b"}]


def keyboard(rows, columns):
    return {"inline_keyboard": [ROW * columns for _ in range(rows)]}


def png_header(width, height):
    """A file that says it is a picture of that size."""
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))


SENDS = [
    ("text counts code points", "sendMessage", {"text": "💻" * 4096}, {"text": "💻" * 4097}, "message is too long"),
    ("text counts after parsing", "sendMessage", {"text": "<b>" + "x" * 4096 + "</b>", "parse_mode": "HTML"}, {"text": "<b>" + "x" * 4097 + "</b>", "parse_mode": "HTML"}, "message is too long"),
    ("text counts after trimming", "sendMessage", {"text": "x" * 4096 + " " * 50}, {"text": "x" * 4097}, "message is too long"),
    ("raw text in bytes", "sendMessage", {"text": "<i></i>" * 4681 + "y", "parse_mode": "HTML"}, {"text": "<i></i>" * 4682 + "y", "parse_mode": "HTML"}, "text is too long"),
    ("callback data in bytes", "sendMessage", {"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "b", "callback_data": "数" * 21 + "x"}]]}}, {"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "b", "callback_data": "数" * 21 + "xy"}]]}}, "BUTTON_DATA_INVALID"),
    ("eight buttons a row", "sendMessage", {"text": "x", "reply_markup": keyboard(1, 8)}, {"text": "x", "reply_markup": keyboard(1, 9)}, "reply markup is too long"),
    ("a hundred buttons", "sendMessage", {"text": "x", "reply_markup": keyboard(20, 5)}, {"text": "x", "reply_markup": keyboard(21, 5)}, "reply markup is too long"),
    ("ten kilobytes of markup", "sendMessage", {"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "t" * 9900, "callback_data": "b"}]]}}, {"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "t" * 10_100, "callback_data": "b"}]]}}, "reply markup is too long"),
    ("copied text", "sendMessage", {"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "b", "copy_text": {"text": "c" * 256}}]]}}, {"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "b", "copy_text": {"text": "c" * 257}}]]}}, "BUTTON_COPY_TEXT_INVALID"),
    ("placeholder", "sendMessage", {"text": "x", "reply_markup": {"force_reply": True, "input_field_placeholder": "p" * 64}}, {"text": "x", "reply_markup": {"force_reply": True, "input_field_placeholder": "p" * 65}}, "input field placeholder is too long"),
]  # fmt: skip


@pytest.mark.parametrize("case", [case[1:] for case in SENDS], ids=[case[0] for case in SENDS])
async def test_a_message_may_be_that_long_and_no_longer(call, customer, case):
    method, good, bad, text = case
    await call.ok(method, chat_id=customer, **good)
    assert (await call(method, chat_id=customer, **bad)).error == f"Bad Request: {text}"


PROFILE = [
    ("name", "setMyName", {"name": "n" * 64}, {"name": "n" * 65}),
    ("description", "setMyDescription", {"description": "长" * 512}, {"description": "长" * 513}),
    ("short description", "setMyShortDescription", {"short_description": "s" * 120}, {"short_description": "s" * 121}),
    ("command", "setMyCommands", {"commands": [{"command": "c" * 32, "description": "d"}]}, {"commands": [{"command": "c" * 33, "description": "d"}]}),
    ("command description", "setMyCommands", {"commands": [{"command": "c", "description": "命" * 256}]}, {"commands": [{"command": "c", "description": "命" * 257}]}),
    ("number of commands", "setMyCommands", {"commands": [{"command": f"c{i}", "description": "d"} for i in range(100)]}, {"commands": [{"command": f"c{i}", "description": "d"} for i in range(101)]}),
    ("secret token", "setWebhook", {"url": "https://example.com", "secret_token": "s" * 256}, {"url": "https://example.com", "secret_token": "s" * 257}),
]  # fmt: skip


@pytest.mark.parametrize(("method", "good", "bad"), [c[1:] for c in PROFILE], ids=[c[0] for c in PROFILE])
async def test_the_profile_has_limits(call, method, good, bad):
    await call.ok(method, **good)
    assert (await call(method, **bad)).status == 400


async def test_a_caption_has_1024_characters(call, customer):
    await call.ok("sendDocument", {"document": ("a.txt", b"x")}, chat_id=customer, caption="长" * 1024)
    refused = await call("sendDocument", {"document": ("a.txt", b"x")}, chat_id=customer, caption="长" * 1025)
    assert refused.error == "Bad Request: message caption is too long"


async def test_a_toast_has_200_characters(call, customer):
    message = await call.ok("sendMessage", chat_id=customer, text="x", reply_markup={"inline_keyboard": [ROW]})
    pressed = await call.client(f"/users/{customer}/taps", {"message_id": message["message_id"], "data": "b"})
    query = pressed["callback_query_id"]
    assert (
        await call("answerCallbackQuery", callback_query_id=query, text="x" * 201)
    ).error == "Bad Request: MESSAGE_TOO_LONG"
    await call.ok("answerCallbackQuery", callback_query_id=query, text="x" * 200)


async def test_a_topic_name_has_128_characters(call, box):
    topic = await call.ok("createForumTopic", chat_id=box.staff_chat_id, name="题" * 128)
    assert topic["name"] == "题" * 128
    assert (await call("createForumTopic", chat_id=box.staff_chat_id, name="x" * 129)).status == 400
    assert (
        await call("createForumTopic", chat_id=box.staff_chat_id, name="  ")
    ).error == "Bad Request: TOPIC_TITLE_EMPTY"


async def test_an_album_has_two_to_ten_pictures(call, customer):
    photo = await call.ok("sendPhoto", {"photo": ("a.png", sample_photo())}, chat_id=customer)
    item = {"type": "photo", "media": photo["photo"][-1]["file_id"]}
    album = await call.ok("sendMediaGroup", chat_id=customer, media=[item] * 10)
    assert len({message["media_group_id"] for message in album}) == 1
    assert (await call("sendMediaGroup", chat_id=customer, media=[item] * 11)).status == 400


async def test_only_a_hundred_entities_are_kept(call, customer):
    message = await call.ok("sendMessage", chat_id=customer, text="<b>x</b> " * 120, parse_mode="HTML")
    assert len(message["entities"]) == 100


@pytest.mark.parametrize(
    ("width", "height", "text"),
    [(5000, 5001, "PHOTO_INVALID_DIMENSIONS"), (21, 1, "PHOTO_INVALID_DIMENSIONS"), (0, 5, "IMAGE_PROCESS_FAILED")],
)
async def test_a_photo_has_a_shape(call, customer, width, height, text):
    refused = await call("sendPhoto", {"photo": ("a.png", png_header(width, height))}, chat_id=customer)
    assert refused.error == f"Bad Request: {text}"


@pytest.mark.parametrize(("width", "height"), [(5000, 5000), (20, 1)])
async def test_a_photo_of_the_largest_shape_passes(call, customer, width, height):
    photo = await call.ok("sendPhoto", {"photo": ("a.png", png_header(width, height))}, chat_id=customer)
    assert (photo["photo"][-1]["width"], photo["photo"][-1]["height"]) == (width, height)


async def test_a_text_file_is_no_photo(call, customer):
    refused = await call("sendPhoto", {"photo": ("a.png", b"only words")}, chat_id=customer)
    assert refused.error == "Bad Request: IMAGE_PROCESS_FAILED"


async def test_an_empty_file_is_refused(call, customer):
    refused = await call("sendDocument", {"document": ("a.txt", b"")}, chat_id=customer)
    assert refused.error == "Bad Request: file must be non-empty"


async def test_a_photo_has_ten_megabytes(call, customer):
    limit = 10 * 1024 * 1024
    fill = sample_photo() + bytes(limit - len(sample_photo()))
    await call.ok("sendPhoto", {"photo": ("a.png", fill)}, chat_id=customer)
    refused = await call("sendPhoto", {"photo": ("a.png", fill + b"x")}, chat_id=customer)
    assert refused.error == (
        f"Bad Request: file of size {limit + 1} bytes is too big for a photo; the maximum size is {limit} bytes"
    )


async def test_an_upload_over_fifty_megabytes_is_too_large(call, customer):
    refused = await call("sendDocument", {"document": ("a.bin", bytes(51 * 1024 * 1024))}, chat_id=customer)
    assert (refused.status, refused.error) == (413, "Request Entity Too Large")
    await call.ok("sendMessage", chat_id=customer, text="the server goes on")


async def test_a_file_over_twenty_megabytes_cannot_be_fetched_but_copied(call, box, customer):
    limit = 20 * 1024 * 1024
    for size in (limit, limit + 1):
        await call.client(f"/users/{customer}/messages", {"document": {"name": "a.bin", "size": size}})
    small, large = [update["message"] for update in await call.updates()]
    await call.ok("getFile", file_id=small["document"]["file_id"])
    assert (await call("getFile", file_id=large["document"]["file_id"])).error == "Bad Request: file is too big"
    await call.ok("copyMessage", chat_id=box.staff_chat_id, from_chat_id=customer, message_id=large["message_id"])


async def test_get_updates_gives_at_most_a_hundred(call, customer):
    for number in range(101):
        await call.client(f"/users/{customer}/messages", {"text": str(number)})
    assert len(await call.ok("getUpdates")) == 100
    assert len(await call.ok("getUpdates", limit=7)) == 7


async def test_a_person_cannot_write_more_than_one_message_holds(call, customer):
    await call.client(f"/users/{customer}/messages", {"text": "x" * 4096})
    await call.client(f"/users/{customer}/messages", {"text": "x" * 4097}, status=400)


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (sample_photo(), (640, 400)),
        (b"GIF89a" + struct.pack("<HH", 7, 9), (7, 9)),
        (b"BM" + bytes(16) + struct.pack("<ii", 4, -3), (4, 3)),
        (b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + (99).to_bytes(3, "little") + (49).to_bytes(3, "little"), (100, 50)),
        (b"\xff\xd8\xff\xe0\x00\x04AB\xff\xc0\x00\x11\x08" + struct.pack(">HH", 30, 40) + bytes(8), (40, 30)),
        (b"%PDF-1.7", None),
        (b"", None),
    ],
    ids=["png", "gif", "bmp", "webp", "jpeg", "pdf", "nothing"],
)
def test_pictures_are_told_from_other_files(data, size):
    assert image_size(data) == size


def test_a_reply_keyboard_may_name_its_buttons_by_plain_texts():
    assert read_markup({"keyboard": [["A", {"text": "B"}]]}).other == {"keyboard": [[{"text": "A"}, {"text": "B"}]]}
