"""The command menus: per language for everybody, per chat for who has chosen a language, and the staff's own."""

from typing import Any

from bot.i18n import LOCALES, Texts, texts
from bot.settings import Settings
from bot.telegram.commands import Audience, of


def for_chat(chat_id: int, reader_texts: Texts) -> dict[str, Any]:
    """Return the call that sets one private chat's menu in its chosen language."""
    return {"commands": _entries(Audience.CUSTOMER, reader_texts), "scope": {"type": "chat", "chat_id": chat_id}}


def at_start(settings: Settings) -> list[dict[str, Any]]:
    """Return the calls that set all menus: private chats by app language, the staff group, and no commands elsewhere."""
    private = {"type": "all_private_chats"}
    calls: list[dict[str, Any]] = [
        {"commands": _entries(Audience.CUSTOMER, texts(locale)), "scope": private, **_code(locale, settings)}
        for locale in LOCALES
    ]
    calls.append({"commands": _entries(Audience.CUSTOMER, texts(settings.default_locale)), "scope": private})
    if settings.staff_chat_id is not None:
        scope = {"type": "chat", "chat_id": settings.staff_chat_id}
        calls.append({"commands": _entries(Audience.STAFF, texts(settings.default_locale)), "scope": scope})
    return calls


def _code(locale: str, _settings: Settings) -> dict[str, str]:
    """Telegram knows two-letter codes here, so that one list serves all kinds of Chinese."""
    return {"language_code": locale[:2]}


def _entries(audience: Audience, reader_texts: Texts) -> list[dict[str, str]]:
    return [{"command": command.name, "description": reader_texts.text(command.menu)} for command in of(audience)]
