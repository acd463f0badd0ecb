"""The command menus: per language for everybody, per chat for who reads another one than their app's code gets, and the staff's own."""

from typing import Any, Final

from bot.i18n import LOCALES, TRANSLATED, Texts, texts
from bot.settings import Settings
from bot.telegram.commands import Audience, of

_BY_CODE: Final = {locale[:2]: locale for locale in (LOCALES[0], *TRANSLATED)}
"""Telegram knows two-letter codes here, so that one menu serves all kinds of Chinese."""


def shown_by_itself(language_code: str | None, settings: Settings) -> str:
    """Return the language of the menu that Telegram shows an app's language as long as the chat has none of its own."""
    return _BY_CODE.get((language_code or "")[:2].lower(), settings.default_locale)


def for_chat(chat_id: int, reader_texts: Texts) -> dict[str, Any]:
    """Return the call that sets one private chat's menu in its chosen language."""
    return {"commands": _entries(Audience.CUSTOMER, reader_texts), "scope": {"type": "chat", "chat_id": chat_id}}


def at_start(settings: Settings) -> list[dict[str, Any]]:
    """Return the calls that set all menus: private chats by app language, the staff group, and no commands elsewhere."""
    private = {"type": "all_private_chats"}
    calls: list[dict[str, Any]] = [
        {"commands": _entries(Audience.CUSTOMER, texts(locale)), "scope": private, "language_code": code}
        for code, locale in _BY_CODE.items()
    ]
    calls.append({"commands": _entries(Audience.CUSTOMER, texts(settings.default_locale)), "scope": private})
    if settings.staff_chat_id is not None:
        scope = {"type": "chat", "chat_id": settings.staff_chat_id}
        calls.append({"commands": _entries(Audience.STAFF, texts(settings.default_locale)), "scope": scope})
    return calls


def _entries(audience: Audience, reader_texts: Texts) -> list[dict[str, str]]:
    return [{"command": command.name, "description": reader_texts.text(command.menu)} for command in of(audience)]
