"""The arguments that several tools share, with their limits and what a model reads about them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from foreart.regimes import Regime

LONGEST_TEXT = 2_000_000
_DATE_LENGTH = 40

Text = Annotated[
    str,
    Field(
        max_length=LONGEST_TEXT,
        description="The draft itself: the application, or at least a claim or paragraph of it. Claims under a heading "
        "CLAIMS, each with its number. Give either this or another source of the draft.",
    ),
]
Number = Annotated[
    str,
    Field(
        max_length=80,
        description="A publication number of the corpus, such as US7585299B2, with or without kind code; that patent "
        "is then the draft.",
    ),
]
File = Annotated[
    str,
    Field(
        max_length=4096,
        description="A draft as a file (DOCX, PDF, ODT, RTF, HTML, text) in one of the folders that `--allow` names.",
    ),
]
Document = Annotated[str, Field(min_length=1, max_length=80, description="A publication number of the corpus.")]
Hits = Annotated[int, Field(ge=1, le=50, description="How many hits, one for each family.")]
Day = Annotated[
    str,
    Field(
        max_length=_DATE_LENGTH, description="Cut-off date, as 2014-03-10; without it that of the draft, else today."
    ),
]
From = Annotated[
    str, Field(max_length=_DATE_LENGTH, description="Only documents published on or after: 2004, 2004-05, 2004-05-17.")
]
To = Annotated[str, Field(max_length=_DATE_LENGTH, description="Only documents published on or before this date.")]
Law = Annotated[Regime, Field(description="The law that defines prior art; `any` is at least one of the others.")]
_Terms = tuple[Annotated[str, Field(min_length=1, max_length=200)], ...]
Must = Annotated[
    _Terms, Field(max_length=50, description="Only documents with all these terms: word, 'a phrase', screw*.")
]
Without = Annotated[_Terms, Field(max_length=50, description="Only documents with none of these terms.")]
Symbols = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=40)], ...],
    Field(max_length=50, description="Only documents in one of these CPC or IPC classes: A61B, 'A61B 17/70'."),
]
Offices = Annotated[
    tuple[Annotated[str, Field(min_length=2, max_length=2)], ...],
    Field(max_length=50, description="Only documents of one of these offices: US, EP, WO."),
]
