"""Reads yes, no, maybe and "either is fine", as people say them to a question about their needs."""

import re

from bot.quantities.wording import LONGEST_ANSWER, canonical

_PICTURES = {
    "👍": "yes",
    "👌": "yes",
    "✅": "yes",
    "✔": "yes",
    "🙆": "yes",
    "💯": "yes",
    "🆗": "yes",
    "🫡": "yes",
    "👎": "no",
    "❌": "no",
    "🙅": "no",
    "✖": "no",
    "🚫": "no",
    "⛔": "no",
    "🤷": "maybe",
    "🤔": "maybe",
}
_THING = r"(?:这个|那个|这些|它|nv ?link|nv ?switch|ib|infiniband|roce|rdma|共享(?:存储|盘|文件系统)?|存储|多机|跨机|高速(?:互联|网络)?|互联|(?:the |a |any )?(?:shared )?storage|nvlinks?|it|that|this|them|those|one|any|shared)"
_CLASSES = (
    (
        "any",
        (
            rf"(?:\s?{_THING})?(?:要不要|有没有|需不需要|用不用|是不是|可有可无|有无|行不行)(?:\s?{_THING})?(?:都|均)?(?:行|可以|无所谓|没关系|随便|ok|好|可)?(?<!要不要)(?<!有没有)(?<!需不需要)(?<!用不用)(?<!是不是)(?<!行不行)"
            r"|无所谓|随便|随意|都行|都可以|都好|都ok|怎样都(?:行|可以|好)|怎么都行|没所谓|不在乎|不介意|看你们(?:推荐|方便|安排)?|你们定|可有可无|有没有都一样|没有也(?:行|可以|ok)|没有也没关系|有更好,?没有也(?:行|可以)|有则更好|不强求|不强制|不是必须的?|非必须|非必需|不一定要|可要可不要"
            r"|whatever|either(?: (?:way|is fine|works|one|is ok))*|(?:i |we )?(?:don't|do not|dont) (?:care|mind)(?: either way)?|doesn't matter|does not matter|no preference|up to you|you decide|any|both (?:are )?(?:fine|ok|work)|optional|indifferent|no strong (?:preference|opinion)|your call|anything|not (?:a )?(?:must|hard requirement|mandatory|essential|required but nice)"
        ),
    ),
    (
        "maybe",
        (
            r"(?:还|现在|暂时|目前)*(?:有)?可能(?:会|要|需要|用|有|用得?到|用得着|不需要|不要|不用|不会|吧|是)*|也许(?:要|需要|会|用|不)*|或许|大概(?:要|需要|会|率)*(?:用|要|需要|会)?|应该(?:要|需要|会|用得?到|是|有|不用|不需要|不要|不会|可以|用)|看(?:情况|需要|需求|预算|价格|效果|进度)(?:而定|吧)?|视情况(?:而定)?|还?不确定|还?不太确定|不一定|不好说|说不准|说不好|难说|再看|再说|再看看|未必|没准|待定|看看再说|(?:还)?没(?:想好|确定|决定|定)|不知道|不清楚|考虑(?:中|一下)?|好像(?:要|需要|是|不用|不需要)?|估计(?:要|需要|会|不用|不需要|不要|是)|到时候再(?:说|看)|后期可能|以后可能|偶尔|有时候?|最好有|有最好|有的话更好|能有更好|有更好|有的话最好"
            r"|maybe(?: (?:yes|no|not|later))?|perhaps(?: not)?|possibly(?: not)?|probably(?: (?:yes|no|not))?|(?:i'm |we're |am |are )?(?:still )?(?:not (?:quite |really |entirely |100% |so |totally )?(?:sure|certain|decided)|unsure|undecided)(?: (?:yet|about (?:it|that)))?|(?:it )?depends(?: .{1,30})?|not necessarily|(?:might|may|could)(?: (?:need|want|use|be))?(?: (?:it|that|them|one))?|(?:we|i) (?:might|may|could)(?: (?:need|want|use))?(?: (?:it|that|them|one))?|could be|can't say|hard to say|(?:i |we )?(?:don't|do not|dont) know|idk|dunno|no idea|tbd|sometimes|likely|unlikely|most likely|we'll see|let me (?:check|think)|possible|ideally|nice to have|would be nice|preferably|potentially|later maybe|(?:yes )?and no"
        ),
    ),
    (
        "yes",
        (
            rf"(?:我们?)?(?:是|要|有|用|会|能|行|对|好|嗯|恩|中|成|需|可|得|必须|必要|需要|一定|当然|肯定|可以|支持|同意|确认|没错|没问题|正确|可|想要|想|希望|打算|必备|刚需|必需|是的|对的|要的|好的|有的|行的|会的|用的|可以的|需要的|必须的|那当然|那肯定|的确|确实|妥|得嘞|ok|okay)(?:是|要|有|用|会|的|得|需要|必须|啊|可以|可以的|滴|了|得有|得要)*(?:\s?{_THING})?(?:的|吧|啊)?"
            rf"|(?:我们?)?(?:都|全|也|当然|肯定|一定|必须|绝对|非常|很|最好|务必|还是|确实)+(?:是|要|有|用|会|能|行|可以|需要|得有|得要|得用)(?:的)?(?:\s?{_THING})?|非要不可|必不可少|少不了|不能没有|不可或缺|离不开|非常需要|很需要|没有不行|一定要有|缺一不可|必须得有|要有|要用到?|用得[到着上]|(?:可以)?(?:分|拆)(?:成)?(?:\d|几)?批(?:次)?(?:上|来|交付)?|可以(?:分|拆)(?:成)?(?:\d|几)?(?:批|次|期).{{0,4}}|打勾|嗯呐|必|要滴|好滴|好嘞|好哒|收到|1定|1定要"
            rf"|y|ye|yes+|yep|yup|yeah+|yea|ya|yah|yess?ir|aye|sure(?: thing)?|ok(?:ay|ey)?|okie|k|kk|of course|certainly|definitely|absolutely|(?:that's )?(?:correct|right)|true|affirmative|indeed|exactly|agreed|please(?: do)?|(?:yes )?we do|i do|it does|they do|we are|it is|we will|i will|(?:we |i )?(?:do |really |definitely |absolutely |certainly |'d |'ll |would |will )*(?:need|want|require|like|use|have)(?: to have)?(?: {_THING})*|(?:it's |it is |is |are |this is )?(?:absolutely )?(?:required|needed|necessary|mandatory|a must|must[- ]have|essential|critical|important|must|desired|wanted|fine|good|great|perfect|cool|on|enabled)|must(?: have)?(?: {_THING})?|should|with(?: {_THING})|no problem|no doubt|why not|for sure|fine|good|great|perfect|i think so|think so|i guess so|that works|works for me|go ahead|go for it|positive|totally|(?:yes )?please|100%|yes indeed|can do|possible yes|in batches(?: is fine)?|(?:we )?can be(?: split)?|can split"
        ),
    ),
    (
        "no",
        (
            rf"(?:我们?)?(?:目前|暂时|暂|先|现在|都|也|肯定|绝对|当然|真的?|完全|根本|基本上?|其实|应该是)*(?:不|没|无|否|非|免|别|不用|不要|不需要?|不必|不是|不会|不行|不可以|不能|不好|不对|没有|没必要|无需|无须|毋须|不需|不想|不想要|不打算|不考虑|没打算|没需求|没有需求|没这个需求|没有必要|用不着|用不上|用不到|不太需要|不太用|不怎么用|不大需要|不支持|不同意|不使用|不可|不存在|不涉及|没用|没用到|没要求|免了|算了|算了吧|不了|不成|不用的|不要的|不需要的|不是的|不会的|没有的|没得|拒绝|不接受|没有要求)(?:要|用|有|了|的|啊|必|吧|需要)*(?:\s?{_THING})?(?:了|的|吧)?"
            rf"|(?:i guess|i think|definitely|absolutely|of course|certainly|surely|please|preferably|better|rather) not|n|no+|nope|nah|nay|negative|never|not? (?:really|needed|necessary|required|now|at all|for now|at the moment|at this (?:time|point)|currently|important|mandatory|today|yet|any more|wanted|applicable|interested)|no(?:,? (?:thanks?|thank you|need|way|it(?: i)?sn't|we don't|i don't|that's fine|not really|it's (?:fine|ok)|requirements?|need for {_THING}|nvlink))+|not|none|no {_THING}|without(?: {_THING})?|(?:(?:we|i|it|they|you) )?(?:really |actually |currently )?(?:do not|don't|dont|doesn't|does not|won't|will not|wouldn't|cannot|can't|not|shouldn't|isn't|aren't|is not|are not|no|haven't|didn't)(?: really| actually| currently| think we| think i)*(?: (?:need|want|require|use|have|plan|needed|required|necessary|be|believe|think|do|like|care for))*(?: (?:it|that|them|one|any|so|this|to|{_THING}))*|(?:i )?(?:don't|do not|dont) think so|false|disagree|(?:it's |it is |is )?(?:unnecessary|not (?:necessary|needed|required)|wrong|incorrect|disabled|off)|skip it|off|single node(?: only)?|no shared .{{1,10}}"
        ),
    ),
)
_PATTERNS = tuple((name, re.compile(rf"(?:{words})", re.IGNORECASE)) for name, words in _CLASSES)
_CONTRAST = re.compile(
    r"但|不过|除非|如果|要是|只|除了|而|其实|however|(?<![a-z])(?:but|unless|except|if|only|though|although|wait|actually)(?![a-z])"
)
_CLAUSE = re.compile(r"[,.;。!?、]\s*|\s-\s|(?<=[a-z])\s+(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])\s+(?=[a-z])")
_NOISE = re.compile(r"(?:谢谢(?:你|您)?|多谢|感谢|你好|您好|嗯+|哦+|hi|hello|thanks?(?: you)?|thx|please|ok 谢谢)")
_REPEATED = re.compile(r"^(\D{1,4})\1+$")
_OPENING = re.compile(r"(yes|yeah|yep|yup|no|nope|nah|sure|ok|okay|是的?|对|嗯|不)\s+(.+)")
_ENDS = " .。,!?~;:'+-"
_PARTICLES_BEFORE = re.compile(
    r"^(?:(?:不好意思|抱歉|嗯+|哦+|额+|呃+|唉|啊|诶|那|我觉得|我想|我们?觉得|这个|(?:sorry|um+|uh+|hmm+|well|oh|ah)(?![a-z]))[\s,]*)+(?=\S)"
)
_THANKS_AFTER = re.compile(r"[\s,]*(?:谢谢你?|thanks?)$")
_PARTICLES_AFTER = re.compile(
    r"(?:[\s,]*(?:吧|呢|啊+|哈+|哦+|噢|呀|嘛|啦|了|的|哒|滴|谢谢你?|多谢|感谢|(?<![a-z])(?:thanks?(?: you)?|thx|ty|please|pls|i think|i guess|for now|at the moment|sir|man|bro|mate)|[.。!~?]))+$"
)
_PLAIN = ("yes", "no")


