import json
import subprocess
import sys

import pytest

from bot.checklist.fields import FIELDS
from bot.cli import main
from bot.cli.table import width
from bot.estimation import ERRORS, estimate


def run(capsys, *arguments):
    status = main(list(arguments))
    out, err = capsys.readouterr()
    return status, out, err


def test_full_tuning_of_7b_does_not_fit_one_80_gb_card(capsys):
    request = {"model": "llama-2-7b", "method": "full", "gpu": "a100-80g-sxm", "gpus": 1}
    status, out, _ = run(capsys, "estimate", "--json", json.dumps(request))
    answer = json.loads(out)
    parts = answer["memory"]["parts"]
    assert status == 0
    assert answer["fits"] is False
    assert 100 <= parts["weights"] + parts["gradients"] + parts["optimizer"] <= 126


def test_qlora_of_7b_fits_a_24_gb_card(capsys):
    request = {"model": "llama-2-7b", "method": "qlora", "gpu": "rtx4090", "gpus": 1, "sequence_length": 2048,
               "gradient_checkpointing": True, "flash_attention": True}  # fmt: skip
    _, out, _ = run(capsys, "estimate", "--json", json.dumps(request))
    assert json.loads(out)["fits"] is True


def test_a_batch_answers_line_by_line_and_a_bad_line_stops_nothing(capsys, tmp_path):
    lines = [
        '{"model": "7b"}',
        '{"model": "no-such-model-at-all"}',
        "not json",
        '{"model": "7b", "colour": 1}',
        '{"model": "70b", "method": "qlora"}',
    ]
    path = tmp_path / "requests.jsonl"
    path.write_text("\n".join(lines) + "\n")
    status, out, _ = run(capsys, "estimate", "--batch", str(path))
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert ["error" in answer for answer in answers] == [False, True, True, True, False]
    assert all(answer["error"]["code"] and answer["error"]["message"] for answer in answers if "error" in answer)


BAD_LINES = {
    "": "usage", "{": "usage", "[]": "usage", "null": "usage", "[" * 5000: "usage", '{"model": "7b"} x': "usage",
    '{"model": "7b", "tokens": Infinity}': "usage", '{"model": "7b", "tokens": 1e400}': "usage",
    '{"model": "7b", "tokens": 1e300}': "usage", '{"model": "7b", "gpus": 99999999999999999999}': "usage",
    '{"model": {"params_b": NaN}}': "usage", '{"model": {"params_b": 5, "active_params_b": 9}}': "usage",
    '{"model": {"params_b": 5, "experts": 2, "experts_per_token": 8}}': "usage", '{"model": ""}': "unknown_name",
    '{"model": "\\ud800"}': "usage", json.dumps({"model": "x" * 50000}): "usage",
    '{"model": "7b", "gpu": "昇腾910B"}': "cannot_estimate", '{"model": "7b", "gradient_checkpointing": "full"}': "usage",
}  # fmt: skip


def test_every_line_gets_one_answer_in_order_whatever_it_holds():
    lines = [line.encode() for bad in BAD_LINES for line in (bad, '{"model": "7b"}')]
    lines += [b'{"model": "7b \xff\xfe"}', b'{"model": "7b"}']
    text = b"\xef\xbb\xbf" + b'{"model": "8b"}\n' + b"\n".join(lines) + b"\n"
    done = subprocess.run(
        [sys.executable, "-m", "bot", "estimate", "--batch", "-"], input=text, capture_output=True, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(lines) + 1
    codes = [answer.get("error", {}).get("code", "answered") for answer in answers]
    assert codes[0] == "answered"
    assert codes[1:-2:2] == list(BAD_LINES.values())
    assert set(codes[2::2]) == {"answered"}
    assert all(len(answer["error"]["message"]) <= 500 for answer in answers if "error" in answer)
    assert {code for code in codes if code != "answered"} <= set(ERRORS)


def test_a_fault_of_ours_stops_no_other_line_and_shows_nothing_internal(capsys, tmp_path, monkeypatch):
    def estimated(request):
        return 1 / 0 if request.model == "8b" else estimate(request)

    monkeypatch.setattr("bot.cli.estimates.estimate", estimated)
    path = tmp_path / "requests.jsonl"
    path.write_text('{"model": "8b"}\n{"model": "7b"}\n')
    status, out, _ = run(capsys, "estimate", "--batch", str(path))
    first, second = map(json.loads, out.splitlines())
    assert status == 0
    assert first == {"error": {"code": "internal", "message": "this request cannot be answered"}}
    assert second["memory"]["per_gpu_gib"] > 0


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"model": {"params_b": 0}}, "model.params_b: Input should be greater than 0"),
        ({"model": {"params_b": 7, "layers": 0}}, "model.layers: Input should be greater than 0"),
        ({"model": "7b", "parallelism": {"zero": 4}}, "parallelism.zero: Input should be less than or equal to 3"),
        ({"model": "7b", "gradient_checkpointing": "full"}, "gradient_checkpointing: Input should be a valid boolean"),
    ],
)
def test_a_refusal_names_the_field_and_what_it_takes(capsys, fields, message):
    _, out, _ = run(capsys, "estimate", "--json", json.dumps(fields))
    assert json.loads(out)["error"]["message"].startswith(message)


