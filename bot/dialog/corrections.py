"""Changes to earlier answers, in words: by number, by name, or by the value alone."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.checklist.answer import Answer
from bot.checklist.field import Field
from bot.checklist.free_text import read_message, value_for
from bot.checklist.naming import field_numbered, fields_named
from bot.checklist.question import previous_field
from bot.checklist.understand import Moment, understand
from bot.dialog.effect import Outcome
from bot.dialog.event import Context, Said
from bot.dialog.questions import ask, go_on
from bot.dialog.state import Case, Scene
from bot.quantities.folding import fold, fold_with_origin, lower

_NUMBER: Final = r"(?:第\s?(?P<zh>\d{1,2}|[一二三四五六七八九十]{1,3})\s?(?:项|题|条|个问题|个|行)|(?:item|question|number|no\.?|line|point|#)\s?(?P<en>\d{1,2}))"
_TO: Final = r"(?:改成|改为|改到|换成|变成|变为|调整为|调成|设为|设成|应该是|应为|其实是|更正为|to|into|as|should be|is now|is actually|=|:|:)"
_BY_NUMBER = re.compile(
    rf"^(?:请|麻烦|帮我|我想|我要|把|将|please |can you |could you |change |set |correct |update |fix |make )*{_NUMBER}\s*(?:的?(?:答案|内容)?)?\s*(?:{_TO}\s*(?P<value>.+)|(?:改一下|改下|重填|要改|修改|重新填|again)?)$",
    re.DOTALL,
)
_BY_NAME = re.compile(
    r"^(?:不对|错了|抱歉|不好意思|等等|sorry|wait|oops|actually|no|correction)?[,，。.!\s:：]*"
    r"(?:请|麻烦|帮我|我想|我要|我们)*(?:把|将)?\s*(?P<name>[^,，。:：]{1,16}?)\s*"
    r"(?:改成|改为|改到|换成|变成|变为|调整为|调成|设为|设成|应该是|应为|其实是|更正为)\s*[:：]?\s*(?P<value>.+)$"
    r"|^(?:sorry|wait|oops|actually|no|correction)?[,.!\s:]*(?:please |can you |could you |i want to |i'd like to |let's |we need to )*"
    r"(?:change|set|update|correct|make|switch|edit)\s+(?:the |our |my )?(?P<en_name>[a-z][a-z \-]{1,30}?)\s+(?:to|into|as|=|:)\s*(?P<en_value>.+)$"
    r"|^(?:sorry|wait|oops|actually|no|correction)?[,.!\s:]*(?:the |our |my )?(?P<be_name>[a-z][a-z \-]{1,30}?)\s+(?:should be|is actually|should have been|must be)\s+(?P<be_value>.+)$",
    re.DOTALL,
)
_VALUE_ALONE = re.compile(
    r"^(?:不对|错了|说错了|写错了|抱歉|不好意思|等等|sorry|wait|oops|actually|no|correction)?[,，。.!\s:：]*"
    r"(?:(?:改成|改为|换成|改到|应该是|更正为|更正|i meant|i mean|make it|make that|change it to|change to|change that to|it should be|should be)\s*[:：]?\s*|(?:是|it's|it is)\s*)(?P<value>.+)$",
    re.DOTALL,
)
_STARTS_WRONG = re.compile(r"^(?:不对|错了|说错了|写错了|抱歉|sorry|wait|oops|actually|correction|no[,， ])")
_REOPEN = re.compile(
    r"^(?:请|麻烦|帮我|我想|我要|回到|返回|回|重填|修改|改一下|改下|改|更改|重新填)+\s*(?P<name>[^,，。]{1,16}?)(?:这一?[项题])?$"
    r"|^(?:please |i want to |i'd like to |let me |can i )*(?:go back to|back to|return to|change|edit|correct|redo|update)\s+(?:the |my |our )?(?P<en_name>[a-z#][a-z0-9# \-]{1,30})$"
)
_KEEP = re.compile(
    r"^(?:保留|保持|不改|还是|按|用)?(?:原来|之前|旧|先前|前面|第一个)(?:的|那个)?$|^(?:keep|keep it|the old|old|the first|first|before)(?: one)?$|^不改$|^保留$"
)
_NEW = re.compile(
    r"^(?:用|按|改成|要)?(?:新|后面|后一个|第二个|现在)(?:的|那个)?$|^(?:the )?(?:new|second|latter|change it|change)(?: one)?$|^改$|^更新$"
)
_HAN_NUMBERS: Final = "零一二三四五六七八九十"


def correct(case: Case, event: Said, context: Context) -> Outcome | None:
    """Carry out a correction that a text asks for; None when it asks for none that can be read."""
    if not case.answers:
        return None
    text, origin = fold_with_origin(event.text.strip())
    moment = Moment(context.now, context.shapes)
    numbered = _BY_NUMBER.match(lower(text))
    if numbered:
        field = field_numbered(_digits(numbered), case.answers)
        value = event.text.strip()[origin[numbered.start("value")] :] if numbered["value"] else None
        return None if field is None else _set(case, (field,), value, event, moment)
    named = _BY_NAME.match(lower(text))
    if named:
        group = next(name for name in ("", "en_", "be_") if named[f"{name}name"])
        fields = fields_named(named[f"{group}name"])
        if fields:
            return _set(case, fields, event.text.strip()[origin[named.start(f"{group}value")] :], event, moment)
    return _by_value(case, text, event, moment) or _reopened(case, lower(text))


def replaced(
    case: Case,
    found: Mapping[str, Answer],
    *,
    source: int | None = None,
    taken: tuple[str, ...] | None = None,
    noted: bool = False,
) -> Outcome:
    """Put answers in the place of earlier ones, as the customer has asked, and go on where the talk stood."""
    sources = case.state.sources | (dict.fromkeys(found, source) if source is not None else {})
    claims = tuple(claim for claim in case.state.claims if claim.key not in found)
    changed = replace(case, answers=case.answers.with_answers(found)).with_state(sources=sources, claims=claims)
    return go_on(changed, tuple(found) if taken is None else taken, noted=noted)


def kept(said: str) -> bool | None:
    """Return which of two answers a few words choose: True the new one, False the old one, None neither."""
    text = lower(fold(said)).strip(" .!")
    return False if _KEEP.match(text) else True if _NEW.match(text) else None


def _set(case: Case, fields: tuple[Field, ...], value: str | None, event: Said, moment: Moment) -> Outcome | None:
    """Give one of these fields its new value; without a value that can be read, its question is asked again."""
    if value is not None:
        found = value_for(fields, value.strip(" .。"), moment)
        if found:
            return replaced(case, _own(fields, found), source=event.message_id)
    known = next((field for field in fields if field.key in case.answers), fields[0])
    outcome = ask(case, known.key, from_summary=case.state.scene is Scene.SUMMARY)
    return Outcome(outcome.case, outcome.effects)


def _own(fields: tuple[Field, ...], found: Mapping[str, Answer]) -> dict[str, Answer]:
    """The value of the field that was named, and of others that the words name too: 改成 16 张 A100."""
    return dict(found) if any(field.key in found for field in fields) else {}


def _by_value(case: Case, text: str, event: Said, moment: Moment) -> Outcome | None:
    """A new value without a field's name goes where its kind says, or to the question answered last."""
    match = _VALUE_ALONE.match(lower(text))
    if match is None or not (match["value"] and (_STARTS_WRONG.match(lower(text)) or not lower(text).startswith("是"))):
        return None
    value = text[match.start("value") :].strip(" .。!")
    found = {key: a for key, a in read_message(value, moment, case.answers).answers.items() if key in case.answers}
    if not found:
        last = previous_field(case.answers, case.state.field if case.state.scene is Scene.CHECKLIST else None)
        named = (last,) if last is not None and last.key in case.answers else ()
        found = {
            key: answer
            for field in named
            for key, answer in understand(field, value, moment).items()
            if key == field.key and field.kind not in _TEXTS
        }
    return replaced(case, found, source=event.message_id) if found else None


_TEXTS: Final = frozenset({"text", "choice_or_text", "yn_or_text"})


def _reopened(case: Case, low: str) -> Outcome | None:
    """A wish to answer one field again: 改一下卡数, go back to model."""
    match = _REOPEN.match(low)
    if match is None:
        return None
    fields = fields_named(match["name"] or match["en_name"])
    answered = tuple(field for field in fields if field.key in case.answers)
    return ask(case, answered[0].key, from_summary=case.state.scene is Scene.SUMMARY) if answered else None


def _digits(match: re.Match[str]) -> int:
    """The number of a match, in digits or in Chinese numerals up to 99."""
    said = match["zh"] or match["en"]
    if said.isdigit():
        return int(said)
    tens, ten, ones = said.rpartition("十")
    if not ten:
        return _HAN_NUMBERS.index(said[0])
    return (_HAN_NUMBERS.index(tens) if tens else 1) * 10 + (_HAN_NUMBERS.index(ones) if ones else 0)
