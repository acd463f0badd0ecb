"""What a Telegram knows: people, chats, topics, messages and button presses, as plain records."""

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

NO_RIGHTS: Json = {
    "can_manage_chat": False,
    "can_delete_messages": False,
    "can_manage_video_chats": False,
    "can_restrict_members": False,
    "can_promote_members": False,
    "can_change_info": False,
    "can_invite_users": False,
    "can_post_stories": False,
    "can_edit_stories": False,
    "can_delete_stories": False,
    "can_pin_messages": False,
    "can_manage_topics": False,
    "is_anonymous": False,
}
"""The rights of an administrator that was given none."""


@dataclass(slots=True)
class User:
    """A person or the bot."""

    id: int
    first_name: str
    last_name: str = ""
    username: str = ""
    language_code: str | None = None
    is_premium: bool = False
    is_bot: bool = False
    started: bool = False
    blocked: bool = False
    deactivated: bool = False

    def api(self) -> Json:
        """Return the Bot API `User`."""
        fields: Json = {"id": self.id, "is_bot": self.is_bot, "first_name": self.first_name}
        if self.last_name:
            fields["last_name"] = self.last_name
        if self.username:
            fields["username"] = self.username
        if self.language_code:
            fields["language_code"] = self.language_code
        if self.is_premium:
            fields["is_premium"] = True
        return fields


@dataclass(slots=True)
class Topic:
    """A topic of a forum; its id is the id of the service message that opened it."""

    id: int
    name: str
    icon_color: int
    icon_custom_emoji_id: str = ""
    closed: bool = False
    deleted: bool = False


@dataclass(slots=True)
class Message:
    """A message: `payload` is the Bot API `Message` and is replaced, never changed in place."""

    id: int
    sender: User
    payload: Json
    reply_to: int | None = None
    thread: int | None = None
    seq: int = 0
    edited: bool = False
    deleted: bool = False
    former: list[str] = field(default_factory=list)
    reply_keyboard: Json | None = None
    reactions: list[Json] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text or the caption."""
        found = self.payload.get("text") or self.payload.get("caption") or ""
        return str(found)

    @property
    def buttons(self) -> list[list[Json]]:
        """The rows of the inline keyboard."""
        rows: list[list[Json]] = self.payload.get("reply_markup", {}).get("inline_keyboard", [])
        return rows


@dataclass(slots=True)
class Chat:
    """A private chat (its id is the person's) or a group; `changed` has the messages in the order of their changes."""

    id: int
    type: str
    title: str = ""
    is_forum: bool = False
    person: User | None = None
    members: set[int] = field(default_factory=set)
    admins: set[int] = field(default_factory=set)
    bot_status: str = "member"
    bot_rights: Json = field(default_factory=dict)
    topics: dict[int, Topic] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    changed: dict[int, Message] = field(default_factory=dict)
    pinned: list[int] = field(default_factory=list)
    last_message_id: int = 0
    migrated_to: int | None = None
    menu_button: Json | None = None

    def api(self) -> Json:
        """Return the Bot API `Chat`."""
        fields: Json = {"id": self.id, "type": self.type}
        if self.person is not None:
            person = self.person.api()
            fields |= {name: person[name] for name in ("first_name", "last_name", "username") if name in person}
            return fields
        fields["title"] = self.title
        if self.is_forum:
            fields["is_forum"] = True
        return fields

    def bot_may(self, right: str) -> bool:
        """Tell whether the bot is an administrator with this right; in private chats it may do all."""
        if self.type == "private":
            return True
        return self.bot_status == "administrator" and bool(self.bot_rights.get(right))

    @property
    def kind(self) -> str:
        """The word that the server uses for this chat in its refusals."""
        return f"{self.type} chat"


@dataclass(slots=True)
class Query:
    """A press of an inline button."""

    id: str
    user_id: int
    chat_id: int
    message_id: int
    asked_at: float
    expires_at: float
    answer: Json | None = None
    answered_after_s: float = 0.0
