"""From a path to patents: what is told, where it stood, and that each file has one reader."""

from __future__ import annotations

import io
import json
import sqlite3
import warnings
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from expectation import ROOTS
from foreart.document.patent import Origin, Patent
from foreart.document.reject import RAW_LIMIT, Reject
from foreart.errors import BadFile
from foreart.sources import READERS, Document, parse_record, raw_records, read, scan
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.stream import HEAD
from foreart.sources.readers import recognise

GOOD = json.dumps({"id": "XX1A1", "title": "Hinge", "abstract": "A hinge."}).encode()
BAD = b'{"id": "XX2A1", "title": '
LAST = json.dumps({"id": "XX3A1", "title": "Bolt", "abstract": "A bolt."}).encode()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mixed.jsonl"
    path.write_bytes(b"\n".join((GOOD, BAD, LAST)))
    return path


def test_read_gives_patents_and_warns_of_the_rest(file: Path):
    with pytest.warns(UserWarning) as told:
        assert [patent.id for patent in read(file)] == ["XX1A1", "XX3A1"]
    assert [str(item.message).partition("not valid JSON")[0] for item in told] == [
        f"{file}: document 2, byte {len(GOOD) + 1}: "
    ]
    assert told[0].filename == __file__


def test_read_of_a_good_file_is_silent(tmp_path: Path):
    (tmp_path / "a.jsonl").write_bytes(GOOD)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [patent.title for patent in read(str(tmp_path / "a.jsonl"))] == ["Hinge"]


def test_scan_gives_both_where_they_stand(file: Path):
    first, reject, last = scan(file)
    assert isinstance(first, Patent)
    assert isinstance(last, Patent)
    assert isinstance(reject, Reject)
    assert (reject.file, reject.position) == (str(file), f"document 2, byte {len(GOOD) + 1}")
    assert (reject.raw, reject.format) == (BAD + b"\n", "foreart-jsonl")
    assert reject.reason.startswith("not valid JSON: ")
    assert first.origins == (Origin(str(file), "document 1", "foreart-jsonl"),)
    assert last.origins == (Origin(str(file), "document 3", "foreart-jsonl"),)


def test_origins_that_a_record_brings_along_are_kept(tmp_path: Path):
    origin = {"file": "ipg150106.zip!ipg150106.xml", "position": "document 7", "format": "uspto-xml-v4"}
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "XX1A1", "title": "Hinge", "origins": [origin]}))
    (patent,) = scan(tmp_path / "a.jsonl")
    assert isinstance(patent, Patent)
    assert patent.origins == (Origin(**origin),)


def test_a_record_that_cannot_be_parsed_keeps_its_first_mebibyte():
    data = b'{"id": "' + b"x" * (2 << 20)
    (reject,) = parse_record(Document("big.jsonl", "foreart-jsonl", RawRecord(4, 99, data)))
    assert isinstance(reject, Reject)
    assert (reject.position, reject.raw) == ("document 4, byte 99", data[:RAW_LIMIT])


def test_an_error_of_malformed_input_is_named():
    (reject,) = parse_record(Document("x", "epo-ops-json", RawRecord(1, 0, b'{"ops:world-patent-data": {"a b": 1}}')))
    assert isinstance(reject, Reject)
    assert reject.reason == "'a b' is not the name of an element"


@pytest.mark.parametrize("name", ["missing.xml", "missing/folder.zip"])
def test_a_path_that_is_not_there_is_an_error(name: str, tmp_path: Path):
    with pytest.raises(BadFile, match=f"{name}: No such file or directory"):
        list(scan(tmp_path / name))


