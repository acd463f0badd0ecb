"""The stored form of a model that only the hub knows: its name and its shape, so that no later turn needs the hub."""

from decimal import Decimal

from bot.estimation import ModelSpec
from bot.quantities import Normal
from bot.quantities.normal import scaled

_WHOLE = ("layers", "hidden", "heads", "kv_heads", "head_dim", "ffn", "vocab", "experts", "experts_per_token")
_SWITCHES = ("tied", "gated")


def form_of(spec: ModelSpec) -> str:
    """Return the normal form of a shape; "hub=acme/rocket;total=7.6e9;layers=28;…" reads as a size everywhere else."""
    figures = {"hub": spec.hub_id or "", "total": _count(spec.params_b)}
    if spec.active_params_b:
        figures["active"] = _count(spec.active_params_b)
    figures |= {name: str(value) for name in _WHOLE if (value := getattr(spec, name)) is not None}
    figures |= {name: str(int(value)) for name in _SWITCHES if (value := getattr(spec, name)) is not None}
    return str(Normal(figures, frozenset()))


def hub_name(normal: str) -> str | None:
    """Return the "org/name" of a form that came from the hub, None for any other."""
    return Normal.read(normal).parts.get("hub") if normal.startswith("hub=") else None


def shape_of(read: Normal) -> dict[str, object]:
    """Return the fields of a model's description that such a form holds beside its size."""
    whole: dict[str, object] = {name: int(read.parts[name]) for name in _WHOLE if name in read.parts}
    return {
        "hub_id": read.parts["hub"],
        **whole,
        **{name: read.parts[name] == "1" for name in _SWITCHES if name in read.parts},
    }


def _count(params_b: float) -> str:
    """Return billions of parameters as forms write them, to a million: 7.615e9."""
    return scaled(Decimal(round(params_b * 1000)) * 1_000_000)
