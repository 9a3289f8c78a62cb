# make release  a small real release in out/quick      make test  every test, against the installed package
# make check    style, types, import contracts         make bench our rates beside the peers'
.PHONY: release test check bench lock clean
PYTHON ?= python3
RUN := .venv/run/bin
DEV := .venv/dev/bin
SOURCES := $(shell find puzzlemill conf -name '*.py' -o -name '*.yaml') pyproject.toml

# Two environments: what a user gets (the lock alone), and the same with the tools for working on Puzzlemill.
.venv/run/.installed: requirements.lock $(SOURCES)
	$(PYTHON) -m venv .venv/run
	$(RUN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(RUN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall .
	touch $@

.venv/dev/.installed: requirements-dev.lock $(SOURCES)
	$(PYTHON) -m venv .venv/dev
	$(DEV)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(DEV)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall .
	touch $@

release: .venv/run/.installed
	$(RUN)/puzzlemill generate release=quick out=out/quick

test: .venv/dev/.installed
	$(DEV)/pytest

check: .venv/dev/.installed
	$(DEV)/ruff check .
	$(DEV)/ruff format --check .
	$(DEV)/mypy
	$(DEV)/lint-imports

lock:
	$(PYTHON) -m uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --extra build pyproject.toml -o requirements.lock
	$(PYTHON) -m uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --extra build --extra dev pyproject.toml -o requirements-dev.lock

clean:
	rm -rf .venv out dist build
