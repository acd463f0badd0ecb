"""What holds for the whole house: texts, lists and pages that agree."""

import ast
import re
from pathlib import Path

import pytest

from bot.cli.texts import extracted, faults_of
from bot.dialog.decide import COMMANDS as DECIDED
from bot.i18n import LOCALES, TRANSLATED, catalogue, locale_for, texts
from bot.settings import Settings
from bot.telegram.commands import COMMANDS, Audience, of

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [path for path in (ROOT / "bot").rglob("*.py") if "sandbox" not in path.parts]


def rows(name: str) -> str:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"<!-- {name}:.*?-->\n.*?\n.*?\n(.*?)<!-- end -->", readme, re.DOTALL)
    assert found
    return found[1]


def test_the_readmes_settings_are_the_settings():
    made = ""
    for name, field in Settings.model_fields.items():
        default = "" if field.default in (None, "") or "Secret" in str(field.annotation) else f"`{field.default}`"
        made += f"| `BOT_{name.upper()}` | {default} | {field.description} |\n"
    assert rows("settings") == made


def test_the_readmes_commands_are_the_commands():
    made = "".join(f"| `/{c.name}` | {c.audience} | {c.menu} |\n" for c in COMMANDS)
    assert rows("commands") == made


def test_every_customers_command_does_something_and_nothing_else_is_understood():
    assert {command.name for command in of(Audience.CUSTOMER)} == set(DECIDED)


def test_menu_texts_fit_telegram_in_every_language():
    for command in COMMANDS:
        assert re.fullmatch(r"[a-z0-9_]{1,32}", command.name)
        for locale in LOCALES:
            assert 1 <= len(texts(locale).text(command.menu)) <= 256


@pytest.mark.parametrize("locale", TRANSLATED)
def test_no_text_is_missing_fuzzy_unused_or_has_other_placeholders(locale):
    assert faults_of(catalogue(locale), extracted()) == []


def test_chinese_has_one_plural_form():
    found = catalogue("zh_Hans")
    assert found.num_plurals == 1
    assert all(len(m.string) == 1 for m in found if isinstance(m.id, tuple | list) and m.id)


def test_no_marked_text_hides_in_a_formatted_string():
    """Extraction cannot see a text that is marked inside an f-string."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                called = [n.func.id for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
                assert not {"N_", "NP_"} & set(called), f"{path}:{node.lineno}"


def test_chinese_stands_only_in_catalogues_and_in_what_people_say():
    """A screen's Chinese comes from the catalogue; code holds Chinese only to understand it."""
    for path in (ROOT / "bot" / "telegram").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                left = node.value.replace("中文", "").replace("2.5 元", "")
                assert not re.search(r"[\u4e00-\u9fff]", left), f"{path}:{node.lineno}: {node.value}"


@pytest.mark.parametrize(
    ("code", "locale"),
    [
        ("zh-hans", "zh_Hans"),
        ("zh", "zh_Hans"),
        ("zh-hant", "zh_Hant"),
        ("zh-TW", "zh_Hant"),
        ("zh_tw", "zh_Hant"),
        ("ZH-HK", "zh_Hant"),
        ("zh-mo", "zh_Hant"),
        ("zh-Hant-CN", "zh_Hant"),
        ("zh-hans-hk", "zh_Hans"),
        ("zh-SG", "zh_Hans"),
        ("zh_CN", "zh_Hans"),
        ("en", "en"),
        ("en-GB", "en"),
        ("ru", "en"),
        (None, "en"),
        ("", "en"),
        ("x" * 50, "en"),
    ],
)
def test_every_language_code_gets_a_language(code, locale):
    assert locale_for(code) == locale
    assert locale_for("ru", "zh_Hans") == "zh_Hans"


def test_no_secret_is_shown_by_the_settings():
    shown = repr(Settings(token="123456789:AAverysecret", webhook_secret="hush"))
    assert "AAverysecret" not in shown
    assert "hush" not in shown
