"""Literature in a matter: judged and categorised like a document, in every report, and outside of the estimate."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from extras import skip_without
from foreart import Library
from foreart.document.reference import LiteratureReference
from foreart.errors import BadRequest, MissingExtra, NotInCorpus
from foreart.report.forms.open_points import open_points
from foreart.review.casework import MatterReview, snapshot_of
from foreart.review.casework.matter_forms import FORMS
from foreart.review.casework.matter_report import matter_report
from foreart.review.matters import Matter
from foreart.review.matters.export_options import NO_OPTIONS
from pawls import DRAFT, PATENTS

PAPER = LiteratureReference(
    "Leaf springs & pawls", ("Hartwell, Ruth", "Okoro, Ben"), "Journal of Mechanisms", "1998-05", "12-3", "101-109",
    "Northgate Press", "Leeds", "10.1000/182", "en",
)  # fmt: skip
CITATION = (
    "HARTWELL, RUTH; OKORO, BEN; “Leaf springs & pawls”; Journal of Mechanisms; 1998-05; pages 101-109; "
    "volume-issue 12-3; Northgate Press, Leeds; 10.1000/182"
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library(tmp_path_factory.mktemp("literature") / "library") as found:
        found.corpus.add(PATENTS)
        found.build()
        yield found


@pytest.fixture
def matter(library: Library, request: pytest.FixtureRequest) -> Iterator[Matter]:
    with library.matter("m-" + str(abs(hash(request.node.name)))[:12], create=True) as found:
        found.search(DRAFT, rater="ann")
        yield found


@pytest.fixture(scope="module")
def reported(library: Library) -> Iterator[Matter]:
    """A matter whose only finds are an article and a page."""
    with library.matter("reported", create=True) as found:
        found.search(DRAFT, rater="ann")
        paper = found.add_literature(PAPER, places=("page 104",), rater="ann")
        site = LiteratureReference("Pawl shop", identifier="https://example.org/pawls", form="web page")
        found.judge(found.add_literature(site, rater="ann"), "maybe", rater="ann")
        found.judge(paper, "relevant", rater="ann")
        found.categorise(paper, "Y", claims=[1, 2], rater="ann")
        found.note("ask the library for a copy", paper, rater="ann")
        found.add_literature(LiteratureReference("Not judged"), rater="ann")
        yield found


def test_it_is_judged_like_a_document_and_undone(matter: Matter) -> None:
    paper = matter.add_literature(PAPER, places=("page 104",), rater="ann")
    assert paper == "NPL-4"  # by the number of its event
    matter.judge(paper, "relevant", rater="ann")
    matter.categorise(paper, "x", claims=[1], rater="ann")
    matter.note("see figure 2", paper, rater="ann")
    (kept,) = matter.state.literature
    assert (kept.event.document, kept.event.reference, kept.event.places) == (paper, PAPER, ("page 104",))
    assert matter.state.judgement(paper, "ann") == "relevant"
    assert [(item.event.document, item.event.category) for item in matter.state.categories] == [(paper, "X")]
    for _ in range(4):
        matter.undo(rater="ann")
    state = matter.state
    assert (state.literature, state.judgements, state.categories, state.notes) == ((), (), (), ())
    # The id of what was undone is not given again, and redo brings it back.
    another = matter.add_literature(LiteratureReference("Another"), rater="bob")
    matter.redo(rater="ann")
    assert [item.event.document for item in matter.state.literature] == [paper, another]


def test_it_is_changed_in_place_and_withdrawn(matter: Matter) -> None:
    first = matter.add_literature(PAPER)
    second = matter.add_literature(LiteratureReference("Second"))
    matter.judge(second, "relevant")
    assert matter.add_literature(LiteratureReference("Corrected"), replaces=first, translated=True) == first
    titles = [(item.event.document, item.event.reference.title) for item in matter.state.literature]
    assert titles == [(first, "Corrected"), (second, "Second")]
    matter.add_literature(LiteratureReference("Second"), replaces=second, withdrawn=True)
    assert [item.event.document for item in matter.state.literature] == [first]
    assert matter_report(snapshot_of(matter), matter.library).literature == ()
    for unknown in ("NPL-9", "npl-4", "NPL-4B"):
        with pytest.raises((BadRequest, NotInCorpus)):
            matter.judge(unknown, "relevant")
    with pytest.raises(BadRequest, match="NPL-4 is not in the corpus: judge it, or withdraw it"):
        matter.seed(first)


def test_it_neither_teaches_the_order_nor_counts_in_the_estimate(matter: Matter) -> None:
    before = MatterReview.of(matter, rater="ann")
    order = [(item.queued.id, item.queued.score) for item in before.queue().items]
    matter.judge(matter.add_literature(PAPER, rater="ann"), "relevant", rater="ann")
    after = MatterReview.of(matter, rater="ann")
    assert [(item.queued.id, item.queued.score) for item in after.queue().items] == order
    assert (after.stopping().found, after.stopping().read, after.finds()) == (0, 0, ((0, 0),))
    matter.set_stopping(0.8, 0.9, rater="ann")
    assert snapshot_of(matter).fixed_before_reading


def test_two_readers_agree_on_it_too(matter: Matter) -> None:
    paper = matter.add_literature(PAPER, rater="ann")
    matter.judge(paper, "relevant", rater="ann")
    matter.judge(paper, "no", rater="bob")
    (found,) = matter.agreement()
    assert (found.common, found.equal, found.differing) == (1, 0, (paper,))


def test_the_report_has_it_with_judgement_category_and_note(reported: Matter) -> None:
    report = matter_report(snapshot_of(reported), reported.library)
    assert report.documents == ()
    paper, site = report.literature
    assert (paper.text, paper.places, paper.note) == (CITATION, ("page 104",), "ask the library for a copy")
    assert [(line.letters, line.claims, line.rater) for line in paper.categories] == [("Y", (1, 2), "ann")]
    assert [(one.verdict, one.rater) for one in paper.verdicts] == [("relevant", "ann")]
    assert site.text == "“Pawl shop”; https://example.org/pawls"
    sentences = {(point.about, point.sentence) for point in open_points(report, "epc")}
    assert ("“Pawl shop”; https://example.org/pawls", "its date of publication is not known") in sentences
    assert ("claim 1", "only one document has Y: Y needs another document of the same category") in sentences


@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if form.is_report])
def test_every_form_lists_it(reported: Matter, form: str) -> None:
    try:
        data = reported.content(form, NO_OPTIONS)
    except MissingExtra as error:
        skip_without(str(error))
        raise
    text = _text(form, data)
    assert "Leaf springs" in text
    assert "Pawl shop" in text
    assert "Not judged" not in text
    assert "hartwell, ruth" in text.lower()


def _text(form: str, data: bytes) -> str:
    """All characters of a file, as a reader of its kind finds them."""
    if form.endswith("pdf"):
        pypdf = pytest.importorskip("pypdf")
        pages = " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages)
        return " ".join(pages.split())
    if form.endswith(("docx", "xlsx")):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return " ".join(archive.read(name).decode() for name in archive.namelist() if name.endswith(".xml"))
    return data.decode("utf-8-sig")


def test_reference_managers_get_its_parts(reported: Matter) -> None:
    ris = reported.content("ris", NO_OPTIONS).decode()
    for line in (
        "TY  - JOUR", "AU  - Hartwell, Ruth", "AU  - Okoro, Ben", "T2  - Journal of Mechanisms", "DA  - 1998/05//",
        "VL  - 12-3", "SP  - 101-109", "DO  - 10.1000/182", "CY  - Leeds", "TY  - ELEC",
        "UR  - https://example.org/pawls", "N1  - Category: Y for claims 1, 2", "N1  - Judgement: relevant (ann)",
    ):  # fmt: skip
        assert f"{line}\r\n" in ris, line
    biblatex = reported.content("biblatex", NO_OPTIONS).decode()
    for line in (
        "@article{npl1,", "author = {Hartwell, Ruth and Okoro, Ben}", "title = {Leaf springs \\& pawls}",
        "journaltitle = {Journal of Mechanisms}", "date = {1998-05}", "@online{npl2,",
        "url = {https://example.org/pawls}",
    ):  # fmt: skip
        assert line in biblatex, line
    bibtex = reported.content("bibtex", NO_OPTIONS).decode()
    for line in (
        "@article{npl1,",
        "journal = {Journal of Mechanisms}",
        "year = {1998}",
        "month = {may}",
        "@misc{npl2,",
    ):
        assert line in bibtex, line


def test_the_matters_own_files_have_it(reported: Matter, tmp_path: Path) -> None:
    record = json.loads(reported.content("json"))
    assert [item["document"] for item in record["state"]["literature"]] == ["NPL-4", "NPL-5", "NPL-10"]
    assert record["state"]["literature"][0]["reference"]["authors"] == ["Hartwell, Ruth", "Okoro, Ben"]
    rows = reported.content("csv").decode("utf-8-sig").splitlines()
    assert any("NPL-4,relevant" in row and row.endswith("Leaf springs & pawls") for row in rows)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"title": " "}, "literature needs a title"),
        ({"title": "T", "published": "May 1998"}, "'May 1998' is not a date: write 2014-03-10, 2014-03 or 2014"),
        ({"title": "T", "authors": ("",)}, "literature has up to 100 authors, each with a name"),
        ({"title": "T" * 501}, "a field of literature has 501 characters; there may be 500"),
        (
            {"title": "T", "form": "film"},
            "'film' is not a form of literature; there are article, book, web page, other",
        ),
    ],
)
def test_what_is_no_reference_is_refused(fields: dict, sentence: str) -> None:
    with pytest.raises(BadRequest, match=f"^{sentence.replace('(', '.').replace(')', '.')}$"):
        LiteratureReference(**fields)
