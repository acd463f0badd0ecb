"""The state of the sandbox: people, chats and messages, and the few ways in which they change."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.clock import Clock
from bot.sandbox.events import Events
from bot.sandbox.files import FileStore
from bot.sandbox.models import NO_RIGHTS, Chat, Json, Message, Query, Topic, User
from bot.sandbox.updates import Updates
from bot.sandbox.views import chat_view, message_view
from bot.sandbox.webhook import Webhook

STAFF_CHAT_ID = -1001000000001
STAFF_PERSON_ID = 5100000001
DEMO_PEOPLE = (
    User(STAFF_PERSON_ID, "Staff", username="desk_staff", language_code="zh-hans"),
    User(5100000002, "客户", username="customer_zh", language_code="zh-hans"),
    User(5100000003, "Customer", username="customer_en", language_code="en"),
)
"""The staff person and two customers that are there after every start."""

STAFF_RIGHTS: Json = {
    **NO_RIGHTS,
    "can_manage_chat": True,
    "can_delete_messages": True,
    "can_invite_users": True,
    "can_change_info": True,
    "can_pin_messages": True,
    "can_manage_topics": True,
}
_FIRST_PERSON_ID = 5200000001
_FIRST_GROUP_ID = -4000000001
_FIRST_SUPERGROUP_ID = -1001000000002
_TOPIC_COLOR = 0x6FB9F0


@dataclass(slots=True)
class Profile:
    """What the bot says about itself: texts by language, commands by scope and language, the menu button."""

    texts: dict[tuple[str, str], str] = field(default_factory=dict)
    commands: dict[tuple[str, str], list[Json]] = field(default_factory=dict)
    menu_button: Json = field(default_factory=lambda: {"type": "commands"})


class World:
    """Everything that `/client/reset` forgets."""

    def __init__(self, *, bot: User, clock: Clock, events: Events) -> None:
        self.bot = bot
        self.clock = clock
        self.events = events
        self.updates = Updates(self.now)
        self.webhook = Webhook(self.updates, self.now)
        self._seq = 0
        self._query_ids = itertools.count(4_400_000_000_000_001)
        self.reset()

    def reset(self) -> None:
        """Forget everything and set up the staff group and the demo people."""
        self.updates.clear()
        self.webhook.forget()
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.chats: dict[int, Chat] = {}
        self.queries: dict[str, Query] = {}
        self.files = FileStore()
        self.profile = Profile()
        self._person_ids = itertools.count(_FIRST_PERSON_ID)
        self._group_ids = itertools.count(_FIRST_GROUP_ID, -1)
        self._supergroup_ids = itertools.count(_FIRST_SUPERGROUP_ID, -1)
        for person in DEMO_PEOPLE:
            self.add_person(User(person.id, person.first_name, "", person.username, person.language_code))
        staff = {STAFF_PERSON_ID}
        self.add_group(
            "supergroup",
            "GPU Desk Staff",
            is_forum=True,
            members=staff,
            admins=staff,
            bot_rights=STAFF_RIGHTS,
            chat_id=STAFF_CHAT_ID,
        )
        self.events.publish(lambda: {"type": "reset"})

    def now(self) -> float:
        """Return the server's time in seconds since 1970."""
        return self.clock.now().timestamp()

    def new_person_id(self) -> int:
        """Return an id that nobody has."""
        return next(number for number in self._person_ids if number not in self.users)

    def add_person(self, person: User) -> Chat:
        """Add somebody, or give a known person these data; returns the private chat with the bot."""
        known = self.users.get(person.id)
        if known is not None:
            person.started, person.blocked = known.started, known.blocked
        self.users[person.id] = person
        chat = self.chats.setdefault(person.id, Chat(person.id, "private"))
        chat.person = person
        self.show_chat(chat)
        return chat

    def add_group(
        self,
        kind: str,
        title: str,
        *,
        is_forum: bool = False,
        members: Iterable[int] = (),
        admins: Iterable[int] = (),
        bot_rights: Json | None = None,
        chat_id: int | None = None,
    ) -> Chat:
        """Add a group with the bot in it: an administrator when it is given rights."""
        numbers = self._group_ids if kind == "group" else self._supergroup_ids
        chat = Chat(
            chat_id or next(numbers),
            kind,
            title=title,
            is_forum=is_forum,
            members={*members, *admins},
            admins=set(admins),
            bot_status="member" if bot_rights is None else "administrator",
            # Message 1 is the founding of the group; in a forum that number also stands for the General topic.
            last_message_id=1,
            bot_rights={} if bot_rights is None else {**NO_RIGHTS, "can_manage_chat": True, **bot_rights},
        )
        self.chats[chat.id] = chat
        self.show_chat(chat)
        return chat

    def user_json(self, user_id: int) -> Json | None:
        """Return the Bot API user with this id, if anybody has it."""
        user = self.users.get(user_id)
        return user.api() if user else None

    def post(
        self,
        chat: Chat,
        sender: User,
        content: Json,
        *,
        thread: int | None = None,
        reply_to: Message | None = None,
        reply_keyboard: Json | None = None,
    ) -> Message:
        """Put a message into a chat; `content` holds the fields that make it what it is."""
        chat.last_message_id += 1
        payload: Json = {
            "message_id": chat.last_message_id,
            "from": sender.api(),
            "chat": chat.api(),
            "date": int(self.now()),
        }
        quoted = reply_to
        if thread is not None:
            payload |= {"message_thread_id": thread, "is_topic_message": True}
            # Telegram shows a message of a topic as a reply to the message that opened the topic.
            quoted = reply_to or chat.messages.get(thread)
        if quoted is not None:
            payload["reply_to_message"] = _without_reply(quoted.payload)
        payload |= content
        message = Message(
            chat.last_message_id,
            sender,
            payload,
            reply_to=reply_to.id if reply_to else None,
            thread=thread,
            reply_keyboard=reply_keyboard,
        )
        chat.messages[message.id] = message
        self.touch(chat, message)
        return message

    def service(self, chat: Chat, sender: User, content: Json, *, thread: int | None = None) -> Message:
        """Post a service message and tell the bot of it."""
        message = self.post(chat, sender, content, thread=thread)
        self.push_message("message", chat, message)
        return message

    def replace(self, chat: Chat, message: Message, payload: Json, *, visibly: bool = True) -> None:
        """Give a message new content; `visibly` marks it as edited for the people who read it."""
        before = message.text
        message.payload = payload
        if visibly:
            message.payload = {**payload, "edit_date": int(self.now())}
            message.edited = True
        if message.text != before:
            message.former.append(before)
        self.touch(chat, message)

    def delete(self, chat: Chat, message: Message) -> None:
        """Take a message away; what is left of it is only for `/client`."""
        del chat.messages[message.id]
        message.deleted = True
        chat.pinned = [number for number in chat.pinned if number != message.id]
        self.touch(chat, message)

    def open_topic(self, chat: Chat, sender: User, name: str, color: int | None, emoji_id: str) -> Topic:
        """Open a topic by its service message."""
        about: Json = {"name": name, "icon_color": color if color is not None else _TOPIC_COLOR}
        if emoji_id:
            about["icon_custom_emoji_id"] = emoji_id
        topic = Topic(chat.last_message_id + 1, name, about["icon_color"], emoji_id)
        chat.topics[topic.id] = topic
        self.service(chat, sender, {"forum_topic_created": about}, thread=topic.id)
        self.show_chat(chat)
        return topic

    def drop_topic(self, chat: Chat, topic: Topic) -> None:
        """Delete a topic with all its messages."""
        topic.deleted = True
        for message in [m for m in chat.messages.values() if m.thread == topic.id]:
            self.delete(chat, message)
        self.show_chat(chat)

    def new_query(self, user: User, chat: Chat, message_id: int, lifetime_s: float) -> Query:
        """Record the press of a button."""
        now = self.now()
        query = Query(str(next(self._query_ids)), user.id, chat.id, message_id, now, now + lifetime_s)
        self.queries[query.id] = query
        return query

    def push_message(self, kind: str, chat: Chat, message: Message) -> int | None:
        """Send a message to the bot as an update of this kind."""
        return self.updates.push(kind, message.payload, str(chat.id))

    def touch(self, chat: Chat, message: Message) -> None:
        """Count a change of a message and show it on the pages."""
        self._seq += 1
        message.seq = self._seq
        chat.changed.pop(message.id, None)
        chat.changed[message.id] = message
        self.events.publish(lambda: {"type": "message", "chat_id": chat.id, "message": message_view(self, message)})

    def show_chat(self, chat: Chat) -> None:
        """Show a new or changed chat on the pages."""
        self.events.publish(lambda: {"type": "chat", "chat": chat_view(chat)})


def _without_reply(payload: Json) -> dict[str, Any]:
    if "reply_to_message" not in payload:
        return payload
    return {name: value for name, value in payload.items() if name != "reply_to_message"}