def read_yn(text: str) -> str | None:
    """Return `yes`, `no`, `maybe` or `any`; None for anything that is not clearly one of them."""
    core = canonical(text)
    if len(core) > LONGEST_ANSWER:
        return None
    pictures = {_PICTURES[c] for c in core if c in _PICTURES}
    words = "".join(c for c in core if c not in _PICTURES).strip()
    if len(pictures) > 1:
        return None
    if pictures and not (
        _without_particles(f"{words} x").removesuffix("x").strip(_ENDS) and _PARTICLES_AFTER.sub("", words)
    ):
        return pictures.pop()
    verdict = _whole(words) or _clauses(words)
    return verdict if not pictures or verdict in pictures else None


def _whole(text: str) -> str | None:
    text = _THANKS_AFTER.sub("", text.strip(_ENDS)) or text
    bare = _without_particles(text)
    once = (_REPEATED.sub(r"\1", spelling) for spelling in (text, bare, text.removesuffix("吧")))
    for spelling in dict.fromkeys((text, bare, *once)):
        for name, pattern in _PATTERNS:
            if spelling and pattern.fullmatch(spelling):
                return name
    return None


def _without_particles(text: str) -> str:
    """Take off sounds and thanks, but no word that could be the answer itself."""
    text = _PARTICLES_AFTER.sub("", text) or text
    return _PARTICLES_BEFORE.sub("", text)


def _clauses(text: str) -> str | None:
    """Read "yes, two machines": the first clause answers and no other one contradicts or qualifies it."""
    clauses = [c for c in _CLAUSE.split(text) if c.strip() and not _NOISE.fullmatch(c.strip())]
    if not clauses:
        return None
    m = _OPENING.fullmatch(clauses[0])
    if m:
        opening, rest = _whole(m[1]), _whole(m[2])
        if opening != rest:
            return None
        clauses[0] = m[1]
    verdicts = [_whole(c) for c in clauses]
    known = {v for v in verdicts if v}
    if len(known) != 1 or _CONTRAST.search(text):
        return None
    verdict = known.pop()
    if None not in verdicts:
        return verdict
    return verdict if verdicts[0] == verdict and verdict in _PLAIN else None
