"""Words around a date that say how it is meant: about, from, by, between, at once, any time."""

import re

from bot.quantities.names import MONTHS

ASAP = re.compile(
    r"(?:越|愈)(?:快|早)(?:越|愈)好|尽快|尽早|马上|立刻|立即|即刻|现在|赶紧|赶快|速度|急用|急需|很急|非常急|加急|立马|现在就要|今天就要|马上就要|(?:尽快|立刻|马上|现在|立即)(?:就)?(?:开始|开通|上线|用|要|开|启动|交付|能用)*|即日起?|随时(?:可以)?开始|最快|最快速度|能多快就?多快|越快越好,?最好今天"
    r"|(?:starting |start |begin )?(?:a\.?s\.?a\.?p\.?|as (?:soon|early|quickly|fast) as (?:possible|we can|you can)|(?:right |straight )?(?:away|now)|immediately|at once|instantly|(?:the )?(?:sooner|earlier|faster) the better|soonest|(?:very |it's )?urgent(?:ly)?|earliest(?: possible)?|the earliest|first available|quickly|right this minute)",
)
ANY = re.compile(
    r"随时(?:都行|都可以|可以|都)?|任何时候|任意时间|什么时候都(?:行|可以)|哪天都(?:行|可以)|都(?:行|可以)|时间(?:不限|灵活|随意|随便)|不急|不着急|随便|无所谓|不限(?:时间)?|看你们(?:安排|时间|方便)?"
    r"|any ?time|any ?day|whenever(?: (?:is )?(?:convenient|works|possible|you (?:can|want|like)))?|(?:i'm |we're |dates? (?:is|are) )?flexible|no rush|no hurry|any date|doesn't matter|not urgent|up to you",
)
_VERBS = r"(?:开始|起租|启动|开工|上线|交付|开跑|进场|开通|开机|能用|使用|用|租|要|可以|训练|就|开|到位|拿到|ready|start(?:ing)?|begin(?:ning)?|live|available|go live|kick ?off)"
START = re.compile(
    r"^(?:(?:从|自|在|于|打算|计划|定在|开始时间|时间|日期|起租日|最好|最好是|就|那就)\s*|(?:(?:we )?(?:start(?:ing)?|begin(?:ning)?|commencing|from|as of|effective|on|at|start date|date|say|to start|kick off)(?: (?:on|from|in|at|is|by))?(?![a-z])[\s:]*))+(?=\S)"
)
START_ENDS = re.compile(rf"(?:\s*(?:(?:就)?{_VERBS}(?:起|吧)?|起|那天|当天|(?<![a-z])(?:start|or so)))+$")
ABOUT = (
    re.compile(
        r"^(?:大概|大约|约莫|约|差不多|估计|可能|预计|应该|(?:about|around|approximately|approx\.?|roughly|probably|maybe|perhaps|circa|sometime|some time|likely)(?![a-z])(?: (?:in|on|around|about))?|≈|~)\s*(?:在|是)?\s*"
    ),
    re.compile(
        r"\s*(?:左右|前后|附近|上下|(?<![a-z])(?:or so|or thereabouts|give or take|approx(?:imately)?|roughly|ish|ideally)|-ish)$"
    ),
)
LATEST = (
    re.compile(
        r"^(?:最晚|最迟|不晚于|不迟于|截止到?|截至|赶在|争取在?|(?:by|until|till|before|no later than|not later than|at the latest|latest(?: by)?|due|prior to|up to|on or before)(?![a-z]))\s*(?:the )?(?:在|到|是)?\s*"
    ),
    re.compile(
        r"\s*(?:之前|以前|前|之内|以内|内|截止|为止|(?<![a-z])(?:at (?:the )?(?:very )?latest|or (?:earlier|sooner|before)|latest|deadline))$"
    ),
)
EARLIEST = (
    re.compile(
        r"^(?:过完|过了|最早|最快|不早于|不会早于|(?:after|since|not before|no earlier than|not earlier than|earliest(?: is)?|any ?time after|from|sometime after)(?![a-z]))\s*(?:在|到|是|从)?\s*"
    ),
    re.compile(
        r"\s*(?:之后|以后|过后|后|往后|起往后|(?<![a-z])(?:onwards?|or later|or after|and (?:after|later|onwards?|beyond)|at the earliest|earliest))$"
    ),
)
ONWARDS = re.compile(r"\s*(?<![a-z])onwards?$")
RANGE = re.compile(r"\s*(?:--?|~|到|至|(?<![a-z])(?:to|until|till|through|thru)(?![a-z]))\s*")
AND = re.compile(r"\s*(?:和|与|跟|(?<![a-z])and(?![a-z]))\s*")
ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]
ORDINAL_WORD = re.compile(
    rf"(?<![a-z-])({'|'.join(ORDINALS)})(?= (?:of )?(?:(?:{'|'.join(MONTHS)})(?![a-z])|(?:next|this|every|each) month))"
)
THANKS = re.compile(r"^嗯+[,\s]*|[\s,。.!~]*(?:谢谢|thanks?(?: you)?|please|吧|啊|呢|了|[。.!~])*$")
ISO_HEAD = re.compile(r"\d{4}(?:[-/.]\d{1,2})?")
BETWEEN = re.compile(r"^(?:between|介于|在)\s*|\s*(?:之间|期间)$")
OR = re.compile(r"\s*(?:或者?是?|还是|(?<![a-z])or(?![a-z]))\s*")
LATER = re.compile(
    r"^(?:再?过(?P<a>.+?)(?:之后|以后|后)?|(?P<b>.+?)(?:之后|以后|过后|后)|(?:in|after) (?P<c>.+?)(?:'s?)?(?: time)?|(?P<d>.+?) (?:later|from (?:now|today)|hence|out))$",
)
WITHIN = re.compile(
    r"^(?:未来|今后|接下来|在)?(?P<a>.+?)(?:之内|以内|内)$|^(?:within|in the next|over the next|during the next|sometime in the next)(?: the)?(?: next)? (?P<b>.+)$"
)
# Limits of which the whole period is part.
COUNTS_ITSELF = (
    "by",
    "until",
    "till",
    "up to",
    "on or before",
    "no later",
    "not later",
    "at the latest",
    "latest",
    "due",
    "最晚",
    "最迟",
    "不晚于",
    "不迟于",
    "截",
    "之内",
    "以内",
    "内",
    "or ",
    "onward",
    "最早",
    "最快",
    "不早于",
    "不会早于",
    "not before",
    "no earlier",
    "not earlier",
    "earliest",
    "at the earliest",
    "from",
    "since",
    "起往后",
    "往后",
    "and later",
    "and onward",
    "deadline",
    "赶",
    "争取",
)
NEW_YEAR = {
    "年前": "ask:..{year}-12-31|..{spring}",
    "过年前": "..{spring}",
    "年后": "ask:{next}-01-01..|{spring}..",
    "过完年": "{spring}..",
    "过年后": "{spring}..",
    "过年以后": "{spring}..",
}
