# The two commands of the README are `make demo` and `make test`; both set up what they need.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help demo test nightly lint format bench vsix test-extension clean verify lies catalogue

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "LPCL needs Python 3.11 or newer; $(PYTHON) is older. Name another with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,demo,world]'
	@touch $@

demo: $(STAMP)  ## check, compose, build and tune a real application on this machine
	@$(BIN)/python -m demo

test: $(STAMP)  ## the whole test suite
	$(BIN)/python -m pytest -n 2

nightly: $(STAMP)  ## the meaning of many random applications and contracts (EXAMPLES=20000; about two hours)
	LPCL_EXAMPLES=$(or $(EXAMPLES),20000) $(BIN)/python -m pytest -n 2 --dist worksteal --verbose \
	  --durations 0 --durations-min 1 tests/property/test_questions.py tests/property/test_anywhere.py \
	  tests/property/test_meaning.py tests/property/test_participants.py tests/property/test_controls.py \
	  tests/property/test_coverage.py tests/property/test_pairs.py tests/property/test_judgement.py
	@echo "tried and agreed: $(or $(EXAMPLES),20000) random applications of each kind, a tenth as many on every machine,"
	@echo "a quarter as many contracts and pairs of them"

QUICK  := openblas numpy scipy numexpr numba joblib sklearn threadpoolctl multiprocessing concurrent_futures polars \
          duckdb pyarrow lightgbm tokenizers opencv faiss dask optuna

verify: $(STAMP)  ## hold contracts of the standard library against libraries that install in a few minutes
	$(BIN)/lpclc verify --install $(QUICK)

lies: $(STAMP)  ## seed lies into contracts and count those that evidence refutes (CONTRACTS=..., INTERPRETER=...)
	$(BIN)/python -m tests.world.lies $(if $(INTERPRETER),--python $(INTERPRETER)) $(CONTRACTS)

catalogue: $(STAMP)  ## the contracts as pages to browse, in build/catalogue
	$(BIN)/lpclc doc -o build/catalogue

lint: $(STAMP)  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(STAMP)  ## let ruff put the code in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP)  ## performance figures, as ratios measured side by side
	$(BIN)/python -m tests.bench

vsix:  ## package the VS Code extension (needs Node.js)
	cd vscode-extension && npm ci --ignore-scripts --no-audit --no-fund && npm run package

test-extension:  ## type check, unit tests and colours of the VS Code extension (needs Node.js)
	cd vscode-extension && npm ci --ignore-scripts --no-audit --no-fund && npm test

clean:  ## remove what the other targets made
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
