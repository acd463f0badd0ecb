"""Reads a free message: any number of answers, in any order and either language, and what could not be placed."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.checklist.answer import Answer, Answers
from bot.checklist.clauses import clauses, is_question
from bot.checklist.field import Field, Kind, Section
from bot.checklist.fields import BY_KEY
from bot.checklist.mentions import mentioned, says_training
from bot.checklist.naming import fields_named
from bot.checklist.placing import is_total, place
from bot.checklist.question import applicable
from bot.checklist.understand import Moment, answer_of, understand
from bot.quantities import Normal, spans, undecided
from bot.quantities.folding import fold, fold_with_origin, lower

_LABELLED = re.compile(r"^\s*(?:[-•*·]|\d{1,2}[.)、．]\s)?\s*([^:：=\n]{1,30}?)\s*[:：=]\s*(\S.*)$", re.DOTALL)
_LEFT_OPEN = re.compile(
    r"^(.{1,20}?)\s*(?:都|也|还|先|暂时|目前|is|are|still)*\s*"
    r"(待定|未定|没定|没想好|没确定|不确定|不限|无所谓|随便|都行|都可以|tbd|to be decided|not decided(?: yet)?|undecided|unsure|doesn't matter|does not matter|any)$"
)
_REST = re.compile(
    r"^(?:其他|其它|其余|剩下|剩余|别的|余下)(?:的|项|信息|内容|部分)*(?:都|全|先|暂时|也|均|还)*(?:待定|未定|没定|没想好|不确定|再说|空着)(?:了|吧)?$"
    r"|^(?:and |the )*(?:everything else|all else|the rest|rest|all other(?: \w+)?|others?)(?: is| are|:)* ?(?:still |all )?(?:tbd|to be decided|undecided|open|not decided(?: yet)?|unsure|unknown)$"
)
_SMALL_TALK = re.compile(
    r"^(?:hi|hello|hey|dear \w+|thanks?|thank you|good (?:morning|afternoon|evening)|please|ok(?:ay)?|yes|no|sorry|well|so|and)?(?: there| all| team| a lot| so much)?$"
    r"|^(?:你好|您好|嗨|哈喽|在吗|在不在|谢谢|多谢|感谢|好的|嗯+|麻烦了?|辛苦了?|那个|就是|大概|比如|另外|还有)?(?:啊|呀|了|哈|啦|您|你们?)?$"
)
_AMOUNT = re.compile(
    r"[\d零一二两三四五六七八九十百半双单几满千万每]|长期|长租|尽快|马上|立[刻即]|越[快早]|[年月季周]"
    r"|(?<![a-z])(?:asap|soon|immediately|right away|long|indefinitely|hourly|daily|every|each|once|twice|an?|half|one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|next|this|tomorrow|today|full|hdr|ndr|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)"
)
"""Without any of these there is no quantity in a clause, and searching it would be for nothing."""
MOST_CLAUSES: Final = 80
"""What a paste says beyond this many clauses is kept as a note; reading on would make people wait."""
_AROUND_THE_CLOCK = re.compile(r"7 ?[x*×] ?24|24 ?[x*×/] ?7")
_EACH = re.compile(
    r"^(?:with )?([1-9]\d?)(?: ?x)?(?: cards?| gpus?)? (?:per|each|in each|a) (?:node|machine|server|box)s?$"
)
_FREE: Final = frozenset({Kind.TEXT, Kind.CHOICE_OR_TEXT, Kind.YES_NO_OR_TEXT})
_CHOSEN: Final = frozenset({Kind.CHOICE, Kind.CHOICES})
_STRICT: Final = frozenset(Kind) - _FREE - _CHOSEN - {Kind.MODEL}
"""Kinds whose grammar takes a clause as a whole or not at all, so that nothing else can stand in it."""
_SHORT: Final = 14


@dataclass(frozen=True)
class Reading:
    """What a message holds: answers by key, statements that found no place, and questions; each as it was written."""

    answers: Mapping[str, Answer] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()


def read_message(said: str, moment: Moment, given: Answers, asked: Field | None = None) -> Reading:
    """Read a whole message beside the answers `given` so far; the field `asked` has the first right to what may be its own.

    What a message says twice and differently is not taken at all. Raises nothing; an unreadable message gives an empty reading.
    """
    draft = _Draft(moment, given, asked)
    questions: list[str] = []
    notes: list[str] = []
    parts = tuple(dict.fromkeys(clauses(said)))
    notes += parts[MOST_CLAUSES:]
    for clause in parts[:MOST_CLAUSES]:
        if is_question(clause):
            questions.append(clause)
        elif not draft.take(clause) and not _SMALL_TALK.match(lower(fold(clause)).strip(" ~.!")):
            notes.append(clause)
    return Reading(draft.settled(said), tuple(notes), tuple(questions))


class _Draft:
    """What has been found so far in one message."""

    def __init__(self, moment: Moment, given: Answers, asked: Field | None) -> None:
        self._moment, self._given, self._asked = moment, given, asked
        self._found: dict[str, Answer] = {}
        self._doubtful: set[str] = set()
        self._nodes = 0
        self._rest_open = False

    def take(self, clause: str) -> bool:
        """Take what one clause says; whether it said anything."""
        low = lower(fold(clause)).strip()
        if _REST.match(low.strip(" .")):
            self._rest_open = True
            return True
        named = self._labelled(clause) or self._left_open(low)
        if named:
            self._add_all(named.items())
            return True
        own = self._own(clause)
        if own and self._asked and self._asked.kind in _STRICT:
            self._add_all(own.items())
            return True
        pairs, nodes = self._loose(clause)
        self._nodes = nodes or self._nodes
        loose = [(key, answer) for key, answer in pairs if key not in own]
        self._add_all([*own.items(), *loose])
        return bool(own or loose or nodes)

    def settled(self, said: str) -> dict[str, Answer]:
        """Return the answers of the message, with what follows from them."""
        found = {key: answer for key, answer in self._found.items() if key not in self._doubtful}
        if "workload" not in found and "workload" not in self._doubtful and not self._given.code("workload"):
            found |= _purpose(said, found)
        if self._given.with_answers(found).is_inference:
            found.pop("method", None)
        found |= self._per_machine(found)
        if self._rest_open:
            found |= self._open_rest(found)
        return found

    def _labelled(self, clause: str) -> dict[str, Answer]:
        """A clause with a field's name before a colon."""
        match = _LABELLED.match(clause)
        return value_for(fields_named(match[1]), match[2], self._moment) if match else {}

    def _left_open(self, low: str) -> dict[str, Answer]:
        """A clause that names a field and says that it is open: 地域不限, start date TBD."""
        match = _LEFT_OPEN.match(low)
        if match is None:
            return {}
        fields = fields_named(match[1])
        normal = undecided(match[2])
        return {fields[0].key: answer_of(normal, low)} if fields and normal else {}

    def _own(self, clause: str) -> dict[str, Answer]:
        """What the clause answers to the open question; short words of options count in a short clause alone."""
        asked = self._asked
        if asked is None or asked.key in self._found or asked.kind in _FREE:
            return {}
        if asked.kind in _CHOSEN and len(clause) > _SHORT:
            return {}
        return {key: answer for key, answer in understand(asked, clause, self._moment).items() if answer.known}

    def _loose(self, clause: str) -> tuple[list[tuple[str, Answer]], int]:
        """What quantities and words in the clause say, and how many machines; a key comes twice when it was said twice."""
        folded, origin = fold_with_origin(clause)
        folded = folded.rstrip()
        low = lower(folded)
        found: list[tuple[str, Answer]] = []
        known = frozenset(self._found) | frozenset(self._given)
        nodes = 0
        searched = _AROUND_THE_CLOCK.sub(_blank, folded) if _AMOUNT.search(low) else ""
        for span in spans.find(searched, now=self._moment.now):
            keys = known | {key for key, _ in found}
            raw = clause[origin[span.start] : origin[span.end - 1] + 1]
            placed = place(span, low, known=keys, wanted=self._wanted(span.kind))
            nodes = int(placed.pop("nodes", 0)) or nodes
            if "model" in placed:
                placed = {"model": _model_name(span.raw, self._moment)}
            found += [(key, answer_of(normal, raw)) for key, normal in placed.items() if normal]
        words = mentioned(clause) | _cards_each(low)
        if "model" in words:
            words["model"] = _model_name(words["model"], self._moment)
            found = [pair for pair in found if pair[0] != "model"]
        if words.get("network") == "ethernet":
            found = [pair for pair in found if pair[0] not in ("network", "bandwidth")]
        there = {key for key, _ in found}
        found += [(key, answer_of(normal, clause)) for key, normal in words.items() if normal and key not in there]
        return found, nodes

    def _wanted(self, kind: str) -> str | None:
        return self._asked.key if self._asked and self._asked.kind == kind else None

    def _add_all(self, new: Iterable[tuple[str, Answer]]) -> None:
        """Add answers; what was said before and differently becomes doubtful, sums and parallel kinds aside."""
        for key, answer in new:
            old = self._found.get(key)
            if old is None or (key == "gpu_count" and is_total(answer.raw)):
                self._found[key] = answer
            elif key == "parallelism":
                self._found[key] = _both(old, answer)
            elif old.normal != answer.normal:
                self._doubtful.add(key)

    def _per_machine(self, found: Mapping[str, Answer]) -> dict[str, Answer]:
        """Cards per machine, from the machines and all cards."""
        answer = found.get("gpu_count") or self._given.get("gpu_count")
        if not self._nodes or answer is None or answer.normal is None or "gpus_per_node" in found:
            return {}
        count = Normal.read(answer.normal).value("count")
        if count is None or count % self._nodes:
            return {}
        return {"gpus_per_node": answer_of(f"count={int(count) // self._nodes}", answer.raw)}

    def _open_rest(self, found: Mapping[str, Answer]) -> dict[str, Answer]:
        """To be decided for every other field, the contact's aside: people are still called something."""
        answers = self._given.with_answers(found)
        left = (f for f in applicable(answers) if f.key not in answers and f.section is not Section.CONTACT)
        return {f.key: answer_of("TBD", "TBD") for f in left}


