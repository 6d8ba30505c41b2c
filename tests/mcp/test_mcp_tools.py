"""Every tool and resource, called in memory as a host calls them: the figures are those of Python and command line."""

from __future__ import annotations

import json
from math import fsum
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import MCPError

from foreart import SAMPLE, Library, read_draft
from foreart.document.draft_record import draft_record
from foreart.mcp.document_tools import UNKNOWN
from foreart.mcp.tool_calls import TOOLS
from mcp_world import answer, call, refusal, with_tools

PUMP = "XX8246714B2"
NEAR = "XX20060784226A1"
INK = "XX5880446A"


def stored_texts(folder: Path, number: str) -> dict[str, list[str]]:
    from foreart.search.charting import places

    with Library(folder) as library:
        found: dict[str, list[str]] = {}
        for place, text in places(library.corpus[number]):
            found.setdefault(place.label, []).append(text)
    return found


def stands(folder: Path, number: str, quote: dict[str, str]) -> bool:
    return any(quote["text"] in text for text in stored_texts(folder, number)[quote["place"]])


def test_every_tool_has_schemas_and_says_that_it_only_reads(sample: Path) -> None:
    tools = {tool.name: tool for tool in with_tools(sample, lambda client: client.list_tools()).tools}
    assert list(tools) == list(TOOLS) == ["search", "similar", "draft", "show", "explain", "chart", "verify", "stats"]
    for tool in tools.values():
        assert tool.title
        assert tool.description
        assert len(tool.description) > 100
        Draft202012Validator.check_schema(tool.input_schema)
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema is not None
        Draft202012Validator.check_schema(tool.output_schema)
        assert tool.output_schema["type"] == "object"
        assert tool.output_schema["required"]
        told = tool.annotations
        assert told is not None
        assert (told.read_only_hint, told.destructive_hint) == (True, False)
        assert (told.idempotent_hint, told.open_world_hint) == (True, False)
    assert {name for name, tool in tools.items() if "file" in tool.input_schema["properties"]} == set()
    assert tools["search"].input_schema["properties"]["k"]["maximum"] == 50
    assert tools["search"].input_schema["properties"]["regime"]["enum"] == ["any", "epc", "us", "pct"]


def test_a_search_is_that_of_the_library(sample: Path, pump: str) -> None:
    found = answer(sample, "search", text=pump, k=5)
    with Library(sample) as library:
        result = library.search(read_draft(SAMPLE / "drafts" / "insulin-pump.txt"), k=5)
        assert found["corpus"] == library.corpus.fingerprint
    assert [(hit["id"], hit["score"], hit["rank"]) for hit in found["hits"]] == [
        (hit.id, hit.score, hit.rank) for hit in result
    ]
    assert (found["cutoff"], found["cutoff_reason"]) == ("2014-03-10", "priority date named in the draft")
    assert (found["documents"], found["compared"], found["after_the_date"]) == (50, 50, 1)
    best = found["hits"][0]
    assert (best["id"], best["status"], best["family_members"]) == (PUMP, "prior art", ["XX20090748218A1"])
    assert best["rule"].startswith("published 2012-08-21, before the cut-off 2014-03-10: Art. 54(2) EPC")
    assert all(stands(sample, hit["id"], hit["quote"]) for hit in found["hits"])


def test_filters_remove_and_say_what(sample: Path, pump: str) -> None:
    found = answer(
        sample,
        "search",
        text=pump,
        cutoff="2010-01-01",
        regime="epc",
        published_to="2009",
        classes=["A61M"],
        countries=["XX"],
        must=["pump"],
        without=["syringe"],
    )
    assert (found["cutoff"], found["cutoff_reason"], found["regime"]) == ("2010-01-01", "given", "epc")
    assert sum(found["removed"].values()) + found["compared"] == 50
    assert all(hit["published"] < "2010" for hit in found["hits"])
    nothing = answer(sample, "search", text=pump, countries=["ZZ"])
    assert (nothing["hits"], nothing["removed"]) == ([], {"country ZZ": 50})
    assert nothing["notes"][-1] == "no document of the corpus that may count is left: use fewer filters"


