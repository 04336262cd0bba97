# Everything runs from .venv, which `make setup` prepares and which every other target asks for.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input -qq
# What the locks name. uv takes a quarter of the time that pip takes; pip does it where uv is not on PATH or fails.
INSTALL = $(if $(shell command -v uv),uv pip install --quiet --python $(BIN)/python --require-hashes $(1) ||) \
	$(PIP) install --require-hashes $(1)

# What `make developing` installs besides the product.
DEVELOPING := --group dev --group docs --extra connect

# Arguments for the command behind a target: make test ARGS="-k sequence"
ARGS ?=
# The Python to build .venv with: make setup PYTHON=/opt/python3.12/bin/python3
PYTHON ?=

.PHONY: kernel help setup developing verify test mutants check docs site notebooks browser lock clean
.DEFAULT_GOAL := help

help:  ## Show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r target text; do \
		printf '%-16s%s\n' "$$target" "$$text"; done

# Prints the first Python that can make .venv. A candidate is run, not only looked up: version managers put names
# on PATH that start nothing.
define find_python
	for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python); do \
		"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
		if "$$python" -c 'import ensurepip, venv' 2>/dev/null; then echo "$$python"; exit; fi; \
		without_venv="$$without_venv $$python"; \
	done; \
	if [ -n "$$without_venv" ]; then \
		echo "These Pythons lack the module venv:$$without_venv" >&2; \
		echo "On Debian and Ubuntu it is the package python3-venv. Then run make setup again." >&2; \
	else \
		echo "No Python 3.11 or newer was found on PATH. Install one, or name it: make setup PYTHON=/path/to/python3" >&2; \
	fi; \
	exit 1
endef

setup: $(VENV)/.project-installed  ## Prepare .venv; does nothing when it is up to date

# Stamps, each written last: a step that was interrupted has none and is done again from its beginning. A new lock
# rebuilds the environment, so that nothing of the old one stays; a change of pyproject.toml costs a second. What only
# tests, documentation, benchmarks and clusters need comes on top when it is first asked for.
$(VENV)/.lock-installed: requirements.lock
	@python=$$($(find_python)) && echo "Creating $(VENV) with $$("$$python" --version)" && "$$python" -m venv --clear $(VENV)
	@echo "Installing requirements.lock (about 700 MB to download the first time; a minute or two)"
	@$(call INSTALL,-r requirements.lock)
	@touch $@

$(VENV)/.project-installed: $(VENV)/.lock-installed pyproject.toml
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -qq -x '/\.' . || true  # where Python may not do it itself, each command would again
	@touch $@

developing: setup $(VENV)/.developing-installed  ## Prepare .venv for tests, documentation, benchmarks and clusters too

$(VENV)/.developing-installed: $(VENV)/.lock-installed requirements-dev.lock
	@echo "Installing requirements-dev.lock (about 120 MB more to download the first time)"
	@$(call INSTALL,-r requirements.lock -r requirements-dev.lock)
	@touch $@

verify: setup  ## The main job: everything that is claimed, checked, in one report
	@$(BIN)/remora verify $(ARGS)

test: developing  ## Run the tests; the slow ones too with ARGS="-m 'not long'"
	@$(BIN)/python -m pytest -n logical --dist loadfile $(ARGS)

mutants: developing  ## Change single symbols of a room and run its tests: make mutants ROOM=smt
	$(BIN)/python -m tests.mutation $(ROOM) $(ARGS)

check: developing  ## Style, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(ARGS)

kernel: setup  ## Have Rocq (coqc) check the theorems of the kernel
	@$(BIN)/python -m proofs.carlson_lisper.kernel.building $(ARGS)

docs: developing  ## Write the generated pages of the documentation
	@$(BIN)/python -m remora.docs $(ARGS)

site: developing  ## Build the documentation as a site in site/
	@$(BIN)/python -m sphinx -W --keep-going -q -b html docs site && echo "site/index.html"

notebooks: developing  ## Execute the notebook and store what it shows
	@$(BIN)/python -m notebooks.execute

browser: developing  ## Check the report in Chromium, which has to be there
	@$(PIP) install 'pip>=25.1' && $(PIP) install --group browser
	@$(BIN)/python -m pytest -m browser tests/browser $(ARGS)

# One lock for Linux and macOS and every Python from 3.11 on. uv resolves that in one go; only this target needs it.
lock:  ## Choose the newest allowed versions and write requirements.lock and requirements-dev.lock
	@python=$$($(find_python)) && scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT && \
	"$$python" -m venv "$$scratch" && \
	"$$scratch/bin/python" -m pip --disable-pip-version-check -qq install uv && \
	for lock in product all; do \
		"$$scratch/bin/uv" pip compile --quiet --no-config --universal --python-version 3.11 --upgrade \
			--generate-hashes --no-annotate --custom-compile-command "make lock" \
			--output-file "$$scratch/$$lock.lock" pyproject.toml --group build \
			$$([ $$lock = product ] || echo "--constraint $$scratch/product.lock $(DEVELOPING)"); \
	done && \
	awk 'NR == FNR { if (/^[a-z]/) known[$$0]; next } /^[a-z]/ { keep = !($$0 in known) } /^#/ || keep' \
		"$$scratch/product.lock" "$$scratch/all.lock" > requirements-dev.lock && \
	mv "$$scratch/product.lock" requirements.lock

clean:  ## Remove .venv, caches and build output; results stay
	@rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	@find . -name .git -prune -o -type d -name __pycache__ -exec rm -rf {} +
