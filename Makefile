# Two commands set everything up: `make sandbox` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PORT   ?= 8081
# Every Bot API call of the tests is recorded, and held against the published specification where that check is at hand.
CALLS  := artifacts/calls.jsonl
SPECIFICATION := ../shared/tools/check_botapi.py

.PHONY: sandbox test check bench chaos scorecard texts migrate lock clean

# A virtual environment with the exact versions of requirements.lock; made anew when those change.
$(VENV)/.ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

sandbox: $(VENV)/.ready  ## the bot in a local Telegram, with a chat page
	$(BIN)/python -m bot sandbox --port $(PORT)

test: $(VENV)/.ready  ## all tests, on SQLite and PostgreSQL
	.ci/services
	mkdir -p artifacts && rm -f $(CALLS)
	SANDBOX_CALL_LOG=$(CURDIR)/$(CALLS) $(BIN)/python -m pytest -n 2 --dist loadfile
	test ! -f $(SPECIFICATION) || $(BIN)/python $(SPECIFICATION) $(CALLS)

check: $(VENV)/.ready  ## style, types, layers, texts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m bot.cli.texts --check

bench: $(VENV)/.ready  ## speed, side by side with peers, as ratios
	$(BIN)/python -m tests.bench
	$(BIN)/python -m tests.bench_reminders
	$(BIN)/python -m tests.bench_estimation
	$(BIN)/python -m tests.bench_understanding

chaos: $(VENV)/.ready  ## kill copies, break calls, stop the database: is anything lost?
	.ci/services
	$(BIN)/python -m tests.chaos

scorecard: $(VENV)/.ready  ## the estimates' errors by source and method, into CONTRIBUTING.md
	$(BIN)/python -m tests.scorecard

texts: $(VENV)/.ready  ## take new texts into the catalogues
	$(BIN)/python -m bot.cli.texts

migrate: $(VENV)/.ready  ## bring the database of BOT_DATABASE_URL to this version
	$(BIN)/python -m bot migrate

lock: $(VENV)/.ready  ## write the versions installed now to requirements.lock
	$(BIN)/python -m pip install --quiet --upgrade --upgrade-strategy eager -e '.[dev]' hatchling editables
	$(BIN)/python -m pip freeze --quiet --exclude-editable > requirements.lock

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache artifacts
