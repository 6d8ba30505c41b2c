"""The arguments that several tools share, with their limits and what a model reads about them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from foreart.regimes import Regime

LONGEST_TEXT = 2_000_000

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
    Field(max_length=40, description="Cut-off date as 2014-03-10; without it the date in the draft, else today."),
]
Date = Annotated[str, Field(max_length=40, description="A date: 2004, 2004-05 or 2004-05-17.")]
Law = Annotated[Regime, Field(description="The law that defines prior art; `any` is at least one of the others.")]
Terms = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=200)], ...],
    Field(max_length=50, description="Terms of the full text: word, 'a phrase', screw*."),
]
Symbols = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=40)], ...],
    Field(max_length=50, description="CPC or IPC classes with what is below them: A61B, 'A61B 17/70'."),
]
Offices = Annotated[
    tuple[Annotated[str, Field(min_length=2, max_length=2)], ...],
    Field(max_length=50, description="Publishing offices: US, EP, WO."),
]
