#!/bin/sh
# Renews the lock files from pyproject.toml and requirements/*.in; run it when a dependency changes, and commit both.
set -eu
cd "$(dirname "$0")/.."
.venv/bin/python -m pip install -q uv
for name in runtime dev; do
    .venv/bin/uv pip compile "requirements/$name.in" --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-emit-find-links --no-annotate --no-header --no-emit-package foreart \
        --custom-compile-command "scripts/lock.sh" -q -o "requirements/$name.lock"
done
