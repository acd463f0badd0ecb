"""Recognises answers that decide nothing: to be decided, no preference, there is none, not telling."""

import re

from bot.quantities.hedges import trim
from bot.quantities.wording import LONGEST_ANSWER, canonical

_NOTHING = re.compile(r"[-—–_/.。?？…~\s]+")
_LOOSE = re.compile(
    r"^(?:这个|这|那个|关于这个|嗯+|哦|额|呃|我们?|具体的?|目前|暂时|well|um+|hmm+)[\s,]*(?=.)|(?:吧|呢|啊|哦|哈|呀|啦|了|的)+$"
)
_POLITE = re.compile(r"^(?:嗯+|哦|呃+|额|um+|hmm+|well)[,\s]+|^嗯+|[,\s]*(?:谢谢你?|thanks?(?: you)?|吧|~|!|。)+$")
_CLAUSE = re.compile(r"[,.;。!?、]\s*")
# 看你们 and its like stand in front of several endings; these are the shared parts.
_YOU = r"(?:你们?|您|贵司|your? (?:team|side)?|you(?: guys)?)"
_CLASSES = (
    (
        "DECLINE",
        (
            r"不(?:太)?(?:方便|便|想|愿意?|能|可以)(?:对外)?(?:透露|说|讲|告知|回答|公开|提供|告诉你们?|披露)|无可奉告|(?:需要)?保密|机密|商业机密|涉密|(?:这个)?不告诉你们?|隐私|秘密|拒绝回答"
            r"|(?:i |we )?(?:don't|do not|dont) want to (?:say|share|tell|disclose|answer)(?: (?:that|this|it|you))?|confidential|(?:i(?:'d| would) )?(?:prefer|rather) not(?: to)?(?: (?:say|disclose|share|answer|tell))?|(?:i |we )?(?:can't|cannot|can not|won't|am not able to|are not able to|not able to|not allowed to) (?:say|share|disclose|tell|reveal|answer)(?: (?:that|this|it|you))?"
            r"|(?:it's )?(?:under )?(?:an )?nda|no comment|private|secret|decline(?: to answer)?|none of your business|not disclosed|undisclosed|classified|proprietary"
        ),
    ),
    (
        "ANY",
        (
            r"随便|随意|(?:any|all)(?:都行|都可以)|随你们?|都行|都可以|都好|都ok|都成|都能|均可|皆可|无所谓|任意|任何都?(?:可以|行)?|不限|不挑|不介意|没所谓|没关系|没差|(?:怎么|哪个|哪种|哪里|哪款|什么|啥|哪张|哪天)(?:样)?(?:都|也)(?:行|可以|好|ok|成)"
            rf"|(?:没有?|无|没啥|没什么)(?:任何|特别|特殊|具体|硬性|强制)?的?(?:要求|偏好|限制|倾向|讲究|所谓)|看{_YOU}(?:的)?(?:推荐|安排|建议|方便|定|情况|那边|意思|决定)?|(?:由|听|按){_YOU}(?:的)?(?:推荐|安排|建议|定|决定|来)?|{_YOU}(?:来)?(?:看着办|看着定|定|决定|推荐|建议|安排|说了算|选|看着来|看)(?:吧|就行|一下|[一1]个)*|(?:请)?推荐(?:一下|[一1]个)?|求推荐|你看着来|给点建议|有(?:什么|啥)(?:就)?用(?:什么|啥)|有货就行|能用就行|能跑就行"
            r"|whatever(?: works| you have| is (?:available|best|cheapest|fine))?|any(?:thing)?(?: (?:works|is fine|goes|will do|is ok|you have|is okay|at all|one))?|any of them|anyone|whichever|either(?: (?:one|way|works|is fine))?|no (?:preferences?|particular preference|strong preference|requirements?|restrictions?|limit|constraints?|specific requirements?)|(?:i |we )?(?:don't|do not|dont) (?:care|mind|have (?:a|any) preferences?)|(?:it's )?(?:all )?up to (?:you|u)(?: guys)?"
            r"|you (?:decide|choose|pick|tell me|recommend)|your (?:call|choice|recommendation|pick)|(?:it )?(?:doesn't|does not|doesnt) matter(?: (?:to (?:me|us)))?|not (?:important|picky|fussy)|flexible|(?:we're |i'm )?(?:easy|open)|all (?:good|fine|ok)|(?:what(?:ever)? )?(?:do )?you(?:'d)? (?:recommend|suggest)|(?:please )?(?:recommend|suggest)(?: (?:something|one|please))?|(?:please )?(?:advise|recommendation)|best (?:available|effort)|no pref|indifferent|dealer's choice|anywhere|any region|wherever|不在乎|没意见|不care"
        ),
    ),
    (
        "NONE",
        (
            r"无|没有|暂无|没|暂时没有|目前没有|没有的|无替代|没有(?:别的?|其他|其它|替代|备选)(?:的|方案|卡型|选择)?|没别的|不适用|空|暂时无|目前无|并没有|[一1]个都?没有|没有任何"
            r"|none|nil|nothing|null|n ?/ ?a|not applicable|no(?: (?:alternatives?|others?|substitutes?|backup|fallback))|none (?:at all|for now|of them|so far|yet|at the moment)|nothing (?:else|special|in particular|for now|yet)|there (?:is|are) none|(?:we )?(?:don't|do not) have (?:any|one)|no such thing|zero|nope,? none|nada"
        ),
    ),
    (
        "TBD",
        (
            r"(?:这个|时间|具体|暂时|目前|现在|我们?)*(?:还|尚|暂|暂时|目前|现在|都)*(?:待定|未定|未知|没定|没有定|不定|没确定|没有确定|不确定|未确定|没想好|没有想好|没想过|没考虑好?|没有考虑|没决定|未决定|不清楚|不太清楚|不知道|不太知道|不晓得|不了解|不太了解|不懂|不太懂|不明确|没数|没概念|没有概念|没谱|没底|说不准|说不好|不好说|难说|没算过|没测过|没评估|没规划|没计划|没头绪|不太确定|待确认|待评估|待讨论|待商量|待议|待补充|没讨论|没商量|没谈|拿不准|没统计|没概念)(?:呢|下来|好|具体|怎么办|该选哪个|选哪个|要多少|多少|清楚)?"
            r"|(?:以后|后面|之后|到时候?|回头|晚点|稍后|改天|过后|等等|后续|先)?再(?:说|看|议|定|讨论|商量|确认|决定|考虑)(?:看|吧|一下)?|(?:先|暂时|暂)?不定|先(?:空着|不填|不管|留空|待定|放着|跳过这个)|(?:还)?在?(?:讨论|商量|评估|考虑|研究|确认|测试|调研|纠结|看|想|谈|规划)(?:中|呢|着)|(?:还)?在(?:讨论|商量|评估|考虑|研究|确认|调研|纠结|想)|(?:回头|晚点|稍后|到时候?|后面|之后|明天|下周)(?:再)?(?:告诉|回复|给|通知|确认|补充|答复)(?:你们?|您)?|(?:我|要|得|需要|让我|先|我们?|我要)*(?:问|确认|查|讨论|商量|想|考虑|评估)(?:问|想|一下|下|查|考虑|讨论)*(?:同事|领导|老板|客户|团队|算法|工程师|一下)*(?:看看|再说|一下)?|(?:得|需要|要)?(?:等|看)(?:领导|老板|客户|团队|同事)(?:决定|确认|定|通知|回复|拍板|再定)?|看情况|视情况而定|看(?:进度|预算|效果|测试结果)|没把握|暂时空着|我想想|让我想想|容我想想|天知道|谁知道"
            r"|tb[adc]|(?:still )?to be (?:decided|determined|confirmed|announced|discussed|advised|defined)|(?:i |we |really |honestly )*(?:don't|do not|dont) (?:really )?know(?: (?:yet|that|this))?(?: exactly)?|dunno|idk|dk|no ideas?(?: (?:yet|at all))?|no clue|(?:i'm |we're |am |are )*(?:still )?(?:not (?:quite |really |entirely |totally |100% )?(?:sure|certain|decided|determined|known|clear|fixed|set|finali[sz]ed|confirmed)|unsure|undecided|undetermined|uncertain|unknown|unclear)(?: (?:yet|about (?:that|this|it)|at this point|right now|at the moment|exactly|so far))*"
            r"|(?:it |we |i |we're |i'm |is |that )*(?:haven't|hasn't|have not|has not|havent|hasnt|not) (?:been )?(?:yet )?(?:decided|determined|thought about it|figured (?:it|that) out|made up (?:my|our) minds?|settled|chosen|finali[sz]ed|fixed|discussed)(?: (?:yet|that|on that|this|it))*|(?:i'll |we'll |will |let's |let me |i need to |we need to |need to |have to |i have to )*(?:decide|confirm|tell you|let you know|check|ask(?: (?:my|our|the) \w+)?|get back(?: to you)?(?: on that)?|see|think about it|discuss(?: (?:it|internally|later))?|figure (?:it|that) out)(?: (?:later|soon|internally|with (?:my|the|our) \w+|tomorrow|first|and get back))*|later|(?:ask me )?(?:again )?later|not yet|pending|in discussion|under (?:discussion|consideration|evaluation|review)|(?:still )?(?:discussing|deciding|evaluating|thinking|considering|working on (?:it|that)|figuring (?:it|that) out)(?: (?:it|about it|that))?|open question|depends|it depends|(?:i )?have no idea|hard to say|can't say yet|who knows|beats me|wait and see|we will see|we'll see|leave (?:it )?(?:blank|open|empty)(?: for now)?|blank|placeholder|\?+|待 ?定|tbd 待定|待定 ?\(? ?tbd ?\)?|暂不清楚|x+待定|没想好呢"
        ),
    ),
)
_PATTERNS = tuple((name, re.compile(rf"(?:{words})", re.IGNORECASE)) for name, words in _CLASSES)


def undecided(text: str) -> str | None:
    """Return `TBD`, `ANY` (no preference), `NONE` (there is none), `DECLINE` (not telling), or None for a real answer.

    Fields that take yes or no must read those first: 没有 is a no there and `NONE` here.
    """
    core = canonical(text)
    if not core or len(core) > LONGEST_ANSWER:
        return None
    core = _POLITE.sub("", core) or core
    if _NOTHING.fullmatch(core):
        return "TBD"
    bare = core.strip(" .。,!?~;")
    for spelling in dict.fromkeys((bare, _LOOSE.sub("", bare), trim(core))):
        found = _whole(spelling)
        if found:
            return found
    verdicts = {_whole(trim(c)) or _whole(c.strip()) for c in _CLAUSE.split(core) if trim(c)}
    return verdicts.pop() if len(verdicts) == 1 else None


def _whole(core: str) -> str | None:
    return next((name for name, pattern in _PATTERNS if pattern.fullmatch(core)), None)
