#!/bin/bash
# Builds the sdist and the wheel, checks what is in them, and runs `foreart demo` from each in an empty environment that
# knows nothing of this checkout. The archives stay in dist/.
# usage: scripts/check_release.sh [PYTHON]     (default: that of .venv)
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
scripts/setup.sh runtime
python=${1:-.venv/bin/python}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rm -rf dist
.venv/bin/python -m hatchling build -t sdist -t wheel -d dist >/dev/null
wheel=$(ls "$root"/dist/foreart-*.whl) sdist=$(ls "$root"/dist/foreart-*.tar.gz)
.venv/bin/python scripts/check_archives.py "$wheel" "$sdist"

# The lock as constraints: the same versions, but only of what the base install asks for.
sed -nE 's/^([a-z0-9][^\\]*[^ \\]) *\\?$/\1/p' requirements/runtime.lock > "$work/constraints.txt"
"$python" -m venv "$work/env"
mkdir "$work/home"

outside() { # runs a program of the empty environment in an empty folder, without any variable of this shell
    (cd "$work/home" && env -i HOME="$work/home" LANG=C.UTF-8 PATH="$work/env/bin:/usr/bin:/bin" "$@")
}

try() { # usage: try WHAT: the installed foreart loads, builds, learns, searches and writes a report
    place=$(outside python -c 'import foreart; print(foreart.__file__)')
    case $place in "$work"/env/*) ;; *) echo "$1: foreart was imported from $place" >&2; exit 1 ;; esac
    rm -rf "$work/home/demo"
    outside foreart demo --library demo > "$work/demo.txt" 2> "$work/demo.err" || { cat "$work/demo.err" >&2; exit 1; }
    test -s "$work/home/demo/report.html" || { echo "$1: foreart demo wrote no report" >&2; exit 1; }
    outside foreart doctor --library demo > "$work/doctor.txt" || { cat "$work/doctor.txt" >&2; exit 1; }
    echo "$1: $(outside foreart --version) with $(outside python --version) runs foreart demo"
}

"$work/env/bin/python" -m pip install -q --disable-pip-version-check -c "$work/constraints.txt" "$wheel"
try wheel
"$work/env/bin/python" -m pip uninstall -q -y foreart
"$work/env/bin/python" -m pip install -q --disable-pip-version-check --no-deps "$sdist"
try sdist
