# Two commands do everything: `make demo` and `make test`. The rest is for people who change foreart.
.PHONY: demo test check lint clean lock

# Loads the sample corpus, builds the index, searches a sample draft; the report is demo/report.html.
demo:
	@scripts/setup.sh runtime
	@.venv/bin/foreart demo --library demo

# All tests.
test:
	@scripts/setup.sh dev
	@.venv/bin/python -m pytest -n 2

# What CI checks before it tests.
check:
	@scripts/setup.sh dev
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/lint-imports

# Puts the code into shape.
lint:
	@scripts/setup.sh dev
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .

lock:
	@scripts/setup.sh dev
	scripts/lock.sh

clean:
	rm -rf .venv demo dist build
