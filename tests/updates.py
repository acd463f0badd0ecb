"""Updates of every kind that python-telegram-bot knows, made by chance from its own signatures, with hostile content.

What a class takes is read from the library, so that the kinds of a new version are covered by themselves. An update is made from its
seed and number alone: whatever fails can be made again.
"""

import inspect
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import telegram
from telegram import InaccessibleMessage, Message, TelegramObject, Update

STAFF = -1_001_000_000_001
THREADS = range(101, 106)
"""Topics in the staff group: of the first customers."""

CUSTOMERS = range(1001, 1031)
LANGUAGES = ("en", "zh-hans", "zh-hant", "ru", "", "xx-invalid", None)
ANONYMOUS = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}

HOSTILE = (
    *(
        "\0",
        "a\0b",
        "\ud83d",
        "\udc00\ud83d",
        "\x01\x02\x1b[2J",
        "\r\n\t",
        "\u202eabc\u202c",
        "\u200b\u200d\ufeff",
        "\u2028",
    ),
    *("🏳️‍🌈" * 1000, "😀" * 2048, "ã" * 500, "Z̸̨͝" * 300, "𠮷" * 1000, " ", "", ".", "/", "//", "/ x", "/\n", "@", "#"),
    *("<b>", "</b>", "<3", "a<b && c>d", "&lt;", "&#0;", "<a href='x'>", "<!--", "]]>", "_*[]()~`>#+-=|{}.!", "\\"),
    *(
        "{}",
        "{0}",
        "{reference}",
        "{0.__class__}",
        "%s%n%(x)s",
        "%",
        "${jndi:ldap://x}",
        "$(reboot)",
        "`id`",
        "../../etc",
    ),
    *(
        "'; DROP TABLE customer; --",
        '" OR 1=1',
        "NULL",
        "None",
        "nan",
        "inf",
        "-inf",
        "1e999",
        "0x1F",
        "1_000",
        "²³",
        "٣٤",
    ),
    *(
        "9" * 400,
        "-1",
        "0",
        "00",
        "0.0000000001",
        "1" + "0" * 50 + " GB",
        "9" * 30 + "x H100",
        "99999999999 years",
        "1/0",
    ),
    *(
        "31 February",
        "32/13/2026",
        "25:99",
        "in 99999999999 min",
        "明天25点",
        "一亿亿亿亿张",
        "every 0 seconds",
        "０",
        "１e９",
    ),
    *(
        "year 99999",
        "9999-12-31 23:59",
        "0001-01-01",
        "-5 days",
        "1970-01-01T00:00:00Z",
        "in -1 hours",
        "负三张",
        "∞",
        "½",
    ),
)

SAID = (
    *("/start", "/estimate", "/template", "/trial", "/trial 2x H100", "/remind in 90 min", "/remind", "/reminders"),
    *("/timezone Berlin", "/timezone", "/status", "/human", "/language", "/cancel", "/help", "/privacy", "/delete_me"),
    *(
        "/price H100 2 USD",
        "/prices",
        "/nothing",
        "/START@gpu_desk_bot",
        "/start@another_bot",
        "/start x" * 20,
        "/remind every day at 9 x",
    ),
    *(
        "inference",
        "training",
        "推理",
        "训练",
        "fine-tune a 70B with LoRA",
        "微调 Qwen2.5-72B，8张H100",
        "TBD",
        "待定",
        "?",
    ),
    *(
        "8",
        "8x H100",
        "4k",
        "2k-32k",
        "bf16",
        "yes",
        "no",
        "是",
        "skip",
        "back",
        "跳过",
        "English",
        "中文",
        "1 hour",
        "90 min",
    ),
    *(
        "0.35 USD",
        "2.5元/卡时",
        "next Monday",
        "明天9点",
        "what is NVLink?",
        "价格多少?",
        "change cards to 16",
        "改成16张卡",
    ),
    *(
        "destroyed",
        "已销毁",
        "stopped",
        "a person please",
        "转人工",
        "thanks",
        "谢谢",
        "we want maybe 8 to 16 H100s, for a month",
    ),
    *(
        "Model: Llama 3.1 70B\nCards: 8\nTask: inference",
        "模型：Qwen\n卡数：16",
        "CUDA out of memory. Tried to allocate 2 GiB",
    ),
)


