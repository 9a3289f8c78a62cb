# make release    a small real release in out/quick     make smoke      one row of everything, the contract on small sizes
# make test       the suite, on the installed package   make slow       exhaustive checks, the tests marked slow
# make check      style, types, import contracts        make bench      our rates beside the peers'
# make dist       sdist, wheel, one puzzle              make pythons    the same under each supported Python
# make docs       docs/commands.md, from its table      make site       docs/ as a site in out/site/pages
# make consumers  our rows in the training and evaluation tools themselves, each in an environment that it fits into
.PHONY: release test smoke slow consumers most-consumers verl check dist pythons docs site bench lock clean
.DELETE_ON_ERROR:
.SECONDARY: # keeps the marks .venv/%/installed

unexport PYTHONDONTWRITEBYTECODE # each process would compile the tests again
export OPENBLAS_NUM_THREADS ?= 1 # threads of several workers wait for each other: 30 times the time for small matrices
PYTHON ?= python3
WORKERS ?= 2
RUN := .venv/run/bin
DEV := .venv/dev/bin
PIP := -m pip --quiet --disable-pip-version-check
SOURCES := $(shell find puzzlemill generators solvers transforms conf -name '*.py' -o -name '*.yaml' -o -name '*.toml' -o -name '*.txt' -o -name '*.html' -o -name '*.md') pyproject.toml

release: .venv/run/installed # it compiles what it needs, and says so
	$(RUN)/puzzlemill generate release=quick out=out/quick workers=$(WORKERS)

test: .venv/dev/compiled
	$(DEV)/pytest --installed -n $(WORKERS) --dist worksteal -m 'not slow'

# One row of every family through all that reads rows, and the contract suite on each family's first small spec.
smoke: .venv/dev/compiled
	$(DEV)/pytest --installed --smoke -n $(WORKERS) --dist worksteal -m 'not slow' tests/e2e/test_every_family.py tests/contract \
		--ignore tests/contract/test_deduce.py --ignore tests/contract/test_kernels.py \
		--deselect tests/e2e/test_every_family.py::test_every_report_reads_every_family # one row is too few to fit a model on

slow: .venv/dev/compiled
	$(DEV)/pytest --installed -n $(WORKERS) --dist worksteal -m slow

consumers: most-consumers verl
most-consumers: .venv/consumers/compiled
	.venv/consumers/bin/pytest --installed tests/consumers --ignore tests/consumers/test_export.py # it needs none of them: make test runs it
verl: .venv/verl/installed
	.venv/verl/bin/pytest --installed tests/consumers/test_verl.py

check: .venv/dev/installed
	$(DEV)/ruff check .
	$(DEV)/ruff format --check .
	$(DEV)/mypy
	$(DEV)/lint-imports

# From the sources' archive alone: sdist, wheel, an environment with the lock's packages only, one puzzle.
dist: .venv/dev/installed .venv/run/locked
	rm -rf dist && $(DEV)/python -m hatchling build -t sdist
	$(DEV)/python $(PIP) wheel --no-deps --no-build-isolation --no-index --wheel-dir dist dist/puzzlemill-*.tar.gz
	$(RUN)/python $(PIP) install --no-deps --force-reinstall dist/puzzlemill-*.whl
	cd dist && ../$(RUN)/puzzlemill show sudoku > one.txt && grep -q Sudoku one.txt
	rm -f .venv/run/installed .venv/run/compiled

# The same wheel under every supported Python that is on this machine: the same puzzle, to the letter. It names those that are missing.
PYTHONS := 3.11 3.12 3.13
pythons: $(PYTHONS:%=python-%)
python-%: dist
	@for found in python$* $(HOME)/.pyenv/versions/$*.*/bin/python$*; do $$found -c '' 2> /dev/null && break; found=; done; \
	if [ -z "$$found" ]; then echo "Python $*: not on this machine"; exit 0; fi; \
	$(MAKE) --no-print-directory PYTHON=$$found .venv/python$*/locked && \
	.venv/python$*/bin/python $(PIP) install --no-deps --force-reinstall dist/puzzlemill-*.whl && \
	cd dist && ../.venv/python$*/bin/puzzlemill show sudoku | cmp - one.txt && echo "Python $*: the same puzzle"

