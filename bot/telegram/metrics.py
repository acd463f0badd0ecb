"""What the running bot counts and measures, for Prometheus; one registry a process, so each copy is asked by itself."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

REGISTRY: Final = CollectorRegistry()

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)

UPDATES: Final = Counter("desk_updates", "Updates stored for the first time.", registry=REGISTRY)
IGNORED: Final = Counter(
    "desk_ignored", "Updates that were knowingly left without an answer, by reason.", ["reason"], registry=REGISTRY
)
STAGE_S: Final = Histogram(
    "desk_stage_seconds",
    "Seconds by stage: wait (stored to taken), handle (taken to committed), queue (written to sent), send (the call itself).",
    ["stage"],
    buckets=_SECONDS,
    registry=REGISTRY,
)
CALLS: Final = Counter(
    "desk_calls", "Calls to the Bot API by method and remedy.", ["method", "outcome"], registry=REGISTRY
)
ERRORS: Final = Counter("desk_errors", "What went wrong, by kind.", ["kind"], registry=REGISTRY)
FLOOD_WAITS: Final = Counter("desk_flood_waits", "Calls that Telegram refused for their rate (429).", registry=REGISTRY)
FLOOD_WAIT_S: Final = Counter("desk_flood_wait_seconds", "Seconds that Telegram asked us to wait.", registry=REGISTRY)
OUTBOX_DEPTH: Final = Gauge("desk_outbox_depth", "Calls that wait to be sent or are being sent.", registry=REGISTRY)
OUTBOX_AGE_S: Final = Gauge("desk_outbox_age_seconds", "Age of the oldest such call.", registry=REGISTRY)
REMINDERS_DUE: Final = Gauge("desk_reminders_due", "Reminders that are due and not yet written.", registry=REGISTRY)
REMINDERS_LATE: Final = Gauge("desk_reminders_late", "Of these, those more than a minute late.", registry=REGISTRY)
POLLING: Final = Gauge("desk_polling", "1 while this copy is the one that polls.", registry=REGISTRY)


def page() -> bytes:
    """Return all of it as Prometheus reads it."""
    return generate_latest(REGISTRY)
