"""Reads model sizes in parameters, plain (70亿), in a model's name (Qwen2.5-72B), or of a mixture of experts (235B-A22B)."""

import re
from decimal import Decimal

from bot.quantities import amounts
from bot.quantities.amounts import Amount, Reading
from bot.quantities.hedges import peel
from bot.quantities.normal import compose, scaled
from bot.quantities.wording import canonical, decimal

_FACTORS = {"b": 10**9, "bn": 10**9, "m": 10**6, "t": 10**12, "": 1}
_SMALLEST, _LARGEST = Decimal(10**5), Decimal(10) ** 14

_SIZE = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_ONE = re.compile(rf"(?P<about>≈)?(?P<n>{_SIZE})(?:e(?P<e>\d{{1,2}}))?\s?(?:个)?(?P<u>bn|[bmt])?")
_HUNDREDS = {"十b": 10, "百b": 100, "千b": 1000}
NOUNS = re.compile(
    r"(?:训练|训|微调|精调|预训练|跑|部署|推理|做|上)(?=\s?[\da-z])|(?:模型|总|大模型)?(?:的)?(?:参数量级?|参数规模|参数|参(?=\s?[\d.])|规模|大小|模型|大模型|体量|量级|版本)(?:的|约|是|为|有)?|一个(?=\d)|个(?!\d)|总共|总|的"
    r"|(?<![a-z])(?:a |an |the )?(?:total )?(?:params?|parameters?|models?|llms?|size|dense|in size|total|in total|version|large)(?: of)?(?![a-z])|稠密|(?<![a-z])an? (?=\d)",
)
_MOE = re.compile(
    r"[\s,，(]*(?:是|的|一个|an?)?\s*(?<![a-z])(?:moe|mixture[ -]of[ -]experts|混合专家)(?![a-z])(?:的?(?:模型|架构|结构))?[\s,)]*"
)
# Tried in this order: A22B in a name, "激活 37B", "37B active".
_ACTIVE = (
    re.compile(rf"(?<=[a-z\d\s])[\s_-]*(?<![a-z])a(?P<n>{_SIZE})(?P<u>b)(?![a-z])"),
    re.compile(
        r"[\s,、;(/+-]*(?:(?:每次)?(?:推理)?激活(?:参数)?(?:量)?(?:是|为|约|:|=)?\s*"
        r"|(?<![a-z])(?:active|activated|activates|activating)(?: params?| parameters?)?(?: of|:)?\s*)"
        rf"(?P<n>{_SIZE})\s?(?P<u>[bmt])?(?![\d.]|\s*(?:total|in total|总))(?:激活|的)?(?:参数)?[\s)]*",
    ),
    re.compile(
        rf"[\s,、;(/+-]*(?<![\d.])(?P<n>{_SIZE})\s?(?P<u>[bmt])?(?:的)?\s?(?:参数)?"
        r"(?:激活(?:参数)?|(?:parameters? |params? )?(?:active|activated)(?: params?| parameters?)?)[\s)]*",
    ),
)
_CONNECTORS = re.compile(r"(?<![a-z])(?:with|and|of which|where|but only|but|only)(?![a-z])|其中|但|只")
_EXPERTS = re.compile(r"[\s,、;(]*(?P<n>\d{1,4})\s?(?:个?专家|experts?)[\s)]*")
_PRODUCT = re.compile(rf"(?P<experts>\d{{1,3}})\s?[x*]\s?(?P<n>{_SIZE})\s?b")
# Sizes of the two mixtures of experts that are named by a product; the experts share their attention layers.
_PRODUCTS = {("8", "7"): ("46.7e9", "12.9e9"), ("8", "22"): ("140.6e9", "39.1e9")}

FAMILY = re.compile(
    r"(?:meta[- ]?llama|code ?llama|tiny ?llama|llama|羊驼|通义千问|千问|通义|qwen|qwq|qvq|deepseek|深度求索|ds|mixtral|mistral|ministral|codestral|magistral|米斯特拉尔"
    r"|gemma|phi|chatglm|glm|智谱|清言|yi|零一万物|零一|internlm|internvl|书生浦语|书生|浦语|baichuan|百川|minicpm|面壁|falcon|mpt|gpt[- ]?oss|gpt[- ]?neox|gpt[- ]?j|gpt|oss"
    r"|pythia|opt|bloomz?|starcoder|kimi|月之暗面|minimax|hunyuan|混元|grok|dbrx|command|aya|olmo|smollm|nemotron|vicuna|alpaca|wizardlm|flan|m?t5|bert|ernie|文心|盘古|pangu|星火"
    r"|step|seed|telechat|skywork|moss|aquila|悟道|xverse|jamba|granite|solar|stablelm|redpajama|wan|flux|cogview|cogvideox?|l(?=\d)|r1)",
)
_VARIANT = re.compile(
    r"instruct|chat|base|coder?|math|vl|omni|audio|vision|hf|it|pt|distill(?:ed)?|preview|thinking|reasoning|awq|gptq|int[48]|fp8|fp16|bf16|nf4|gguf|q[48](?:_k_m)?|large|small|mini|medium|plus|pro|max|air|lite|nemo|scout|maverick"
    r"|next|next|turbo|flash|r1|k2|m[12]|text|sft|rl|dpo|moe|dense|latest|new|llm|v|蒸馏版?|满血版?|模型|大模型|版|的|对话版?|代码版?|这种|那种|系列|\d+k|\d{4}",
)
_VERSION = re.compile(r"[vrk]?\d{1,2}(?:\.\d{1,2}){0,2}")
_JOINED = re.compile(r"[a-z][a-z0-9.]*(?:[-_/][a-z0-9.]+)+")
_STEP = re.compile(r"[\s\-_/,:()+]+")
_NO_NAMES = re.compile(r"(?:non?|not|sub|pre|under|over|less|more|than|up|to|except|without)$")