def test_similar_documents_are_those_of_the_library(sample: Path) -> None:
    found = answer(sample, "similar", number="XX 8246714", k=4)
    with Library(sample) as library:
        assert [hit["id"] for hit in found["hits"]] == [hit.id for hit in library.similar(PUMP, k=4)]
    assert set(found["own_family"]) == {"XX20090748218A1", PUMP}
    assert answer(sample, "search", number=PUMP, k=4)["hits"] == found["hits"]


def test_a_draft_is_understood_as_everywhere(sample: Path, pump: str) -> None:
    found = answer(sample, "draft", text=pump)
    record = draft_record(read_draft(SAMPLE / "drafts" / "insulin-pump.txt"))
    assert found["title"] == record["title"]
    assert (found["priority"], found["filed"]) == ("2014-03-10", None)
    assert [section["name"] for section in found["sections"]] == [section["name"] for section in record["sections"]]
    assert [claim["number"] for claim in found["claims"]] == list(range(1, 9))
    assert [claim["number"] for claim in found["claims"] if claim["independent"]] == [1, 8]
    assert found["claims"][1]["parents"] == [1]
    assert len(found["claims"][0]["elements"]) == 5
    assert {item["number"]: item["in_corpus"] for item in found["numbers_cited"]} == {
        item["number"]: True for item in record["citations"]
    }
    assert found["doubts"] == record["notes"]
    assert found["fingerprint"] == record["fingerprint"]


def test_a_draft_is_understood_without_a_corpus(tmp_path: Path, pump: str) -> None:
    found = answer(tmp_path / "none", "draft", text=pump)
    assert not any(item["in_corpus"] for item in found["numbers_cited"])
    assert not (tmp_path / "none").exists()


def test_pages_of_a_document_are_its_whole_text(sample: Path) -> None:
    front = answer(sample, "show", number=PUMP)
    assert front["text"].startswith("title: Adhesive patch pump with pressure-based occlusion detection\nnumber: XX82")
    assert (front["depth"], front["part"], front["next"]) == ("full", "front", None)
    assert [item["id"] for item in front["family"]] == ["XX20090748218A1"]
    assert len(front["cites"]) == 5
    citing = answer(sample, "show", number=INK)["cited_by"]
    assert PUMP in [item["id"] for item in citing]
    claims = answer(sample, "show", number=PUMP, part="claims")
    assert claims["text"].startswith("claim 1: A wearable drug pump comprising:")
    assert answer(sample, "show", number=PUMP, part="abstract")["text"].startswith("abstract: ")


def test_a_long_description_is_read_in_pages(library: Path) -> None:
    from foreart.document.patent import Paragraph, Patent

    long = tuple(Paragraph(f"Pump {number} " + "of steel " * (number % 90), f"{number:04}") for number in range(1, 99))
    with Library(library) as opened:
        opened.corpus.add([Patent(id="XX99A1", title="Long", description=(*long, Paragraph("x" * 20_000, "0100")))])
    offset, texts = 0, []
    while offset is not None:
        page = answer(library, "show", number="XX99", part="description", offset=offset)
        assert len(page["text"]) <= 8_000
        texts.append(page["text"])
        offset = page["next"]
    whole = "".join(texts)
    assert len(texts) >= 6
    assert len(whole) == page["length"]
    assert whole.startswith("[0001]: Pump 1 of steel")
    assert all(text.startswith("[") for text in texts[:4])
    assert whole.count("\n[") == 98
    first = answer(library, "show", number="XX99", part="description")
    assert first["notes"] == [UNKNOWN]
    behind = answer(library, "show", number="XX99", part="description", offset=10_000_000)
    assert (behind["text"], behind["next"], behind["offset"]) == ("", None, page["length"])
    assert answer(library, "show", number="XX99", part="claims")["notes"][-1] == (
        "the corpus has no claims of this document"
    )


