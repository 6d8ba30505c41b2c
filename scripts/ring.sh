#!/bin/bash
# Runs tests with another Python, in a fresh environment with foreart installed as users install it: no checkout on the
# path, no extras unless named. Tests that need an extra say so and are skipped.
# usage: scripts/ring.sh VERSION|newest [EXTRAS] [-- PYTEST ARGUMENTS]
#   scripts/ring.sh 3.11                 scripts/ring.sh newest all -- tests/features
# Exit code 3: no such Python at hand, nothing was run.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
wanted=$1
shift
extras=
if [ $# -gt 0 ] && [ "$1" != -- ]; then extras="[$1]"; shift; fi
if [ $# -gt 0 ]; then shift; fi
if [ $# -eq 0 ]; then
    set -- tests/cli/test_search_commands.py tests/cli/test_corpus_commands.py tests/features/test_contract.py tests/text \
        tests/test_sample.py tests/test_upgrade.py
fi

find_python() { # prints the path of an interpreter of that version
    for candidate in "python$1" "$HOME/.pyenv/versions/$1".*/bin/python; do
        if "$candidate" -c "import sys, venv; sys.exit('%d.%d' % sys.version_info[:2] != '$1')" 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

case $wanted in newest) versions="3.14 3.13 3.12 3.11" ;; *) versions=$wanted ;; esac
python=
for version in $versions; do
    if python=$(find_python "$version"); then break; fi
    echo "ring $version: no Python $version at hand, not run"
done
if [ -z "$python" ]; then exit 3; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/env"
# The lock as constraints: the same versions, but only of what is asked for.
sed -nE 's/^([a-z0-9][^\\]*[^ \\]) *\\?$/\1/p' requirements/dev.lock > "$work/constraints.txt"
"$work/env/bin/python" -m pip install -q --disable-pip-version-check -c "$work/constraints.txt" \
    "foreart$extras @ file://$root" hypothesis ir-measures pytest pytest-xdist scikit-learn
echo "ring $version: $("$work/env/bin/python" --version), foreart${extras:- without extras}"
env -u PYTHONPATH "$work/env/bin/python" -m pytest -n 2 -p no:cacheprovider -m "not slow" -rs "$@"
echo "ring $version: passed"
