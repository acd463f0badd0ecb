"""The screens after a trial: what it measured, and what the estimate becomes."""

from typing import Final

from bot.checklist.answer import Answers
from bot.checklist.job import request_from
from bot.checklist.measured import cards_of, measurement_of
from bot.dialog.button import Button
from bot.dialog.proposal import estimated
from bot.dialog.screen import (
    MeasureFile,
    MeasureQuestion,
    MeasureTaken,
)
from bot.errors import DeskError
from bot.estimation import EstimateAnswer, estimate
from bot.i18n import N_, Texts
from bot.quantities.measurements import Measurement
from bot.telegram.markup import Html, bold, code, line, lines, paragraphs
from bot.telegram.screens.estimates import card_title
from bot.telegram.screens.view import Reader, Tap, View

MEASURE_FILE: Final = "measure.py"
_METHODS: Final = {"full": "full", "pretrain": "full", "lora": "lora", "qlora": "qlora"}
"""What measure.py calls a method of training."""
TITLE: Final = N_("Measured in the trial")
_MEASURES: Final = (
    ("device_gib", N_("Peak memory (device): {amount} GiB")),
    ("reserved_gib", N_("Peak memory (reserved): {amount} GiB")),
    ("allocated_gib", N_("Peak memory (allocated): {amount} GiB")),
    ("tokens_per_s", N_("Speed: {amount} tokens per second and card")),
    ("checkpoint_gb", N_("Checkpoint: {amount} GB")),
    ("checkpoint_s", N_("Checkpoint written in {amount} s")),
)


def measure_question(screen: MeasureQuestion, reader: Reader) -> View:
    """Ask for the three numbers."""
    texts = reader.texts
    trouble = texts.text(N_("Sorry, I found no measurement in that.")) if screen.tries else None
    return View(
        paragraphs(
            [
                trouble,
                bold(texts.text(N_("What did the trial measure?"))),
                lines(
                    texts.text(N_("Peak memory, tokens per second, and the time to write a checkpoint.")),
                    texts.text(
                        N_(
                            "Paste the line of measure.py, the output of nvidia-smi or torch, or write: 21.4 GiB, 3200 tokens/s, 12 s"
                        )
                    ),
                ),
            ]
        ),
        ((Tap(texts.text(N_("Nothing was measured")), Button(screen.owner, "unmeasured")),),),
    )


def measure_file(screen: MeasureFile, reader: Reader) -> View:
    """The program that measures, with how to run it for this job."""
    texts = reader.texts
    return View(
        lines(
            texts.text(N_("This small program measures all three. Copy it to the instance and run:")),
            code(f"python {MEASURE_FILE} {_options(screen.answers)}"),
            texts.text(N_("Then paste the last line that it prints here. --help shows the options.")),
        ),
        file=MEASURE_FILE,
    )


def measure_taken(screen: MeasureTaken, reader: Reader) -> View:
    """What was measured, and what the estimate was and is."""
    texts = reader.texts
    before, after = (_estimated(answers) for answers in (screen.before, screen.answers))
    return View(
        paragraphs(
            [
                line("📏 ", bold(texts.text(TITLE))),
                lines(*_rows(screen.measured, texts)),
                lines(*_changes(screen.measured, before, after, texts))
                if before and after
                else texts.text(
                    N_("It is kept with your checklist, and refines the estimate as soon as the model is known.")
                ),
            ]
        )
    )


def measured_lines(answers: Answers, texts: Texts) -> Html | None:
    """What a checklist's trial has measured and on which cards, for the summary and the card of staff; None when nothing was."""
    measured = measurement_of(answers)
    if not measured:
        return None
    gpus, _, gpu = cards_of(answers).partition(" ")
    where = f" · {gpus} × {card_title(gpu)}" if gpu else ""
    return lines(line("📏 ", bold(texts.text(TITLE)), where), *_rows(measured, texts))


def _options(answers: Answers) -> str:
    """The options of measure.py for a job: its model, method and length; MODEL stands for one that is not known by name."""
    request, known = request_from(answers), estimated(answers)
    if request is None or known is None:
        return "--model MODEL"
    method = "infer" if answers.is_inference else _METHODS.get(request.method or "")
    length = request.sequence_length or request.context_length
    parts = [f"--model {'MODEL' if known.model.typical else known.model.name}"]
    parts += [f"--method {method}"] if method else []
    parts += [f"--sequence-length {length}"] if length else []
    return " ".join(parts)


def _rows(measured: Measurement, texts: Texts) -> list[str]:
    return [
        texts.text(message, amount=texts.number(value))
        for name, message in _MEASURES
        if (value := getattr(measured, name)) is not None
    ]


def _estimated(answers: Answers) -> EstimateAnswer | None:
    request = request_from(answers)
    try:
        return estimate(request) if request is not None else None
    except DeskError:
        return None


def _changes(measured: Measurement, before: EstimateAnswer, after: EstimateAnswer, texts: Texts) -> list[str]:
    """What the measurements change, one line each: memory per card, speed, the time to write a checkpoint."""
    rows: list[tuple[str, float, float]] = []
    if measured.peak is not None:
        memory = N_("Memory per card: {before} → {after} GiB")
        rows.append((memory, before.memory.per_gpu_gib, after.memory.per_gpu_gib))
    if measured.tokens_per_s is not None and before.throughput and after.throughput:
        speed = N_("Speed: {before} → {after} tokens per second and card")
        rows.append((speed, before.throughput.tokens_per_s_per_gpu, after.throughput.tokens_per_s_per_gpu))
    if measured.checkpoint_s is not None and before.checkpoint and after.checkpoint:
        writing = N_("Writing a checkpoint: {before} → {after} s")
        rows.append((writing, before.checkpoint.write_s or 0, after.checkpoint.write_s or 0))
    return [texts.text(message, before=texts.number(old, 1), after=texts.number(new, 1)) for message, old, new in rows]