def test_contributions_sum_to_the_score(sample: Path, pump: str) -> None:
    found = answer(sample, "explain", numbers=[PUMP, NEAR], text=pump)
    searched = {hit["id"]: hit for hit in answer(sample, "search", text=pump)["hits"]}
    assert [item["id"] for item in found["documents"]] == [PUMP, NEAR]
    for item in found["documents"]:
        added = fsum(channel["contribution"] for channel in item["channels"])
        assert added + item["rounding"] == pytest.approx(item["score"], abs=1e-12)
        assert (item["score"], item["rank"]) == (searched[item["id"]]["score"], searched[item["id"]]["rank"])
        assert all(stands(sample, item["id"], quote) for quote in item["quotes"])
        assert item["quotes"]
        assert all(bridge["guess"] for bridge in item["bridges"])
        assert all(term["in_draft"] and term["in_document"] for term in item["shared_terms"])
    with Library(sample) as library:
        reasons = library.explain(read_draft(SAMPLE / "drafts" / "insulin-pump.txt"), PUMP)
    assert found["documents"][0]["score"] == reasons.score
    assert [item["channel"] for item in found["documents"][0]["channels"]] == [
        item.channel for item in reasons.channels
    ]


def test_a_chart_has_only_verified_quotes(sample: Path, pump: str) -> None:
    found = answer(sample, "chart", references=[PUMP, NEAR, INK], text=pump)
    with Library(sample) as library:
        made = library.chart(read_draft(SAMPLE / "drafts" / "insulin-pump.txt"), [PUMP, NEAR, INK])
    assert [row["label"] for row in found["elements"]] == [row.label for row in made.rows]
    assert [item["id"] for item in found["references"]] == [item.id for item in made.references]
    assert len(found["cells"]) == len(made.rows) * 3
    given = [(cell["reference"], quote) for cell in found["cells"] for quote in cell["quotes"]]
    assert len(given) == sum(len(cell.quotes) for row in made.cells for cell in row) > 10
    assert all(stands(sample, number, quote) for number, quote in given)
    whole = found["summaries"][-1] if found["summaries"][-1]["claim"] == 0 else found["summaries"][0]
    assert whole["closest"] == PUMP
    assert whole["combination"][0]["reference"] == PUMP
    assert {label for one in found["summaries"] for label in one["not_found"]} <= {
        row["label"] for row in found["elements"]
    }
    only = answer(sample, "chart", references=[PUMP], text=pump, claims=[8])
    assert {row["claim"] for row in only["elements"]} == {8}
    assert answer(sample, "chart", references=[NEAR], number=PUMP)["references"][0]["id"] == NEAR


def test_what_a_chart_gives_verifies_and_what_is_changed_does_not(sample: Path, pump: str) -> None:
    cells = answer(sample, "chart", references=[PUMP], text=pump)["cells"]
    quotes = [{"number": cell["reference"], **quote} for cell in cells for quote in cell["quotes"]]
    assert answer(sample, "verify", quotes=quotes)["holds"] is True
    quote = quotes[0]
    wrong = [
        {**quote, "text": quote["text"].replace("pump", "pumps")},
        {**quote, "place": "abstract"},
        {**quote, "place": "[9999]"},
        {**quote, "number": "US0"},
        {**quote, "number": "XX8246714A1"},
        {**quote, "text": "  "},
    ]
    checked = answer(sample, "verify", quotes=[quote, *wrong])
    assert checked["holds"] is False
    assert [item["holds"] for item in checked["quotes"]] == [True, *[False] * 6]
    faults = [item["fault"] for item in checked["quotes"]]
    assert faults[0] == ""
    assert "is not in the stored text" in faults[1]
    assert faults[2].startswith(f"{PUMP} abstract: the quote is in ")
    assert checked["quotes"][2]["stands_at"][0] == quote["place"]
    assert faults[4] == "US0 is not in the corpus"
    assert faults[5] == f"XX8246714A1 is not in the corpus, which has {PUMP}"
    assert faults[6] == "the quote is empty"


