import pytest

from bot import settings
from bot.errors import ConfigurationError

WRONG = [
    ("api_url", "api.telegram.org/bot"),
    ("api_url", "ftp://api.telegram.org/bot"),
    ("webhook_url", "desk.example.com/telegram"),
    ("webhook_url", "https:///telegram"),
    ("webhook_url", "https://desk.example.com:hidden/telegram"),
    ("webhook_secret", "two words"),
    ("webhook_secret", "密"),
    ("webhook_secret", "x" * 257),
    ("listen", "8080"),
    ("listen", ":8080"),
    ("listen", "127.0.0.1:65536"),
    ("listen", "127.0.0.1:²"),
    ("messages_per_second", "-1"),
    ("staff_chat_id", "the group"),
    ("default_locale", "fr"),
    ("default_timezone", "Mars/Olympus"),
    ("default_timezone", "../secret"),
    ("hub_url", "hub"),
    ("link_console", "javascript:alert(1)"),
    ("link_enterprise", "www.example.com"),
    ("log_level", "loud"),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_setting_is_one_line_that_names_it(name, value):
    with pytest.raises(ConfigurationError) as raised:
        settings.load(**{name: value})
    assert str(raised.value).startswith(f"BOT_{name.upper()}: ")
    assert value not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_what_is_left_empty_has_its_default_and_only_the_hub_is_off(monkeypatch):
    for name in settings.Settings.model_fields:
        monkeypatch.setenv(f"BOT_{name.upper()}", "")
    left, default = settings.load(), settings.Settings.model_construct()
    assert left.model_fields_set == {"hub_url"}
    assert left.hub_url == ""
    assert left.model_dump(exclude={"hub_url"}) == default.model_dump(exclude={"hub_url"})


@pytest.mark.parametrize("given", ["http://127.0.0.1:8081/bot", "http://127.0.0.1:8081/bot/", "http://127.0.0.1:8081"])
def test_the_address_of_the_bot_api_server_ends_where_the_token_follows(given):
    assert settings.load(api_url=given).api_url == "http://127.0.0.1:8081/bot"


def test_files_lie_beside_the_methods_whatever_the_servers_name():
    given = settings.load(api_url="https://bots.example.com/bot")
    assert given.file_url == "https://bots.example.com/file/bot"


def test_a_level_may_be_written_small():
    assert settings.load(log_level="debug").log_level == "DEBUG"


def test_without_a_secret_all_copies_make_the_same_one_that_tells_nothing_of_the_token():
    token = "123456789:AAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    one, other = settings.load(token=token), settings.load(token=token)
    assert one.secret == other.secret != settings.load(token=f"{token}b").secret
    assert len(one.secret) == 64
    assert token not in one.secret
    assert settings.load(token=token, webhook_secret="mine").secret == "mine"
