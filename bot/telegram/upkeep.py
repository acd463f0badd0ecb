"""The edge's side of trials and reminders: carries out their effects on one customer's rows."""

from dataclasses import replace
from datetime import date, datetime, tzinfo

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.checklist.answer import Answers
from bot.dialog import effect as fx
from bot.dialog.proposal import checkpoint_minutes
from bot.reminders.kinds import ANSWERS, CHECKPOINT, DRAFT, KINDS, OWN, START
from bot.reminders.rules import MORNING, NUDGE_AFTER, START_NOTICES, at_local
from bot.reminders.series import Occurrence, Series
from bot.reminders.zones import zone_of
from bot.storage import people, reminders, trials


class Upkeep:
    """Keeps one customer's trials and reminders within one transaction, at one moment, in their zone."""

    def __init__(self, tx: AsyncConnection, customer_id: int, zone: tzinfo, now: datetime) -> None:
        self._tx, self._customer_id, self._zone, self._now = tx, customer_id, zone, now

    async def carry_out(self, effect: fx.Effect, answers: Answers) -> None:
        """Carry out an effect on trials or reminders; any other is not for here."""
        match effect:
            case fx.RegisterTrial():
                await self._register(effect, answers)
            case fx.TakeStep(trial=trial):
                await trials.save(self._tx, self._customer_id, trial)
                await reminders.replan(self._tx, self._customer_id, trial, self._zone, self._now)
            case fx.Snooze(occurrence=occurrence, due_at=due_at):
                await self._snooze(occurrence, due_at)
            case fx.Settle(occurrence=occurrence):
                await reminders.answer(self._tx, self._customer_id, occurrence.id, self._now)
            case fx.AddReminder(text=text, rule=rule):
                series = await reminders.add(self._tx, self._customer_id, OWN, text=text, rule=rule, now=self._now)
                await self._schedule(series)
            case fx.ChangeReminder(series=series, action=action):
                await self._change(series, action)
            case fx.SetQuiet(hours=hours):
                await people.set_quiet(self._tx, self._customer_id, hours)

    async def move(self, zone: str) -> None:
        """Keep the zone that a customer has told; what repeats at a local time follows it."""
        await people.set_zone(self._tx, self._customer_id, zone)
        self._zone = zone_of(zone)
        await reminders.rezone(self._tx, self._customer_id, self._zone, self._now)

    async def draft_begun(self, request_id: int) -> None:
        """Let one word about an unfinished checklist come a day after its last answer, once in its life.

        The tick moves it on by the answers that come later, so that those need not.
        """
        due_at = self._now + DRAFT.rests
        await reminders.remind_once(self._tx, DRAFT, self._customer_id, f"q{request_id}", due_at)

    async def draft_left(self) -> None:
        """Let no word come about a draft that was put away."""
        await reminders.drop(self._tx, self._customer_id, kinds=(DRAFT.code,))

    async def submitted(self, answers: Answers, *, staffed: bool) -> None:
        """Plan what follows a sent request: staff's answer, and the start of the reservation."""
        await reminders.drop(self._tx, self._customer_id, kinds=(DRAFT.code, START.code))
        if staffed:
            await self.called()
        start = start_date(answers)
        for before in START_NOTICES if start else ():
            due_at = at_local(start - before, MORNING, self._zone) if start else self._now
            if due_at > self._now:
                await self._remind(START.code, due_at)

    async def called(self) -> None:
        """Plan what follows when a person has been called: a word while no answer has come."""
        await reminders.drop(self._tx, self._customer_id, kinds=(ANSWERS.code,))
        await self._remind(ANSWERS.code, self._now + NUDGE_AFTER)

    async def _register(self, effect: fx.RegisterTrial, answers: Answers) -> None:
        trial = effect.draft.trial(self._now)
        trial = replace(trial, id=await trials.register(self._tx, self._customer_id, trial))
        minutes = checkpoint_minutes(answers)
        if minutes is not None:
            rule = f"every=PT{minutes}M"
            await reminders.add(
                self._tx, self._customer_id, CHECKPOINT, text="", rule=rule, now=trial.started_at, trial_id=trial.id
            )
        await reminders.replan(self._tx, self._customer_id, trial, self._zone, self._now)

    async def _snooze(self, occurrence: Occurrence, due_at: datetime) -> None:
        """Write the later occurrence, in place of what would follow an unanswered one; the rhythm of a series goes on beside it."""
        if not await reminders.answer(self._tx, self._customer_id, occurrence.id, self._now):
            return
        if occurrence.series_id is None and occurrence.trial_id is not None:
            await reminders.drop(self._tx, self._customer_id, kinds=(occurrence.kind,), trial_id=occurrence.trial_id)
        await reminders.remind(self._tx, replace(occurrence, due_at=due_at, times_sent=0), mark="+")

    async def _change(self, series: Series, action: str) -> None:
        changes: dict[str, dict[str, object]] = {
            "edit": {"text": series.text, "rule": series.rule, "paused_at": None},
            "pause": {"paused_at": self._now},
            "resume": {"paused_at": None},
            "delete": {"ended_at": self._now},
        }
        values = changes[action]
        if action == "edit" and series.rule.startswith("every=PT"):
            values["anchor_at"] = series.anchor_at if series.kind == CHECKPOINT.code else self._now
        await reminders.change(self._tx, self._customer_id, series.id, **values)
        if action in ("edit", "resume"):
            fresh = await reminders.series_of(self._tx, series.id)
            if fresh is not None:
                await self._schedule(fresh)

    async def _schedule(self, series: Series) -> None:
        """Write the next occurrence; a trial's own series comes only while its cards are billed, before the planned end."""
        until = None
        if series.trial_id is not None:
            trial = await trials.trial_of(self._tx, series.trial_id)
            if trial is None or not KINDS[series.kind].fits(trial):
                return
            until = trial.planned_end_at
        await reminders.schedule(self._tx, self._customer_id, series, self._zone, after=self._now, until=until)

    async def _remind(self, kind: str, due_at: datetime) -> None:
        await reminders.remind(self._tx, Occurrence(0, kind, self._customer_id, None, None, due_at))


def start_date(answers: Answers) -> date | None:
    """Return the first day that a checklist names as its start; None while it is open."""
    code = answers.code("start_date")
    first = (code or "").split("..")[0].split(";")[0]
    try:
        return datetime.fromisoformat(first).date()
    except ValueError:
        return None
