"""The screens of the clock that reminders follow: the time zone and the quiet hours."""

from bot.dialog.button import Button
from bot.dialog.screen import (
    QuietSet,
    ZoneQuestion,
    ZoneSet,
)
from bot.i18n import N_
from bot.reminders.zones import zone_title
from bot.telegram.markup import bold, line, lines, paragraphs
from bot.telegram.screens.view import Reader, Tap, View


def zone_question(screen: ZoneQuestion, reader: Reader) -> View:
    """Ask for the time zone, with what is taken until then."""
    texts = reader.texts
    now = texts.moment(reader.now, reader.zone)
    trouble = texts.text(N_("Sorry, I do not know that place.")) if screen.tries else None
    name = str(reader.zone)
    plain = all(char.isalnum() or char in "_-/" for char in name)
    yes = Tap(texts.text(N_("That is right")), Button(screen.owner, "zone", tuple(name.split("/"))))
    return View(
        paragraphs(
            [
                trouble,
                bold(texts.text(N_("Is it {moment} where you are?"), moment=now)),
                texts.text(N_("If not, write /timezone with your city or offset: /timezone Berlin, /timezone UTC+8")),
            ]
        ),
        ((yes,),) if plain else (),
    )


def zone_set(screen: ZoneSet, reader: Reader) -> View:
    """The zone of now, and what follows it."""
    texts = reader.texts
    place = zone_title(screen.name, texts.locale, reader.now)
    return View(
        lines(
            line("🕘 ", bold(texts.text(N_("Your time zone: {place}"), place=place))),
            texts.text(N_("Reminders at a time of day follow it; those for one moment stay at that moment.")),
        )
    )


def quiet_set(screen: QuietSet, reader: Reader) -> View:
    """The quiet hours of now."""
    texts = reader.texts
    begin, end = screen.hours.split("-")
    if begin == end:
        return View(line("🌙 ", texts.text(N_("No quiet hours: reminders come at any time."))))
    told = N_(
        "Quiet hours: {begin} to {end}. Only your own reminders come then, and those of an instance that is running."
    )
    return View(line("🌙 ", texts.text(told, begin=begin, end=end)))
