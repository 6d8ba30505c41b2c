"""What a kind code (WIPO ST.16) implies about an earlier publication of the same content, by office."""

from __future__ import annotations

# Grants that follow the published application, with its kind code. Codes of a grant that is the first publication, such
# as DE C1 and B3, JP B1, RU C1, AU B1 or US B1, are below.
_AFTER_APPLICATION: dict[str, dict[str, str]] = {
    "EP": dict.fromkeys(("B1", "B2", "B3"), "EP A1 or A2, or WO: Art. 153(3) EPC"),
    "WO": dict.fromkeys(("B1", "C1", "C2"), "A1 or A2"),
    "US": {"B2": "A1", "P3": "P1"},
    "DE": dict.fromkeys(("B2", "B4", "C2", "C3"), "A1") | {"C5": "A1 or C1 to C4, B3 or B4"},
    "JP": {"B2": "A", "Y2": "U"},
    "CN": {"B": "A", "C": "A"},
    "GB": {"B": "A", "C": "A"},
    "FR": {"B1": "A1", "B3": "A3"},
    "ES": {"B1": "A1 or A2", "B2": "A1 or A2"},
    "RU": {"C2": "A"},
    "AU": {"B2": "A1"},
}
_FIRST: dict[str, tuple[str, ...]] = {
    "DE": ("B", "B1", "B3", "C1"),
    "JP": ("B1", "Y1"),
    "AT": ("B",),
    "RU": ("C1",),
    "AU": ("B1", "B3", "B4"),
    "US": ("B1",),
}
_SUPPLEMENTS = {
    ("EP", "A3"): ("a search report", "A2"),
    ("EP", "A4"): ("a supplementary search report", "WO"),
    ("WO", "A3"): ("a search report", "A2"),
    ("WO", "A4"): ("amended claims", "A1 or A2"),
}
# Offices where 8 and 9 are not corrections: patents of importation in Belgium, kinds of patents in the GDR.
_NO_CORRECTIONS = ("BE", "DD")
_REEXAMINED = "CEFJKO"  # certificates of reexamination and trials, reissues; before 2001 also B
# Applications that these offices publish after 18 months, so that a later publication suggests an earlier one.
_UNEXAMINED = {"EP": ("A1", "A2"), "US": ("A1",), "CN": ("A",), "JP": ("A",), "KR": ("A",)}


def earlier_publication(country: str, kind: str, *, published: str = "", late: bool = False) -> str:
    """Where the same content was, or may have been, published before; `""` if the kind code implies nothing.

    `late` means that the document was published more than two years after its earliest date.

    >>> earlier_publication("US", "B2"), earlier_publication("DE", "C1")
    ('a granted patent: its application was published before (A1): look for it', '')
    """
    letter, level = kind[:1], kind[1:]
    if not country or not kind:
        return ""
    if country == "US" and (letter in _REEXAMINED or (letter == "B" and "" < published < "2001-01-02")):
        return "the original patent was published before: look for it"
    if (country, kind) in (("US", "A2"), ("US", "P4")) or (level in ("8", "9") and country not in _NO_CORRECTIONS):
        return "a repeated or corrected publication: the first one is earlier: look for it"
    if (country, kind) in _SUPPLEMENTS:
        what, first = _SUPPLEMENTS[country, kind]
        return f"{what}: the application was published before ({first}): look for it"
    if letter == "T" and country != "US":
        return "a translation: the European or international publication is earlier: look for it"
    if first := _AFTER_APPLICATION.get(country, {}).get(kind, ""):
        return f"{_granted(country, letter)}: its application was published before ({first}): look for it"
    if letter in ("B", "C") and kind not in _FIRST.get(country, ()):
        return "a granted patent: its application may have been published before (A): look for it"
    if late and kind in _UNEXAMINED.get(country, ()):
        return (
            "published more than two years after its earliest date: its parent or an international application may "
            "have been published before: look for it"
        )
    return ""


def _granted(country: str, letter: str) -> str:
    if country == "WO":
        return "corrected or with amended claims"
    return "a registered utility model" if letter == "Y" else "a granted patent"
