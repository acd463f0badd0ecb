"""THE LIST of everything the checklist asks; all else about fields is derived from it.

Keys and codes are a contract with outside checks and with stored answers: they never change. Questions, hints and labels may.
"""

from typing import Final

from bot.checklist.answer import Answers
from bot.checklist.field import Field, Kind, Option, Section
from bot.i18n import N_

SECTION_TITLES: Final = {
    Section.PURPOSE: N_("Purpose"),
    Section.MODEL: N_("Model and parallelism"),
    Section.CARDS: N_("Cards and count"),
    Section.INTERCONNECT: N_("Interconnect"),
    Section.STORAGE: N_("Storage"),
    Section.ENVIRONMENT: N_("Environment"),
    Section.PERIOD: N_("Period and load"),
    Section.REGION: N_("Region"),
    Section.CONTACT: N_("Contact"),
}

LARGE_ORDER: Final = 8
"""Cards; above one usual machine's worth an order may come in batches."""


def _training(answers: Answers) -> bool:
    return not answers.is_inference


def _several_cards(answers: Answers) -> bool:
    cards = answers.cards
    return cards is not None and (cards[1] is None or cards[1] > 1)


def _several_machines(answers: Answers) -> bool:
    machines = answers.machines
    return machines is None or machines > 1


def _linked_machines(answers: Answers) -> bool:
    return _several_machines(answers) and answers.code("network") != "ethernet"


def _many_cards(answers: Answers) -> bool:
    cards = answers.cards
    return cards is not None and (cards[1] is None or cards[1] > LARGE_ORDER)


def _region_named(answers: Answers) -> bool:
    return answers.code("region") not in (None, "ANY", "NONE")


