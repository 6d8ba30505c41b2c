"""What fails is one sentence with the next step, whatever is asked; what was given is neither repeated nor logged."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path
from typing import Any

import pytest

from foreart import SAMPLE, Library, errors
from foreart.mcp import ToolSettings, search_tools
from foreart.mcp.document_tools import UNKNOWN
from foreart.mcp.tool_errors import NEXT_STEPS, sentence_of
from mcp_world import answer, call, refusal, with_tools

PUMP = "XX8246714B2"
SECRET = "SECRETWORD of a draft that nobody may see in a log, an error or a file"


def test_every_error_of_the_tree_becomes_a_sentence_with_a_next_step() -> None:
    leaves = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    assert len(leaves) > 15
    for kind in leaves:
        error = kind("the index is old", "mcp") if kind is errors.MissingExtra else kind("the index is old")
        said = sentence_of(error)
        assert said.startswith("the index is old")
        assert "\n" not in said
        if any(issubclass(kind, known) for known, _ in NEXT_STEPS):
            assert "; " in said
    assert sentence_of(errors.StaleIndex("x: `foreart build`")) == "x: `foreart build`"
    assert sentence_of(KeyError(SECRET)) == ""
    assert len(sentence_of(errors.BadFile("a\n" * 5_000))) < 1_100


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search", {}, "give exactly one of `text`, the draft itself, and `number`, a patent of the corpus"),
        ("search", {"text": "a pump of steel for water", "number": PUMP}, "give exactly one of `text`"),
        ("search", {"text": "a pump 1234567890 !!!!!!!!!!!!!"}, "the text has fewer than 20 letters: give the draft"),
        ("search", {"text": "a pump of steel for water", "k": 51}, "k: input should be less than or equal to 50"),
        ("search", {"text": "a pump of steel for water", "k": 0}, "k: input should be greater than or equal to 1"),
        ("search", {"text": "a pump of steel for water", "cutoff": "2014"}, "'2014' is not a day: write the cut-off"),
        ("search", {"text": "a pump of steel for water", "regime": "uk"}, "regime: input should be 'any', 'epc'"),
        ("search", {"text": "a pump of steel for water", "classes": ["?"]}, "'?' is not a valid class: write A61B or"),
        ("search", {"text": "a pump of steel for water", "must": ["x", "'"]}, ""),
        ("search", {"text": "a pump of steel for water", "cuttoff": "2014-01-01"}, "search has no such argument; it"),
        ("search", {"number": "US0"}, "US0 is not in the corpus; `search` and `similar` give numbers of it"),
        ("search", {"file": "/etc/passwd"}, "search has no such argument"),
        ("similar", {}, "number: a field that is needed is missing"),
        ("similar", {"number": ""}, "number: string should have at least 1 character"),
        ("similar", {"number": "../../etc/passwd"}, "is not in the corpus"),
        ("draft", {"text": ""}, "give exactly one"),
        ("show", {"number": "US0"}, "US0 is not in the corpus"),
        ("show", {"number": PUMP, "part": "all"}, "part: input should be 'front', 'abstract', 'claims' or 'desc"),
        ("show", {"number": PUMP, "offset": -1}, "offset: input should be greater than or equal to 0"),
        ("explain", {"numbers": [], "number": PUMP}, "numbers: "),
        ("explain", {"numbers": [PUMP] * 6, "number": PUMP}, "numbers: "),
        ("explain", {"numbers": ["US0"], "number": PUMP}, "US0 is not in the corpus"),
        ("chart", {"references": [PUMP] * 11, "number": PUMP}, "references: "),
        ("chart", {"references": [PUMP], "text": "a pump of steel for water"}, "the draft has no claims to chart: put"),
        ("chart", {"references": [PUMP], "number": PUMP, "claims": [99]}, "99"),
        ("chart", {"references": [PUMP, "US0"], "number": PUMP}, "US0 is not in the corpus"),
        ("verify", {"quotes": []}, "quotes: "),
        ("verify", {"quotes": [{"number": PUMP, "place": "abstract"}]}, "quotes.0.text: a field that is needed is"),
        ("stats", {"all": True}, "stats has no such argument; it has none"),
        ("shell", {"command": "ls"}, "there is no such tool; there are search, similar, draft, show"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_a_sentence(sample: Path, tool: str, arguments: Any, said: str) -> None:
    sentence = refusal(sample, tool, **arguments)
    assert said in sentence
    assert len(sentence) < 500
    assert "Traceback" not in sentence
    assert "pydantic" not in sentence


ABSURD = (
    None, True, -1, 10**30, 1e308, "", " ", "\0", "\x1b[31m", "\u202e", "a" * 100_000, "' OR 1=1 --", "../..", [], [[]],
    {}, {"a": {"b": []}}, ["a"] * 1000, "[" * 10_000, "💧" * 50, "٣",
)  # fmt: skip


def test_absurd_arguments_end_in_a_sentence_or_an_answer(sample: Path) -> None:
    async def ask(client: Any) -> list[tuple[str, str, Any]]:
        found = []
        for tool in (await client.list_tools()).tools:
            base = {"search": {"number": PUMP}, "explain": {"number": PUMP}, "chart": {"number": PUMP}}
            for name in tool.input_schema["properties"]:
                for value in ABSURD:
                    given = {**base.get(tool.name, {}), name: value}
                    found.append((tool.name, name, await client.call_tool(tool.name, given)))
        return found

    found = with_tools(sample, ask)
    assert len(found) > 400
    for tool, name, result in found:
        if result.is_error:
            said = result.content[0].text
            assert 5 < len(said) < 500, (tool, name, said)
            assert "could not do this" not in said, (tool, name, said)
            assert "\0" not in said


def test_no_corpus_and_no_index_name_the_next_step(tmp_path: Path, pump: str) -> None:
    folder = tmp_path / "library"
    for tool, arguments in {
        "search": {"text": pump},
        "similar": {"number": PUMP},
        "show": {"number": PUMP},
        "explain": {"text": pump, "numbers": [PUMP]},
        "chart": {"text": pump, "references": [PUMP]},
        "verify": {"quotes": [{"number": PUMP, "place": "abstract", "text": "x"}]},
        "stats": {},
    }.items():
        assert refusal(folder, tool, **arguments) == (
            "the library has no documents yet: `foreart add FILE` loads them, then `foreart build` builds the indexes"
        )
    assert not folder.exists()
    with Library(folder) as library:
        library.add([SAMPLE / "patents.jsonl"])
    for tool, arguments in {
        "search": {"text": pump},
        "explain": {"text": pump, "numbers": [PUMP]},
        "chart": {"text": pump, "references": [PUMP]},
    }.items():
        assert "`foreart build`" in refusal(folder, tool, **arguments)
    assert answer(folder, "stats")["next_steps"] == ["`foreart build` builds the indexes that searches need"]
    shown = answer(folder, "show", number=PUMP)
    assert shown["notes"] == [UNKNOWN]


def test_a_damaged_corpus_is_said(library: Path, pump: str) -> None:
    data = (library / "corpus.db").read_bytes()
    (library / "corpus.db").write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    said = refusal(library, "search", text=pump)
    assert said.startswith("LIBRARY/corpus.db cannot be opened as a corpus: ")
    assert said.endswith("; `foreart doctor` checks it")


def test_an_error_that_nobody_expected_leaks_nothing(
    sample: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*given: object, **options: object) -> None:
        raise KeyError(SECRET)

    monkeypatch.setattr(search_tools, "found_documents", broken)
    with caplog.at_level(logging.DEBUG):
        said = refusal(sample, "search", text=SECRET)
    assert said == "foreart could not do this (KeyError): `foreart doctor` checks the library"
    ours = [record.getMessage() for record in caplog.records if record.name == "foreart.mcp"]
    assert len(ours) == 1
    assert ours[0].startswith("tool search failed: KeyError at test_mcp_errors.py:")
    above = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert [record.name for record in above] == ["foreart.mcp"]
    assert SECRET not in "".join(record.getMessage() + str(record.exc_text) for record in above)
    assert SECRET not in "".join(capfd.readouterr())


def test_mismatches_do_not_repeat_what_was_given(sample: Path) -> None:
    for arguments in ({"text": SECRET, "k": SECRET}, {"text": [SECRET]}, {"text": SECRET, "must": SECRET}):
        assert "SECRETWORD" not in refusal(sample, "search", **arguments)


def test_tools_of_one_server_answer_together(sample: Path, pump: str) -> None:
    """The library is used by one thread, however many calls are open."""
    import anyio

    async def ask(client: Any) -> list[Any]:
        found: list[Any] = []

        async def one(name: str, arguments: Any) -> None:
            found.append(await client.call_tool(name, arguments))

        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(one, "search", {"text": pump, "k": 3})
                group.start_soon(one, "show", {"number": PUMP})
                group.start_soon(one, "stats", {})
        return found

    found = with_tools(sample, ask)
    assert len(found) == 12
    assert not any(result.is_error for result in found)


def test_a_build_is_seen_by_the_next_call(library: Path) -> None:
    from foreart.document.patent import Paragraph, Patent

    async def ask(client: Any) -> tuple[int, int]:
        before = (await client.call_tool("stats", {})).structured_content["documents"]
        with Library(library) as opened:
            opened.corpus.add([Patent(id="XX98A1", title="Pump", description=(Paragraph("A pump of steel.", "0001"),))])
            opened.build()
        found = (
            await client.call_tool("search", {"text": "A pump of steel for drinking water", "k": 50})
        ).structured_content
        assert "XX98A1" in [hit["id"] for hit in found["hits"]]
        return before, found["documents"]

    assert with_tools(library, ask) == (50, 51)


def test_nothing_is_written_by_reading(sample: Path, tmp_path: Path, pump: str) -> None:
    folder = Path(shutil.copytree(sample, tmp_path / "library"))
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    for tool, arguments in {
        "search": {"text": pump},
        "chart": {"text": pump, "references": [PUMP]},
        "stats": {},
    }.items():
        assert not call(folder, tool, **arguments).is_error
    after = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    assert {path for path in before if after.get(path) != before[path]} <= {folder / "corpus.db"}
    assert {path.name for path in after.keys() - before.keys()} <= {"corpus.db-wal", "corpus.db-shm"}


def test_the_configuration_of_a_host_is_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = ToolSettings(Path("library"), (Path("drafts"),)).host_configuration(["/bin/python", "-m", "foreart"])
    assert made == {
        "mcpServers": {
            "foreart": {
                "command": "/bin/python",
                "args": [
                    "-m",
                    "foreart",
                    "mcp",
                    "--library",
                    str(tmp_path / "library"),
                    "--allow",
                    str(tmp_path / "drafts"),
                ],
            }
        }
    }
