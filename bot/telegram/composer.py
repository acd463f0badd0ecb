"""What is made only when it is sent: pictures, files, and reminders in the language and with the cost of that moment."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from telegram import InputFile

from bot.charts import draw, trial_course, utilization
from bot.desk.request import RequestState
from bot.dialog.screen import Due, Missed, Screen, Task
from bot.i18n import locale_for, texts
from bot.reminders.kinds import DESTROY, KINDS, MOVE, START, STORAGE
from bot.reminders.rules import is_late
from bot.reminders.series import Occurrence
from bot.reminders.trial import Trial
from bot.resources import shipped
from bot.settings import Settings
from bot.storage import people, reminders, requests, trials
from bot.storage.people import Person
from bot.telegram.screens.render import render
from bot.telegram.screens.view import Reader, zone_for
from bot.telegram.upkeep import start_date

_CHARTS: Final = {"trial": trial_course.png, "reserve": utilization.png}
"""What draws a picture, by the key that its specification has; others are estimates."""
SUMMED_FROM: Final = 2
"""From this many late reminders on they come as one message."""


class Composer:
    """Completes the payload of a call just before it is sent."""

    def __init__(self, engine: AsyncEngine, settings: Settings, now: Callable[[], datetime]) -> None:
        self._engine, self._settings, self._now = engine, settings, now

    @property
    def staff_locale(self) -> str:
        """The language in which staff are told things."""
        return self._settings.default_locale

    async def complete(self, payload: dict[str, Any]) -> dict[str, Any] | None:
        """Return the payload with everything made; None when what it would tell is settled meanwhile.

        `chart` is the specification of a picture, `file` the name of a file of ours, `written` the name and text of a
        document, `due` the ids of reminders that have come, `task` the id of one that has become a task for staff.
        """
        done = dict(payload)
        if "chart" in done:
            spec = done.pop("chart")
            draws = next((draw_it for key, draw_it in _CHARTS.items() if key in spec), draw.estimate_png)
            done["photo"] = InputFile(await asyncio.to_thread(draws, spec), filename="chart.png")
        if "file" in done:
            name = done.pop("file")
            done["document"] = InputFile(shipped(name), filename=name)
        if "written" in done:
            name, text = done.pop("written")
            done["document"] = InputFile(text.encode(errors="replace"), filename=name)
        for key in ("due", "task"):
            if key in done:
                view = await self._reminder(key, done.pop(key))
                if view is None:
                    return None
                done |= {"parse_mode": "HTML", **view}
        return done

    async def _reminder(self, key: str, told: Any) -> dict[str, Any] | None:
        async with self._engine.connect() as tx:
            occurrences = await reminders.these(tx, [told] if key == "task" else told)
            found = [due for one in occurrences if (due := await due_of(tx, one, self._now())) is not None]
            person = await people.person(tx, occurrences[0].customer_id) if occurrences else None
        if not found or person is None:
            return None
        reader = reader_of(person, self._settings, self._now())
        if key == "task":
            reader = replace(reader, texts=texts(self._settings.default_locale), zone=self._settings.zone)
            shown: Screen = Task(found[0])
        else:
            shown = found[0] if len(found) == 1 else Missed(tuple(found))
        view = render(shown, reader)
        assert view is not None
        keyboard = view.keyboard()
        return {"text": view.text, **({"reply_markup": keyboard} if keyboard else {})}


async def due_of(tx: AsyncConnection, one: Occurrence, now: datetime) -> Due | None:
    """Return a reminder as it is to be told now; None when the state of things does not call for it any more."""
    kind = KINDS.get(one.kind)
    trial = await trials.trial_of(tx, one.trial_id) if one.trial_id is not None else None
    if kind is None or (one.trial_id is not None and (trial is None or not kind.fits(trial))):
        return None
    if kind is MOVE and trial is not None and now >= trial.planned_end_at:
        return None
    text, start = "", None
    if one.series_id is not None:
        series = await reminders.series_of(tx, one.series_id)
        if series is None:
            return None
        text = series.text
    elif one.trial_id is None:
        request = await requests.newest(tx, one.customer_id)
        if request is None or (kind.drafts is not None and kind.drafts is not (request.state is RequestState.DRAFT)):
            return None
        start = start_date(request.answers) if kind is START else None
        if kind is START and (start is None or start < now.date()):
            return None
    return Due(one, over=_over(one, trial, now), late=is_late(one.due_at, now), trial=trial, text=text, start=start)


def _over(one: Occurrence, trial: Trial | None, now: datetime) -> timedelta:
    """How long after its own moment a reminder is told: a destroy's is the planned end, a storage's the stop."""
    if trial is None:
        return now - one.due_at
    moments = {DESTROY.code: trial.planned_end_at, STORAGE.code: trial.stops[-1][0] if trial.stops else one.due_at}
    return now - moments.get(one.kind, one.due_at)


def reader_of(person: Person, settings: Settings, now: datetime) -> Reader:
    """Return a customer as the reader of a screen at this moment."""
    locale = person.locale or locale_for(person.language_code, settings.default_locale)
    return Reader(
        texts=texts(locale), zone=zone_for(person.zone, person.language_code, settings), now=now, settings=settings
    )
