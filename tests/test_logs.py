import logging

import structlog

from bot import logs


def test_tokens_and_passwords_are_struck_out_wherever_they_stand(capsys):
    logs.set_up("INFO")
    secret = "123456789:AAEhBP0av28FrVvNIwCU1oBdvvjyXsecret"
    structlog.get_logger("t").info(
        "called", url=f"http://h/bot{secret}/getMe", database="postgresql://desk:hush-hush@h/x"
    )
    logging.getLogger("other").warning("POST %s", f"/bot{secret}/getMe")
    try:
        raise ValueError(secret)
    except ValueError:
        logging.getLogger("other").exception("failed with %s", secret)
        structlog.get_logger("t").exception("failed", token=secret)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "AAEhBP" not in shown.err
    assert "hush-hush" not in shown.err
    assert "called" in shown.err
    assert "/bot***/getMe" in shown.err


def test_a_library_says_no_more_than_the_level_asked_for(capsys):
    logs.set_up("ERROR")
    logging.getLogger("telegram.ext").warning("a warning")
    logs.set_up("INFO")
    logging.getLogger("apscheduler.scheduler").warning("skipped a tick")
    logging.getLogger("telegram.ext").warning("heard")
    assert capsys.readouterr().err == "heard\n"
