"""Normalises class symbols: `A61B 17/70` (CPC and IPC), `428/64.1` (USPC), `06-01` (Locarno)."""

from __future__ import annotations

import re

_SYMBOL = re.compile(r"^\s*([A-HY])\s?(\d\d)\s?([A-Z])\s*(?:0*(\d{1,4})(?:\s*[/:]\s*(\d{1,6}))?)?")
_FIXED = re.compile(r"^\s*([A-H]\d\d[A-Z])\s*(\d{1,3})(\d\d)\s*$")
# Columns 5 to 7 are the main group, the rest the subgroup: `A61K 31505` is A61K 31/505.
_COLUMNS = re.compile(r"^([A-H]\d\d[A-Z])( {0,2}\d{1,3})(?<=^.{7})(\d{2,4})\s*$")
_SUBCLASS = re.compile(r"^([A-HY])\s?(\d\d)\s?([A-Z])")


def class_symbol(text: str) -> str:
    """The symbol as offices print it today; `""` if it is not a symbol.

    >>> class_symbol("A61B0017700000"), class_symbol("B08B003/00"), class_symbol("A61B")
    ('A61B 17/70', 'B08B 3/00', 'A61B')
    """
    padded = re.match(r"^\s*([A-HY]\d\d[A-Z])(\d{4})(\d{6})\s*$", text)  # DOCDB: 4 + 6 digits
    if padded:
        return _symbol(padded[1], padded[2], padded[3].rstrip("0").ljust(2, "0"))
    match = _SYMBOL.match(text)
    if not match:
        return ""
    subclass = match[1] + match[2] + match[3]
    return _symbol(subclass, match[4], match[5])


def fixed_symbol(text: str) -> str:
    """A symbol of the fixed-width US files, `G06F 1516` or `G06F  728`: the last two digits are the subgroup."""
    match = _COLUMNS.match(text) or _FIXED.match(text)
    if match:
        return _symbol(match[1], match[2].strip(), match[3])
    long = re.match(r"^\s*([A-H]\d\d[A-Z])\s*(\d{1,3}?)(\d{2,4})\s*$", text)
    return _symbol(long[1], long[2], long[3]) if long else class_symbol(text)


# Subclasses with three-digit main groups.
_LONG_GROUPS = re.compile(r"^(?:C07[CDHK]|C08[FGKL]|C09[DJK]|C10[MN]|D06[MN]|Y10[ST]|B29K)")


def joined_symbol(text: str) -> str:
    """A symbol of a research collection that dropped the slash, `G06F1730`; its position is guessed from the length.

    Subgroups usually have two digits; of five digits, two are the main group (three in chemistry); of more, four for
    the 2000 series, else two. The first four characters are always certain.

    >>> joined_symbol("G06F1730"), joined_symbol("B60B104"), joined_symbol("C07D40112"), joined_symbol("Y02E10")
    ('G06F 17/30', 'B60B 1/04', 'C07D 401/12', 'Y02E 10')
    """
    match = re.match(r"^\s*([A-HY]\d\d[A-Z])\s?(\d{0,10})\s*$", text)
    if not match:
        return class_symbol(text)
    head, digits = match[1], match[2]
    if len(digits) <= 2:
        return _symbol(head, digits, None)
    if len(digits) <= 4:
        group = len(digits) - 2
    elif len(digits) == 5:
        group = 3 if _LONG_GROUPS.match(head) else 2
    else:
        group = 4 if re.match(r"2[02]\d\d|2300", digits) else 2
    return _symbol(head, digits[:group], digits[group:])


def uspc_symbol(text: str) -> str:
    """A USPC class from its fixed columns: three of class, three of subclass, then decimals or letters.

    >>> uspc_symbol("428 641"), uspc_symbol("600300000"), uspc_symbol("D 2703"), uspc_symbol("  2DIG 9")
    ('428/64.1', '600/300', 'D2/703', '2/DIG 9')
    """
    if "/" in text:
        before, after = (" ".join(part.split()) for part in text.split("/", 1))
        text = f"{before:>3}{after:>3}"
    flat = text.rstrip()
    if 3 < len(flat) < 6:  # the leading blanks were stripped
        flat = flat.rjust(6)
    head = re.sub(r"^([DH]?)0+(?=\d)", r"\1", flat[:3].replace(" ", ""))
    group, rest = flat[3:6].strip(), flat[6:].strip()
    if not group.isdigit():
        return f"{head}/{_uspc_letters(flat[3:])}" if group else head
    number = group.lstrip("0") or "0"
    if not rest.isdigit():
        return f"{head}/{number}{rest}"
    decimals = rest.rstrip("0")
    return f"{head}/{number}.{decimals}" if decimals else f"{head}/{number}"


def _uspc_letters(text: str) -> str:
    """Digests (`DIG 9`) and foreign art collections (`E21.043`, written `E21043`)."""
    flat = " ".join(text.split())
    foreign = re.match(r"^(E\d\d)\.?(\d{2,3})$", flat)
    return f"{foreign[1]}.{foreign[2]}" if foreign else flat


def locarno_symbol(text: str) -> str:
    """A Locarno class as printed, `06-01`, from `0601`, `6-1` or `LOC (9) Cl. 06-01`.

    >>> locarno_symbol("0601"), locarno_symbol("6-1"), locarno_symbol("2302")
    ('06-01', '06-01', '23-02')
    """
    match = re.search(r"(\d{1,2})\s*[-./ ]\s*(\d{1,2})\s*$", text) or re.search(r"(\d\d)(\d\d)\s*$", text)
    return f"{match[1].zfill(2)}-{match[2].zfill(2)}" if match else " ".join(text.split())


def subclass(symbol: str) -> str:
    """The first four characters, `A61B`; `""` if it is not a symbol."""
    match = _SUBCLASS.match(symbol)
    return match[1] + match[2] + match[3] if match else ""


def _symbol(head: str, group: str | None, subgroup: str | None) -> str:
    if not group:
        return head
    main = group.lstrip("0") or "0"
    return f"{head} {main}/{subgroup}" if subgroup else f"{head} {main}"
