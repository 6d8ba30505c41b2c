"""A corpus, a draft and uploads made to harm: scripts in every field, tricks of templates, bombs, traversal names."""

from __future__ import annotations

import io
import json
import random
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lxml import etree, html

from foreart.library import Library

# Sets a mark in the page that runs it; tests look for the mark and for dialogs.
MARK = "window.__hacked=1"
# What a template or a typesetter that evaluates text would print in place of the trick.
PRODUCT = str(1234567 * 7654321)
SUM = "1234567*7654321"
TRICKS = (
    f"<script>{MARK};alert(1)</script>",
    f'"><img src=x onerror="{MARK}">',
    f"'><svg onload='{MARK}'></svg>",
    f"</textarea></title></style><script>{MARK}</script>",
    f"--><script>{MARK}</script><!--",
    f"]]><x:script xmlns:x='http://www.w3.org/1999/xhtml'>{MARK}</x:script>",
    f'<a href="javascript:{MARK}" autofocus onfocus="{MARK}">x</a>',
    f"javascript:{MARK}",
    f"data:text/html,<script>{MARK}</script>",
    f'<iframe srcdoc="<script>parent.{MARK}</script>"></iframe>',
    f"<base href='//evil.test/'><link rel=stylesheet href=//evil.test/x.css><form action=//evil.test>{MARK}",
    f"';{MARK};'",
    f"${{{MARK}}}`${{{MARK}}}`",
    f"&lt;script&gt;{MARK}&lt;/script&gt;&#60;img src=x onerror={MARK}&#62;",
    "{{" + SUM + "}}",
    "{% for x in range(9) %}" + SUM + "{% endfor %}{#",
    "#[" + SUM + "] #(" + SUM + ') #eval("' + SUM + '") $ ' + SUM + " $ @ref <label>",
    "<%= " + SUM + " %> #{" + SUM + "} *{" + SUM + "} \\input{/etc/passwd}",
    "=HYPERLINK(\"http://evil.test\",\"x\")",
    "+cmd|' /C calc'!A0",
    "@SUM(" + SUM + ")",
    "-2+3+cmd|' /C calc'!A0",
    "[link](javascript:alert(1)) ![x](http://evil.test/x.png) [bold red]markup[/]",
    "\u202eright to left\u202c \u2066isolated\u2069 \u200bzero\u200b \ufeffmark",
    "a" + "\u0300\u0489" * 40,
    "\x1b[31mred\x1b[0m \x9b31m \x07\x08",
    "../../../etc/passwd ..\\..\\windows %2e%2e%2f",
    "%s%n%x {0} {foo!r} %(name)s",
    "__proto__ constructor prototype toString",
    "\U0001f469\u200d\U0001f680 \U0001d4d0 ﷽ ｆｕｌｌ",
    "\u202enever closed \u05d0\u05d1\u05d2",
)  # fmt: skip
_SUBJECTS = (
    "pump",
    "valve",
    "sensor",
    "housing",
    "controller",
    "catheter",
    "membrane",
    "needle",
    "reservoir",
    "spring",
)
_VERBS = ("moves", "closes", "measures", "holds", "controls", "connects", "separates", "receives")
HUGE = "w" * 1_000_000
DRAFT_NAME = f'<img src=x onerror="{MARK}">.txt'


def _sentence(chance: random.Random) -> str:
    one, two, three = chance.sample(_SUBJECTS, 3)
    return f"The {one} {chance.choice(_VERBS)} the {two} while the {three} {chance.choice(_VERBS)} a dose of insulin."


def hostile_records(number: int = 40) -> list[dict[str, Any]]:
    """Records of patents that a search finds, each with tricks in all fields."""
    chance = random.Random(11)
    made = []
    for place in range(number):
        trick, other = TRICKS[place % len(TRICKS)], TRICKS[(7 * place + 3) % len(TRICKS)]
        early = [made[earlier]["id"] for earlier in range(max(0, place - 6), place)]
        paragraphs = [f"[{count:04}] {_sentence(chance)} {trick if count % 3 else other}" for count in range(1, 12)]
        claim = f"1. A pump comprising: a housing {trick}; a sensor; and a controller wherein the valve {other} closes."
        made.append({
            "id": f"XX{2001 + place % 9}0{place:06}A1",
            "title": f"{trick} insulin pump with a valve",
            "abstract": f"{_sentence(chance)} {other} {_sentence(chance)}",
            "claims": [claim, f"2. The pump of claim 1, wherein {trick} {_sentence(chance)}"],
            "description": f"BACKGROUND {other}\n" + "\n".join(paragraphs),
            "publication_date": f"{2001 + place % 9}-0{1 + place % 9}-15",
            "filing_date": f"{2000 + place % 9}-03-01",
            "priority_date": f"{1999 + place % 9}-03-01",
            "cpc": ["A61M5/142", trick[:30]],
            "ipc": [other[:30]],
            "inventors": [f"{trick}, Ann", other],
            "applicants": [f"{other} Inc.", trick],
            "country": trick[:12],
            "kind": trick[:6],
            "language": other[:8],
            "citations": [*({"id": one, "category": "examiner", "letters": "X"} for one in early), {"id": other[:50]}],
            "family_refs": [other[:40]],
            "collection": trick,
        })  # fmt: skip
    made[-1]["description"] += f"\n[0012] {HUGE} pump"
    made[-1]["title"] = "pump " + HUGE[:5000]
    return made