docs: .venv/dev/installed
	$(DEV)/python scripts/commands_page.py > docs/commands.md

# docs/, the gallery and the reference as pages in out/site/pages. A link that leads nowhere ends it.
site: .venv/dev/compiled .venv/docs/locked
	$(DEV)/python scripts/gallery.py out/site/gallery
	NO_MKDOCS_2_WARNING=1 .venv/docs/bin/mkdocs build --quiet --strict

bench: .venv/bench/installed
	.venv/bench/bin/python benchmarks/run.py

# Environments: what a user gets (the lock alone), the same with the tools for working on Puzzlemill, with the peers, and with the
# training and evaluation tools (verl's requirements and TRL's exclude each other; 6 GB each). A lock names everything, so that
# pip has nothing to resolve: asked to, it takes a requirement with an extra (typepy[datetime]) for one that no hash is known of.
# What builds comes first, as wheels, and builds every source that follows: an environment of its own for a build (pip's default) is
# filled with the newest setuptools that an index offers, whatever its hash.
# The large ones are filled by uv, which takes a fifth of pip's time and keeps one copy of what they share. It does not read pip's
# configuration: who has an index of their own says so in UV_DEFAULT_INDEX.
INSTALL = $(if $(filter run dev,$*),.venv/$*/bin/python $(PIP) install,$(DEV)/uv pip install --quiet --python .venv/$*/bin/python)
.venv/bench/locked .venv/consumers/locked .venv/verl/locked .venv/docs/locked $(PYTHONS:%=.venv/python%/locked): | .venv/dev/locked
.venv/run/locked $(PYTHONS:%=.venv/python%/locked): requirements.lock
.venv/dev/locked: requirements-dev.lock
.venv/bench/locked: requirements-bench.lock
.venv/consumers/locked: requirements-consumers.lock
.venv/verl/locked: requirements-verl.lock
.venv/docs/locked: requirements-docs.lock
.venv/%/locked: requirements-build.lock
	@$(PYTHON) -c 'import sys; sys.exit("Puzzlemill needs Python 3.11 or newer: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv --clear .venv/$*
	$(INSTALL) --no-deps --require-hashes --only-binary :all: -r requirements-build.lock
	$(INSTALL) --no-deps --require-hashes --no-build-isolation -r $(filter-out requirements-build.lock,$(filter requirements%,$^))
	.venv/$*/bin/python -m pip check
	touch $@

# The package itself is installed as a wheel, never editable: what is tested is what is shipped.
.venv/%/installed: .venv/%/locked $(SOURCES)
	.venv/$*/bin/python $(PIP) install --no-deps --no-build-isolation --force-reinstall .
	touch $@

.venv/%/compiled: .venv/%/installed
	.venv/$*/bin/python scripts/compile_kernels.py $(WORKERS)
	touch $@

# Versions and hashes, and no addresses: a lock must not say where packages come from.
LOCK := $(DEV)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-emit-index-url --no-emit-find-links --group build
lock: LOCKED = $(LOCK) -c requirements-build.lock pyproject.toml
lock: | .venv/dev/locked
	$(LOCK) -o requirements-build.lock
	$(LOCKED) -o requirements.lock
	$(LOCKED) --extra dev -o requirements-dev.lock
	$(LOCKED) --extra bench -o requirements-bench.lock
	$(LOCKED) --extra test --extra trl --extra verifiers --extra lm-eval --extra inspect --extra reasoning-gym \
		--extra gymnasium --extra perplexity -o requirements-consumers.lock
	$(LOCKED) --extra test --extra verl -o requirements-verl.lock
	$(LOCK) -c requirements-build.lock -c requirements-dev.lock --group docs -o requirements-docs.lock
	! grep -nE '://|^ *-' requirements*.lock | grep -v -- '--hash='

clean:
	rm -rf .venv out dist build
