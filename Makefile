# `make check` is what a change must pass; `.ci/run` does the same from a clean checkout.
BIN ?= .venv/bin
CACHE ?= .

.PHONY: check venv format format-check lint types imports test store wheel reference pictures soak

check: format-check lint types imports test store wheel

venv: ## a working environment in .venv
	python3 -m venv .venv
	.venv/bin/pip install -e '.[dev]'

format: ## rewrite the code in the agreed form
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

format-check:
	RUFF_CACHE_DIR=$(CACHE)/.ruff_cache $(BIN)/ruff format --check

lint:
	RUFF_CACHE_DIR=$(CACHE)/.ruff_cache $(BIN)/ruff check

types:
	$(BIN)/mypy --cache-dir $(CACHE)/.mypy_cache

imports: ## the layers of the architecture
	$(BIN)/lint-imports --no-cache

test: ## everything, schemas and skills included
	$(BIN)/pytest

store: ## our own command over our own example, and over our own lessons beside our own code
	$(BIN)/project-memory validate examples/store
	$(BIN)/project-memory validate .project-memory --recall $$(test ! -e .git || echo --facts)

wheel: ## what users install: built apart, installed apart, run apart
	folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT \
	&& $(BIN)/python -m build --no-isolation --outdir "$$folder" . \
	&& python3 -m venv "$$folder/venv" \
	&& "$$folder/venv/bin/pip" install -qq "$$folder"/*.whl \
	&& cd "$$folder" \
	&& venv/bin/project-memory --help > /dev/null \
	&& venv/bin/project-memory demo

reference: ## docs/reference, from help, tools and schemas as they are
	$(BIN)/python docs/reference/generate.py

pictures: ## those in docs/, of the page as it is
	TAKE_PICTURES=1 $(BIN)/pytest -q tests/adapters/browser/test_pictures.py

soak: ## the crash test, two hundred kills
	PROJECT_MEMORY_SOAK=200 $(BIN)/pytest tests/crash
