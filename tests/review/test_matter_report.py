"""Reports of a matter: what was judged is in them, in every form, and `verify` confirms their quotes."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from extras import skip_without
from foreart import Library
from foreart.errors import BadRequest, MatterError, MissingExtra
from foreart.report.writers.form_table import FORMS as REPORT_FORMS
from foreart.review.casework import snapshot_of
from foreart.review.casework.matter_forms import FORMS
from foreart.review.casework.matter_report import matter_report
from foreart.review.matters import Matter
from foreart.review.matters.export_options import ExportOptions
from pawls import DRAFT, PATENTS

OPTIONS = ExportOptions(docket="N-7", application_number="EP26000001", art_unit="3723", examiner="Q", items_before=49)


@pytest.fixture(scope="module")
def matter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Matter]:
    with Library(tmp_path_factory.mktemp("reports") / "library") as library:
        library.corpus.add(PATENTS)
        library.build()
        with library.matter("ratchet", create=True, title="Ratchet") as found:
            found.search(DRAFT, rater="ann")
            first, second, third, fourth = (item.id for item in found.queue(rater="ann"))
            found.set_stopping(0.7, 0.8, rater="ann")
            found.judge(first, "relevant", rater="ann")
            found.judge(first, "maybe", rater="bob")
            found.judge(second, "no", rater="ann")
            found.judge(third, "maybe", rater="ann")
            found.judge(fourth, "no", rater="ann")
            found.categorise(first, "X", claims=[1], rater="ann")
            found.categorise(fourth, "A", rater="ann")
            found.note("as in figure 2", first, rater="ann")
            found.note("ask the inventor", rater="ann")
            found.set_criteria("a pawl that is held", rater="ann")
            yield found


def test_the_report_has_what_people_judged(matter: Matter) -> None:
    first, second, third, fourth = (hit.id for hit in matter.state.search.hits)  # type: ignore[union-attr]
    report = matter_report(snapshot_of(matter), matter.library, OPTIONS)
    assert [item.id for item in report.documents] == [first, third, fourth]
    best, _, background = report.documents
    assert [(one.verdict, one.rater, one.note) for one in best.verdicts] == [
        ("relevant", "ann", "as in figure 2"),
        ("maybe", "bob", ""),
    ]
    assert [(line.letters, line.claims, line.rater) for line in best.categories] == [("X", (1,), "ann")]
    assert [line.letters for line in background.categories] == ["A"]
    hit = matter.state.search.hits[0]  # type: ignore[union-attr]
    assert (best.status, best.rule, best.rank) == (hit.status, hit.rule, 1)
    assert best.passages
    texts = " ".join(paragraph.text for paragraph in matter.library.corpus[first].description)
    claims = " ".join(claim.text for claim in matter.library.corpus[first].claims)
    assert all(passage.text in texts + claims for passage in best.passages)
    assert second not in {item.id for item in report.documents}
    assert (report.draft.docket, report.draft.application_number, report.items_before) == ("N-7", "EP26000001", 49)
    assert (report.matter, report.searcher) == ("Ratchet", "ann")
    assert report.notes == ("Relevant is: a pawl that is held", "ask the inventor")
    assert report.agreement.startswith("ann and bob: 1 document judged by both")
    assert report.searches[0].hits == 4
    estimate = report.estimate
    assert estimate is not None
    assert (estimate.found, estimate.read, estimate.target, estimate.confidence) == (1, 4, 0.7, 0.8)
    assert estimate.rule == "fixed before reading"
    assert (estimate.unread, estimate.may_stop) == (None, None)
    assert estimate.sentence.startswith("ann: 1 found in 4 read. How many are still unread cannot be estimated")


def test_parts_are_left_out_and_unknown_ones_refused(matter: Matter) -> None:
    options = ExportOptions(leave_out=("notes", "estimate"), rater="bob")
    report = matter_report(snapshot_of(matter), matter.library, options)
    assert report.notes == ()
    assert not report.contents.notes
    assert report.contents.passages
    assert report.estimate is not None
    assert (report.estimate.found, report.estimate.read) == (0, 1)
    data = matter.content("report-json", options).decode()
    assert "as in figure 2" not in data
    assert "ask the inventor" not in data
    with pytest.raises(BadRequest, match="no part 'colour' to leave out"):
        ExportOptions(leave_out=("colour",))
    with pytest.raises(BadRequest, match="items_before is -1"):
        ExportOptions(items_before=-1)


def test_every_form_is_offered_and_the_matters_own_keep_their_names(matter: Matter) -> None:
    assert {name.removeprefix("report-") for name in FORMS} == REPORT_FORMS.keys()
    assert (FORMS["json"].is_report, FORMS["report-json"].is_report) == (False, True)
    assert json.loads(matter.content("json"))["schema"] == "foreart matter"
    assert json.loads(matter.content("report-json"))["kind"] == "search report"


@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if form.is_report])
def test_every_form_is_written_kept_and_verified(matter: Matter, tmp_path: Path, form: str) -> None:
    path = tmp_path / f"report{FORMS[form].suffix}"
    try:
        size = matter.export(path, form, rater="ann", options=OPTIONS)
    except MissingExtra as error:
        skip_without(str(error))
        raise
    assert path.stat().st_size == size
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    kept = matter.state.exports[-1]
    assert (kept.event.form, kept.event.file, kept.event.size, kept.rater) == (form, path.name, size, "ann")
    if REPORT_FORMS[form.removeprefix("report-")].verified:
        checked = matter.library.verify(path)
        assert checked.holds, checked.faults
        report = matter_report(snapshot_of(matter), matter.library)
        assert checked.quotes == sum(len(document.passages) for document in report.documents) > 0


def test_the_form_follows_from_the_ending(matter: Matter, tmp_path: Path) -> None:
    matter.export(tmp_path / "report.html")
    assert matter.state.exports[-1].event.form == "html"
    matter.export(tmp_path / "references.bib")
    assert matter.state.exports[-1].event.form == "biblatex"
    with pytest.raises(BadRequest, match="'zip' is not a form of export"):
        matter.export(tmp_path / "report.zip")
    log = [event.what for event in matter_report(snapshot_of(matter), matter.library).log]
    assert log[-1] == "exported as biblatex: references.bib"


def test_a_document_that_left_the_corpus_stays_in_the_report(matter: Matter, tmp_path: Path) -> None:
    """As the search recorded it, without quotes."""
    state = matter.state
    with Library(tmp_path / "other") as other:
        other.corpus.add(PATENTS)
        other.build()
        with other.matter("ratchet", create=True) as copy:
            copy.search(DRAFT)
            first = copy.queue()[0]
            copy.judge(first.id, "relevant")
            other.corpus.remove([first.id])
            other.build()
            (document,) = matter_report(snapshot_of(copy), other).documents
            assert first.hit is not None
            assert (document.id, document.title, document.status) == (first.id, first.hit.title, first.hit.status)
            assert document.passages == ()
    assert state.last == matter.state.last


def test_a_report_needs_a_search(tmp_path: Path) -> None:
    with (
        Library(tmp_path / "empty") as library,
        library.matter("bare", create=True) as matter,
        pytest.raises(MatterError, match="a report needs a search"),
    ):
        matter.content("epo-docx")
