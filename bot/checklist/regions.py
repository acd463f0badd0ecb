"""Finds the region in which the cards shall stand, where a clause names one as such."""

import re
from typing import Final

from bot.checklist.refusals import denied

_PLACES: Final = (
    *(
        "新加坡",
        "香港",
        "东京",
        "大阪",
        "首尔",
        "上海",
        "北京",
        "广州",
        "深圳",
        "杭州",
        "成都",
        "重庆",
        "武汉",
        "南京",
        "苏州",
    ),
    *(
        "内蒙古",
        "乌兰察布",
        "呼和浩特",
        "贵州",
        "贵阳",
        "宁夏",
        "中卫",
        "张家口",
        "台北",
        "曼谷",
        "雅加达",
        "吉隆坡",
        "孟买",
    ),
    *(
        "法兰克福",
        "伦敦",
        "巴黎",
        "阿姆斯特丹",
        "迪拜",
        "悉尼",
        "硅谷",
        "弗吉尼亚",
        "俄勒冈",
        "日本",
        "韩国",
        "美国",
        "美西",
        "美东",
    ),
    *("欧洲", "德国", "英国", "法国", "国内", "海外", "华东", "华北", "华南", "西南", "东南亚"),
    *("singapore", "hong kong", "tokyo", "osaka", "seoul", "shanghai", "beijing", "guangzhou", "shenzhen", "hangzhou"),
    *("taipei", "bangkok", "jakarta", "kuala lumpur", "mumbai", "frankfurt", "london", "paris", "amsterdam", "dubai"),
    *(
        "sydney",
        "virginia",
        "oregon",
        "california",
        "texas",
        "ohio",
        "iceland",
        "finland",
        "norway",
        "sweden",
        "ireland",
    ),
    *(
        "japan",
        "korea",
        "germany",
        "france",
        "europe",
        "the eu",
        "eu",
        "the us",
        "usa",
        "us west",
        "us east",
        "us-west",
    ),
    *("us-east", "mainland china", "china", "southeast asia", "netherlands", "canada", "australia", "india"),
)
_PLACE: Final = "|".join(sorted(map(re.escape, _PLACES), key=len, reverse=True))
_IN_PLACE = re.compile(
    rf"(?:机房|地域|区域|数据中心|节点)(?:要|在|选|放|指定|最好|必须|是|位于| )*({_PLACE})"
    rf"|({_PLACE})(?:的|地区|区域)?(?:机房|地域|数据中心|节点)"
    rf"|(?:放在?|部署在|部署到|位于|落在|托管在)({_PLACE})"
    rf"|(?<![a-z])({_PLACE}) (?:region|data ?cent(?:er|re)|dc|site|zone)s?(?![a-z])"
    rf"|(?:regions?|data ?cent(?:er|re)s?|located|hosted|deployed)(?: (?:must|should|has to))?(?: (?:be|is))? (?:in|at) ({_PLACE})(?![a-z])"
    rf"|(?:hosted|located|region|data ?cent(?:er|re))[: ]+({_PLACE})(?![a-z])"
)
_EITHER_PLACE: Final = r"\s?(?:或者?|还是|和|及|/|、|or|and)\s?"
_ONE_OF = re.compile(rf"(?:{_PLACE}){_EITHER_PLACE}$")
_OR_ANOTHER = re.compile(rf"{_EITHER_PLACE}(?:{_PLACE})")


def region_named(low: str) -> tuple[int, int] | None:
    """Return the place of the region in a folded clause in lower case; None for none, or for several."""
    hits = [m for m in _IN_PLACE.finditer(low) if denied(low, m.start(), m.end()) is False]
    if len(hits) != 1 or _ONE_OF.search(low[: hits[0].start()]) or _OR_ANOTHER.match(low[hits[0].end() :]):
        return None
    return hits[0].span(hits[0].lastindex or 0)
