"""The picture of a trial's cost: running, stopped and destroyed, in both languages."""

import warnings
from datetime import UTC, datetime, timedelta

import pytest

from bot.charts.trial_course import png
from bot.i18n import LOCALES

START = datetime(2026, 11, 30, 2, tzinfo=UTC)


def spec(locale, now, stops=(), destroyed=None):
    ends = [[since.isoformat(), to and to.isoformat()] for since, to in stops]
    trial = {
        "cards": "2 × GeForce RTX 4090", "price_per_hour": "0.70", "storage_per_day": "0.667", "currency": "USD",
        "started_at": START.isoformat(), "planned_end_at": (START + timedelta(hours=8)).isoformat(),
        "destroyed_at": destroyed and destroyed.isoformat(), "stops": ends,
    }  # fmt: skip
    return {"trial": trial, "now": now.isoformat(), "offset_s": 28800, "locale": locale}


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(
    ("hours", "stopped", "destroyed"),
    [(5, None, None), (0, None, None), (20, 8, None), (30, 8, 20), (2000, None, None)],
)
def test_every_state_is_drawn_with_real_glyphs_and_sensible_ticks(locale, hours, stopped, destroyed):
    at = lambda h: START + timedelta(hours=h)  # noqa: E731 - shortest so
    stops = [(at(stopped), at(destroyed) if destroyed else None)] if stopped else []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        picture = png(spec(locale, at(hours), stops, at(destroyed) if destroyed else None))
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 200_000
