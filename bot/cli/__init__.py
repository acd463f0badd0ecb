"""The command line: one sub-command each for operators and for outside checks."""

import argparse
import os
import sys
from collections.abc import Sequence

from bot.cli import ask, estimates, serve
from bot.errors import DeskError, UsageError

USED_WRONGLY, FAILED = 2, 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status: 0 on success, 2 on bad use, 1 on failure; errors are one line on stderr."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    try:
        return int(arguments.run(arguments) or 0)
    except UsageError as error:
        return _fail(error, USED_WRONGLY)
    except DeskError as error:
        return _fail(error, FAILED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        return 130


def _fail(error: DeskError, status: int) -> int:
    sys.stderr.write(f"gpu-desk: {' '.join(str(error).split())}\n")
    return status


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one clear line."""

    def error(self, message: str) -> None:  # type: ignore[override]  # never returns, like the original
        self.exit(USED_WRONGLY, f"{self.prog}: {message}; see {self.prog} --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="gpu-desk", description="The support desk of a GPU-rental company in Telegram.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    serve.add_to(commands)
    estimates.add_to(commands)
    ask.add_to(commands)
    return parser
