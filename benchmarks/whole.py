"""How do time and memory of every step, from files to the first result, grow with the corpus?

    python benchmarks/whole.py                    9,015 real documents, and five copies of them: 45,075
    python benchmarks/whole.py --copies 11        99,165; add takes 7 minutes, the rest 20

Copies have numbers of their own and cite within their copy. They make a corpus as long as a real one and as wordy, but
not as varied: words are no more than in one copy. Memory is that of all processes of a step, without pages of files,
which the system takes back when others need them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from environment import SHARED, Ran, environment, ran, save
from foreart.identifiers.numbers import number_key

FILES = ("ultrasound.jsonl.gz", "background.jsonl.gz")
# Numbers of copies begin where no real ones are.
_FIRST, _STEP = 70_000_000, 1_000_000
TARGET_TEXT = "draft.txt"


def documents() -> list[dict[str, Any]]:
    """The real ones."""
    found = []
    for name in FILES:
        with gzip.open(SHARED / name, "rt", encoding="utf-8") as file:
            found += [json.loads(line) for line in file]
    return found


def copies(real: list[dict[str, Any]], number: int) -> Iterator[dict[str, Any]]:
    """The real documents, and so many less one copies of them."""
    places = {number_key(document["id"]): place for place, document in enumerate(real)}
    for copy in range(number):
        for document in real:
            cited = [{**each, "id": _renamed(each["id"], copy, places)} for each in document.get("citations") or []]
            yield {**document, "id": _renamed(document["id"], copy, places), "citations": cited, "family_refs": []}


def _renamed(name: str, copy: int, places: dict[str, int]) -> str:
    place = places.get(number_key(name))
    if copy == 0 or place is None:
        return name
    country = re.match(r"[A-Z]{2}", name)
    return f"{country[0] if country else 'US'}{_FIRST + copy * _STEP + place}"


def measured(folder: Path, real: list[dict[str, Any]], number: int) -> dict[str, Any]:
    """Every step over so many copies."""
    file, library = folder / "documents.jsonl.gz", folder / "library"
    with gzip.open(file, "wt", encoding="utf-8", compresslevel=1) as opened:
        opened.writelines(json.dumps(each) + "\n" for each in copies(real, number))
    draft = folder / TARGET_TEXT
    draft.write_text(_text(real[500]), "utf-8")
    steps = {
        "add": [str(file)],
        "build": [],
        "learn": [],
        "search": [str(draft)],
    }
    found: dict[str, Any] = {"documents": number * len(real)}
    for step, arguments in steps.items():
        command = [sys.executable, "-m", "foreart", step, *arguments, "--library", str(library), "--json"]
        print(f"{found['documents']:,} documents: {step}", file=sys.stderr, flush=True)
        found[step] = _told(ran(command))
        if step == "search":
            found["search again"] = _told(ran(command))
    found["megabytes_on_disk"] = round(sum(each.stat().st_size for each in library.rglob("*") if each.is_file()) / 1e6)
    return found


def _text(document: dict[str, Any]) -> str:
    claims = "\n".join(str(each) for each in document["claims"])
    return "\n\n".join([document["title"], document["description"], "What is claimed is:", claims])


def _told(found: Ran) -> dict[str, float]:
    return {"seconds": round(found.seconds, 1), "megabytes": found.megabytes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copies", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where libraries are made, and left")
    options = parser.parse_args()
    real = documents()
    result: dict[str, Any] = {
        "question": __doc__.splitlines()[0],
        **environment("numpy", "scipy", "numba"),
        "sizes": [],
    }
    for number in dict.fromkeys((1, options.copies)):
        if options.folder:
            place = options.folder / str(number)
            place.mkdir(parents=True)
            result["sizes"].append(measured(place, real, number))
        else:
            with tempfile.TemporaryDirectory() as made:
                result["sizes"].append(measured(Path(made), real, number))
    save("whole", result)


if __name__ == "__main__":
    main()
