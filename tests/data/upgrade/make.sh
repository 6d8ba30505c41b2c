#!/bin/sh
# Makes library-0.1.0.tar.xz: what a user of 0.1.0 has on disk, of 30 sample patents. Run once, with the code of then:
#   git worktree add /tmp/foreart-0.1.0 0c7ec79
#   tests/data/upgrade/make.sh /tmp/foreart-0.1.0 PYTHON-WITH-ITS-DEPENDENCIES
# The tests (tests/test_upgrade.py) use this library as a user would; they know nothing of its files.
set -eu
checkout=$(realpath "$1") python=$2 here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$python" -m pip install -q --disable-pip-version-check --no-deps --target site "$checkout"
export PYTHONPATH="$work/site"
sample="$checkout/src/foreart/sample"
cp "$sample/drafts/insulin-pump.txt" draft.txt
foreart() { "$python" -m foreart "$@"; }
head -30 "$sample/patents.jsonl" > patents.jsonl  # fewer: a small archive
foreart add patents.jsonl --library library
foreart build --library library
foreart learn --library library
foreart search draft.txt -k 10 --save record.json --library library > /dev/null
foreart pairs --out pairs.tsv --random 10 --seed 1 --library library
foreart sample --pairs pairs.tsv --out expert-set -n 2 --each 2 --min-cited 1 --library library
"$python" - <<'END'
import csv

with open("expert-set/sheet.csv", newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
for place, row in enumerate(rows):
    row["score"] = str(place % 6)
with open("sheet-of-ann.csv", "w", newline="", encoding="utf-8") as file:
    writer = csv.DictWriter(file, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
END
foreart label expert-set --rater ann --import sheet-of-ann.csv --library library
# What 0.1.0 itself says of its library: today's code must say the same.
foreart list --limit 100 --json --library library > expected-list.json
foreart show XX20090312644A1 --json --library library > expected-show.json
foreart search draft.txt -k 10 --no-passages --json --library library > expected-search.json
foreart label expert-set --export expected-labels.csv --library library
# Scores of each index, with the instructions of processors without AVX-512, which those with it have too.
export OPENBLAS_CORETYPE=Haswell NPY_DISABLE_CPU_FEATURES="X86_V4 AVX512_ICL AVX512_SPR"
for index in log-tfidf tfidf bm25 topics log-tfidf-claims log-tfidf-abstract; do
    foreart search draft.txt -k 10 --index $index --no-passages --json --library library > "scores-$index.json"
done
"$python" - "$here/index-scores.json" <<'END'
import json
import sys
from pathlib import Path

files = sorted(Path().glob("scores-*.json"))
found = {file.stem.removeprefix("scores-"): json.loads(file.read_text("utf-8"))["hits"] for file in files}
scores = {name: {hit["id"]: hit["score"] for hit in hits} for name, hits in found.items()}
Path(sys.argv[1]).write_text(json.dumps(scores, indent=1) + "\n", "utf-8")
END
tar --sort=name --mtime=2026-11-16 --owner=0 --group=0 -cJf "$here/library-0.1.0.tar.xz" \
    library record.json draft.txt expert-set expected-list.json expected-show.json expected-search.json expected-labels.csv
ls -l "$here/library-0.1.0.tar.xz"
