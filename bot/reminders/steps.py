"""The steps of a trial's end, and which may be taken without being asked once more."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.i18n import N_
from bot.reminders.trial import Trial, TrialState

RESUMED: Final = "resumed"
"""The way back: a stopped instance was started again."""

STEPS: Final = {
    TrialState.STOPPED: N_("Stopped"),
    TrialState.MOVED: N_("Data moved"),
    TrialState.VERIFIED: N_("Files verified"),
    TrialState.DESTROYED: N_("Destroyed"),
}
"""The steps that a customer can tell, in order, with their names."""


def missing_before(trial: Trial, step: TrialState) -> tuple[TrialState, ...]:
    """Return the steps that should come before `step` and were not told; stopping may always be left out.

    Destroying deletes the disk, so data moved and verified come first: "destroyed" while they miss is asked once more.
    """
    done = {TrialState.MOVED: trial.moved_at, TrialState.VERIFIED: trial.verified_at}
    order = (TrialState.MOVED, TrialState.VERIFIED)
    before = {TrialState.VERIFIED: order[:1], TrialState.DESTROYED: order}.get(step, ())
    return tuple(earlier for earlier in before if done[earlier] is None)


def taken(trial: Trial, step: str, now: datetime) -> Trial:
    """Return the trial after a step; one that was taken already changes nothing, and nothing follows destruction.

    Started again, its disk may hold new data: what was moved and verified counts no more.
    """
    if not trial.is_running:
        return trial
    if step == RESUMED and trial.is_stopped:
        stops = (*trial.stops[:-1], (trial.stops[-1][0], now))
        return replace(trial, stops=stops, moved_at=None, verified_at=None)
    if step == TrialState.STOPPED and not trial.is_stopped:
        return replace(trial, stops=(*trial.stops, (now, None)))
    if step == TrialState.MOVED and trial.moved_at is None:
        return replace(trial, moved_at=now)
    if step == TrialState.VERIFIED and trial.verified_at is None:
        return replace(trial, moved_at=trial.moved_at or now, verified_at=now)
    if step == TrialState.DESTROYED:
        return replace(trial, destroyed_at=now)
    return trial
