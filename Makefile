# Two commands do everything: `make demo` and `make test`. The rest is for people who change foreart.
.PHONY: demo serve test test-fast cluster stop-cluster test-cluster test-cluster-fast check lint docs release-check rings clean lock

# Loads the sample corpus, builds the index, searches a sample draft; the report is demo/report.html.
demo:
	@scripts/setup.sh runtime
	@.venv/bin/foreart demo --library demo

# Shows the sample corpus in the browser.
serve:
	@scripts/setup.sh runtime
	@.venv/bin/foreart demo --library demo
	@.venv/bin/foreart open --library demo

# All tests.
test:
	@scripts/setup.sh dev
	@.venv/bin/python -m pytest -n 2

# All but those marked slow: kill rounds, `make demo`.
test-fast:
	@scripts/setup.sh dev
	@.venv/bin/python -m pytest -n 2 -m "not slow"

# Three OpenSearch nodes at http://127.0.0.1:9200 and three Dask workers at dask://127.0.0.1:8786, until stop-cluster.
cluster:
	@scripts/setup.sh dev
	@.venv/bin/python scripts/local_clusters.py start

stop-cluster:
	@scripts/setup.sh dev
	@.venv/bin/python scripts/local_clusters.py stop

# The tests that need OpenSearch: on the nodes of `make cluster`, or on three that are started for them.
test-cluster:
	@scripts/setup.sh dev
	@.venv/bin/python -m pytest --cluster -m cluster -rs tests/cluster

# All of these but those marked slow: lost nodes, kills and switches.
test-cluster-fast:
	@scripts/setup.sh dev
	@.venv/bin/python -m pytest --cluster -m "cluster and not slow" -rs tests/cluster

# What CI checks before it tests.
check:
	@scripts/setup.sh dev
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/lint-imports

# Formats and fixes the code.
lint:
	@scripts/setup.sh dev
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .

# Writes the generated pages and pictures of the documentation.
docs:
	@scripts/setup.sh dev
	.venv/bin/python scripts/make_docs.py
	.venv/bin/python scripts/draw_rooms.py

# Builds the wheel and the sdist into dist/ and runs the demo from each in an empty environment.
release-check:
	@scripts/check_release.sh

# Fast tests with the oldest and the newest Python at hand, installed without extras.
rings:
	@scripts/ring.sh 3.11 || [ $$? = 3 ]
	@scripts/ring.sh newest

lock:
	@scripts/setup.sh dev
	scripts/lock.sh

clean:
	rm -rf .venv demo dist build
