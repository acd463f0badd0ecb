"""The estimation core: memory, cards, counts, interconnect, time and cost of training and serving jobs; pure."""

from .answer import EstimateAnswer
from .cards import Card, cards, find_card
from .codes import ASSUMPTIONS, ERRORS, LADDER_COSTS, LADDER_STEPS, LINKS, REASONS, TRIAGE_REASONS, WHYS
from .estimate import estimate
from .hub import read_config, repo_id, repos_in
from .models import Model, find_model, models
from .prices import BASES, Prices
from .request import EstimateRequest, ModelSpec
from .triage import Triage, triage

__all__ = [
    "ASSUMPTIONS", "BASES", "ERRORS", "LADDER_COSTS", "LADDER_STEPS", "LINKS", "REASONS", "TRIAGE_REASONS", "WHYS", "Card",
    "EstimateAnswer",
    "EstimateRequest", "Model", "ModelSpec", "Prices", "Triage", "cards", "estimate", "find_card", "find_model",
    "models", "read_config", "repo_id", "repos_in", "triage",
]  # fmt: skip