def test_a_file_that_may_not_be_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "a.xml"
    path.write_bytes(GOOD)

    def refuse(*args: object, **kwargs: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(BadFile, match=r"a\.xml: Permission denied"):
        list(scan(path))


STRANGERS = {
    "prose.txt": b"The invention relates to a hinge. US 7,585,299 B2 is cited. What is claimed is: 1. A hinge.",
    "table.csv": b"id,name,price\n1,hinge,2.50\n",
    "titles.csv": b"id,title,abstract\nUS7585299B2,Hinge,A hinge.\n",
    "table.tsv": b"patent\tprice\n7585299\t1\n",
    "list.json": b'[{"id": 1, "name": "hinge"}]',
    "numbers.json": b"[1, 2, 3]",
    "paper.json": b'{"title": "On hinges", "abstract": "We study hinges.", "authors": ["A"]}',
    "page.html": b"<!DOCTYPE html><html><head><title>Patents</title></head><body>US7585299B2</body></html>",
    "other.xml": b'<?xml version="1.0"?><article><title>us-patent-grant</title></article>',
    "feed.xml": b'<?xml version="1.0"?><rss version="2.0"><channel/></rss>',
    "notes.md": b"# Notes\n\n- Number: US7585299B2\n",
    "front.md": b"---\ntitle: A post\ndate: 2012-01-10\n---\nText\n",
    "zeros.bin": bytes(4096),
    "noise.bin": bytes(range(256)) * 16,
    "mail.eml": b"From: a@example.org\nSubject: PATN\n\nWKU 1\n",
    "qrels.txt": b"1 0 US7585299B2 1\n",
}


@pytest.mark.parametrize("name", STRANGERS)
def test_what_is_no_patent_file_is_refused(name: str, tmp_path: Path):
    path = tmp_path / name
    path.write_bytes(STRANGERS[name])
    (reject,) = scan(path)
    assert isinstance(reject, Reject)
    assert reject.reason == "no known patent format; `foreart formats` lists what can be read"
    assert reject.raw == STRANGERS[name][:1024]


# Parts of one document in one archive.

PART = """<?xml version="1.0" encoding="UTF-8"?>
<uspat:{root} xmlns:uspat="urn:us:gov:doc:uspto:patent" xmlns:com="http://www.wipo.int/standards/XMLSchema/ST96/Common"
  xmlns:uscom="urn:us:gov:doc:uspto:common" xmlns:pat="http://www.wipo.int/standards/XMLSchema/ST96/Patent">
<uspat:DocumentMetadata><uscom:DocumentCode>{code}</uscom:DocumentCode>
<uscom:ApplicationNumberText>{number}</uscom:ApplicationNumberText></uspat:DocumentMetadata>{body}</uspat:{root}>"""
CLAIMS = (
    '<uspat:Claims><uspat:Claim com:id="CLM-00001"><pat:ClaimNumber>1</pat:ClaimNumber>'
    "<pat:ClaimText>A hinge.</pat:ClaimText></uspat:Claim></uspat:Claims>"
)


def _part(root: str, code: str, number: str, body: str) -> str:
    return PART.format(root=root, code=code, number=number, body=body)


def test_parts_of_one_application_become_one_patent(tmp_path: Path):
    parts = {
        "13962724.2013-08-08.1.ABST.xml": _part(
            "AbstractDocument", "ABST", "13962724", "<uspat:Abstract><pat:P>A hinge for doors.</pat:P></uspat:Abstract>"
        ),
        "13962724.2013-08-08.2.CLM.xml": _part("ClaimsDocument", "CLM", "13962724", CLAIMS),
        "13999999.2013-09-09.1.CLM.xml": _part("ClaimsDocument", "CLM", "13999999", CLAIMS),
    }
    path = tmp_path / "wrapper.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in reversed(parts.items()):
            archive.writestr(name, text)
    cut = list(raw_records(path))
    assert [item.file for item in cut] == [
        f"{path}!13962724.2013-08-08.1.ABST.xml",
        f"{path}!13999999.2013-09-09.1.CLM.xml",
    ]
    first, second = scan(path)
    assert isinstance(first, Patent)
    assert isinstance(second, Patent)
    assert (first.id, first.abstract, [claim.text for claim in first.claims]) == (
        "US13/962724",
        "A hinge for doors.",
        ["A hinge."],
    )
    assert (second.id, second.abstract, len(second.claims)) == ("US13/999999", "", 1)


# One file, one reader.


def test_readers_have_names_titles_and_order():
    assert list(READERS) == [reader.name for reader in READERS.values()]
    titles = [reader.title for reader in READERS.values()]
    assert len(set(titles)) == len(titles)
    for reader in READERS.values():
        assert reader.name == reader.name.lower().replace(" ", "-"), reader.name
        assert 10 < len(reader.title) < 120, reader.name
        assert not reader.title.endswith("."), reader.name


FOLDERS = {
    "api_evangelist_markdown": {"patent-markdown"},
    "epo_fulltext_xml": {"ep-fulltext"},
    "epo_ops": {"epo-ops-xml", "patent-client-json"},
    "google_patents_html": {"google-html"},
    "google_patents_markdown": {"google-markdown"},
    "pap2pat_json": {"pap2pat-json"},
    "patsnap_xml": {"patsnap-xml"},
    "pqai_json": {"pqai-json"},
    "thinkstruct_json": {"thinkstruct-json"},
    "uspto_application_xml_v1_pap": {"uspto-xml-v1"},
    "uspto_application_xml_v4": {"uspto-xml-v4"},
    "uspto_aps_greenbook": {"uspto-aps"},
    "uspto_css_brs_text": {"uspto-brs"},
    "uspto_grant_xml_v2": {"uspto-xml-v2"},
    "uspto_grant_xml_v4": {"uspto-xml-v4"},
    "uspto_grant_xml_v4_weekly": {"uspto-xml-v4"},
    "uspto_ppubs_json": {"uspto-ppubs"},
    "uspto_xml4ip_zip": {"uspto-xml4ip"},
}
QUERIES = ("q1", "q2")  # topics and judgements beside PatSnap's patents: no patents


def _claimants(head: bytes, name: str) -> list[str]:
    return [reader.name for reader in READERS.values() if reader.sniff(head, name)]


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("folder", FOLDERS)
def test_each_file_is_claimed_by_one_reader_and_no_other(root: Path, folder: str):
    claimed: set[str] = set()
    for path in sorted((root / folder).iterdir()):
        head = path.read_bytes()[:HEAD]
        if head.startswith(b"PK"):
            with zipfile.ZipFile(path) as archive:
                heads = [(archive.read(name)[:HEAD], name) for name in archive.namelist() if name.endswith(".xml")]
        else:
            heads = [(head, path.name)]
        for start, name in heads:
            found = _claimants(start, name)
            if path.name.startswith(QUERIES):
                assert found == [], name
            else:
                assert len(found) == 1, (name, found)
            claimed.update(found)
    assert claimed - {"epo-ops-json"} == FOLDERS[folder]  # of which no real file was at hand


@pytest.mark.parametrize("root", ROOTS)
def test_every_folder_of_files_is_looked_at(root: Path):
    assert {path.name for path in root.iterdir() if path.is_dir()} - {"marec", "matters", "upgrade"} == set(FOLDERS)


def test_the_formats_of_which_a_real_file_was_seen():
    seen = {reader.name for reader in READERS.values() if reader.seen}
    assert seen == {*set().union(*FOLDERS.values()), "foreart-jsonl"}


def _sqlite() -> bytes:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE patent (id TEXT, title TEXT, abstract TEXT)")
        return database.serialize()


def _json(**record: object) -> bytes:
    return json.dumps(record).encode()


MAREC = (
    b'<?xml version="1.0"?>\n<patent-document ucid="EP-1-A1" country="EP" doc-number="1" kind="A1">'
    b"<bibliographic-data/></patent-document>"
)
HEADS: dict[str, list[bytes]] = {
    "marec": [MAREC, MAREC.partition(b"\n")[2]],
    "bigquery-json": [_json(publication_number="US-1-A", title_localized=[{"text": "Hinge", "language": "en"}])],
    "bigquery-csv": [b"publication_number,title_localized,abstract_localized\nUS-1-A,[],[]\n"],
    "bigquery-parquet": [b"PAR1\x15\x04\x15"],
    "lens-json": [
        _json(lens_id="000-000-000-000-001", jurisdiction="US", doc_number="1", kind="A", biblio={}),
        _json(total=1, data=[{"lens_id": "000-000-000-000-001", "jurisdiction": "US", "biblio": {}}]),
    ],
    "lens-csv": [
        b'#,Jurisdiction,Kind,Display Key,Lens ID,Publication Date,Title\n1,US,B2,"US 1 B2",000-1,2009-09-08,x\n'
    ],
    "hupd-json": [
        _json(
            application_number="13962724",
            publication_number="US20140001-A1",
            title="x",
            decision="ACCEPTED",
            full_description="x",
            main_cpc_label="",
        )
    ],
    "beir-jsonl": [_json(_id="US7585299B2", title="Hinge", text="A hinge.", metadata={})],
    "patentsview-tsv": [
        b"patent_id\tpatent_type\tpatent_date\tpatent_title\twipo_kind\n7585299\tutility\t2009-09-08\tHinge\tB2\n",
        b"id\ttype\tnumber\tcountry\tdate\tabstract\ttitle\tkind\n1\tutility\t1\tUS\t2009-09-08\tx\ty\tB2\n",
        b"patent_id\tclaim_sequence\tclaim_number\tclaim_text\n7585299\t0\t1\tA hinge.\n",
    ],
    "paper-csv": [
        b"id,title,category,pub_number,app_number,pub_date,abstract,description,claims,cited_patents\nUS1,x,,,,,,,,\n",
        b"id;pub_number;app_number;pub_date\nUS1;;;\n",
    ],
    "paper-sqlite": [_sqlite()],
    "foreart-jsonl": [GOOD, _json(id="XX1A1", claims=["1. A hinge."]), b"[" + GOOD + b"]"],
    "epo-ops-json": [_json(**{"ops:world-patent-data": {"exchange-documents": {}}})],
}


def test_every_schema_only_reader_has_a_head():
    assert {reader.name for reader in READERS.values() if not reader.seen} <= HEADS.keys()


@pytest.mark.parametrize("name", HEADS)
def test_each_schema_only_format_is_claimed_by_one_reader_and_no_other(name: str):
    for head in HEADS[name]:
        for file in ("x", "x.xml", "x.json", "x.csv", "corpus.jsonl"):
            assert _claimants(head, file) == [name]
            found = recognise(head, file)
            assert found is not None
            assert found.name == name
        if not head.startswith((b"PAR1", b"SQLite")):
            assert _claimants(b"\xef\xbb\xbf" + head, "x") == [name]


def test_the_bytes_of_a_stream_are_recognised_wherever_they_come_from(tmp_path: Path):
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        archive.writestr("a.jsonl", GOOD)
        archive.writestr("b.xml", MAREC)
    path = tmp_path / "both.dat"
    path.write_bytes(raw.getvalue())
    assert [item.origins[0].format for item in scan(path) if isinstance(item, Patent)] == ["foreart-jsonl", "marec"]
