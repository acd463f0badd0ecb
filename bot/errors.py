"""The exceptions of the product.

    DeskError                 everything we raise on purpose
    ├── UsageError            a command was used wrongly; exit 2
    ├── UnknownNameError      a model, card or other name is not in the catalogue; carries near misses
    ├── EstimateError         an estimate cannot be made from this request
    ├── HubError              the model hub cannot be reached, or is turned off
    ├── ConfigurationError    a setting is missing or wrong; exit 1
    └── StorageError          the database cannot be reached or is not ours; exit 1

What a customer sees is never the text of an exception, but a message chosen by its code.
"""


class DeskError(Exception):
    """Base of all errors raised on purpose; `code` is stable, ASCII, and safe to show to outside checks."""

    code = "error"


class UsageError(DeskError):
    """A command line or request that is malformed; the text is one clear line."""

    code = "usage"


class UnknownNameError(DeskError):
    """A name that no catalogue entry answers to; `suggestions` are near misses, best first."""

    code = "unknown_name"

    def __init__(self, kind: str, name: str, suggestions: tuple[str, ...] = ()) -> None:
        hint = f"; did you mean {', '.join(suggestions)}?" if suggestions else ""
        super().__init__(f"unknown {kind}: {name!r}{hint}")
        self.kind, self.name, self.suggestions = kind, name, suggestions


class EstimateError(DeskError):
    """A request that is well formed but cannot be estimated, for example a card without published figures."""

    code = "cannot_estimate"


class HubError(DeskError):
    """The model hub cannot be reached, answers with a fault of its own, or is turned off."""

    code = "hub"


class ConfigurationError(DeskError):
    """A setting that is missing, malformed or refused by Telegram."""

    code = "configuration"


class StorageError(DeskError):
    """The database cannot be reached, or its schema is not one of ours."""

    code = "storage"
