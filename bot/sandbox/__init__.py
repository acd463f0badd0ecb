"""A strict local Telegram: a Bot API server over HTTP, what people's apps do, and a chat page."""

from bot.sandbox.clock import Clock, WallClock
from bot.sandbox.server import DEFAULT_TOKEN, Sandbox

__all__ = ["DEFAULT_TOKEN", "Clock", "Sandbox", "WallClock"]