def hostile_draft() -> bytes:
    """A draft with tricks in title, headings, people, numbers, claims and text; comments are no text of a draft."""
    tricks = [trick for trick in TRICKS if "<!--" not in trick]
    lines = [
        f"Title: {TRICKS[0]} insulin pump {TRICKS[1]}",
        f"Applicant: {TRICKS[2]}",
        f"Inventor: {TRICKS[3]}",
        "",
        f"BACKGROUND {TRICKS[6]}",
        *(f"[{place:04}] The pump has a valve and a sensor. {trick}" for place, trick in enumerate(tricks, 1)),
        f"US 5,123,456 and XX20010000001A1 and EP{TRICKS[1]} show a housing. FIG. 1 shows {TRICKS[5]}.",
        HUGE,
        "CLAIMS",
        f"1. A pump {TRICKS[0]} comprising: a housing {TRICKS[1]}; a sensor {TRICKS[14]}; and a valve {TRICKS[16]}.",
        *(f"{place}. The pump of claim 1, wherein a valve {one} closes." for place, one in enumerate(tricks[:20], 2)),
        "ABSTRACT",
        f"A pump with a sensor {TRICKS[0]} {TRICKS[14]} {TRICKS[16]}.",
    ]  # fmt: skip
    return "\n\n".join(lines).encode()


def free_ids() -> list[dict[str, Any]]:
    """Documents of a collection of the BEIR form, whose ids are tricks."""
    return [
        {"_id": trick, "title": f"An insulin pump {trick}", "text": f"The pump has a valve and a sensor. {trick} " * 9}
        for trick in TRICKS
    ]


def hostile_library(folder: Path) -> None:
    """A library of the hostile records, with all indexes."""
    files = {"hostile.jsonl": hostile_records(), "corpus.jsonl": free_ids()}
    for name, records in files.items():
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (folder.parent / name).write_text(lines, "utf-8")
    with Library(folder) as library:
        library.add([folder.parent / name for name in files])
        library.build()


