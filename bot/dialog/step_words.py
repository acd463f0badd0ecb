"""The words by which customers tell the steps of a trial: stopped it but did not destroy it, 数据都搬到对象存储了."""

import re
from typing import Final

from bot.reminders.steps import RESUMED
from bot.reminders.trial import TrialState

LONGEST: Final = 80
"""Characters; a longer message tells more than steps."""
_IT: Final = r"(?: (?:it|them|everything|all|(?:all )?(?:the |my |our )?(?:instance|trial|machine|server|gpu|box|data|files?|checkpoints?|weights|model)))*"
_WHERE: Final = r"(?: (?:now|already|just now|today|again|off|down|in the console|(?:over )?(?:to|into|onto|from) [\w .:/-]{1,30}))*"
_I: Final = (
    r"(?:ok,? |done,? |yes,? )?(?:(?:i|we)(?:'ve| have)? )?(?:(?:it|they|everything|all|(?:the |my |our )?(?:instance|trial|machine|data|files?))"
    r"(?: (?:is|are|was|were|has been|have been)|'s)? )?(?:all |now |already |just )*"
)
_ZH_I: Final = r"(?:好了?,?|我们?|都|全部?|全都|已经?|刚刚?|把|也|然后|现在)*(?:实例|机器|服务器|数据|文件|权重|模型|检查点)*(?:都|全部?|全都|已经?|刚刚?|也)*"
_ZH_IT: Final = r"(?:实例|机器|服务器|数据|文件|权重)?"
_ZH_TO: Final = r"(?:[到去走][\w 一-鿿]{0,12}?|完|好|过|走|掉)?"


def _told(english: str, chinese: str) -> re.Pattern[str]:
    """A step in words that say that it is done: an English participle, or a Chinese verb with 了, 过, 完 or 已."""
    done = rf"(?=.*(?:了|过$|完$|好$|已)){_ZH_I}(?:{chinese}){_ZH_TO}了?{_ZH_IT}了?(?:啦|哈|呢)?"
    return re.compile(rf"{_I}(?:{english}){_IT}{_WHERE}|{done}")


_WORDS: Final = {
    TrialState.DESTROYED: _told(r"destroyed|terminated|deleted|released", r"销毁|释放|删除?"),
    TrialState.STOPPED: _told(r"stopped|shut ?down|shut|paused|powered", r"停止|停机|关机|停|关|暂停"),
    TrialState.MOVED: _told(
        r"moved|copied|downloaded|transferred|backed up|uploaded|synced",
        r"转移|迁移|搬|拷贝?|备份|导出|转|复制|下载|上传|同步|传",
    ),
    TrialState.VERIFIED: _told(r"verified|checked|validated|compared", r"核对|验证|校验|检查|核验|对比"),
    RESUMED: re.compile(
        r"(?:(?:i|we)(?:'ve| have)? )?(?:already |just )?(?:started|resumed|restarted)"
        rf"{_IT}(?: up)?(?: again)?|(?:(?:it|the instance)(?:'s| is) )?(?:running|started|up) again"
        r"|(?:我们?|把|实例|机器)*(?:又|重新|已经?)+(?:把实例)?(?:开机|启动|重启|开)了?"
    ),
}
_DATA_DELETED: Final = re.compile(r"(?:data|files?|checkpoints?|weights|model|数据|文件|权重|模型|检查点)")
_CLAUSES: Final = re.compile(
    r"\s*(?:[,，、。;；!！\n]|(?<=\w)\. |(?<![a-z])(?:but|and then|and|then)(?![a-z])|但是?|不过|可是|然后|并且)\s*"
)
_NEGATED: Final = re.compile(r"没|未|不(?!过)|(?<![a-z])(?:not|never|no|yet to)(?![a-z])|n't")


def steps_told(plain: str) -> tuple[str, ...]:
    """Return the steps that a text tells, in its order, when it tells nothing else; what it says was not done counts for nothing.

    `plain` is folded (NFKC, lower case).

    >>> (
    ...     steps_told("i stopped it but did not destroy it"),
    ...     steps_told("数据搬完了，也核对过了，销毁了"),
    ...     steps_told("stop wasting money"),
    ... )
    (('stopped',), ('moved', 'verified', 'destroyed'), ())
    """
    if len(plain) > LONGEST:
        return ()
    done = [clause for clause in _CLAUSES.split(plain) if clause and not _NEGATED.search(clause)]
    steps = [_step(clause) for clause in done]
    # Nothing follows destruction, whatever the order in which it is told.
    return tuple(sorted((step for step in steps if step), key=TrialState.DESTROYED.__eq__)) if all(steps) else ()


def _step(clause: str) -> str | None:
    step = next((step for step, words in _WORDS.items() if words.fullmatch(clause)), None)
    # "I deleted the files" is no word of the instance.
    return None if step == TrialState.DESTROYED and _DATA_DELETED.search(clause) else step
