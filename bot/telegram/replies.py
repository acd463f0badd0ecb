"""What the customer gets to see of one turn: its screens as calls in the outbox, with at most one live keyboard."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.dialog import effect as fx
from bot.dialog.screen import Screen
from bot.storage import queues
from bot.storage.queues import NewCall
from bot.telegram.markup import CAPTION_LIMIT, split
from bot.telegram.screens.render import render
from bot.telegram.screens.view import Reader, View

REPLY, REMINDER, BACKGROUND = 0, 10, 20
"""Priorities of calls: answers to a waiting person go first."""


@dataclass(frozen=True)
class Tapped:
    """The button press behind an event: the callback query, and the message whose button it was."""

    callback_id: str
    message_id: int | None


class Replies:
    """Writes calls to one customer; `live` is the outbox row of the message whose buttons are live."""

    def __init__(
        self, tx: AsyncConnection, customer_id: int, now: datetime, tapped: Tapped | None, live: int | None
    ) -> None:
        self._tx, self._customer_id, self._now, self._tapped = tx, customer_id, now, tapped
        self.live = live
        self._held_until: datetime | None = None

    async def show(self, effect: fx.Show, reader: Reader) -> None:
        """Send a screen, or put it in the place of the message whose button was pressed."""
        view = render(effect.screen, reader)
        if view is None:
            return
        tapped = self._tapped
        if effect.replace and tapped is not None and tapped.message_id is not None:
            if self.live is not None and await queues.message_of(self._tx, self.live) == tapped.message_id:
                self.live = None
            changed = self._changed(view, {"message_id": tapped.message_id})
            row = await self._write([*self._strip_live(), *changed] if effect.live else changed)
            if effect.live:
                self.live = row
            return
        if effect.live:
            self.live = await self._write([*self._strip_live(), *self._new(view)])
        else:
            await self._write(self._new(view))

    async def redraw(self, screen: Screen, reader: Reader) -> None:
        """Draw the open question again where it stands; where it cannot be found any more, it comes as a new message."""
        view = render(screen, reader)
        if view is None:
            return
        if self.live is None:
            self.live = await self._write(self._new(view))
        else:
            self.live = await self._write(self._changed(view, {}, target_id=self.live))

    async def hold(self) -> None:
        """Let this reply wait for more of a paste; the question that waits already is asked anew with all of it."""
        if self.live is not None and await queues.take_back(self._tx, self.live):
            self.live = None
        self._held_until = self._now + queues.HELD

    async def answer_tap(self, toast: str, *, forgotten: bool) -> None:
        """Answer the tap, whatever came of it, in a lane of its own: it must not wait for messages."""
        tapped = self._tapped
        if tapped is None:
            return
        payload = {"callback_query_id": tapped.callback_id}
        if toast:
            payload["text"] = toast[:200]
        await queues.add_call(
            self._tx,
            method="answer_callback_query",
            payload=payload,
            now=self._now,
            lane=f"cb{tapped.callback_id}"[:64],
            customer_id=None if forgotten else self._customer_id,
            priority=REPLY,
            purge=forgotten,
        )

    def _strip_live(self) -> list[NewCall]:
        """Take the buttons of the question before away: at most one question is live."""
        return [] if self.live is None else [self._call("edit_message_reply_markup", {}, target_id=self.live)]

    def _new(self, view: View) -> list[NewCall]:
        """A view as new messages, with its buttons on the last."""
        attached = view.attached()
        if attached is not None:
            method, made, value = attached
            payload = {"caption": split(view.text, CAPTION_LIMIT)[0], made: value, "parse_mode": "HTML"}
            return [self._call(method, payload)]
        return self._messages(split(view.text), view.keyboard())

    def _messages(self, pieces: Sequence[str], keyboard: dict[str, Any] | None) -> list[NewCall]:
        calls = []
        for piece in pieces:
            payload = {"text": piece, "parse_mode": "HTML", "link_preview_options": {"is_disabled": True}}
            if keyboard and piece is pieces[-1]:
                payload["reply_markup"] = keyboard
            calls.append(self._call("send_message", payload))
        return calls

    def _changed(self, view: View, where: dict[str, Any], target_id: int | None = None) -> list[NewCall]:
        """Change a message; what is too long for one goes on in new messages, with the buttons on the last."""
        pieces = split(view.text)
        keyboard = view.keyboard()
        payload: dict[str, Any] = {"text": pieces[0], "parse_mode": "HTML", **where}
        if keyboard and len(pieces) == 1:
            payload["reply_markup"] = keyboard
        return [
            self._call("edit_message_text", payload, target_id=target_id),
            *self._messages(pieces[1:], keyboard),
        ]

    async def _write(self, calls: Sequence[NewCall]) -> int:
        """Write calls in one statement and return the row of the last."""
        return (await queues.add_calls(self._tx, calls, self._now))[-1]

    def _call(self, method: str, payload: dict[str, Any], target_id: int | None = None) -> NewCall:
        return {
            "method": method,
            "payload": payload,
            "lane": str(self._customer_id),
            "chat_id": self._customer_id,
            "customer_id": self._customer_id,
            "target_id": target_id,
            "priority": REPLY,
            "held_until": self._held_until if method == "send_message" else None,
        }
