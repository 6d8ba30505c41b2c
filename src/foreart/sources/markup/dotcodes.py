"""Decodes the dot codes of the USPTO's text systems: `.alpha.`, `CO.sub.2`, `10.sup.6`, `##EQU1##`."""

from __future__ import annotations

import re

_GREEK = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
]  # fmt: skip
_SMALL = "αβγδεζηθικλμνξοπρστυφχψω"

CHARACTERS: dict[str, str] = {
    **dict(zip(_GREEK, _SMALL, strict=True)),
    **{name.upper(): letter.upper() for name, letter in zip(_GREEK, _SMALL, strict=True)},
    "lamda": "λ", "theta-sym": "ϑ", "vphi": "ϕ", "di-elect cons": "∈",
    "degree": "°", "times": "×", "div": "÷", "+-": "±", "-+": "∓", "minus-plus": "∓", "ANG": "Å", "ang": "å",
    "ltoreq": "≤", "ltoreg": "≤", "lmtoreq": "≤", "gtoreq": "≥", "gtoreg": "≥", "ltorsim": "≲", "lmorsim": "≲",
    "gtorsim": "≳", "noteq": "≠", "not equal": "≠", "about": "~", "apprxeq": "≈", "approxeq": "≈", "apprch": "≐",
    "congruent": "≅", "perspectiveto": "≃", "ident": "≡", "notident": "≢", "equiv": "≡", "notlessthan": "≮",
    "notgreaterthan": "≯", "not <": "≮", "not >": "≯", "varies": "∝", "infin": "∞", "sqroot": "√", "cuberoot": "∛",
    "fourthroot": "∜", "4th root": "∜", "intg": "∫", "contintg": "∮", "differential": "∂", "gradient": "∇",
    "increment": "∆", "angle": "∠", "parallel": "∥", "perp": "⊥", "vertline": "|", "andgate": "∩", "orgate": "∪",
    "andgatecap": "∩", "orgatecup": "∪", "OR right": "⊂", "OR left": "⊃", "thrfore": "∴", "because": "∵",
    "BECAUSE": "∵", "A-inverted": "∀", "E-backward": "∃", "sym": "⊕", "crclbar": "⊖", "circle-w/dot": "⊙",
    "circle w/dot": "⊙", "multidot": "·", "cndot": "·", "function": "ƒ", "prime": "′", "dblprime": "″",
    "fwdarw": "→", "rarw": "←", "uparw": "↑", "dwnarw": "↓", "revreaction": "⇌", "reveaction": "⇌", "dblarw": "⇔",
    "rarw..fwdarw": "↔", "dbd": "=", "tbd": "≡", "guadbond": "≣", "quadbond": "≣", "hoarfrost": "⊔",
    "sctn": "§", "paragraph": "¶", "COPYRGT": "©", "COPYRG": "©", "copyrgt": "©", "RTM": "®", "rtm": "®", "TM": "™",
    "SM": "℠", "cent": "¢", "English Pound": "£", "Yen": "¥", "permill": "‰", "Salinity": "‰", "dagger": "†",
    "dagger-dbl": "‡", "asterisk-pseud": "※", "female": "♀", "male": "♂", "music-flat": "♭", "music-natural": "♮",
    "music-natrual": "♮", "music-sharp": "♯", "check mark": "✓", "backslash": "\\", "AMP": "&", "LT": "<", "GT": ">",
    "circle": "○", "smallcircle": "∘", "largecircle": "◯", "circle-solid": "●", "dottedcircle": "◌",
    "circleincircle": "◎", "lhalfcircle": "◐", "rhalfcircle": "◑", "solthalfcircle": "◓", "solbhalfcircle": "◒",
    "quadrature": "□", "square": "□", "square-solid": "▪", "box-solid": "▪", "rectangle": "▭",
    "tangle-solidup": "▴", "tangle-soliddn": "▾", "DELTA-solid": "▲", "diamond": "⋄", "diamond-solid": "♦",
    "lozenge": "◊", "star": "☆", "star-solid": "★", "left brkt-top": "⌈", "right brkt-top": "⌉",
    "left brkt-bot": "⌊", "right brkt-bot": "⌋", "paren open-st": "(", "parenopen-st": "(", "paren close-st": ")",
    "parenclose-st": ")", "brket open-st": "[", "brketopen-st": "[", "brket close-st": "]", "brketclose-st": "]",
    "ae butted": "æ", "AE butted": "Æ", "O slashed": "Ø", "o slashed": "ø", "dblquote": '"', "hbar": "ħ",
    "Iadd": "", "Iaddend": "", "laddend": "", "Badd": "", "Baddend": "", "[": "[", "]": "]",
}  # fmt: skip

