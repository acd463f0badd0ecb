"""Serves the chat page and the Chinese font that it uses."""

from functools import cache
from http import HTTPStatus
from pathlib import Path

from opencc import OpenCC
from pylopdf_fonts_zh_cn import sans_path

from bot.sandbox.refusals import not_found
from bot.sandbox.wire import Reply

_FOLDER = Path(__file__).parent / "page"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_SIMPLIFIED, _TRADITIONAL = "texts-zh.js", "texts-zh-hant.js"
FONT_PATH = "/font/zh.otf"
_KEPT_FOR_A_DAY = (("Cache-Control", "max-age=86400"),)
_ASKED_EVERY_TIME = (
    ("Cache-Control", "no-cache"),
    ("X-Content-Type-Options", "nosniff"),
    (
        "Content-Security-Policy",
        # Browser drivers evaluate what they wait for inside the page; the page itself evaluates nothing.
        "default-src 'self'; script-src 'self' 'unsafe-eval'; img-src 'self' blob: data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
)


def page_file(path: str) -> Reply:
    """Return a file of the page, the font, or a 404 in the words of the Bot API server."""
    if path == FONT_PATH:
        return Reply(_font(), content_type="font/otf", headers=_KEPT_FOR_A_DAY)
    name = "index.html" if path == "/" else path[1:]
    if name not in _names():
        return Reply(not_found().body(), HTTPStatus.NOT_FOUND)
    if name == _TRADITIONAL:
        return Reply(_traditional(), content_type=_TYPES[".js"], headers=_ASKED_EVERY_TIME)
    file = _FOLDER / name
    return Reply(file.read_bytes(), content_type=_TYPES[file.suffix], headers=_ASKED_EVERY_TIME)


def _names() -> frozenset[str]:
    """The files of the page: only these are served, whatever the path says."""
    return frozenset(file.name for file in _FOLDER.iterdir() if file.suffix in _TYPES) | {_TRADITIONAL}


@cache
def _traditional() -> bytes:
    """The page's words in traditional Chinese, as Taiwan says them; only Han change, so that the script stays one."""
    converted: str = OpenCC("s2twp").convert((_FOLDER / _SIMPLIFIED).read_text())
    return converted.encode()


@cache
def _font() -> bytes:
    return sans_path().read_bytes()