def subclasses(cls: type) -> list[type]:
    return [found for each in cls.__subclasses__() for found in (each, *subclasses(each))]


@cache
def signature(cls: type) -> dict[str, tuple[Any, bool]]:
    """What a class of the library takes: each parameter's type, and whether it must be given."""
    hints = get_type_hints(cls.__init__, localns=vars(telegram))
    taken = list(inspect.signature(cls.__init__).parameters.values())[1:]
    known = {p.name: (hints[p.name], p.default is p.empty) for p in taken if p.name != "api_kwargs"}
    return {name: each for name, each in known.items() if cls is not Message or name != "from_user"}


@cache
def forms(cls: type) -> list[type]:
    """The classes that stand for one in an update; the base of several as well: a kind that the library does not know yet."""
    return [cls, *(each for each in subclasses(cls) if each.__module__.startswith("telegram._"))]


@cache
def message_parts() -> list[str]:
    """Everything optional that a message may hold: attachments, service messages, and what goes along with them."""
    return [name for name, (_, required) in signature(Message).items() if not required]


class Chance:
    """One update's chances; everything in it follows from the seed and its number."""

    def __init__(self, seed: int, number: int, buttons: Sequence[str] = ()) -> None:
        self.random, self.number, self.buttons = random.Random(f"{seed}:{number}"), number, buttons

    def update(self) -> dict[str, Any]:
        """Each kind of update and each part of a message in turn, and after those mostly what people do."""
        kinds, parts = [str(kind) for kind in Update.ALL_TYPES], message_parts()
        if self.number < 4 * len(kinds):
            return self._of_kind(kinds[self.number % len(kinds)])
        if self.number < 4 * (len(kinds) + len(parts)):
            return self._of_kind("message", parts[self.number % len(parts)])
        kind = self.random.choices(("message", "callback_query", "edited_message", "any"), (48, 18, 6, 28))[0]
        return self._of_kind(self.random.choice(kinds) if kind == "any" else kind)

    def thing(self, cls: type, depth: int = 0) -> TelegramObject:
        """An object of the library's: what it must have, and some of what it may."""
        chosen = self.random.choice(forms(cls)) if depth else cls
        share = 0.4 / (1 + depth) ** 2
        try:
            return self._made(chosen, share, depth)
        except TypeError:
            # Some classes must be given what their signature calls optional.
            return self._made(chosen, 1.0, depth)

    def _made(self, cls: type, share: float, depth: int) -> TelegramObject:
        taken = signature(cls).items()
        names = [name for name, (_, required) in taken if required or self.random.random() < share]
        return cls(**{name: self.value(signature(cls)[name][0], depth + 1) for name in names})

    def value(self, hint: Any, depth: int) -> Any:
        """A value of a type; of an alternative, one that is something."""
        members = [each for each in get_args(hint) if each is not NoneType]
        if get_origin(hint) is Sequence:
            return [self.value(members[0], depth + 1) for _ in range(self.random.choice((1, 1, 2)))]
        if members:
            return self.value(self.random.choice(members), depth)
        if inspect.isclass(hint) and issubclass(hint, TelegramObject):
            return self.thing(hint, depth)
        return self._plain(hint)

    def text(self) -> str:
        """What people say, what nobody should, or both."""
        said, hostile = self.random.choice(SAID), self.random.choice(HOSTILE)
        return self.random.choices((said, hostile, said + hostile, hostile + said), (60, 20, 10, 10))[0][:4096]

    def _plain(self, hint: Any) -> Any:
        chance = self.random
        if hint is bool:
            return chance.random() < 0.5
        if hint is int:
            return chance.choice((0, 1, -1, 5, 2**31 - 1, chance.randrange(10**6)))
        if hint is float:
            return chance.choice((0.0, -1.5, 91.0, 1e300))
        if hint is datetime:
            return datetime.fromtimestamp(chance.choice((0, 1, 1_790_000_000, 2**31)), UTC)
        if hint is timedelta:
            return timedelta(seconds=chance.choice((0, 5, 10**6)))
        return self.text() if hint is str else chance.choice(("x", ""))

    def _of_kind(self, kind: str, part: str = "") -> dict[str, Any]:
        hint = signature(Update)[kind][0]
        cls = next(each for each in get_args(hint) if each is not NoneType)
        where, who, more = self._place()
        if cls is Message:
            body = self._message(part, where, who, more)
        elif kind == "callback_query":
            body = self._tap(where, who)
        else:
            body = self.thing(cls).to_dict()
            body |= {key: where for key in ("chat",) if key in body}
            body |= {key: who for key in ("from", "user") if key in body and who}
        return {"update_id": self.number + 1, kind: body}

    def _message(self, part: str, where: dict, who: dict | None, more: dict) -> dict[str, Any]:
        """A message with a part that is asked for, or a text, or any part and what else there may be."""
        chance = self.random
        shape = "part" if part else chance.choices(("text", "part", "bare"), (75, 20, 5))[0]
        part = part or chance.choice(message_parts())
        made = {} if shape != "part" else {part: self.value(signature(Message)[part][0], 1)}
        if shape == "part" and chance.random() < 0.3:
            made["caption"] = self.text()
        if shape == "text":
            made["text"] = self.text()
        message = Message(**{**_BARE, "message_id": self.number + 1}, **made).to_dict()
        if chance.random() < 0.02:
            message["date"] = 0
        message |= {"chat": where, **more}
        return message | ({"from": who} if who and chance.random() < 0.98 else {})

    def _tap(self, where: dict, who: dict | None) -> dict[str, Any]:
        """A tap on a live button, an old one, one of another version or dialog, a damaged one, or one of nobody's."""
        chance = self.random
        known = chance.choice(self.buttons) if self.buttons else "1:d1:workload:inference:pick"
        data = chance.choices(
            (
                known,
                known[: chance.randrange(1, len(known))],
                "0" + known[1:],
                known + ":x",
                self.text()[:64],
                "",
                None,
            ),
            (70, 6, 6, 6, 6, 3, 3),
        )[0]
        at = {"message_id": chance.randrange(1, self.number + 2), "chat": where}
        message = chance.choices(
            (
                {**at, "date": 1_790_000_000, "text": "x"},
                InaccessibleMessage(telegram.Chat(1, "private"), 1).to_dict() | at,
                None,
            ),
            (80, 12, 8),
        )[0]
        found: dict[str, Any] = {"id": str(self.number), "from": who or self._person(), "chat_instance": "1"}
        found |= {"message": message} if message else {"inline_message_id": "x"}
        return found if data is None else found | {"data": data}

    def _place(self) -> tuple[dict, dict | None, dict]:
        """Where it happens, who does it (if anybody), and what else a message says of that."""
        chance, person = self.random, self._person()
        at = chance.choices(
            ("private", "bot", "staff", "topic", "anonymous", "group", "channel"), (78, 2, 4, 8, 2, 3, 3)
        )[0]
        if at in ("private", "bot"):
            chat = {"id": person["id"], "type": "private"} | (
                {"first_name": self.text()} if chance.random() < 0.5 else {}
            )
            return chat, person | {"is_bot": at == "bot"}, {}
        staff = {"id": STAFF, "type": "supergroup", "is_forum": True} | (
            {"title": self.text()} if chance.random() < 0.5 else {}
        )
        thread = {"message_thread_id": chance.choice((*THREADS, 1, 999)), "is_topic_message": True}
        if at == "staff":
            return staff, person, chance.choice(({}, {"message_thread_id": 999}))
        if at == "topic":
            return staff, person, thread
        if at == "anonymous":
            return staff, ANONYMOUS, {"sender_chat": staff, **thread}
        other = {
            "id": -5 - self.number % 7,
            "type": at if at == "channel" else chance.choice(("group", "supergroup", "new")),
        }
        return other, None if at == "channel" else person, {"sender_chat": other} if chance.random() < 0.5 else {}

    def _person(self) -> dict[str, Any]:
        """One of few people, so that their conversations get far; their names and languages change from message to message."""
        chance = self.random
        made = {"id": chance.choice(CUSTOMERS), "is_bot": False, "first_name": "Customer"}
        if chance.random() < 0.3:
            made |= {"first_name": self.text()[:64], "last_name": self.text()[:64], "username": "a_customer"}
        language = LANGUAGES[made["id"] % len(LANGUAGES)]
        return made if language is None else made | {"language_code": language}


_BARE = {"date": datetime(2026, 11, 30, tzinfo=UTC), "chat": telegram.Chat(1, "private")}
