"""The documentation says what the code does: formats, record keys and commands are compared with it."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import foreart
from extras import needs
from foreart.cli.app import COMMANDS
from foreart.document.patent import Citation, Claim, Literature, Origin, Paragraph, Patent, Symbol, Translation
from foreart.document.record import from_record, to_record
from foreart.sources import READERS

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"

FULL = Patent(
    id="XX1A1",
    title="Hinge",
    abstract="A hinge.",
    claims=(Claim(1, "A hinge."), Claim(2, "The hinge of claim 1.", (1,))),
    description=(Paragraph("FIELD", is_heading=True, heading="FIELD"), Paragraph("Doors.", "0001", "FIELD")),
    published="2009-09-08",
    published_estimated=True,
    filed="2007-03-01",
    priority="2006-03",
    cpc=(Symbol("E05D 11/08", "first", "inventive"),),
    ipc=(Symbol("E05D 11/08", "first", "inventive"),),
    uspc=("16/342",),
    locarno=("08-06",),
    applicants=("Example Ltd.",),
    inventors=("Ann Hall",),
    citations=(Citation("XX2A1", "examiner", "X", "search"),),
    literature=(Literature("On hinges", "applicant", "A", "description"),),
    application_number="XX12345678",
    priority_numbers=("XX87654321",),
    family_id="4711",
    family_refs=("XX3A1",),
    language="en",
    document_type="utility",
    publication_status="corrected",
    translations=(Translation("de", "Scharnier", "Ein Scharnier.", (Claim(1, "Scharnier."),)),),
    collection="hinges",
    origins=(Origin("a.xml", "document 1", "marec"),),
)


def _text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def _tables(text: str) -> list[list[list[str]]]:
    """The tables of a page: rows of cells, without header and rule."""
    tables: list[list[list[str]]] = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        rows = [[cell.strip() for cell in line.strip().strip("|").split(" | ")] for line in block.splitlines()]
        tables.append(rows[2:])
    return tables


def _section(text: str, title: str) -> str:
    return text.split(f"## {title}\n")[1].split("\n## ")[0]


def test_the_full_patent_leaves_no_field_empty():
    assert [name for name, value in vars(FULL).items() if not value] == []


def test_the_table_of_formats_is_that_of_the_readers():
    (rows,) = _tables(_text("formats.md"))
    assert [(name.strip("`"), title, written) for name, title, _, _, written in rows] == [
        (reader.name, reader.title, "real files" if reader.seen else "the published schema")
        for reader in READERS.values()
    ]
    assert all(years and source for _, _, years, source, _ in rows)


def test_every_format_has_its_decisions_and_nothing_else_has():
    text = _section(_text("formats.md"), "Format by format")
    headings = [line for line in text.splitlines() if line.startswith("### ")]
    assert [name for line in headings for name in re.findall(r"`([^`]+)`", line)] == list(READERS)


ODD = [
    "Design, plant, reissue and statutory-invention documents", "Deleted, withdrawn and corrected publications",
    "Mathematical markup", "Chemical markup", "Tables", "Drawings", "Undefined entities", "Wrong encodings",
    "Missing fields", "Truncated and damaged files", "Zip bombs", "XML entity bombs and external entities",
    "Several languages", "Sequence listings", "Documents in parts", "Documents known only by application number",
    "Partial dates", "Estimated dates", "Free ids", "Claims", "Cancelled claims", "Amended claims", "Citations",
    "Literature", "The reject ledger",
]  # fmt: skip


@pytest.mark.parametrize("case", ODD)
def test_every_odd_input_has_a_documented_answer(case: str):
    text = _section(_text("formats.md"), "Unusual input").replace("\n", " ")
    assert re.search(rf"\*{{1,2}}{re.escape(case)}", text)


def _documented(title: str) -> list[str]:
    (rows,) = _tables(_section(_text("record.md"), title) + "\n")
    return [row[0].strip("`") for row in rows]


def test_every_key_of_a_record_is_documented_and_no_other():
    always, more = _documented("Required keys"), _documented("Optional keys")
    assert always == list(to_record(Patent(id="XX1A1")))
    assert always + more == list(to_record(FULL))


def test_every_key_of_an_object_in_a_record_is_documented_and_no_other():
    section = _section(_text("record.md"), "Objects")
    cited, spans, origins = ([row[0].strip("`") for row in rows] for rows in _tables(section))
    record = to_record(FULL)
    assert {*record["citations"][0], *record["non_patent_citations"][0]} == set(cited)
    assert {key for span in record["paragraphs"] for key in span} == set(spans)
    assert list(record["origins"][0]) == origins
    sentence = next(line for line in section.splitlines() if line.startswith("An item of `translations`"))
    assert re.findall(r"`(\w+)`", sentence)[1:] == list(record["translations"][0])


def test_the_example_record_is_one_and_shows_every_key():
    example = json.loads(re.search(r"```json\n(.*?)```", _text("record.md"), re.DOTALL)[1])  # type: ignore[index]
    patent = from_record(example)
    assert to_record(patent) == example
    assert list(example) == list(to_record(FULL))
    assert [paragraph.text for paragraph in patent.description] == ["BACKGROUND", "Doors fall shut in the wind."]
    assert "\n".join(claim.text for claim in patent.claims).count("\n") == 3


def _script(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_commands_is_the_one_the_commands_make(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("FOREART_LIBRARY", "elsewhere")
    made = _script("make_docs").commands()
    assert _text("commands.md") == made, "run `python scripts/make_docs.py`"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_on_the_page_of_commands(name: str):
    section = _text("commands.md").split(f"## foreart {name}\n")[1].split("\n## ")[0]
    assert f"Usage: foreart {name} " in section
    assert "Example:" in section


def test_the_page_of_the_api_is_the_one_the_code_makes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    api_page = importlib.import_module("api_page")
    assert _text("api.md") == api_page.api(), "run `python scripts/make_docs.py`"
    listed = [name for names in api_page.sections().values() for name in names]
    assert sorted(listed) == sorted(foreart.__all__)


@needs("fastapi")
def test_the_page_of_the_rest_api_is_the_one_the_schema_makes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    made = importlib.import_module("http_page").http_page()
    assert _text("http.md") == made, "run `python scripts/make_docs.py`"
    assert made.count("\n## ") > 30


def test_the_keys_of_the_desk_are_those_of_its_pages(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    desk_page = importlib.import_module("desk_page")
    assert _text("desk.md") == desk_page.desk_page(), "run `python scripts/make_docs.py`"
    rows = desk_page.keys()
    assert len(rows) == desk_page.KEYS.read_text(encoding="utf-8").partition("];")[0].count("\n  [")
    assert {"list", "reading", "chart", "map"} < {context for context, _, _ in rows}


def test_no_key_of_the_desk_has_two_meanings(monkeypatch: pytest.MonkeyPatch):
    """Within a context, or in a context and everywhere; Escape leaves what is open, which a page knows best."""
    monkeypatch.syspath_prepend(ROOT / "scripts")
    rows = importlib.import_module("desk_page").keys()
    contexts: dict[str, list[str]] = {}
    for context, key, _ in rows:
        low, _, high = key.partition("–")
        keys = [str(digit) for digit in range(int(low), int(high) + 1)] if high else [key]
        contexts.setdefault(context, []).extend(keys)
    everywhere = contexts.pop("everywhere")
    # The first key of a sequence such as `g s` is taken too.
    taken = {key.split()[0] for key in everywhere} - {"Escape"}
    assert taken == {"?", "/", "g", "Shift+D"}
    for context, keys in {**contexts, "everywhere": everywhere}.items():
        assert len(keys) == len(set(keys)), (context, sorted(keys))
    for context, keys in contexts.items():
        assert not {key.split()[0] for key in keys} & taken, context


@pytest.mark.parametrize("page", ["README.md", "docs/api.md"])
def test_the_first_result_takes_five_lines(page: str, tmp_path: Path):
    text = (ROOT / page).read_text(encoding="utf-8")
    block = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0]
    assert len([line for line in block.splitlines() if line]) == 5
    result = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    hits = result.stdout.splitlines()
    assert [hit.split(".")[0] for hit in hits] == ["1", "2", "3", "4", "5"]
    assert any("insulin" in hit.lower() or "pump" in hit.lower() for hit in hits)


@pytest.mark.parametrize("page", sorted(path.name for path in DOCS.glob("*.md")))
def test_links_between_pages_lead_somewhere(page: str):
    for target in re.findall(r"\]\(([^)#:]+)\)", _text(page)):
        assert (DOCS / target).exists(), target


def test_the_results_in_the_readme_are_those_that_were_measured():
    made = _script("make_docs").readme()
    assert (ROOT / "README.md").read_text(encoding="utf-8") == made, "run `python scripts/make_docs.py`"


def test_the_page_of_benchmarks_is_made_from_their_results():
    made = _script("make_docs").benchmarks()
    assert (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8") == made, "run `python scripts/make_docs.py`"


def _readme_blocks() -> list[str]:
    return re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)


def _commands(block: str) -> list[str]:
    return [line.split("#")[0].strip() for line in block.splitlines() if line.split("#")[0].strip()]


def test_the_picture_of_the_rooms_is_that_of_the_imports():
    made = _script("draw_rooms").drawing(ROOT / "src" / "foreart")
    assert (DOCS / "images" / "rooms.svg").read_text(encoding="utf-8") == made, "run `python scripts/draw_rooms.py`"


def test_a_picture_of_rooms_shows_each_room_and_no_edge_that_follows_from_others(tmp_path: Path):
    files = {
        "house/top.py": "import house.middle\nfrom house import bottom\n",
        "house/middle/__init__.py": "",
        "house/middle/inside/__init__.py": "def f():\n    from house.bottom import x\n",
        "house/bottom.py": "x = 1\n",
        "house/__init__.py": "import house.top\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    draw = _script("draw_rooms")
    graph = draw.imports(tmp_path / "house", draw.rooms(tmp_path / "house"))
    assert graph == {"top": {"middle", "bottom"}, "middle": {"bottom"}, "bottom": set()}
    assert draw.levels(draw.reduced(graph)) == {"top": 2, "middle": 1, "bottom": 0}
    picture = draw.drawing(tmp_path / "house")
    assert re.findall(r">(\w+)</text>", picture) == ["bottom", "middle", "inside", "top"]
    assert picture.count("marker-end") == 2
    (tmp_path / "house" / "bottom.py").write_text("import house.top\n")
    with pytest.raises(SystemExit, match="rooms import each other: "):
        draw.drawing(tmp_path / "house")


@pytest.mark.slow
def test_the_two_commands_of_the_readme():
    """`make demo` is run; `make test` is what runs this."""
    assert _commands(_readme_blocks()[0]) == ["make demo", "make test"]
    result = subprocess.run(["make", "demo"], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "foreart add FILE" in result.stdout
    assert "report: demo/report.html" in result.stdout
    assert "open --library demo" in result.stdout
    assert (ROOT / "demo" / "report.html").is_file()


def test_the_number_of_formats_in_the_readme_is_right():
    assert f"**{len(READERS)} formats**" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_links_of_the_front_pages_lead_somewhere(page: str):
    for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text(encoding="utf-8")):
        assert (ROOT / target).exists(), target
