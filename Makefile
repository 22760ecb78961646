# Two commands on a fresh machine: `make demo` and `make test`. Each sets up its own environment in .venv.

VENV ?= .venv
BIN := $(VENV)/bin
GOOD := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	if $$p -c '$(GOOD)' 2>/dev/null; then echo $$p; break; fi; done)

.PHONY: demo test fuzz lint types unit fast portable live setup format clean

# Both calls at once on four cores and more; on fewer, one after the other.
demo: $(VENV)/.local
	$(BIN)/voicesim run cold-04-emergency-dyspnea --agent realtime --agent modular

test: lint types unit

unit: fast live

# Tests that wait for no clock, side by side; then those that make calls in real time, alone.
fast: $(VENV)/.dev
	$(BIN)/python -m pytest -m "not live" -n auto --maxprocesses 4 --dist loadfile

# The rooms that compute, without the browser, the cluster and the fuzzer: what another Python may see otherwise.
PORTABLE := not live and not page and not cluster
portable: $(VENV)/.dev
	$(BIN)/python -m pytest -m "$(PORTABLE)" -n auto --maxprocesses 4 --dist loadfile --ignore tests/fuzz

live: $(VENV)/.dev
	$(BIN)/python -m pytest -m live tests

# As many changed files and messages as you like: make fuzz FUZZ_EXAMPLES=5000
FUZZ_EXAMPLES ?= 2000
fuzz: $(VENV)/.dev
	FUZZ_EXAMPLES=$(FUZZ_EXAMPLES) $(BIN)/python -m pytest tests/fuzz -n auto --maxprocesses 4

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

setup: $(VENV)/.dev

$(VENV)/bin/python:
	@if [ -z "$(PYTHON)" ]; then echo "voicesim needs Python 3.11, 3.12 or 3.13 on the PATH"; exit 2; fi
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.local: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[local,agents]"
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[local,agents,studio,dev]"
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache
