"""THE LIST of reasons for which an update gets no answer: what is not answered is ignored knowingly, and counted by its reason."""

from enum import StrEnum


class Ignored(StrEnum):
    """Why nothing is said to an update; the code is the label of the metric."""

    NOBODY = "nobody"
    """Nobody's doing that could be answered: a post of a channel, a poll's count, an anonymous reaction."""

    ANOTHER_KIND = "another_kind"
    """A kind of update that the bot does not ask Telegram for: reactions, inline queries, payments, business accounts, …"""

    ELSEWHERE = "elsewhere"
    """In a chat that is neither a customer's nor the staff's."""

    A_BOT = "a_bot"
    """From another bot: to answer it could go on for ever."""

    MEMBERSHIP = "membership"
    """The bot was blocked, unblocked, added, or removed: noted, and nothing to say."""

    SERVICE = "service"
    """Telegram's own note in a chat, such as a pinned message."""

    FOR_ANOTHER_BOT = "for_another_bot"
    """A command that names another bot."""

    EDITED_FILE = "edited_file"
    """A file or a place that was changed and says nothing, such as a live location; it was answered when it came."""

    AMONG_STAFF = "among_staff"
    """Staff talking among themselves, outside of a customer's topic, or to another bot."""

    KEPT = "kept"
    """Kept with the request for whoever reads it; where no staff group is connected there is nobody to pass it on to."""
