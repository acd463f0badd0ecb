"""The model hub, against a local server: one host, bounded in time and size, kept, and never needed."""

import json
import threading
import time
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bot.checklist.answer import Answer, Answers
from bot.checklist.display import show_answer
from bot.checklist.fields import BY_KEY
from bot.checklist.job import request_from, size_b
from bot.checklist.understand import Moment, understand
from bot.cli import estimates, main
from bot.errors import HubError, UnknownNameError
from bot.estimation import estimate, repo_id, repos_in
from bot.hub import LARGEST_BYTES, MISSED_S, PAUSE_S, Hub, shapes_in
from bot.i18n import texts
from tests.conftest import started
from tests.driver import said

CONFIG = {
    "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28, "num_attention_heads": 28,
    "num_key_value_heads": 4, "vocab_size": 152064, "tie_word_embeddings": False, "hidden_act": "silu",
}  # fmt: skip


class Server:
    """A hub of a few repositories; `asked` are the paths that came."""

    def __init__(self):
        self.asked, self.elsewhere = [], ""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append((self.path, self.headers.get("authorization")))
                outer.answer(self, self.path.removesuffix("/resolve/main/config.json").strip("/"))

            def log_message(self, *_):
                """Say nothing."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def answer(self, request, repo):
        whole = json.dumps(CONFIG).encode()
        answers = {
            "acme/rocket": (200, {}, whole),
            "api/cache/acme/rocket": (200, {}, whole),
            "acme/moved": (307, {"location": "/api/cache/acme/rocket"}, b""),
            "acme/away": (302, {"location": f"{self.elsewhere}/acme/rocket"}, b""),
            "acme/circle": (302, {"location": request.path}, b""),
            "acme/gated": (401, {}, whole),
            "acme/broken": (503, {}, whole),
            "acme/adapter": (200, {}, b'{"peft_type": "LORA"}'),
            "acme/absurd": (200, {}, json.dumps(CONFIG | {"num_hidden_layers": -5}).encode()),
            "acme/list": (200, {}, b"[" * 100_000),
            "acme/huge": (200, {}, b" " * (LARGEST_BYTES + 10)),
        }
        if repo.startswith("acme/slow"):
            time.sleep(0.5)
        status, headers, body = answers.get(repo, (404, {}, b""))
        request.send_response(status)
        for key, value in headers.items():
            request.send_header(key, value)
        request.send_header("content-length", str(len(body)))
        request.end_headers()
        try:
            request.wfile.write(body)
        except OSError:
            return


@pytest.fixture
def server():
    local = Server()
    yield local
    local.http.shutdown()
    local.http.server_close()


@pytest.fixture
def ticks():
    class Clock:
        at = 1000.0

        def __call__(self):
            return self.at

    return Clock()


@pytest.mark.parametrize("repo", ["acme/rocket", "acme/moved"])
def test_a_published_shape_is_read(server, repo):
    spec = Hub(server.url).find(repo)
    assert (spec.hub_id, spec.layers, spec.hidden, spec.vocab) == (repo, 28, 3584, 152064)
    assert spec.params_b == pytest.approx(7.6, rel=0.02)
    assert {sent for _, sent in server.asked} == {None}  # no token goes along


@pytest.mark.parametrize(
    "repo",
    [
        "acme/none",
        "acme/gated",
        "acme/adapter",
        "acme/absurd",
        "acme/list",
        "acme/huge",
        "acme/circle",
        "../etc/passwd",
        "a b/c",
    ],
)
def test_what_has_no_readable_configuration_is_unknown(server, repo):
    with pytest.raises(UnknownNameError):
        Hub(server.url).find(repo)


def test_a_redirect_to_another_host_is_not_followed(server):
    other = Server()
    server.elsewhere = other.url
    with pytest.raises(UnknownNameError):
        Hub(server.url).find("acme/away")
    other.http.shutdown()
    assert other.asked == []


def test_shapes_and_misses_are_kept(server, ticks):
    hub = Hub(server.url, now=ticks)
    for repo, error in (("acme/rocket", None), ("acme/none", UnknownNameError)) * 2:
        if error is None:
            assert hub.find(repo).layers == 28
        else:
            with pytest.raises(error):
                hub.find(repo)
    assert len(server.asked) == 2
    ticks.at += MISSED_S + 1
    with pytest.raises(UnknownNameError):
        hub.find("acme/none")
    assert len(server.asked) == 3


def test_a_hub_in_trouble_is_left_alone_for_a_while(server, ticks):
    hub = Hub(server.url, now=ticks)
    for _ in range(3):
        with pytest.raises(HubError):
            hub.find("acme/broken")
    assert len(server.asked) == 1
    ticks.at += PAUSE_S + 1
    assert hub.find("acme/rocket").layers == 28


def test_a_slow_hub_is_not_waited_for(server):
    begun = time.monotonic()
    with pytest.raises(HubError):
        Hub(server.url, timeout_s=0.1).find("acme/slow")
    assert time.monotonic() - begun < 0.45


async def test_the_question_leaves_the_event_loop_free(server):
    assert (await Hub(server.url).ask("acme/rocket")).layers == 28


def test_without_an_address_nothing_is_asked():
    with pytest.raises(HubError):
        Hub("").find("acme/rocket")


@pytest.mark.parametrize(
    ("text", "repo"),
    [
        ("acme/rocket-9b", "acme/rocket-9b"), ("https://huggingface.co/acme/rocket-9b", "acme/rocket-9b"),
        ("huggingface.co/acme/rocket-9b/tree/main?x=1", "acme/rocket-9b"), ("https://hf.co/acme/rocket.v2/", "acme/rocket.v2"),
        ("https://modelscope.cn/models/acme/rocket", "acme/rocket"), (" acme/rocket ", "acme/rocket"),
        ("rocket-9b", None), ("24/7", None), ("2026/11/30", None), ("acme/../rocket", None), ("https://evil.example/acme/rocket", None),
        ("acme/rocket or acme/plane", None), ("/etc/passwd", None), ("acme/", None), ("http://127.0.0.1/acme/x", None), ("", None),
    ],
)  # fmt: skip
def test_addresses_are_told_from_other_texts(text, repo):
    assert repo_id(text) == repo


@pytest.fixture
def asked_hub(server, monkeypatch):
    monkeypatch.setenv("BOT_HUB_URL", server.url)
    estimates._hub.cache_clear()
    yield server
    estimates._hub.cache_clear()


def test_the_command_line_asks_the_hub_for_models_that_only_it_knows(asked_hub, capsys, tmp_path):
    path = tmp_path / "requests.jsonl"
    models = ["acme/rocket", "https://huggingface.co/acme/rocket", "acme/none", "qwen2.5-7b"]
    path.write_text("\n".join(json.dumps({"model": model, "method": "lora", "gpus": 1}) for model in models))
    assert main(["estimate", "--batch", str(path)]) == 0
    read, again, unknown, known = map(json.loads, capsys.readouterr().out.splitlines())
    assert read["model"]["name"] == "acme/rocket"
    assert {"key": "model", "value": "acme/rocket", "why": "read_from_hub"} in read["assumptions"]
    assert again == read
    assert unknown["error"]["code"] == "unknown_name"
    assert read["memory"]["per_gpu_gib"] == pytest.approx(known["memory"]["per_gpu_gib"], rel=0.01)
    assert len(asked_hub.asked) == 2


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_table_shows_a_model_of_the_hub(asked_hub, capsys, lang):
    assert main(["estimate", "--model", "acme/rocket", "--lang", lang]) == 0
    assert "acme/rocket" in capsys.readouterr().out


def test_without_the_hub_the_refusal_says_so(monkeypatch, capsys):
    monkeypatch.setenv("BOT_HUB_URL", "http://127.0.0.1:9")
    estimates._hub.cache_clear()
    assert main(["estimate", "--json", '{"model": "acme/rocket"}']) == 1
    message = json.loads(capsys.readouterr().out)["error"]["message"]
    estimates._hub.cache_clear()
    assert "the model hub cannot be reached" in message


REPO = "acme/rocket"
MOMENT = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize("locale", ["en", "zh_Hans"])
def test_an_answer_keeps_the_shape_so_that_no_later_turn_needs_the_hub(server, locale):
    moment = Moment(MOMENT, {REPO: Hub(server.url).find(REPO)})
    found = understand(BY_KEY["model"], f"https://huggingface.co/{REPO}", moment)
    answers = Answers({key: Answer.model_validate_json(answer.model_dump_json()) for key, answer in found.items()})
    assert show_answer(BY_KEY["model"], answers["model"], texts(locale)) == "rocket"
    assert size_b(answers.code("model")) == pytest.approx(7.6, rel=0.02)
    request = request_from(answers)
    known = request.model_copy(update={"model": "qwen2.5-7b"})
    assert estimate(request).memory.per_gpu_gib == pytest.approx(estimate(known).memory.per_gpu_gib, rel=0.01)
    assert estimate(request).model.name == REPO


def test_without_the_hub_a_name_counts_by_its_size_as_before():
    found = understand(BY_KEY["model"], "acme/rocket-9b", Moment(MOMENT))
    assert size_b(found["model"].normal) == pytest.approx(9)


@pytest.mark.parametrize(
    ("text", "repos"),
    [
        ("we tune acme/rocket-9b, then qwen", ("acme/rocket-9b",)), ("用 https://hf.co/acme/rocket 微调", ("acme/rocket",)),
        ("and/or yes/no 24/7 h100/a100", ()), ("a/one-1 c/two-2 e/three-3", ("a/one-1", "c/two-2")), ("", ()),
    ],
)  # fmt: skip
def test_messages_name_repositories_by_address_or_with_a_version(text, repos):
    assert repos_in(text) == repos


async def test_only_what_the_catalogue_does_not_hold_is_asked(server):
    hub = Hub(server.url)
    text = "https://huggingface.co/acme/rocket or Qwen/Qwen2.5-7B"
    assert list(await shapes_in(text, hub)) == [REPO]
    assert len(server.asked) == 1
    assert await shapes_in("RTX4090/RTX3090", hub) == {}
    assert len(server.asked) == 1
    assert await shapes_in("acme/none-1", hub) == {}
    assert await shapes_in(text, Hub("")) == {}


async def test_nobody_waits_long_for_the_hub(server, monkeypatch):
    monkeypatch.setattr("bot.hub.PATIENCE_S", 0.05)
    hub = Hub(server.url)
    begun = time.monotonic()
    assert await shapes_in("acme/slow-1", hub) == {}
    assert time.monotonic() - begun < 0.4


@pytest.fixture
async def people(server, sandbox, settings_for, sqlite_url, clock):
    async with started(sandbox, settings_for(sqlite_url, hub_url=server.url), clock) as everybody:
        yield everybody


@pytest.mark.parametrize(("language", "label"), [("en", "Model"), ("zh", "模型")])
async def test_a_customer_names_a_model_by_its_address(people, server, language, label):
    person = await people.person(language)
    await person.says("/start")
    await person.says(f"{label}: https://huggingface.co/{REPO}")
    shown = said(await person.says("/estimate"))
    assert "rocket" in shown
    assert "GiB" in shown
    assert len(server.asked) == 1
