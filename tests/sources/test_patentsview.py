"""PatentsView's bulk tables, by small ones of the same columns."""

from __future__ import annotations

import gzip
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from foreart.document.patent import Citation, Claim, Literature, Paragraph, Patent, Symbol
from foreart.document.reject import Reject
from foreart.sources import scan
from foreart.sources.formats.patentsview import READER

Rows = list[tuple[str, ...]]


def tsv(columns: str, rows: Rows) -> str:
    lines = [tuple(columns.split()), *rows]
    return "".join("\t".join('"' + cell.replace('"', '""') + '"' for cell in line) + "\n" for line in lines)


MAIN = tsv(
    "patent_id patent_type patent_date patent_title wipo_kind num_claims withdrawn filename",
    [
        ("7585299", "utility", "2009-09-08", 'A "screw"\twith\na head', "B2", "2", "0", "ipg090908.xml"),
        ("D600001", "design", "2009-09-08", "Bottle", "S1", "1", "1", "ipg090908.xml"),
    ],
)
TABLES = {
    "g_patent_abstract": tsv("patent_id patent_abstract", [("7585299", "A screw.\nIt holds.")]),
    "g_claims_2009": tsv(
        "patent_id claim_sequence claim_text dependent claim_number exemplary",
        [
            ("7585299", "1", "2. The screw, wherein it is flat.", "claim 1", "2", "0"),
            ("7585299", "0", "1. A screw comprising:\n  a head.", "", "1", "1"),
            ("D600001", "0", "The ornamental design.", "", "1", "1"),
        ],
    ),
    "g_brf_sum_text_2009": tsv("patent_id summary_text", [("7585299", "BACKGROUND\nOld screws.")]),
    "g_draw_desc_text_2009": tsv(
        "patent_id draw_desc_sequence draw_desc_text",
        [("7585299", "1", "FIG. 2 too."), ("7585299", "0", "FIG. 1 is it.")],
    ),
    "g_detail_desc_text_2009": tsv(
        "patent_id description_text description_length", [("7585299", "DETAILED DESCRIPTION\nNew screws.", "35")]
    ),
    "g_us_patent_citation": tsv(
        "patent_id citation_sequence citation_patent_id citation_date record_name wipo_kind citation_category",
        [
            ("7585299", "0", "4000000", "1976-12-28", "Smith", "A", "cited by examiner"),
            ("7585299", "1", "RE38335", "2003-11-01", "Jones", "E", "cited by applicant"),
            ("7585299", "2", "D400000", "1998-10-01", "", "", ""),
            ("9999999", "0", "1", "", "", "", ""),
        ],
    ),
    "g_us_application_citation": tsv(
        "patent_id citation_sequence citation_document_number citation_date record_name wipo_kind citation_category",
        [("7585299", "3", "2005/0123456", "2005-06-01", "", "A1", "cited by other")],
    ),
    "g_foreign_citation": tsv(
        "patent_id citation_sequence citation_application_id citation_date citation_category citation_country",
        [
            ("7585299", "0", "0049154", "1982-04-01", "cited by applicant", "EP"),
            ("7585299", "1", "96/25012", "", "", "WO"),
        ],
    ),
    "g_other_reference": tsv(
        "patent_id other_reference_sequence other_reference_text", [("7585299", "0", "Smith, Screws,\n1999.")]
    ),
    "g_cpc_current": tsv(
        "patent_id cpc_sequence cpc_section cpc_class cpc_subclass cpc_group cpc_type",
        [
            ("7585299", "1", "A", "A61", "A61B", "A61B2017/00477", "additional"),
            ("7585299", "0", "A", "A61", "A61B", "A61B17/70", "inventional"),
        ],
    ),
    "g_ipc_at_issue": tsv(
        "patent_id ipc_sequence classification_level section ipc_class subclass"
        " main_group subgroup classification_value",
        [("7585299", "0", "A", "A", "61", "B", "17", "70", "I"), ("7585299", "1", "A", "F", "16", "B", "", "", "")],
    ),
    "g_uspc_at_issue": tsv(
        "patent_id uspc_sequence uspc_mainclass_id uspc_mainclass_title uspc_subclass_id uspc_subclass_title",
        [("7585299", "0", "606", "SURGERY", "606/60", "ORTHOPEDIC")],
    ),
    "g_inventor_disambiguated": tsv(
        "patent_id inventor_sequence inventor_id disambig_inventor_name_first disambig_inventor_name_last"
        " gender_code location_id",
        [("7585299", "1", "b", "Charles", "Babbage", "M", ""), ("7585299", "0", "a", "Ada", "Lovelace", "F", "")],
    ),
    "g_assignee_disambiguated": tsv(
        "patent_id assignee_sequence assignee_id disambig_assignee_individual_name_first"
        " disambig_assignee_individual_name_last disambig_assignee_organization assignee_type location_id",
        [("7585299", "0", "x", "", "", "Acme, Inc.", "2", ""), ("7585299", "1", "y", "Ada", "Lovelace", "", "4", "")],
    ),
    "g_application": tsv(
        "application_id patent_id patent_application_type filing_date series_code rule_47_flag",
        [("10/755135", "7585299", "10", "2004-01-09", "10", "0")],
    ),
    "g_us_rel_doc": tsv(
        "patent_id related_doc_number published_country related_doc_type related_doc_kind related_doc_published_date"
        " related_doc_status related_doc_sequence wipo_kind",
        [
            ("7585299", "60439014", "US", "us-provisional-application", "", "2003-01-09", "", "0", ""),
            ("7585299", "09/123456", "US", "continuation", "parent doc", "1998-07-28", "", "1", ""),
            ("7585299", "6000000", "US", "continuation", "parent grant document", "1997-12-07", "", "2", "A"),
            ("7585299", "20050154389", "US", "related-publication", "", "1996-07-14", "", "3", "A1"),
            ("7585299", "12/999999", "US", "continuation", "child doc", "1995-01-01", "", "4", ""),
        ],
    ),
    "g_foreign_priority": tsv(
        "patent_id priority_claim_sequence priority_claim_kind foreign_application_id"
        " filing_date foreign_country_filed",
        [("7585299", "0", "national", "103 00 123", "2003-01-07", "DE")],
    ),
    "g_location_disambiguated": tsv("location_id disambig_city", [("1", "Rome")]),
}
SCREW = Patent(
    id="US7585299B2",
    title='A "screw" with a head',
    abstract="A screw.\nIt holds.",
    claims=(Claim(1, "A screw comprising:\na head."), Claim(2, "The screw, wherein it is flat.", (1,))),
    description=(
        Paragraph("BACKGROUND", heading="BACKGROUND", is_heading=True),
        Paragraph("Old screws.", heading="BACKGROUND"),
        Paragraph("FIG. 1 is it.", heading="BACKGROUND"),
        Paragraph("FIG. 2 too.", heading="BACKGROUND"),
        Paragraph("DETAILED DESCRIPTION", heading="DETAILED DESCRIPTION", is_heading=True),
        Paragraph("New screws.", heading="DETAILED DESCRIPTION"),
    ),
    published="2009-09-08",
    filed="2004-01-09",
    priority="1998-07-28",
    cpc=(Symbol("A61B 17/70", "first", "inventive"), Symbol("A61B 2017/00477", "later", "additional")),
    ipc=(Symbol("A61B 17/70", None, "inventive"), Symbol("F16B")),
    uspc=("606/60",),
    applicants=("Acme, Inc.",),
    inventors=("Ada Lovelace", "Charles Babbage"),
    citations=(
        Citation("US4000000A", "examiner"),
        Citation("USRE38335E", "applicant"),
        Citation("USD400000", "unknown"),
        Citation("US20050123456A1", "other"),
        Citation("EP0049154", "applicant"),
        Citation("WO1996025012", "unknown"),
    ),
    literature=(Literature("Smith, Screws, 1999."),),
    application_number="US10/755135",
    priority_numbers=("DE10300123", "US60/439014"),
    family_refs=("US09/123456", "US6000000A", "US20050154389A1", "US12/999999"),
    language="en",
    document_type="utility",
)
BOTTLE = Patent(
    id="USD600001S1",
    title="Bottle",
    claims=(Claim(1, "The ornamental design."),),
    published="2009-09-08",
    language="en",
    document_type="design",
    publication_status="withdrawn",
)


