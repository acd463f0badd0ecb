"""Decides which texts are links, as the server does for HTML links and buttons."""

import re

_LINK = re.compile(
    r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://)?(?P<user>[^\s/?#@]+@)?(?P<host>[^\s/?#:@]+)(?P<port>:\d{1,5})?(?P<rest>[/?#]\S*)?"
)
_SCHEMES = frozenset({"http", "https", "ftp", "tg", "ton", "tonsite"})
_USER = re.compile(r"tg:(?://)?user\?id=(\d+)")


def checked_link(url: str) -> str | None:
    """Return the link as the server stores it, with a scheme and a path, or None when it is no link."""
    match = _LINK.fullmatch(url.strip())
    if match is None:
        return None
    scheme = (match["scheme"] or "http").lower()
    if scheme not in _SCHEMES:
        return None
    if scheme in {"tg", "ton"}:
        return url.strip()
    if "." not in match["host"].strip("."):
        return None
    rest = match["rest"] or "/"
    place = f"{match['user'] or ''}{match['host'].lower()}{match['port'] or ''}"
    return f"{scheme}://{place}{rest if rest[0] == '/' else '/' + rest}"


def mentioned_user(url: str) -> int | None:
    """Return the user id of a tg://user?id=N link."""
    match = _USER.match(url)
    return int(match[1]) if match else None