# Placeholders for structures, equations and tables that were images: their content is not in the text.
_PLACEHOLDER = re.compile(r"##(?:STR|EQU|TBL|MAT|CHEM|CHM|FLW|CPR|SEQ|IMG)[A-Z]?\d{0,6}##")
# Of a letter with an accent or bar, only the letter is kept, for reading and searching.
_OVER = re.compile(r"\.(?:circumflex|caret|hacek|tilde|breve|dot|umlaut) over \((.{1,8}?)\)\.?|\.([A-Za-z])-bar\.")
_UNDERSCORE = re.compile(r"\.sub\.-- ?")
_LEVEL = re.compile(r"\.(sub|sup|sbsb|spsb|sbsp|spsp)\.")
_NAME = re.compile(r"\.(\+-|-\+|[\[\]]|4th root|not [<>]|[A-Za-z][A-Za-z/-]{1,17}(?: [A-Za-z-]{2,10})?)\.")
_MIDDLE_DOT = re.compile(r"(?<![\w).])\.Math\.(?=[A-Za-z-])")
_ZERO = re.compile(r"(?<![\w.,)\]±])\.0\.(?!\d)")
_WORD = re.compile(r"[A-Za-z]{2,}(?![A-Za-z]*[\d/-])|[®™©℠]")

_ELEMENT = (
    "(?:A[cglmrstu]|B[aehikr]|C[adelorsu]|D[by]|E[rsu]|F[elmr]|G[ade]|H[efgos]|I[nr]|Kr|L[aiu]|M[gno]|N[abdeiop]|Os"
    "|P[abdmortu]|R[abehnu]|S[bceimnr]|T[abcehilm]|Xe|Yb?|Z[nr]|[BCFHIKNOPSUVW])"
)
# `H.sub.2 SO.sub.4`: the space ends the subscript and is not part of the formula.
_FORMULA = re.compile(
    rf"(?<![A-Za-z])((?:{_ELEMENT}|\(|\)|\d){{1,12}}\.sub\.[\dnxyz][\d.+-]{{0,5}}) "
    rf"(?=(\(?{_ELEMENT}{{1,6}}\)?)(?:\.su[bp]\.|[\s,;:.)\]-]|$))"
)
_NOT_FORMULA = {"As", "At", "Be", "He", "I", "In", "No", "IN", "ON", "OF", "NO", "IS", "US", "Co", "HIS", "WHO", "SO"}


def readable(text: str) -> str:
    """The text with its codes decoded to characters; sub- and superscripts as in `markup.text`.

    >>> readable("CO.sub.2 at 10.sup.-6 .mu.m, H.sub.2 SO.sub.4, V.sub.in, the 2.sup.nd ##EQU1##")
    'CO2 at 10^-6 μm, H2SO4, V_in, the 2nd  '
    """
    if "##" in text:
        text = _PLACEHOLDER.sub(" ", text)
    if "." not in text:
        return text
    if ".sub." in text:
        text = _UNDERSCORE.sub("_", _join_formulas(text))
    text = _OVER.sub(lambda match: match[1] or match[2], text)
    text = _MIDDLE_DOT.sub("μ", text).replace(".Math.", "·")
    text = _ZERO.sub("Ø", text)
    return _LEVEL.sub(_level, _names(text)) if "." in text else text


def _names(text: str) -> str:
    """Replaces names by characters; the last dot of an unknown name may start the next one."""
    parts: list[str] = []
    position = 0
    while match := _NAME.search(text, position):
        character = CHARACTERS.get(match[1])
        if character is None:
            parts.append(text[position : match.start() + 1])
            position = match.start() + 1
        else:
            parts += (text[position : match.start()], character)
            position = match.end()
    parts.append(text[position:])
    return "".join(parts)


def _join_formulas(text: str) -> str:
    return _FORMULA.sub(_joined, text)


def _joined(match: re.Match[str]) -> str:
    head, following = match[1], match[2]
    same = head.partition(".sub.")[0] == following  # coils B1 B2, not a compound
    indexed = match.string.startswith(".sub.", match.end() + len(following))
    return f"{head} " if same or (following in _NOT_FORMULA and not indexed) else head


def _level(match: re.Match[str]) -> str:
    """The mark of a sub- or superscript: empty before a digit in a subscript and before an ordinal in a superscript."""
    following = match.string[match.end() : match.end() + 24]
    if not following.strip():
        return ""
    if match[1] in ("sup", "sbsp", "spsp"):
        return "" if _WORD.match(following) else "^"
    return "" if following[0].isdigit() or (match[1] != "sub" and following[0] == " ") else "_"
