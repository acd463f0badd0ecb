"""Words that do what a button does, typed in either language, whatever language the screen is in."""

from functools import cache
from typing import Final

from bot.i18n import LOCALES, N_, texts
from bot.quantities.folding import wording

LABELS: Final = {
    "tbd": N_("To be decided"),
    "skip": N_("Skip"),
    "back": N_("← Back"),
    "human": N_("Ask a person"),
    "confirm": N_("✓ Confirm and send"),
    "edit": N_("Change an answer"),
    "estimate": N_("Estimate"),
    "export": N_("As a document"),
}
"""The labels of buttons that every question or the summary has; what is typed like one counts as a tap on it."""

_MORE: Final = {
    "skip": ("跳过", "略过", "skip it", "pass", "next"),
    "back": ("返回", "上一题", "上一个", "回上一步", "go back", "previous"),
    "human": (
        "人工",
        "转人工",
        "人工客服",
        "客服",
        "human",
        "agent",
        "talk to a human",
        "talk to a person",
        "real person",
        "speak to a human",
        "speak to someone",
        "talk to someone",
        "let me talk to somebody",
        "let me talk to a person",
        "i want to talk to a person",
        "i want a human",
        "真人",
        "找真人",
        "我想找真人",
        "我要真人",
        "我要人工",
        "我想找人工",
        "我要找人工",
        "转接人工",
        "转人工客服",
    ),
    "confirm": ("确认", "确认发送", "提交", "confirm", "send", "submit", "send it"),
    "edit": ("修改", "更改", "change", "edit"),
    "estimate": ("估算", "estimate"),
    "export": ("导出", "导出清单", "下载清单", "汇出", "export", "download", "as a file"),
}


def typed_action(said: str) -> str | None:
    """Return the action of the button that a whole message names; None for any other text.

    >>> typed_action("上一步"), typed_action("Skip"), typed_action("skip the small ones")
    ('back', 'skip', None)
    """
    return _actions().get(_plain(said))


@cache
def _actions() -> dict[str, str]:
    found = {}
    for action, label in LABELS.items():
        for name in (*(texts(locale).text(label) for locale in LOCALES), *_MORE.get(action, ())):
            found[_plain(name)] = action
    return found


def _plain(text: str) -> str:
    return wording(text).strip(" ←✓.!。！?？~")
