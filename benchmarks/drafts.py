"""Are drafts parsed correctly? Published documents are rendered as DOCX, PDF and text, and read again.

    python benchmarks/drafts.py             the unseen third of the full-text documents in ../shared/data
    python benchmarks/drafts.py --tune 60   some of the other two thirds, to look at

Each part (title, sections of the description, claims, abstract) is compared by its words: the share of words, and of
pairs of neighbouring words, that both have (Dice). A claim tree is right if every claim has its number and its parents.
The result holds figures and no text. PDFs are made by reportlab, with fonts of matplotlib.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from lxml import etree

from draft_rendering import Layout, Truth, as_docx, as_pdf, as_text, layout_of, truth_of
from environment import SHARED, environment, save
from foreart.document.claims import references
from foreart.document.draft import Draft
from foreart.errors import ForeartError
from foreart.sources import raw_records, read, read_draft
from foreart.sources.patent_files import Document

WRITERS: dict[str, Callable[[Truth, Layout], bytes]] = {"docx": as_docx, "pdf": as_pdf, "txt": as_text}
OFFICE = ("uspto_grant_xml_v4", "uspto_grant_xml_v4_weekly", "uspto_application_xml_v4")
_LAST = re.compile(r"(\d+)(?=\s|$)")
_SEVERAL = re.compile(r"claims?\s+\d+\s*(?:to|-|–|through|or|and|,)|\bany\b|preceding")
FILES = ("ultrasound.jsonl.gz", "background.jsonl.gz")


@dataclass
class Tally:
    """Sums over the documents of one format."""

    words: list[float] = field(default_factory=list)
    pairs: list[float] = field(default_factory=list)
    parts: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    trees: int = 0
    claims: int = 0
    right: int = 0
    failed: int = 0
    seconds: float = 0.0
    pages: int = 0


def is_test(number: str) -> bool:
    """A third of all documents, by a hash of the id; nothing was tuned on it."""
    return int(hashlib.blake2b(number.encode(), digest_size=4).hexdigest(), 16) % 3 == 0


def truths(*, test: bool) -> list[Truth]:
    """The documents that have all parts, in a random but fixed order, German ones first."""
    found = [
        truth
        for name in FILES
        for patent in read(SHARED / name)
        if is_test(patent.id) == test and (truth := truth_of(patent)) is not None
    ]
    random.Random(5).shuffle(found)
    return sorted(found, key=lambda truth: truth.language != "de")


def tokens(text: str) -> list[str]:
    return re.findall(r"\w+", text.replace("\u00ad", "").lower())


def dice(left: Iterable[Any], right: Iterable[Any]) -> float:
    one, two = Counter(left), Counter(right)
    total = sum(one.values()) + sum(two.values())
    return 2 * sum((one & two).values()) / total if total else 1.0


def parts_of(draft: Draft) -> dict[str, list[str]]:
    """The words of each part, headings left out."""
    found: dict[str, list[str]] = defaultdict(list)
    for section in draft.sections:
        for item in draft.description[section.start : section.end]:
            if not (item.is_heading and item.text == section.heading):
                found[section.name] += tokens(item.text)
    found["title"] = tokens(draft.title)
    found["abstract"] = tokens(draft.abstract)
    found["claims"] = [word for claim in draft.claims for word in tokens(claim.text)]
    return found


def parts_of_truth(truth: Truth) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name, _, texts in truth.sections:
        found[name] += [word for text in texts for word in tokens(text)]
    found["title"] = tokens(truth.title)
    found["abstract"] = tokens(truth.abstract)
    found["claims"] = [word for claim in truth.claims for word in tokens(claim.text)]
    return found


def judge(tally: Tally, truth: Truth, draft: Draft) -> dict[str, float]:
    """Adds one document; gives its figures by part."""
    expected, got = parts_of_truth(truth), parts_of(draft)
    scores = {}
    undivided = not any(name in expected for name in ("drawings", "detailed", "background", "summary", "field"))
    if undivided:  # the reader may divide what the document does not
        names = [name for name in got if name not in ("title", "abstract", "claims")]
        got["description"] = [word for name in names for word in got[name]]
        for name in names:
            if name != "description":
                got.pop(name, None)
    for name in {name for name in (*expected, *got) if expected.get(name) or got.get(name)}:
        one, two = expected.get(name, []), got.get(name, [])
        scores[name] = dice(one, two)
        tally.parts[name].append(scores[name])
        tally.words.append(scores[name])
        tally.pairs.append(dice(pairwise(one), pairwise(two)))
    tree = {claim.number: claim.depends_on for claim in truth.claims}
    read_tree = {claim.number: claim.depends_on for claim in draft.claims}
    tally.claims += len(tree)
    tally.right += sum(read_tree.get(number) == parents for number, parents in tree.items())
    scores["tree"] = float(tree == read_tree)
    tally.trees += tree == read_tree
    return scores


def office_trees() -> dict[str, int]:
    """Parents found in the words of claims, beside the references that the USPTO marked in its XML.

    The office marks one claim where the words name a range, so what it marks must be among what the words say.
    """
    counts = {"claims": 0, "agree": 0}
    for file in sorted(file for name in OFFICE for file in (SHARED / "raw" / name).iterdir()):
        for item in raw_records(file):
            if not isinstance(item, Document):
                continue
            root = etree.fromstring(
                item.record.data, etree.XMLParser(recover=True, resolve_entities=False, huge_tree=True)
            )
            for claim in root.iter("claim"):
                number = int(claim.get("num") or 0)
                marked = {
                    int(found) for ref in claim.iter("claim-ref") for found in _LAST.findall(ref.get("idref") or "")
                }
                text = re.sub(r"^\s*\d+\s*\.\s*", "", "".join(claim.itertext()))
                told = set(references(text, number))
                counts["claims"] += 1
                counts["agree"] += marked - {number} == told or (marked <= told and _SEVERAL.search(text) is not None)
    return counts


def figures(tally: Tally, count: int) -> dict[str, Any]:
    mean = lambda values: round(sum(values) / len(values), 4) if values else None  # noqa: E731
    return {
        "documents": count,
        "not_read": tally.failed,
        "sections_words_equal": mean(tally.words),
        "sections_pairs_equal": mean(tally.pairs),
        "sections_above_97": mean([float(value >= 0.97) for value in tally.words]),
        "claim_trees_right": round(tally.trees / max(1, count), 4),
        "claims_right": round(tally.right / max(1, tally.claims), 4),
        "by_section": {name: mean(values) for name, values in sorted(tally.parts.items())},
        "seconds_a_document": round(tally.seconds / max(1, count), 3),
    }


def run(found: list[Truth], formats: Iterable[str], *, tell: bool) -> dict[str, Any]:
    result = {}
    for kind in formats:
        tally = Tally()
        with tempfile.TemporaryDirectory() as folder:
            for truth in found:
                path = Path(folder) / f"draft.{kind}"
                layout = layout_of(truth)
                path.write_bytes(WRITERS[kind](truth, layout))
                began = time.process_time()
                try:
                    draft = read_draft(path)
                except ForeartError as error:
                    print(truth.id, kind, error, file=sys.stderr)
                    tally.failed += 1
                    continue
                tally.seconds += time.process_time() - began
                scores = judge(tally, truth, draft)
                bad = {name: round(value, 3) for name, value in scores.items() if value < 0.97}
                if tell and bad:
                    print(kind, truth.id, bad, file=sys.stderr)
        result[kind] = figures(tally, len(found))
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tune", type=int, default=0, help="look at so many documents of the other two thirds")
    parser.add_argument("--documents", type=int, default=300, help="so many documents of the unseen third")
    parser.add_argument("--formats", nargs="+", default=list(WRITERS), choices=list(WRITERS))
    options = parser.parse_args()
    if options.tune:
        print(run(truths(test=False)[: options.tune], options.formats, tell=True))
        return
    found = truths(test=True)[: options.documents]
    german = [truth for truth in found if truth.language == "de"]
    save(
        "drafts",
        {
            "question": "do drafts come back as they were written?",
            "environment": environment("pypdf", "lxml"),
            "formats": run(found, options.formats, tell=False),
            "claims_beside_the_references_of_the_office": office_trees(),
            "german": run(german, options.formats, tell=False) if german else None,
        },
    )


if __name__ == "__main__":
    main()
