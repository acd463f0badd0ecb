"""The cards that people name, one entry each: the name used in `model=` and what they write for it."""

import re
from functools import lru_cache

# The names follow gpuhunt's: RTX for GeForce cards, the plain letter-and-number for workstation and data-centre cards.
# Longer names stand before the names that they begin with. Texts are canonical, so in lower case.
CARDS: tuple[tuple[str, str], ...] = (
    ("GB300", r"gb300"),
    ("GB200", r"gb200"),
    ("GH200", r"gh200|grace hopper"),
    ("B300", r"b300|blackwell ultra"),
    ("B200", r"b[ -]?200"),
    ("B100", r"b100"),
    ("H200", r"h[ -]?200"),
    ("H100", r"h[ -]?100"),
    ("H800", r"h[ -]?800"),
    ("H20", r"h20e?"),
    ("A100", r"a[ -]?100"),
    ("A800", r"a[ -]?800"),
    ("A10G", r"a10g(?!b)"),
    ("A10", r"a10"),
    ("A16", r"a16"),
    ("A2", r"a2"),
    ("A30", r"a30"),
    ("A40", r"a40"),
    ("L40S", r"l40 ?s"),
    ("L40", r"l40"),
    ("L20", r"l20"),
    ("L4", r"l4"),
    ("L2", r"l2"),
    ("V100", r"v[ -]?100s?"),
    ("T4", r"t4"),
    ("P100", r"p100"),
    ("P40", r"p40"),
    ("P4", r"p4"),
    ("K80", r"k80"),
    (
        "RTXPRO6000",
        r"pro ?6000d?(?: ?blackwell)?(?: ?(?:server|workstation|max-?q)(?: edition)?| ?服务器版| ?工作站版)?|6000 ?pro",
    ),
    ("RTXPRO5000", r"pro ?5000(?: ?blackwell)?|rtx ?5000 ?pro"),
    ("RTXPRO4500", r"rtx ?pro ?4500(?: ?blackwell)?"),
    ("RTXPRO4000", r"rtx ?pro ?4000(?: ?blackwell)?"),
    ("RTX6000Ada", r"a?6000 ?ada(?: generation)?"),
    ("RTX5880Ada", r"5880(?: ?ada)?(?: generation)?"),
    ("RTX5000Ada", r"5000 ?ada(?: generation)?"),
    ("RTX4500Ada", r"4500 ?ada(?: generation)?"),
    ("RTX4000Ada", r"4000 ?ada(?: generation)?"),
    ("A6000", r"a6000"),
    ("A5500", r"a5500"),
    ("A5000", r"a5000"),
    ("A4500", r"a4500"),
    ("A4000", r"a4000"),
    ("RTX5090D", r"5090 ?d(?: ?v2)?"),
    ("RTX5090", r"(?:5090|509(?!\d))"),
    ("RTX5080", r"5080"),
    ("RTX5070Ti", r"5070 ?ti"),
    ("RTX5070", r"5070"),
    ("RTX5060Ti", r"5060 ?ti"),
    ("RTX4090D", r"4090 ?d"),
    ("RTX4090", r"(?:4090|409(?!\d))"),
    ("RTX4080", r"4080(?: ?super)?"),
    ("RTX4070Ti", r"4070 ?ti(?: ?super)?"),
    ("RTX4070", r"4070(?: ?super)?"),
    ("RTX4060Ti", r"4060 ?ti"),
    ("RTX4060", r"4060"),
    ("RTX3090Ti", r"3090 ?ti"),
    ("RTX3090", r"(?:3090|309(?!\d))"),
    ("RTX3080Ti", r"3080 ?ti"),
    ("RTX3080", r"3080"),
    ("RTX3070", r"3070(?: ?ti)?"),
    ("RTX3060", r"3060(?: ?ti)?"),
    ("RTX2080Ti", r"2080 ?ti"),
    ("RTX2080", r"2080"),
    ("GTX1080Ti", r"1080 ?ti"),
    ("TitanRTX", r"titan ?rtx"),
    ("MI355X", r"mi355x?"),
    ("MI350X", r"mi350x?"),
    ("MI325X", r"mi325x?"),
    ("MI308X", r"mi308x?"),
    ("MI300A", r"mi300a"),
    ("MI300X", r"mi300x?"),
    ("MI250X", r"mi250x?"),
    ("MI210", r"mi210"),
    ("MI100", r"mi100"),
    ("Gaudi3", r"gaudi ?-?3"),
    ("Gaudi2", r"gaudi ?-?2"),
    ("Ascend910C", r"910c"),
    ("Ascend910B", r"910b(?:[1-4](?!\d))?"),
    ("Ascend910A", r"910a|ascend[ -]?910"),
    ("Ascend310P", r"310p"),
    ("MLU590", r"mlu ?590"),
    ("MLU370", r"mlu ?370(?:-?x8)?"),
    ("K100AI", r"k100[ _-]?ai"),
    ("K100", r"k100"),
    ("C500", r"c500"),
    ("S4000", r"s4000"),
    ("P800", r"p800"),
    ("BR100", r"br100"),
    ("BR104", r"br104"),
)

_BRANDS = r"(?:nvidia|英伟达|geforce|tesla|amd|instinct|radeon|quadro|华为|huawei|intel|英特尔|[昇升]腾|ascend(?= ?\d)|寒武纪|cambricon|海光|dcu|沐曦|metax|摩尔线程|mtt|昆仑芯?|壁仞|rtx(?=\s?a\d|\s?pro)|gtx|魔改|涡轮版?|满血版?|阉割版?|改版)"
_SERIES = r"(?:rtx ?|gtx ?|ascend[ -]?)?"
# One pattern to find a card at a position. A plural s may follow, a digit may not. An alternative that begins with a plain
# letter costs next to nothing where another letter stands, so what may stand before many names is said once, and no name is a group.
MODEL = re.compile(
    rf"(?:{_BRANDS}\s*)*{_SERIES}(?P<card>"
    + "|".join(words for _, words in CARDS)
    + r")(?!\d)(?:'?s(?![a-z\d]))?(?:魔改|涡轮版?|改版)?",
)
BRAND = re.compile(_BRANDS)
_NAMES = tuple((name, re.compile(words)) for name, words in CARDS)


def name_of(match: re.Match[str]) -> str:
    """Name of the card that a match of `MODEL` found."""
    return _named(match["card"])


@lru_cache(maxsize=1024)
def _named(said: str) -> str:
    return next(name for name, words in _NAMES if words.fullmatch(said))


def nameless(pattern: re.Pattern[str]) -> str:
    """Give a pattern's text without group names, so that it can stand twice in another one."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern.pattern)
