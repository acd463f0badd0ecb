import json
import subprocess
import sys

import pytest

from bot.checklist.fields import FIELDS
from bot.cli import main
from bot.cli.table import width


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