def bare(items: object) -> list[Patent | str]:
    return [replace(item, origins=()) if isinstance(item, Patent) else str(item.reason) for item in items]


def write(folder: Path, tables: dict[str, str], packing: str) -> None:
    for name, text in tables.items():
        if packing == "zip":
            with zipfile.ZipFile(folder / f"{name}.tsv.zip", "w") as archive:
                archive.writestr(f"{name}.tsv", text)
        elif packing == "gz":
            (folder / f"{name}.tsv.gz").write_bytes(gzip.compress(text.encode()))
        else:
            (folder / f"{name}.tsv").write_text(text)


@pytest.mark.parametrize("packing", ["", "zip", "gz"])
def test_the_tables_beside_the_main_one_are_joined(tmp_path: Path, packing: str):
    write(tmp_path, {"g_patent": MAIN, **TABLES}, packing)
    file = next(tmp_path.glob("g_patent.tsv*"))
    assert bare(scan(file)) == [SCREW, BOTTLE]


def test_one_archive_of_all(tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for name, text in {"g_patent": MAIN, **TABLES}.items():
            archive.writestr(f"data/{name}.tsv", text)
    found = [item for item in scan(tmp_path / "all.zip") if isinstance(item, Patent)]
    assert bare(found) == [SCREW, BOTTLE]


def test_a_folder_gives_each_patent_once(tmp_path: Path):
    write(tmp_path, {"g_patent": MAIN, **TABLES}, "")
    assert bare(scan(tmp_path)) == [SCREW, BOTTLE]


def test_the_main_table_alone(tmp_path: Path):
    write(tmp_path, {"g_patent": MAIN}, "")
    first, second = bare(scan(tmp_path / "g_patent.tsv"))
    assert first == Patent(
        "US7585299B2", title='A "screw" with a head', published="2009-09-08", language="en", document_type="utility"
    )
    assert second == replace(BOTTLE, claims=())


def test_a_companion_alone_says_what_it_belongs_to(tmp_path: Path):
    write(tmp_path, {"g_claims_2009": TABLES["g_claims_2009"]}, "")
    (reject,) = scan(tmp_path / "g_claims_2009.tsv")
    assert isinstance(reject, Reject)
    assert reject.reason == "g_claims_2009 belongs to g_patent.tsv, which is not in the same folder or archive"
    write(tmp_path, {"g_patent": MAIN}, "")
    assert list(scan(tmp_path / "g_claims_2009.tsv")) == []


def test_the_tables_of_before_2022(tmp_path: Path):
    tables = {
        "patent": tsv(
            "id type number country date abstract title kind num_claims filename",
            [("7585299", "utility", "7585299", "US", "2009-09-08", "A screw.", "Screw", "B2", "1", "x")],
        ),
        "claim": tsv(
            "uuid patent_id text dependent sequence exemplary", [("u", "7585299", "1. A screw.", "-1", "1", "TRUE")]
        ),
        "uspatentcitation": tsv(
            "uuid patent_id citation_id date name kind country category sequence",
            [("u", "7585299", "4000000", "1976-12-28", "Smith", "A", "US", "cited by examiner", "0")],
        ),
        "ipcr": tsv(
            "uuid patent_id classification_level section ipc_class subclass"
            " main_group subgroup symbol_position classification_value sequence",
            [("u", "7585299", "A", "A", "61", "B", "17", "70", "F", "I", "0")],
        ),
        "rawinventor": tsv("uuid patent_id name_first name_last sequence", [("u", "7585299", "Ada", "Lovelace", "0")]),
        "rawassignee": tsv(
            "uuid patent_id type name_first name_last organization sequence",
            [("u", "7585299", "4", "Ada", "Lovelace", "NULL", "0")],
        ),
        "application": tsv(
            "id patent_id type number country date", [("10/755135", "7585299", "10", "10755135", "US", "2004-01-09")]
        ),
    }
    write(tmp_path, tables, "")
    assert bare(scan(tmp_path / "patent.tsv")) == [
        Patent(
            "US7585299B2",
            title="Screw",
            abstract="A screw.",
            claims=(Claim(1, "A screw."),),
            published="2009-09-08",
            filed="2004-01-09",
            ipc=(Symbol("A61B 17/70", "first", "inventive"),),
            applicants=("Ada Lovelace",),
            inventors=("Ada Lovelace",),
            citations=(Citation("US4000000A", "examiner"),),
            application_number="US10/755135",
            language="en",
            document_type="utility",
        )
    ]


def test_broken_rows_are_told_and_the_rest_goes_on(tmp_path: Path):
    write(
        tmp_path, {"g_patent": MAIN + '"1"\t"x"\n', "g_patent_abstract": TABLES["g_patent_abstract"] + "7585299\n"}, ""
    )
    first, _, short, companion = bare(scan(tmp_path / "g_patent.tsv"))
    assert isinstance(first, Patent)
    assert first.abstract == "A screw.\nIt holds."
    assert short == "a row of 2 cells, but the header has 8"
    assert len(TABLES["g_patent_abstract"]) == 61
    assert companion == "g_patent_abstract: byte 61: a row of 1 cells, but the header has 2"


def test_printed_names_are_preferred_to_disambiguated_ones(tmp_path: Path):
    printed = tsv(
        "patent_id inventor_sequence inventor_id raw_inventor_name_first raw_inventor_name_last"
        " deceased_flag rawlocation_id",
        [("7585299", "0", "a", "Augusta Ada", "King", "0", "")],
    )
    write(tmp_path, {"g_patent": MAIN, "g_inventor_not_disambiguated": printed, **TABLES}, "")
    first, _ = scan(tmp_path / "g_patent.tsv")
    assert first.inventors == ("Augusta Ada King",)


def test_claims_without_numbers_of_their_own(tmp_path: Path):
    claims = tsv("patent_id claim_sequence claim_text", [("7585299", "", "1. A screw."), ("7585299", "", "A nail.")])
    write(tmp_path, {"g_patent": MAIN, "g_claims_1983": claims}, "")
    first, _ = scan(tmp_path / "g_patent.tsv")
    assert first.claims == (Claim(1, "A screw."), Claim(2, "A nail."))


def test_nothing_temporary_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    write(tmp_path, {"g_patent": MAIN, **TABLES}, "zip")
    next(iter(scan(tmp_path / "g_patent.tsv.zip")))
    assert list(scan(tmp_path / "g_patent.tsv.zip"))
    assert list(scratch.iterdir()) == []


def test_sniff():
    assert READER.sniff(MAIN.encode(), "x")
    assert READER.sniff(TABLES["g_us_rel_doc"].encode(), "x")
    assert not READER.sniff(b"id\ttitle\n1\t2\n", "x")
    assert not READER.sniff(b"patent_id,patent_type,patent_date,patent_title\n", "x")
    assert not READER.sniff(b"", "x")