def test_the_table_can_be_asked_for_a_way_to_share(capsys):
    status, out, _ = run(capsys, "estimate", "--model", "llama-3-8b", "--method", "full", "--gpu", "h100", "--gpus", "8",
                         "--zero", "3", "--samples", "1000", "--epochs", "2")  # fmt: skip
    assert status == 0
    assert "fits" in out


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    "more", [["--method", "full", "--gpu", "a100-80g-sxm", "--gpus", "1"], ["--method", "qlora"], ["--task", "infer"]]
)
def test_the_table_fits_80_columns(capsys, lang, more):
    status, out, _ = run(capsys, "estimate", "--model", "llama-3-70b", "--lang", lang, *more)
    assert status == 0
    assert max(width(line) for line in out.splitlines()) <= 80


def test_parse_prints_the_normal_form(capsys):
    status, out, _ = run(capsys, "parse", "--kind", "mem", "--lang", "zh", "两个T")
    assert status == 0
    assert json.loads(out) == {"kind": "mem", "input": "两个T", "normal": "GB=2000"}


def test_parse_reads_a_table(capsys, tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text("kind,lang,input\ndate,zh,3天后\nmem,en,\n", encoding="utf-8")
    _, out, _ = run(capsys, "parse", "--batch", str(path), "--now", "2026-11-30T10:00+08:00", "--tz", "Asia/Shanghai")
    assert [json.loads(line)["normal"] for line in out.splitlines()] == ["2026-12-03", None]


def test_the_checklist_is_printed_in_order_with_both_languages(capsys):
    _, out, _ = run(capsys, "checklist", "--json")
    fields = json.loads(out)
    assert [field["key"] for field in fields] == [field.key for field in FIELDS]
    for field in fields:
        assert set(field) == {"key", "section", "type", "question", "hint", "options"}
        assert field["question"]["en"] != field["question"]["zh"]
        assert all(set(option) == {"code", "en", "zh"} for option in field["options"])


def test_a_template_is_read_with_what_it_leaves_open(capsys, tmp_path):
    path = tmp_path / "template.txt"
    path.write_text("【用途】微调\n【卡型与数量】8 张 H100\n【地域】新加坡\n", encoding="utf-8")
    _, out, _ = run(capsys, "checklist", "--parse-template", str(path), "--json")
    read = json.loads(out)
    assert read["answers"]["workload"] == {"normal": "fine_tuning", "raw": "微调", "status": "exact"}
    assert read["answers"]["gpu"]["normal"] == "model=H100"
    assert read["answers"]["gpu_count"]["normal"] == "count=8"
    assert read["answers"]["region"]["normal"] == "新加坡"
    assert "model" in read["open"]
    assert "workload" not in read["open"]


@pytest.mark.parametrize(
    "arguments",
    [
        [], ["no-such-command"], ["estimate"], ["estimate", "--json", "{"], ["estimate", "--json", "[]"],
        ["estimate", "--batch", "no/such/file"], ["parse", "text without kind"], ["parse", "--kind", "mem", "x", "--tz", "Mars/Base"],
        ["parse", "--kind", "mem", "x", "--now", "2026-11-30T10:00"], ["checklist", "--customer", "5"],
    ],
)  # fmt: skip
def test_bad_use_is_said_in_one_line_with_status_2(arguments):
    done = subprocess.run([sys.executable, "-m", "bot", *arguments], capture_output=True, text=True, check=False)
    if arguments[:2] == ["estimate", "--json"]:
        assert done.returncode == 1
        assert json.loads(done.stdout)["error"]
        return
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stdout == ""


def test_every_command_has_help():
    for command in ("run", "sandbox", "migrate", "check", "estimate", "parse", "checklist"):
        done = subprocess.run(
            [sys.executable, "-m", "bot", command, "--help"], capture_output=True, text=True, check=True
        )
        assert done.stdout.startswith("usage:")