def packed(files: dict[str, bytes]) -> bytes:
    """A ZIP archive of files by their names in it."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def _tarred(name: str, content: bytes, *, link: str = "") -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        item = tarfile.TarInfo(name)
        item.size = 0 if link else len(content)
        if link:
            item.type, item.linkname = tarfile.SYMTYPE, link
        archive.addfile(item, io.BytesIO(content))
    return data.getvalue()


def _nested(depth: int) -> bytes:
    data = b"<p>" + SECRET
    for _ in range(depth):
        data = packed({"a.zip": data})
    return data


SECRET = b"SECRETWORD"
_PART = (
    b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    b'<Override PartName="/word/document.xml" '
    b'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_TYPES = "[Content_Types].xml"
_DOCUMENT = "word/document.xml"
_DOCTYPE = b'<!DOCTYPE a [<!ENTITY b "SECRETWORD"><!ENTITY c "&b;&b;&b;&b;"><!ENTITY d SYSTEM "file:///etc/passwd">]>'
_LAUGHS = b"<!DOCTYPE a [<!ENTITY l0 'ha'>" + b"".join(
    b"<!ENTITY l%d '%s'>" % (level, b"&l%d;" % (level - 1) * 10) for level in range(1, 10)
)


def hostile_uploads() -> dict[str, bytes]:
    """Files made to harm whoever reads them, by what they are."""
    return {
        "empty": b"",
        "blank": b" \n\t ",
        "zip bomb": packed({_TYPES: _PART, _DOCUMENT: b"<a>" + b" " * (300 << 20) + b"</a>"}),
        "nested zips": _nested(40),
        "many members": packed({f"{number}.xml": b"<a/>" for number in range(20_000)}),
        "entity bomb": packed({_TYPES: _PART, _DOCUMENT: _DOCTYPE + b"<a>&c;&c;</a>"}),
        "billion laughs": b'<?xml version="1.0"?>' + _LAUGHS + b"]><us-patent-grant>&l9;</us-patent-grant>",
        "external entity": b'<?xml version="1.0"?>' + _DOCTYPE + b"<us-patent-grant>&d;</us-patent-grant>",
        "traversal in a zip": packed({"../../../tmp/foreart-evil": SECRET, "/etc/foreart-evil": SECRET}),
        "traversal in a tar": _tarred("../../../tmp/foreart-evil", SECRET),
        "a link in a tar": _tarred("draft.txt", b"", link="/etc/passwd"),
        "not a pdf": b"%PDF-1.7\n" + b"\xff" * 5000,
        "pdf and zip": b"%PDF-1.7\n" + packed({"a": SECRET}),
        "html and zip": b"<html><script>1</script>" + packed({_TYPES: _PART, _DOCUMENT: SECRET}),
        "gif and script": b"GIF89a/*" + SECRET + b"*/=1;alert(1)",
        "old word": b"\xd0\xcf\x11\xe0" + b"\0" * 5000,
        "binary": bytes(range(256)) * 50,
        "broken zip": b"PK\x03\x04" + b"\0" * 500,
        "deep json": b"[" * 200_000,
        "deep xml": b"<?xml version='1.0'?>" + b"<a>" * 100_000,
        "deep html": b"<html>" + b"<div>" * 50_000 + SECRET,
        "rtf groups": b"{\\rtf1" + b"{" * 100_000,
        "wide letters": "draft ".encode("utf-32"),
        "one long line": b"w" * 5_000_000,
        "many lines": b"1.\n" * 200_000,
    }


TRAVERSALS = (
    "../../../etc/passwd",
    "..\\..\\windows\\system32",
    "/etc/passwd",
    "con",
    ".",
    "..",
    "a\x00b",
    "\u202egpj.exe",
    "x" * 255,
    DRAFT_NAME,
)


def hostile_matter(post: Callable[[str, dict[str, Any]], Any], draft: str) -> list[str]:
    """A matter `tricks` of a draft with tricks in all that a person writes; `post` asks a server. Its queue."""
    post("/api/matters", {"name": "tricks", "title": f"{TRICKS[0]} {TRICKS[30]}"})
    post("/api/matters/tricks/search", {"draft": draft, "k": 60})
    hits = [hit["id"] for hit in post("/api/search", {"draft": draft, "k": 40})["hits"]]
    for place, number in enumerate(hits[:30]):
        trick = TRICKS[place % len(TRICKS)]
        events = [
            {"kind": "judgement", "document": number, "judgement": ("relevant", "maybe", "no")[place % 3]},
            {"kind": "note", "document": number, "text": f"{trick}\n{TRICKS[14]}"},
        ]
        if place < 5:
            events.append({"kind": "category", "document": number, "category": "X", "claims": [1, 2]})
        for event in events:
            made = post("/api/matters/tricks/events", {**event, "rater": "ann"})
            assert made["ok"], (event, made)
    more = [
        {"kind": "highlight", "name": TRICKS[2][:60], "words": ["pump", TRICKS[0][:60]], "colour": TRICKS[1][:20]},
        {"kind": "criteria", "text": " ".join(TRICKS)},
        {"kind": "note", "text": " ".join(TRICKS)},
    ]
    for event in more:
        made = post("/api/matters/tricks/events", {**event, "rater": "ann"})
        assert made["ok"], (event, made)
    return hits


def harmless(page: str | bytes) -> html.HtmlElement:
    """A page that would execute nothing: no script but its own, no handler, no address outside of it."""
    text = page.decode() if isinstance(page, bytes) else page
    assert PRODUCT not in text
    tree = html.document_fromstring(text)
    scripts = ["".join(node.itertext()) for node in tree.iter("script")]
    assert not [script for script in scripts if MARK in script or "alert" in script]
    assert len(scripts) <= 1
    for node in tree.iter(etree.Element):
        assert node.tag not in ("iframe", "object", "embed", "base", "form", "link"), node.tag
        for name, value in node.attrib.items():
            assert not name.startswith("on"), (node.tag, name)
            assert not (name in ("href", "src", "action", "srcdoc") and not value.startswith(("#", "data:image/"))), (
                value
            )
    return tree
