"""Every environment variable of the bot, in one place."""

import hashlib
import hmac
import re
from functools import cached_property
from typing import Annotated, Any, Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.errors import ConfigurationError
from bot.i18n import LOCALES

LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LAST_PORT: Final = 65535
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{0,256}")
"""What Telegram takes as `secret_token`."""


def _web_address(value: str) -> str:
    try:
        parts = urlsplit(value)
        usable = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if value and not usable:
        raise ValueError("must be an address with http:// or https://")
    return value


WebAddress = Annotated[str, AfterValidator(_web_address)]
"""An address with http:// or https://, or empty."""


class Settings(BaseSettings):
    """Settings read from the environment or `.env`, all with the prefix `BOT_`."""

    model_config = SettingsConfigDict(env_prefix="BOT_", env_file=".env", extra="ignore", frozen=True)

    token: SecretStr = Field(default=SecretStr(""), description="The bot's token from BotFather.")
    database_url: str = Field(
        default="sqlite+aiosqlite:///gpu-desk.db",
        description="Where everything is kept: a SQLite file, or PostgreSQL as postgresql+asyncpg://user:password@host/name.",
    )
    api_url: WebAddress = Field(
        default="https://api.telegram.org/bot", description="The Bot API server, up to and with `/bot`."
    )
    staff_chat_id: int | None = Field(
        default=None, description="The staff's supergroup with topics; without it requests are only stored."
    )
    webhook_url: WebAddress | None = Field(
        default=None, description="The public https address for updates; without it the bot polls."
    )
    webhook_secret: SecretStr = Field(
        default=SecretStr(""),
        description="The secret that Telegram sends along with each webhook call; without it one is made from the token.",
    )
    listen: str = Field(
        default="127.0.0.1:8080",
        description="Host and port for the webhook, /healthz, /readyz and /metrics; while polling, served only if set.",
    )
    messages_per_second: float = Field(
        default=30, ge=0, description="What Telegram permits the bot to send; 0 keeps no limits ahead of time."
    )
    default_locale: str = Field(
        default="en", description="The language for customers whose own we do not speak: en, zh_Hans or zh_Hant."
    )
    default_timezone: str = Field(
        default="Asia/Shanghai", description="The time zone of customers who have not told theirs."
    )
    company_name: str = Field(default="NexGPU", description="The rental company's name, as customers read it.")
    faq_file: str = Field(
        default="",
        description="A file of your own answers to side questions, in the form of bot/dialog/data/faq.toml.",
    )
    hub_url: WebAddress = Field(
        default="https://huggingface.co",
        description="The model hub that is asked for the shape of models we do not know; empty: none is asked.",
    )
    link_console: WebAddress = Field(default="", description="The console where instances are rented and destroyed.")
    link_pricing: WebAddress = Field(default="", description="The page with prices and available nodes.")
    link_templates: WebAddress = Field(default="", description="The page with image templates.")
    link_billing: WebAddress = Field(default="", description="The page that explains billing.")
    link_enterprise: WebAddress = Field(default="", description="The page for multi-card and enterprise needs.")
    log_level: str = Field(default="INFO", description="DEBUG, INFO, WARNING or ERROR.")

    @model_validator(mode="before")
    @classmethod
    def _empty_is_unset(cls, values: dict[str, Any]) -> dict[str, Any]:
        """A line of `.env` that was left empty asks for the default; only the hub is switched off that way."""
        return {name: value for name, value in values.items() if value != "" or name == "hub_url"}

    @field_validator("default_locale")
    @classmethod
    def _known_locale(cls, value: str) -> str:
        if value not in LOCALES:
            raise ValueError(f"must be one of {', '.join(LOCALES)}")
        return value

    @field_validator("default_timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError("must be a name such as Asia/Shanghai") from error
        return value

    @field_validator("api_url")
    @classmethod
    def _up_to_bot(cls, value: str) -> str:
        """The token is put right behind it: an address without the end that every Bot API server has gets it."""
        bare = value.rstrip("/")
        return bare if bare.endswith("/bot") else f"{bare}/bot"

    @field_validator("webhook_secret")
    @classmethod
    def _taken_by_telegram(cls, value: SecretStr) -> SecretStr:
        if not _SECRET.fullmatch(value.get_secret_value()):
            raise ValueError("must be at most 256 letters, digits, _ and -")
        return value

    @field_validator("log_level")
    @classmethod
    def _known_level(cls, value: str) -> str:
        if value.upper() not in LEVELS:
            raise ValueError(f"must be one of {', '.join(LEVELS)}")
        return value.upper()

    @field_validator("listen")
    @classmethod
    def _host_and_port(cls, value: str) -> str:
        host, _, port = value.rpartition(":")
        if not host or not re.fullmatch("[0-9]{1,5}", port) or int(port) > LAST_PORT:
            raise ValueError("must be HOST:PORT")
        return value

    @property
    def secret(self) -> str:
        """The secret of the webhook; where none is set, one that all copies make from the token, so that no webhook is ever open."""
        key = self.token.get_secret_value().encode()
        return self.webhook_secret.get_secret_value() or hmac.new(key, b"webhook", hashlib.sha256).hexdigest()

    @property
    def file_url(self) -> str:
        """Where the Bot API server keeps files, up to and with `/file/bot`."""
        return f"{self.api_url.removesuffix('/bot')}/file/bot"

    @cached_property
    def zone(self) -> ZoneInfo:
        """The default time zone as an object."""
        return ZoneInfo(self.default_timezone)


def load(**overrides: object) -> Settings:
    """Read the settings; raises ConfigurationError with one line that names the variable, never its value."""
    try:
        return Settings(**overrides)  # type: ignore[arg-type]  # values are validated by pydantic
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = "_".join(str(part) for part in first["loc"]).upper()
        raise ConfigurationError(f"BOT_{name}: {first['msg']}") from None