FIELDS: Final[tuple[Field, ...]] = (
    Field(
        "workload",
        Section.PURPOSE,
        Kind.CHOICE,
        N_("Purpose"),
        N_("What will the cards be used for?"),
        N_("Tap one, or write it in your own words."),
        options=(
            Option(
                "training",
                N_("Large-scale training"),
                (
                    "pretraining",
                    "pre-training",
                    "pretrain",
                    "from scratch",
                    "large-scale training",
                    "预训练",
                    "从头训练",
                ),
                ("training", "训练"),
            ),
            Option(
                "fine_tuning",
                N_("Batch fine-tuning"),
                (
                    *("fine-tuning", "fine tuning", "finetuning", "fine-tune", "finetune", "fine tune", "sft", "lora"),
                    *("qlora", "微调", "精调"),
                ),
                ("tuning", "调优"),
            ),
            Option(
                "inference",
                N_("Continuous inference"),
                ("inference", "serving", "serve", "deploy", "deployment", "推理", "部署", "在线服务", "推断"),
            ),
        ),
    ),
    Field(
        "description",
        Section.PURPOSE,
        Kind.TEXT,
        N_("Description"),
        N_("What are you building, in a sentence?"),
        N_("For example: an assistant for our customer service, tuned on our own dialogs."),
        skippable=True,
    ),
    Field(
        "model",
        Section.MODEL,
        Kind.MODEL,
        N_("Model"),
        N_("Which model, or how many parameters?"),
        N_("For example: Qwen2.5-72B, Llama 3.1 8B, or simply 70B."),
    ),
    Field(
        "method",
        Section.MODEL,
        Kind.CHOICE,
        N_("Training method"),
        N_("How will you train it?"),
        N_("QLoRA needs least memory; full tuning and pretraining need most."),
        options=(
            Option("qlora", N_("QLoRA (4-bit base, adapter)"), ("qlora", "q-lora", "4bit lora", "4-bit lora")),
            Option("lora", N_("LoRA (16-bit base, adapter)"), ("lora",), ("peft", "adapter", "适配器")),
            Option(
                "full",
                N_("Full fine-tuning"),
                (
                    *("full fine-tuning", "full finetuning", "full fine-tune", "full fine tuning", "full tuning"),
                    *("full parameter", "full-parameter", "全参微调", "全参数微调", "全量微调", "全参"),
                ),
                ("full", "sft", "全量"),
            ),
            Option(
                "pretrain",
                N_("Pretraining"),
                (
                    *("pretraining", "pre-training", "pretrain", "pre-train", "from scratch", "continued pretraining"),
                    *("预训练", "从头训练", "继续预训练"),
                ),
            ),
        ),
        when=_training,
    ),
    Field(
        "sequence_length",
        Section.MODEL,
        Kind.TOKENS,
        N_("Sequence length"),
        N_("How long are your samples or contexts, in tokens?"),
        N_("For example: 4k, 8192, or 2k-32k."),
    ),
    Field(
        "min_vram",
        Section.MODEL,
        Kind.MEMORY,
        N_("Least memory per card"),
        N_("How much memory must each card have at least?"),
        N_("For example: 24 GB or 80 GB. If you are unsure, we work it out."),
    ),
    Field(
        "parallelism",
        Section.MODEL,
        Kind.CHOICES,
        N_("Parallelism"),
        N_("Which kinds of parallelism do you plan to use?"),
        N_("Several are fine, for example: tensor and data."),
        options=(
            Option(
                "data",
                N_("Data"),
                ("data parallel", "data parallelism", "data-parallel", "ddp", "fsdp", "zero-3", "zero3", "数据并行"),
                ("data", "dp", "zero", "数据"),
            ),
            Option(
                "pipeline",
                N_("Pipeline"),
                ("pipeline parallel", "pipeline parallelism", "pipeline-parallel", "流水线并行", "流水并行"),
                ("pipeline", "pp", "流水线", "流水"),
            ),
            Option(
                "tensor",
                N_("Tensor"),
                ("tensor parallel", "tensor parallelism", "tensor-parallel", "张量并行"),
                ("tensor", "tp", "张量"),
            ),
            Option(
                "unsure",
                N_("Not sure"),
                short=("unsure", "not sure", "don't know", "no idea", "不确定", "不清楚", "不知道", "不懂"),
            ),
        ),
    ),
    Field(
        "gpu",
        Section.CARDS,
        Kind.CARDS,
        N_("Card"),
        N_("Which card would you like?"),
        N_("For example: H100, A100 80G, RTX 4090. The count may stand along with it: 8 × H100."),
    ),
    Field(
        "gpu_alternatives",
        Section.CARDS,
        Kind.ALTERNATIVES,
        N_("Alternatives"),
        N_("Which other cards would do as well?"),
        N_("For example: H800 or A100. Write “any” or “none” if that is so."),
    ),
    Field(
        "gpu_count",
        Section.CARDS,
        Kind.COUNT,
        N_("Total cards"),
        N_("How many cards in all?"),
        N_("For example: 8, or 8 to 16."),
    ),
    Field(
        "gpus_per_node",
        Section.CARDS,
        Kind.COUNT,
        N_("Cards per machine"),
        N_("How many cards per machine?"),
        N_("Usually 8 with H100 or A100. All cards in one machine: write the total."),
        when=_several_cards,
    ),
    Field(
        "nvlink",
        Section.INTERCONNECT,
        Kind.YES_NO,
        N_("NVLink"),
        N_("Do the cards inside a machine need NVLink?"),
        N_("Tensor parallelism and ZeRO-3 profit from it; independent replicas do not need it."),
        options=(Option("yes", N_("Yes")), Option("no", N_("No")), Option("maybe", N_("Not sure"))),
        when=_several_cards,
    ),
    Field(
        "network",
        Section.INTERCONNECT,
        Kind.CHOICE,
        N_("Network between machines"),
        N_("Which network do the machines need between them?"),
        N_("Training across machines wants InfiniBand or RoCE; an inference pool is fine with Ethernet."),
        options=(
            Option("infiniband", N_("InfiniBand"), ("infiniband", "ib", "无限带宽"), ("ndr", "hdr")),
            Option("roce", N_("RoCE"), ("roce", "rocev2"), ("rdma",)),
            Option(
                "ethernet",
                N_("Ethernet is enough"),
                ("ethernet", "以太网", "普通网络"),
                ("tcp", "normal network", "no special network", "以太"),
            ),
        ),
        when=_several_machines,
    ),
    Field(
        "bandwidth",
        Section.INTERCONNECT,
        Kind.BANDWIDTH,
        N_("Bandwidth between machines"),
        N_("How much bandwidth between machines do you expect?"),
        N_("For example: 200 Gb/s, 400G, or 8 × 400G per machine."),
        when=_linked_machines,
    ),
    Field(
        "dataset_size",
        Section.STORAGE,
        Kind.MEMORY,
        N_("Data set"),
        N_("How large is the data set?"),
        N_("For example: 20 GB, 2 TB, or 500-800 GB."),
    ),
    Field(
        "read_throughput",
        Section.STORAGE,
        Kind.BANDWIDTH,
        N_("Read throughput"),
        N_("How fast must the data be read?"),
        N_("For example: 1 GB/s."),
    ),
    Field(
        "checkpoint",
        Section.STORAGE,
        Kind.CHECKPOINT,
        N_("Checkpoints"),
        N_("How often is a checkpoint written, and how large is it?"),
        N_("For example: every hour, 30 GB. As often as the work you can afford to lose."),
        when=_training,
    ),
    Field(
        "volume_size",
        Section.STORAGE,
        Kind.MEMORY,
        N_("Volume"),
        N_("How large a storage volume do you need?"),
        N_("For example: 500 GB, 10 TB. Count data, checkpoints and results."),
    ),
    Field(
        "shared_storage",
        Section.STORAGE,
        Kind.YES_NO,
        N_("Shared storage"),
        N_("Must all machines share the same storage?"),
        N_("Training across machines usually needs it."),
        options=(Option("yes", N_("Yes")), Option("no", N_("No")), Option("maybe", N_("Not sure"))),
        when=_several_machines,
    ),
    Field(
        "data_plan",
        Section.STORAGE,
        Kind.CHOICE_OR_TEXT,
        N_("Data after the end"),
        N_("Where do data and results go when the instance is destroyed?"),
        N_("Destroying an instance deletes its disk; what must stay has to be moved first."),
        options=(
            Option(
                "instance_disk",
                N_("Stay on the instance disk"),
                short=("instance disk", "local disk", "stay on the disk", "实例盘", "本地盘", "系统盘", "留在实例"),
            ),
            Option(
                "object_storage",
                N_("Object storage"),
                short=("object storage", "s3", "oss", "cos", "minio", "bucket", "对象存储"),
            ),
            Option(
                "own_storage",
                N_("Our own storage"),
                short=(
                    *("own storage", "our storage", "our own", "nas", "download", "on-premise"),
                    *("自己的存储", "自有存储", "自建存储", "下载到本地", "拷回本地"),
                ),
            ),
        ),
        skippable=True,
    ),
    Field(
        "template",
        Section.ENVIRONMENT,
        Kind.CHOICE_OR_TEXT,
        N_("Image"),
        N_("Which image template will you use, or a private one?"),
        N_("Tap one, or write its name."),
        options=(
            Option("pytorch", N_("PyTorch"), ("pytorch", "torch")),
            Option("vllm", N_("vLLM"), ("vllm",)),
            Option("tgi", N_("TGI"), ("tgi", "text generation inference", "text-generation-inference")),
            Option("sglang", N_("SGLang"), ("sglang",)),
            Option("deepspeed", N_("DeepSpeed"), ("deepspeed",)),
            Option(
                "private",
                N_("Private image"),
                (
                    *("private image", "own image", "our own image", "custom image", "own container"),
                    *("私有镜像", "自己的镜像", "自建镜像", "自定义镜像"),
                ),
                ("private", "私有"),
            ),
        ),
    ),
    Field(
        "cuda",
        Section.ENVIRONMENT,
        Kind.TEXT,
        N_("CUDA and driver"),
        N_("Which CUDA version do you need, and which driver?"),
        N_("For example: CUDA 12.4. With a private image the driver too: CUDA 12.6, driver 560."),
    ),
    Field(
        "start_date",
        Section.PERIOD,
        Kind.DATE,
        N_("Start"),
        N_("When would you like to start?"),
        N_("For example: next Monday, 15 December, as soon as possible."),
    ),
    Field(
        "duration",
        Section.PERIOD,
        Kind.DURATION,
        N_("Duration"),
        N_("For how long?"),
        N_("For example: two weeks, 1-2 months, long term."),
    ),
    Field(
        "load",
        Section.PERIOD,
        Kind.CHOICE,
        N_("Load"),
        N_("Is the load constant, or does it come in bursts?"),
        N_("Constant load suits a reservation; bursts suit a small base and on-demand cards on top."),
        options=(
            Option(
                "constant",
                N_("Constant"),
                (
                    *(
                        "constant load",
                        "steady load",
                        "constantly busy",
                        "around the clock",
                        "24/7",
                        "24x7",
                        "7x24",
                        "24*7",
                    ),
                    *("7*24", "7 x 24", "7天24小时"),
                    *("full load", "full capacity", "恒定负载", "持续负载", "持续满载", "满负荷", "满载", "全天候"),
                ),
                ("constant", "steady", "continuous", "恒定", "持续", "稳定", "全天", "一直跑"),
            ),
            Option(
                "bursty",
                N_("In bursts"),
                (*("bursty", "in bursts", "spiky", "突发", "波峰波谷", "间歇性", "负载波动", "潮汐"),),
                (
                    *("bursts", "burst", "peaks", "occasional", "varies", "on and off"),
                    *("波动", "高峰", "峰值", "偶尔", "不稳定", "间歇"),
                ),
            ),
        ),
    ),
    Field(
        "utilization",
        Section.PERIOD,
        Kind.SHARE,
        N_("Utilization"),
        N_("What share of the time will the cards be busy?"),
        N_("For example: 70 %, or 60-80 %."),
    ),
    Field(
        "overflow",
        Section.PERIOD,
        Kind.CHOICE_OR_TEXT,
        N_("Above the reservation"),
        N_("What should happen with load above the reservation?"),
        N_("Ask for on-demand cards, let jobs wait, or nothing."),
        options=(
            Option(
                "on_demand",
                N_("Add on-demand cards"),
                short=(
                    "on demand",
                    "on-demand",
                    "scale up",
                    "scale out",
                    "elastic",
                    "按需",
                    "弹性",
                    "临时扩容",
                    "扩容",
                ),
            ),
            Option("queue", N_("Jobs wait"), short=("queue", "wait", "排队", "等待")),
            Option("none", N_("Nothing"), short=("nothing", "none", "不处理", "不需要", "不扩")),
        ),
        when=lambda answers: answers.code("load") == "bursty",
    ),
    Field(
        "batches",
        Section.PERIOD,
        Kind.YES_NO_OR_TEXT,
        N_("Delivery in batches"),
        N_("May the cards be delivered in batches?"),
        N_("For example: yes; no; or half at the start and half a month later."),
        options=(Option("yes", N_("Yes")), Option("no", N_("No"))),
        when=_many_cards,
    ),
    Field(
        "region",
        Section.REGION,
        Kind.TEXT,
        N_("Region"),
        N_("Do you need a certain region or data centre?"),
        N_("For example: Singapore, Shanghai. Write “any” if it does not matter."),
    ),
    Field(
        "region_reason",
        Section.REGION,
        Kind.CHOICE_OR_TEXT,
        N_("Reason for the region"),
        N_("Why that region?"),
        N_("It tells us how firm the wish is."),
        options=(
            Option(
                "compliance",
                N_("Data compliance"),
                ("compliance", "gdpr", "合规", "数据不出境"),
                ("compliant", "legal", "regulation", "法规", "监管"),
            ),
            Option(
                "latency",
                N_("Access latency"),
                ("latency", "close to users", "低延迟", "访问延迟", "离用户近"),
                ("delay", "延迟", "时延", "访问速度"),
            ),
        ),
        when=_region_named,
    ),
    Field(
        "name",
        Section.CONTACT,
        Kind.TEXT,
        N_("Name"),
        N_("How may we call you?"),
        N_("Our colleagues will use it when they write to you here."),
    ),
    Field(
        "team",
        Section.CONTACT,
        Kind.TEXT,
        N_("Team"),
        N_("Which company or team are you with?"),
        N_("You may skip this."),
        skippable=True,
    ),
    Field(
        "contact_time",
        Section.CONTACT,
        Kind.TEXT,
        N_("Time to talk"),
        N_("When is a good time to talk?"),
        N_("For example: weekdays after 2 pm."),
    ),
)

BY_KEY: Final = {field.key: field for field in FIELDS}
