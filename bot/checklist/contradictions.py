"""Finds answers that do not go together, as codes; the words for them stand in `checklist/words.py`."""

from typing import Final

from bot.checklist.answer import Answers
from bot.checklist.job import card_key, days, share_of, size_b
from bot.errors import UnknownNameError
from bot.estimation import Card, find_card

CODES: Final = (
    "tensor_across_machines",
    "pool_with_fabric",
    "too_large_for_one_card",
    "sharding_without_nvlink",
    "idle_reservation",
    "uneven_machines",
)
"""Every code there is, in the order in which they are shown."""

STATE_BYTES: Final = 16
"""Bytes per parameter of weights, gradients and AdamW states in mixed precision (2 + 2 + 12); a 7B takes 112 GB."""
IDLE_SHARE: Final = 0.4
"""Utilization below which a reservation is mostly paid for nothing."""
LONG_DAYS: Final = 28


def contradictions(answers: Answers) -> tuple[str, ...]:
    """Return the codes of all contradictions between known answers; open ones contradict nothing."""
    checks = {
        "tensor_across_machines": _tensor_across_machines,
        "pool_with_fabric": _pool_with_fabric,
        "too_large_for_one_card": _too_large_for_one_card,
        "sharding_without_nvlink": _sharding_without_nvlink,
        "idle_reservation": _idle_reservation,
        "uneven_machines": _uneven_machines,
    }
    return tuple(code for code in CODES if checks[code](answers))


def _tensor_across_machines(answers: Answers) -> bool:
    machines = answers.machines
    spread = machines is not None and machines > 1
    return spread and _has_tensor(answers) and answers.code("network") in ("ethernet", "roce")


def _pool_with_fabric(answers: Answers) -> bool:
    return answers.is_inference and answers.code("network") in ("infiniband", "roce")


def _too_large_for_one_card(answers: Answers) -> bool:
    """Full tuning of a model whose states alone are more than the one card holds: 7B on 80 GB."""
    return answers.cards == (1, 1) and _must_shard(answers)


def _sharding_without_nvlink(answers: Answers) -> bool:
    cards, card = answers.cards, _card(answers)
    several = cards is not None and (cards[1] is None or cards[1] > 1)
    bare = answers.code("nvlink") == "no" or (card is not None and not card.switched)
    return several and bare and not answers.is_inference and (_has_tensor(answers) or _must_shard(answers))


def _idle_reservation(answers: Answers) -> bool:
    duration, share = answers.code("duration"), share_of(answers.code("utilization"))
    stay = days(duration)
    reserved = duration == "LONG" or (stay is not None and stay >= LONG_DAYS)
    return reserved and share is not None and share < IDLE_SHARE


def _uneven_machines(answers: Answers) -> bool:
    cards, each = answers.cards, answers.bounds("gpus_per_node", "count")
    if cards is None or each is None or cards[0] != cards[1] or each[0] != each[1] or not each[0]:
        return False
    return bool(cards[0] and cards[0] % each[0])


def _has_tensor(answers: Answers) -> bool:
    return "tensor" in (answers.code("parallelism") or "").split("+")


def _must_shard(answers: Answers) -> bool:
    """Whether a full tuning's states are more than one card holds."""
    size, card = size_b(answers.code("model")), _card(answers)
    if answers.code("method") not in ("full", "pretrain") or size is None or card is None:
        return False
    return size * STATE_BYTES > card.memory_gib * 1.074  # GiB to GB


def _card(answers: Answers) -> Card | None:
    key = card_key(answers.code("gpu"))
    try:
        return find_card(key) if key else None
    except UnknownNameError:
        return None
