"""Reads judged pairs back: from the labels of an expert set, or from the sheets that the paper published."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

from foreart.errors import BadFile, ForeartError
from foreart.review.expert_folder import KEY, labels_folder, read_key
from foreart.review.judged import JudgedPair
from foreart.review.labels import Pair, read_raters, scores
from foreart.review.paper_sheets import paper_sheets, read_paper_sheet


def read_judged(path: str | Path, *, rater: str = "") -> tuple[JudgedPair, ...]:
    """The judged pairs of an expert set, or of `<target>_human_eval.csv` sheets in a folder or one by one.

    Of several raters the mean counts, unless one is named. Pairs that nobody judged are left out.
    """
    place = Path(path)
    if (place / KEY).exists():
        return _of_labels(place, rater)
    sheets = paper_sheets(place)
    if not sheets:
        raise BadFile(
            f"{place} has neither {KEY} (an expert set of `foreart sample`) nor sheets that are called "
            "<target>_human_eval.csv"
        )
    return tuple(judged for sheet in sheets for judged in read_paper_sheet(sheet))


def _of_labels(folder: Path, rater: str) -> tuple[JudgedPair, ...]:
    raters = {name: scores(labels) for name, labels in read_raters(labels_folder(folder)).items()}
    if rater:
        chosen = [found for name, found in raters.items() if name.casefold() == rater.casefold()]
        if not chosen:
            raise ForeartError(f"{rater} has judged nothing in {folder}; labels are of {', '.join(raters) or 'nobody'}")
    else:
        chosen = list(raters.values())
    return tuple(
        JudgedPair(item.target, item.document, item.cited, fmean(given), item.cosine, item.jaccard, item.stratum)
        for item in read_key(folder)
        if (given := _given(chosen, (item.target, item.document)))
    )


def _given(raters: list[dict[Pair, int]], pair: Pair) -> list[int]:
    return [found[pair] for found in raters if pair in found]