def read_params(text: str) -> str | None:
    """Read a number of parameters: `total=` and, for a mixture of experts, `active=`, `experts=` and `moe`."""
    core = decimal(canonical(text))
    mixture = _mixture(core)
    if mixture:
        return mixture
    peeled = peel(core, NOUNS)
    reading = amounts.read(peeled, one, all_of=True)
    if reading is None:
        return None
    return compose(*_total(reading), approx=reading.approx)


def one(core: str) -> Amount | None:
    """Read a single size: 7B, 70亿 (already in digits), 百B, or a model's name that ends in one."""
    core = core.strip()
    if core in _HUNDREDS:
        return Amount(Decimal(_HUNDREDS[core]) * 10**9, "total", approx=True)
    m = _ONE.fullmatch(core)
    if m is None:
        named = _named(core)
        return Amount(named, "total") if named else None
    value = Decimal(m["n"].replace(",", "")) * Decimal(10) ** int(m["e"] or 0) * _FACTORS[m["u"] or ""]
    if not m["u"] and value < _SMALLEST:
        return Amount(value) if value > 0 else None
    if not (_SMALLEST <= value <= _LARGEST):
        return None
    return Amount(value, "total", approx=bool(m["about"]))


def _total(reading: Reading) -> list[str]:
    texts = [scaled(a.value) for a in reading.amounts]
    if reading.shape == "one":
        return [f"total={texts[0]}"]
    if reading.shape == "range":
        return [f"lo={texts[0]}", f"hi={texts[1]}"]
    if reading.shape == "any":
        return ["any=" + "|".join(texts)]
    return [f"{'min' if reading.shape == 'min' else 'hi'}={texts[0]}"]


def _mixture(core: str) -> str | None:
    moe = _MOE.search(core)
    rest = _MOE.sub(" ", core, count=1) if moe else core
    active = next((m for pattern in _ACTIVE if (m := pattern.search(rest))), None)
    if active:
        rest = f"{rest[: active.start()]} {rest[active.end() :]}"
    experts = _EXPERTS.search(rest)
    if experts:
        rest = f"{rest[: experts.start()]} {rest[experts.end() :]}"
    product = _product(rest)
    if product:
        return product if not active and not experts else None
    if not (moe or active or experts):
        return None
    total = None
    peeled = peel(_CONNECTORS.sub(" ", rest), NOUNS)
    if peeled.core and not _all_words(peeled.core):
        total = amounts.read(peeled, one)
        if total is None:
            return None
    if total is None and active is None:
        return None
    return compose(
        *(_total(total) if total else ()),
        f"active={scaled(_active(active))}" if active else None,
        f"experts={int(experts['n'])}" if experts else None,
        "moe",
        approx=peeled.approx or bool(total and total.approx),
    )


def _all_words(core: str) -> bool:
    """Whether only a model's family is left, as in Hunyuan-A13B."""
    return all(_is_name_step(s) for s in _STEP.split(core) if s)


def _active(m: re.Match[str]) -> Decimal:
    value = Decimal(m["n"].replace(",", ""))
    return value * _FACTORS[m["u"] or ""] if m["u"] or value > _SMALLEST else value * 10**9


def _product(rest: str) -> str | None:
    steps = [s for s in _STEP.split(peel(rest, NOUNS).core) if s]
    found = [m for s in steps if (m := _PRODUCT.fullmatch(s))]
    if len(found) != 1 or not all(_is_name_step(s) or _PRODUCT.fullmatch(s) for s in steps):
        return None
    experts, each = found[0]["experts"], found[0]["n"]
    if (experts, each) in _PRODUCTS:
        total, active = _PRODUCTS[experts, each]
        return f"total={total};active={active};experts={experts};moe"
    # The parts that all experts share are counted once only, so the product is above the truth.
    return f"total={scaled(Decimal(experts) * Decimal(each) * 10**9)};experts={experts};moe;approx"


def _named(core: str) -> Decimal | None:
    """Find the one size in a model's name; None unless every other piece belongs to a name."""
    core = re.sub(r"(?<=[\u4e00-\u9fff])(?=[a-z0-9])|(?<=[a-z0-9.])(?=[\u4e00-\u9fff])", " ", core)
    steps = [s for s in _STEP.split(core) if s]
    sizes = []
    joined = bool(_JOINED.fullmatch(core)) and not _NO_NAMES.match(steps[0])
    known = any(FAMILY.match(s) for s in steps)
    for step in steps:
        size = re.fullmatch(rf"(?:{FAMILY.pattern})?(\d+(?:\.\d+)?)([bmt])", step)
        if size:
            sizes.append(Decimal(size[1]) * _FACTORS[size[2]])
        elif not (_is_name_step(step) or (joined and re.fullmatch(r"[a-z][a-z0-9.]*", step))):
            return None
    return sizes[0] if len(sizes) == 1 and (known or joined) and sizes[0] >= _SMALLEST else None


def _is_name_step(step: str) -> bool:
    return bool(
        _VARIANT.fullmatch(step)
        or _VERSION.fullmatch(step)
        or re.fullmatch(rf"(?:{FAMILY.pattern})(?:[vrk-]?\d+(?:\.\d+){{0,2}}[ov]?)?", step)
    )