def test_stats_say_what_there_is_and_what_is_missing(library: Path) -> None:
    found = answer(library, "stats")
    assert (found["documents"], found["indexes_are_current"], found["learned"]) == (50, True, False)
    assert found["depth"] == {"full": 47, "abstract": 3, "title": 0, "empty": 0}
    assert (found["citations"], found["citations_into_corpus"]) == (117, 103)
    assert "topics" in found["indexes"]
    assert [step.split("`")[1] for step in found["next_steps"]] == ["foreart learn"]
    with Library(library) as opened:
        opened.corpus.remove([INK])
    found = answer(library, "stats")
    assert (found["documents"], found["indexes_are_current"]) == (49, False)
    assert found["next_steps"][0] == "`foreart build` again: the indexes are incomplete, or older than the corpus"


def test_a_learned_ranking_says_how_often_such_scores_were_cited(library: Path, pump: str) -> None:
    with Library(library) as opened:
        opened.learn()
        result = opened.search(read_draft(SAMPLE / "drafts" / "insulin-pump.txt"), k=3)
    hits = answer(library, "search", text=pump, k=3)["hits"]
    assert [hit["chance"]["share"] for hit in hits] == [hit.chance.share for hit in result if hit.chance]
    (document,) = answer(library, "explain", text=pump, numbers=[PUMP])["documents"]
    assert document["chance"]["documents"] >= document["chance"]["cited"] > 0
    text_part = fsum([*(word["contribution"] for word in document["words"]), document["words_rest"]])
    assert 0 < text_part <= document["score"]
    found = answer(library, "stats")
    assert (found["learned"], found["next_steps"]) == (True, [])


def test_a_library_with_one_index_says_what_to_build(tmp_path: Path, pump: str) -> None:
    folder = tmp_path / "library"
    with Library(folder) as opened:
        opened.add([SAMPLE / "patents.jsonl"])
        opened.build("tfidf")
    assert refusal(folder, "search", text=pump) == (
        "there is no index 'log-tfidf' in LIBRARY; there are tfidf: `foreart build` builds them"
    )
    found = answer(folder, "stats")
    assert (found["indexes"], found["indexes_are_current"]) == (["tfidf"], False)
    assert found["next_steps"][0] == "`foreart build` again: the indexes are incomplete, or older than the corpus"
    assert answer(folder, "show", number=PUMP)["notes"] == [UNKNOWN]


def test_the_text_of_an_answer_is_the_same_as_its_structure(sample: Path) -> None:
    result = call(sample, "stats")
    (text,) = result.content
    assert json.loads(text.text) == result.structured_content


def test_resources_are_documents_that_exist(sample: Path) -> None:
    async def read(client: Any, uri: str) -> str:
        try:
            return str((await client.read_resource(uri)).contents[0].text)
        except MCPError as error:
            return f"refused: {error}"

    templates = with_tools(sample, lambda client: client.list_resource_templates()).resource_templates
    assert [item.uri_template for item in templates] == ["patent://{number}", "patent://{number}/claims"]
    whole = with_tools(sample, lambda client: read(client, f"patent://{PUMP}"))
    claims = with_tools(sample, lambda client: read(client, f"patent://{PUMP.lower()}/claims"))
    assert whole.startswith("FRONT\n\ntitle: Adhesive patch pump")
    assert claims.startswith("claim 1: A wearable drug pump comprising:")
    assert claims in whole
    nothing = "there is no such resource; there are patent://{number} and patent://{number}/claims"
    for uri, said in {
        "patent://US0": "US0 is not in the corpus; `search` and `similar` give numbers of it",
        "patent://US0/claims": "US0 is not in the corpus",
        "patent://..%2F..%2Fetc%2Fpasswd": nothing,
        "patent:///etc/passwd": nothing,
        "file:///etc/passwd": nothing,
    }.items():
        told = with_tools(sample, lambda client, uri=uri: read(client, uri))
        assert told.startswith("refused: "), uri
        assert said in told
        assert "root:" not in told
