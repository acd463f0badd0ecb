"""How updates are read as what a customer did."""

import pytest
from telegram import Update

from bot.dialog.event import Sent
from bot.telegram.handlers import incoming_from

PERSON = {"id": 7, "is_bot": False, "first_name": "Customer"}
CHAT = {"id": 7, "type": "private"}


def read(**content):
    return incoming_from(Update.de_json({"update_id": 1, **content}, None), "desk_bot")


@pytest.mark.parametrize(("date", "place"), [(1_796_000_000, 42), (0, None)], ids=["accessible", "inaccessible"])
def test_a_tap_on_a_message_that_telegram_no_longer_shows_has_no_place_to_change(date, place):
    message = {"message_id": 42, "chat": CHAT, "date": date}
    incoming = read(callback_query={"id": "9", "from": PERSON, "chat_instance": "1", "data": "x", "message": message})
    assert incoming.tapped.callback_id == "9"
    assert incoming.tapped.message_id == place


def test_parts_of_an_album_bear_its_mark():
    photo = [{"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1}]
    message = {"message_id": 1, "from": PERSON, "chat": CHAT, "date": 1_796_000_000, "photo": photo}
    assert read(message={**message, "media_group_id": "77", "caption": "8 H100"}).event == Sent("photo", "8 H100", "77")
    assert read(message=message).event == Sent("photo", "", "")
