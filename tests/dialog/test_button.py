import pytest

from bot.checklist.fields import FIELDS
from bot.dialog.button import LONGEST_DATA, Button


def test_every_option_of_every_field_fits_into_telegrams_64_bytes():
    for field in FIELDS:
        for option in field.options:
            data = Button("d999999999", "pick", (field.key, option.code)).encode()
            assert len(data.encode()) <= LONGEST_DATA


def test_a_button_survives_the_way_there_and_back():
    button = Button("d7", "pick", ("workload", "fine_tuning"))
    assert Button.decode(button.encode()) == button


@pytest.mark.parametrize(
    "data", [None, "", "zzz", "1", "1:a", "2:d1:confirm", "1:d1:\x00:confirm", "1:d1:选:pick", ":" * 64]
)
def test_data_that_is_not_ours_is_no_button(data):
    assert Button.decode(data) is None


def test_what_does_not_fit_is_refused_where_it_is_made():
    with pytest.raises(ValueError):
        Button("d1", "pick", ("x" * 60,)).encode()
    with pytest.raises(ValueError):
        Button("d1", "选").encode()


def test_the_confirm_buttons_data_ends_in_confirm():
    assert Button("d1", "confirm").encode().endswith("confirm")
