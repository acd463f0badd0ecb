"""The checklist sent as documents: by command, by the summary's button and by word, in every language."""

import pytest

from bot.i18n import LOCALES, texts
from tests.driver import said

APP = {"en": "en", "zh_Hans": "zh-hans", "zh_Hant": "zh-hant"}
WORDS = {"en": "export", "zh_Hans": "导出", "zh_Hant": "匯出"}


def names(messages) -> list[str]:
    return [m["document"]["file_name"] for m in messages if m.get("document")]


@pytest.mark.parametrize("locale", LOCALES)
async def test_documents_come_by_command_word_and_button_and_one_keyboard_lives(telegram, locale):
    reader = texts(locale)
    person = await telegram.person(APP[locale])
    await person.says("8 × H100, inference, Qwen2.5-72B")
    by_command = await person.says("/export")
    assert names(by_command) == ["checklist-2026-11-30.md", "checklist-2026-11-30.json"]
    assert reader.text("Your checklist as a document (Markdown).") in said(by_command)
    assert len(await person.live()) == 1
    assert len(names(await person.says(WORDS[locale]))) == 2
    await person.says("其余待定" if locale != "en" else "everything else TBD")
    for _ in range(4):
        await person.says("TBD")
    live = await person.live()
    assert reader.text("As a document") in [b["text"] for m in live for row in m["keyboard"] for b in row]
    assert len(names(await person.taps(reader.text("As a document")))) == 2
    assert len(await person.live()) == 1
