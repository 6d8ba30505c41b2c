"""Named character entities (ISO 8879 sets and HTML), which files use without including their DTDs."""

from __future__ import annotations

from html.entities import html5

_XML = {"amp", "lt", "gt", "quot", "apos"}

# ISO 8879 names (ISOgrk1, ISOgrk3, ISOtech, ISOpub, …) that HTML 5 does not have, or defines differently.
_ISO = {
    "agr": "α", "bgr": "β", "ggr": "γ", "dgr": "δ", "egr": "ε", "zgr": "ζ", "eegr": "η", "thgr": "θ", "igr": "ι",
    "kgr": "κ", "lgr": "λ", "mgr": "μ", "ngr": "ν", "xgr": "ξ", "ogr": "ο", "pgr": "π", "rgr": "ρ", "sgr": "σ",
    "sfgr": "ς", "tgr": "τ", "ugr": "υ", "phgr": "φ", "khgr": "χ", "psgr": "ψ", "ohgr": "ω",
    "Agr": "Α", "Bgr": "Β", "Ggr": "Γ", "Dgr": "Δ", "Egr": "Ε", "Zgr": "Ζ", "EEgr": "Η", "THgr": "Θ", "Igr": "Ι",
    "Kgr": "Κ", "Lgr": "Λ", "Mgr": "Μ", "Ngr": "Ν", "Xgr": "Ξ", "Ogr": "Ο", "Pgr": "Π", "Rgr": "Ρ", "Sgr": "Σ",
    "Tgr": "Τ", "Ugr": "Υ", "PHgr": "Φ", "KHgr": "Χ", "PSgr": "Ψ", "OHgr": "Ω",
    "b.alpha": "α", "b.beta": "β", "b.gamma": "γ", "b.delta": "δ", "b.lambda": "λ", "b.mu": "μ", "b.omega": "ω",
    "thetas": "θ", "phis": "ϕ", "epsi": "ε", "epsis": "ϵ", "sgml": "", "hairsp": "\u200a", "thinsp": "\u2009",
    "nbsp": "\u00a0", "boxh": "─", "squf": "▪", "smallcircle": "∘", "starf": "★", "lsqb": "[", "rsqb": "]",
    "lcub": "{", "rcub": "}", "lpar": "(", "rpar": ")", "horbar": "―", "dash": "‐", "hyphen": "‐", "ap": "≈",
    "angst": "Å", "aring": "å", "deg": "°", "equals": "=", "plus": "+", "ast": "*", "sol": "/", "bsol": "\\",
    "verbar": "|", "percnt": "%", "num": "#", "dollar": "$", "commat": "@", "lowbar": "_", "mldr": "…", "nldr": "‥",
    "ohm": "Ω", "pgrave": "`", "grave": "`", "cir": "○", "rect": "▭", "utri": "△", "dtri": "▽", "prime": "′",
    "Prime": "″", "tprime": "‴", "circlesolid": "●", "circleopen": "○", "squareopen": "□", "squaresolid": "■",
    "custom-character": "", "lozf": "⧫", "rarr": "→", "larr": "←", "harr": "↔", "xrarr": "⟶", "xlarr": "⟵",
}  # fmt: skip

CHARACTERS: dict[str, str] = {name[:-1]: value for name, value in html5.items() if name.endswith(";")}
CHARACTERS.update(_ISO)
for _name in _XML:
    CHARACTERS.pop(_name, None)


def character(name: str) -> str | None:
    """The text of a named entity; None for a name that is in no published set."""
    return CHARACTERS.get(name)
