# The two commands are `make run` and `make test`; the rest is for work on Playhead itself.
# Everything is kept in .venv and frontend/: delete the two and it is as if it had never been run.

PORT ?= 8000
DATA ?=
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
            $$p -c '' 2>/dev/null && echo $$p && break; done)

ifeq ($(strip $(PYTHON)),)
$(error No Python found. Playhead needs Python 3.11, 3.12 or 3.13 with venv)
endif

SET_UP := $(PYTHON) scripts/bootstrap.py
BIN    := .venv/bin
PYTEST := PLAYHEAD_DATA='$(CURDIR)/.pytest_cache/data' $(BIN)/python -m pytest
AT_ONCE := --numprocesses auto --maxprocesses 8 --dist worksteal
# Tests have a data folder of their own, and the first ones a database in it: a DATABASE_URL of this
# terminal is for `make integration`.
ALONE  := env -u DATABASE_URL -u REDIS_URL

.DEFAULT_GOAL := help
.PHONY: help run test lint types arch unit integration e2e faults bench bench-waiting openapi demo-sessions \
        freeze run-local-model local-model lock format clean

help: ## list what make can do here
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  \033[1mmake %-16s\033[0m %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## set up and run Playhead on this machine (PORT=8000 DATA=folder)
	@$(SET_UP) run
	@exec $(BIN)/playhead up --port $(PORT) $(if $(DATA),--data '$(DATA)')

test: ## set up and run the tests that need nothing but this checkout
	@$(SET_UP) test
	@echo 'The tests of Python, on SQLite:'
	@$(ALONE) $(PYTEST) -q $(AT_ONCE) tests/architecture tests/unit tests/contract tests/integration -m "not postgres and not redis" $(ARGS)
	@echo 'The tests of the console:'
	@$(SET_UP) npm run --silent test -- --reporter=dot

lint: ## check the style of Python and TypeScript
	@$(SET_UP) test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(SET_UP) npm run lint
	$(SET_UP) npm run knip
	$(SET_UP) npm run bundle

types: ## check the types of Python and TypeScript
	@$(SET_UP) test
	$(BIN)/mypy
	$(SET_UP) npm run typecheck

arch: ## check the import contracts
	@$(SET_UP) test
	PYTHONPATH=platform:. $(BIN)/lint-imports

unit: ## the tests without a database
	@$(SET_UP) test
	$(ALONE) $(PYTEST) -q $(AT_ONCE) tests/unit $(ARGS)

integration: ## the tests on PostgreSQL and Redis (DATABASE_URL, REDIS_URL); `make test` has those on SQLite
	@$(SET_UP) test
	$(PYTEST) tests/contract tests/integration -m "not embedded or postgres" $(ARGS)

e2e: ## the story in a browser (Chromium), with MCP servers of others
	@$(SET_UP) mcp-servers
	DJANGO_ALLOW_ASYNC_UNSAFE=1 $(PYTEST) tests/e2e $(ARGS)

faults: ## kill, freeze and starve workers, and see that nothing is lost
	@$(SET_UP) test
	$(PYTEST) tests/faults $(ARGS)

bench: ## measure: steps per second, bytes per step, branch, resume, replay
	@$(SET_UP) test
	$(BIN)/python -m tests.bench $(ARGS)

bench-waiting: ## measure: 1,000 sessions that wait for a streaming model, in one process
	@$(SET_UP) test
	$(BIN)/python -m tests.bench waiting

openapi: ## write frontend/openapi.json and the TypeScript types from the API
	@$(SET_UP) test
	$(BIN)/python manage.py export_openapi_schema --api playhead.config.api.api --indent 2 --output frontend/openapi.json
	$(SET_UP) npm run openapi

demo-sessions: ## record the demo sessions again, with the real worker
	@$(SET_UP) test
	$(BIN)/python scripts/demo_sessions.py $(ARGS)

freeze: ## keep what this release writes: logs and a database for the tests of every later one
	@$(SET_UP) test
	$(BIN)/python scripts/freeze.py

run-local-model: ## serve a real small language model on this machine and print its address
	@$(SET_UP) local-model
	@exec $(BIN)/python scripts/local_model.py $(ARGS)

local-model: ## the tests with a real small language model
	@$(SET_UP) test
	@$(SET_UP) local-model
	$(ALONE) DJANGO_ALLOW_ASYNC_UNSAFE=1 $(PYTEST) tests/local_model $(ARGS)

lock: ## resolve the dependencies again into requirements*.lock (needs uv)
	$(PYTHON) scripts/lock.py $(ARGS)

format: ## put Python and TypeScript into shape
	@$(SET_UP) test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## remove what set-up and tools have made (your data stays)
	rm -rf .venv frontend/node_modules frontend/dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