def value_for(fields: Iterable[Field], said: str, moment: Moment) -> dict[str, Answer]:
    """Return what a text says to the first of these fields that can read it; empty when none can."""
    return next((read for each in fields if (read := understand(each, said, moment)) and each.key in read), {})


def _purpose(said: str, found: Mapping[str, Answer]) -> dict[str, Answer]:
    """The purpose, where only the method or a weak word tells it."""
    method = found["method"].normal if "method" in found else None
    if method == "pretrain" or (method is None and says_training(said)):
        return {"workload": answer_of("training", said)}
    return {"workload": answer_of("fine_tuning", said)} if method else {}


def _both(one: Answer, other: Answer) -> Answer:
    codes = {code for answer in (one, other) for code in (answer.normal or "").split("+")}
    ordered = [option.code for option in BY_KEY["parallelism"].options if option.code in codes]
    return answer_of("+".join(ordered), f"{one.raw}; {other.raw}")


def _model_name(raw: str, moment: Moment) -> str:
    read = understand(BY_KEY["model"], raw, moment)
    return read["model"].normal or "" if "model" in read else ""


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _cards_each(low: str) -> dict[str, str]:
    """A bare number per machine: 8 per node."""
    match = _EACH.match(low)
    return {"gpus_per_node": f"count={match[1]}"} if match else {}
