"""Side questions in words that the list does not hold: what they are about decides."""

import pytest

from bot.dialog import faq
from bot.errors import ConfigurationError

ASKED = {
    "stop_or_destroy": [
        "do I still pay when it's stopped",
        "if I shut it down am I still charged?",
        "is powering off enough to stop charges",
        "does shutting down stop the meter",
        "停了机器还计费吗",
        "关机以后是不是就不扣钱了",
        "只停机不销毁要花钱吗",
        "怎么样才能彻底不扣费",
        "shut down vs destroy",
        "what costs remain after stopping",
        "will storage still be billed after I stop",
        "Am I billed for a paused machine?",
        "instance stopped but still charged, why?",
        "实例关了为什么还在扣费？",
        "暂停以后还收存储费吗？",
        "关机能省钱吗？",
        "do I have to destroy it to avoid fees?",
        "stopped instances cost money?",
    ],
    "save_data": [
        "do I lose data if I destroy?",
        "will my files survive destroying",
        "what happens to my files when I delete the instance",
        "does destroying delete my data",
        "are my files gone after destroy",
        "销毁实例会不会丢数据",
        "删了机器数据还在吗",
        "销毁以后文件还能找回来吗",
        "我的权重怎么拷走",
        "can I recover data after destroying",
        "怎么把 checkpoint 存到别的地方",
        "destroy 之后数据会没吗",
        "Is everything wiped when I terminate the instance?",
        "how can I move my weights to S3?",
        "数据销毁后能恢复吗？",
        "实例删除以后我的模型文件还在不在？",
        "训练结果怎么带走？",
        "what's the best way to get results out before I destroy it?",
    ],
    "nvlink": [
        "why do I need NVLink",
        "NVLink 到底有啥用",
        "NVLink 必须要吗",
        "is NVLink worth it",
        "what's the point of NVLink",
        "Does the 4090 have NVLink?",
        "有没有 NVLink 影响大吗？",
    ],
    "infiniband": [
        "IB 和以太网差多少",
        "do we really need InfiniBand",
        "RoCE or InfiniBand?",
        "多机一定要 IB 吗",
        "Is RoCE good enough for us?",
        "两台机器之间用以太网可以吗？",
    ],
    "one_card": [
        "will a single 4090 do",
        "can one H100 handle it",
        "单张卡跑得动吗",
        "一块卡行不行",
        "how many GPUs would we need",
        "Would one 80GB card be enough?",
        "单卡 24G 能跑 7B 吗？",
        "几块显卡才够用？",
        "can a single A100 manage 13B?",
    ],
    "person": [
        "let me talk to somebody",
        "can a human help me?",
        "有没有人工客服",
        "我想找真人",
        "how can I reach your staff",
        "怎么找你们的人",
        "Is there somebody I could talk to?",
        "可以转人工吗？",
        "你们销售电话多少？",
        "can someone call me?",
    ],
    "billing": [
        "how does charging work",
        "按什么收费",
        "是按秒计费吗",
        "do you bill per second",
        "Do you charge by the hour?",
        "收费标准是怎样的？",
        "计费是按小时还是按分钟？",
    ],
    "price": [
        "what would it cost",
        "how expensive is it",
        "大概多少钱啊",
        "这个要花多少钱",
        "H200 一小时多少钱",
        "What's your H100 pricing?",
        "租一台 8 卡 H100 要多少钱？",
        "how much per month for 8 A100s?",
        "能给个报价吗？",
    ],
    "refund": [
        "can I get my money back",
        "能退钱吗",
        "如果提前不用了退费吗",
        "what if we stop early",
        "Do you give refunds?",
        "不满意能退款吗？",
        "can we cancel any time?",
        "能开专票吗？",
    ],
    "regions": [
        "where are the machines",
        "机器在哪里",
        "你们机房在哪",
        "do you have servers in Frankfurt",
        "Which countries are you in?",
        "服务器放在哪个城市？",
        "你们有香港节点吗？",
        "are your nodes hosted in Europe?",
    ],
    "delivery": [
        "how soon can we start",
        "多长时间能拿到机器",
        "when would the nodes be ready",
        "多快能交付",
        "how quickly could 16 nodes be delivered?",
        "下单后多久可以用？",
        "H200 现在有货吗？",
        "when can I get access?",
    ],
    "out_of_memory": [
        "my job runs out of memory, what now?",
        "跑着跑着 OOM 了怎么办",
        "显存爆了咋办",
        "I keep getting CUDA OOM, any tips?",
        "显存不足该怎么调？",
    ],
    "method_choice": [
        "LoRA vs full fine-tuning?",
        "lora 跟全参有啥不同",
        "should I use QLoRA or LoRA",
        "Which is better, LoRA or full fine-tuning?",
        "QLoRA 会不会影响效果，该选哪个？",
    ],
    "checkpoint_frequency": [
        "how frequently should we checkpoint",
        "多久存个检查点比较好",
        "what happens if the run crashes?",
        "检查点隔多久写一次好？",
    ],
    "reserve_or_on_demand": [
        "is it cheaper to reserve",
        "包月是不是更便宜",
        "reserve vs on demand",
        "is a long-term contract cheaper?",
        "长租能打折吗？",
        "on-demand or reserved, what do you suggest?",
    ],
    None: [
        "what is the weather",
        "who won the match",
        "你喜欢吃什么",
        "can I bring my dog",
        "最近有什么好电影",
        "is there a bug in your app",
        "do you support IPv6",
        "can I run Windows",
        "支持 Windows 吗",
        "你们有多少员工",
        "can I pay with crypto?",
        "do you ship to Canada?",
        "你们公司成立几年了？",
        "你会写代码吗？",
        "什么时候下班？",
        "Is Qwen better than Llama?",
        "how is the weather in Tokyo?",
        "does it support FP4?",
        "what does tokens mean?",
        "你们老板是谁？",
        "谁做的这个机器人？",
        "is this available as an API?",
    ],
    "trial": [
        "Could we try one card before committing?",
        "能先试两小时吗？",
    ],
    "images": [
        "does the image come with vLLM?",
        "能装我们自己的容器吗？",
        "CUDA 12.4 支持吗？",
    ],
    "privacy": [
        "Is our code safe with you?",
        "你们会看到我们的数据吗？",
    ],
    "support": [
        "What if a GPU dies at night?",
        "半夜机器宕机怎么办？",
    ],
    "model_to_card": [
        "what GPU would you pick for 32B?",
        "跑 32B 用哪款显卡好？",
    ],
    "why_asked": [
        "how many more questions?",
        "还有几个问题？",
    ],
}


@pytest.mark.parametrize(("key", "asked"), [(key, asked) for key, all_asked in ASKED.items() for asked in all_asked])
def test_a_question_in_other_words_finds_its_answer(key, asked):
    found = faq.find(asked, faq.entries())
    assert (found.key if found else None) == key


def test_what_an_entry_is_about_is_among_the_ideas(tmp_path):
    own = tmp_path / "ours.toml"
    own.write_text("[[entry]]\nkey = 'pets'\nabout = ['stop dogs']\nasked = []\nen = '-'\nzh = '-'\n")
    with pytest.raises(ConfigurationError, match="dogs"):
        faq.entries(str(own))


def test_an_entry_of_ones_own_may_use_the_ideas(tmp_path):
    own = tmp_path / "ours.toml"
    own.write_text("[[entry]]\nkey = 'windows'\nabout = ['stop fault image']\nasked = []\nen = '-'\nzh = '-'\n")
    listed = faq.entries(str(own))
    assert faq.find("Is the container stopped when it is broken?", listed).key == "windows"
