"""Crawls over real connections, with every fault that servers have."""

from __future__ import annotations

import gzip
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from crawl import site as faults
from crawl.graph import MEDICAL, QUICK, network, opened, reached
from crawl.pages import Invented, page
from crawl.site import Site, serving, site_of
from foreart.corpus import Corpus
from foreart.corpus.frontier import crawl_entries
from foreart.corpus.relations.families import families
from foreart.crawl import CrawlConditions, CrawlOutcome, CrawlSpec, CrawlStatus, Following, crawl
from foreart.crawl.fetching.http import Limits
from foreart.document.record import to_json
from foreart.errors import CorpusBusy, CrawlError


def run(site: Site, folder: Path, seeds: list[str], spec: CrawlSpec = MEDICAL, **options: object) -> CrawlOutcome:
    """One run of the command."""
    opening = {key: options.pop(key) for key in ("policy", "cache") if key in options}
    source = opened(site, folder, citing=spec.following.citing, **opening)  # type: ignore[arg-type]
    with closing(source), Corpus(folder / "corpus.db", create=True) as corpus:
        return crawl(corpus, source, seeds, spec, **options)  # type: ignore[arg-type]


def ids(folder: Path) -> list[str]:
    with Corpus(folder / "corpus.db") as corpus:
        return corpus.ids()


def test_only_patents_that_meet_the_conditions_are_kept_and_followed(tmp_path: Path) -> None:
    documents = network(120)
    with serving(site_of(documents)) as site:
        outcome = run(site, tmp_path, ["US7000001B2", "US7000002B2"])
        expected = reached(site.documents, ["US7000001B2", "US7000002B2"])
        assert outcome.ended == "finished"
        assert ids(tmp_path) == sorted(expected, key=lambda number: (expected[number], ids(tmp_path).index(number)))
        assert set(ids(tmp_path)) == set(expected)
        assert 40 < len(expected) < 110
        requested = site.requested()
        assert len(requested) == len(set(requested))  # nothing twice
        assert outcome.status.kept == len(expected)
        assert outcome.status.found == len(requested)
        assert set(outcome.status.rejected) == {"published too early", "other class", "no search report"}
        assert sum(outcome.status.rejected.values()) == len(requested) - len(expected)
    with Corpus(tmp_path / "corpus.db") as corpus:
        one = corpus["US7000001B2"]
        assert [citation.id for citation in one.citations] == list(documents[0].cites)
        assert one.origins[0].file == f"{site.base}/patent/US7000001B2/en"
        assert "stolen" not in to_json(one)


def test_faults_do_not_change_the_resulting_corpus(tmp_path: Path) -> None:
    documents = {document.number: document for document in network(60)}
    seed = "US7000001B2"
    victims = [number for number in reached(documents, [seed]) if number != seed][:12]
    loop, own, gone = victims[0], victims[1], victims[2]
    documents[loop] = replace(documents[loop], cites=(*documents[loop].cites, seed))
    documents[own] = replace(documents[own], cites=(own, *documents[own].cites))
    bad = ("US9999999B2", "no. 12 of Mr. Smith", "US", "B2")  # a missing page, and malformed numbers
    documents[gone] = replace(documents[gone], cites=(*documents[gone].cites, *bad))
    odd = "Müller's ‘anvil’"
    documents[victims[3]] = replace(documents[victims[3]], title=odd, old=False)
    latin = page(replace(documents[victims[3]], title="Müller's anvil")).replace(b"UTF-8", b"iso-8859-1")
    with serving(site_of(documents.values())) as site:
        calm = tmp_path / "calm"
        assert run(site, calm, [seed]).ended == "finished"
        site.counts.clear()
        site.faults = {
            victims[3]: faults.body(latin.decode().encode("latin-1"), Content_Type="text/html; charset=utf-8"),
            victims[4]: faults.later(0, times=2),
            victims[5]: faults.status(500, times=2),
            victims[6]: faults.silence(0.6),
            victims[7]: faults.cut(),
            victims[8]: faults.drip(1.5),
            victims[9]: faults.later_at(0.3),
            victims[10]: faults.status(503, times=3),
            victims[11]: faults.body(gzip.compress(page(documents[victims[11]])), Content_Encoding="gzip"),
        }
        stormy = tmp_path / "stormy"
        outcome = run(site, stormy, [seed])
    assert outcome.ended == "finished"
    assert outcome.status.failed == 0
    assert outcome.status.missing == 1
    with Corpus(calm / "corpus.db") as one, Corpus(stormy / "corpus.db") as other:
        assert other.ids() == one.ids()
        assert other[victims[3]].title == "Müller's anvil"
        assert one[victims[3]].title == odd
        assert [a == b for a, b in zip(one, other, strict=True)].count(False) == 1


def test_broken_pages_are_rejects_with_their_bytes_and_the_crawl_continues(tmp_path: Path) -> None:
    numbers = [f"US800000{place}B2" for place in range(9)]
    documents = [Invented("US8000000B2", cites=tuple(numbers[1:]), published="2015-01-06")]
    documents += [Invented(number, cites=("US1000001A",)) for number in numbers[1:]]
    huge = b"<!DOCTYPE html><html><body itemprop='publicationNumber'>" + b"x" * (50 << 20) + b"</body></html>"
    half = page(documents[5])[:-2000]
    with serving(site_of(documents)) as site:
        site.faults = {
            numbers[1]: faults.body(huge),
            numbers[2]: faults.body(gzip.compress(huge, 1), Content_Encoding="gzip"),
            numbers[3]: faults.body(b"\x89PNG....", Content_Type="image/png"),
            numbers[4]: faults.body(b"<html><body>Are you a robot?</body></html>"),
            numbers[5]: faults.body(half),
            numbers[6]: faults.body(page(documents[8])),
            numbers[7]: faults.body(b"\x1f\x8bnot gzip at all", Content_Encoding="gzip"),
        }
        outcome = run(site, tmp_path, ["US8000000B2"], policy=replace(QUICK, limits=replace(QUICK.limits, seconds=9)))
        assert outcome.ended == "finished"
        assert (outcome.status.kept, outcome.status.rejected) == (2, {"cannot be read": 7})
        assert ids(tmp_path) == [numbers[0], numbers[8]]
        with Corpus(tmp_path / "corpus.db") as corpus:
            kept = {reject.file.split("/")[-2]: reject for reject in corpus.rejects()}
        assert [kept[number].reason for number in numbers[1:8]] == [
            "larger than 20 MiB",
            "larger than 20 MiB",
            "of type image/png, not text/html",
            "not a page of a patent",
            "the page is truncated",
            "the page is of US8000008B2",
            "damaged compression: Error -3 while decompressing data: unknown compression method",
        ]
        assert kept[numbers[1]].raw == huge[: 1 << 20]
        assert kept[numbers[5]].raw == half
        before = len(site.requested())
        assert run(site, tmp_path, ["US8000000B2"]).status.decided == 0
        assert len(site.requested()) == before
        site.faults.clear()
        assert run(site, tmp_path, ["US8000000B2"], again=True).status.kept == 9
    assert ids(tmp_path) == [numbers[0], numbers[8], *numbers[1:8]]


def test_redirects_lead_only_to_the_same_host(tmp_path: Path) -> None:
    documents = [Invented("US8000001B2", cites=("US8000002B2", "US8000003B2", "US8000004B2"), published="2015-01-06")]
    documents += [Invented(f"US800000{place}B2", cites=("US1000001A",)) for place in (3, 4, 5)]
    with serving(site_of(documents)) as site, serving(site_of(documents)) as other:
        site.faults = {
            "US8000002B2": faults.moved(f"{other.base}/patent/US8000003B2/en"),
            "US8000003B2": faults.moved("/patent/US8000003B2/de"),
            "US8000004B2": faults.moved("/patent/US8000004B2/en", 301),
        }
        site.routes["/patent/US8000003B2/de"] = lambda handler: faults.Visit(handler, "", 1).answer(
            200, page(site.documents["US8000003B2"])
        )
        outcome = run(site, tmp_path, ["US8000001B2"])
        assert other.log == []
    assert outcome.status.kept == 2
    with Corpus(tmp_path / "corpus.db") as corpus:
        assert corpus.ids() == ["US8000001B2", "US8000003B2"]
        identity = MEDICAL.identity(opened(site, tmp_path))
        failed = {
            entry.number: entry.detail for entry in crawl_entries(corpus.connection, identity, states=("failed",))
        }
    assert "redirects /patent/US8000002B2/en to another host" in failed["US8000002B2"]
    assert "more than 5 redirects" in failed["US8000004B2"]


def test_robots_txt_is_obeyed_and_fetched_first(tmp_path: Path) -> None:
    documents = network(12)
    with serving(site_of(documents)) as site:
        site.robots = "User-agent: *\nDisallow: /patent/US7000002\nDisallow: /*B9/\n"
        outcome = run(site, tmp_path, ["US7000001B2", "US7000002B2", "US7000003B2"])
        assert site.log[0][1] == "/robots.txt"
        assert [path for path in site.requested() if "US7000002B2" in path] == []
        assert outcome.status.failed == 1
        assert site.log[0][2]["user-agent"].startswith("foreart/")
        assert site.counts["/robots.txt"] == 1
        site.robots = "User-agent: foreart\nDisallow: /\n\nUser-agent: *\nAllow: /\n"
        before = len(site.requested())
        other = run(site, tmp_path / "other", ["US7000001B2"])
        assert (other.ended, other.status.failed, len(site.requested())) == ("finished", 1, before)
        site.robots = 403
        assert run(site, tmp_path / "third", ["US7000001B2"]).status.failed == 1
        site.robots = 404
        assert run(site, tmp_path / "fourth", ["US7000001B2"]).status.kept > 1


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (faults.status(403, times=0), r"answered 403"),
        (faults.status(401, times=0), r"answered 401"),
        (faults.later(0, times=0), r"answered 429 5 times in a row"),
        (faults.later(86400, times=0), r"accepts no requests for 86,400 seconds"),
    ],
)
def test_it_stops_when_it_is_refused_and_continues_later(tmp_path: Path, fault: faults.Fault, message: str) -> None:
    documents = network(40)
    with serving(site_of(documents)) as site:
        whole = run(site, tmp_path / "whole", ["US7000001B2"])
        unlucky = ids(tmp_path / "whole")[4]
        site.faults[unlucky] = fault
        refused = run(site, tmp_path, ["US7000001B2"])
        assert refused.ended == "refused"
        assert message in refused.message
        assert refused.status.waiting > 0
        assert 0 < refused.status.kept < whole.status.kept
        site.faults.clear()
        assert run(site, tmp_path, ["US7000001B2"]).status.kept == whole.status.kept
    assert ids(tmp_path) == ids(tmp_path / "whole")


def test_failures_are_retried_by_the_same_command_and_smaller_depths_are_passed_on(tmp_path: Path) -> None:
    # Within two steps, D is reached only through B; its citation E only if the smaller depth of D is passed on.
    documents = [
        Invented("US8000001B2", cites=("US8000002B2", "US8000003B2"), published="2015-01-06"),
        Invented("US8000002B2", cites=("US8000005B2",)),
        Invented("US8000003B2", cites=("US8000004B2",)),
        Invented("US8000004B2", cites=("US8000005B2",)),
        Invented("US8000005B2", cites=("US8000006B2",)),
        Invented("US8000006B2", cites=("US8000001B2",)),
    ]
    with serving(site_of(documents)) as site:
        site.faults["US8000002B2"] = faults.status(500, times=0)
        first = run(site, tmp_path, ["US8000001B2"], depth=3)
        assert (first.ended, first.status.kept, first.status.failed, first.status.beyond) == ("finished", 4, 1, 1)
        assert "US8000006B2" not in ids(tmp_path)
        site.faults.clear()
        second = run(site, tmp_path, ["US8000001B2"], depth=3)
    assert (second.status.kept, second.status.failed, second.status.beyond) == (6, 0, 0)


def test_a_server_that_is_down_ends_the_crawl_after_a_few_attempts(tmp_path: Path) -> None:
    seeds = [f"US80000{place:02}B2" for place in range(10, 30)]
    with serving(site_of([Invented(seed, cites=("US1000001A",)) for seed in seeds])) as site:
        for seed in seeds:
            site.faults[seed] = faults.status(502, times=0)
        outcome = run(site, tmp_path, seeds, policy=replace(QUICK, attempts=2))
        assert outcome.ended == "refused"
        assert "5 documents in a row could not be fetched" in outcome.message
        assert 10 <= len(site.requested()) <= 12  # the next one may be in flight
        assert (outcome.status.failed, outcome.status.waiting) == (5, 15)


def test_a_new_page_layout_ends_the_crawl(tmp_path: Path) -> None:
    seeds = [f"US80000{place:02}B2" for place in range(10, 40)]
    with serving(site_of([Invented(seed, cites=("US1000001A",)) for seed in seeds])) as site:
        for seed in seeds:
            site.faults[seed] = faults.body(b"<html><body>A new layout</body></html>")
        outcome = run(site, tmp_path, seeds)
        assert outcome.ended == "refused"
        assert "20 answers in a row could not be read; the last: not a page of a patent" in outcome.message
        assert outcome.status.rejected == {"cannot be read": 20}
        site.faults.clear()
        assert run(site, tmp_path, seeds, again=True).status.kept == 30


def test_depth_and_limit_may_be_raised(tmp_path: Path) -> None:
    documents = network(80)
    with serving(site_of(documents)) as site:
        seeds = ["US7000001B2"]
        levels = reached(site.documents, seeds)
        for depth in (0, 1, 2):
            outcome = run(site, tmp_path, seeds, depth=depth)
            assert outcome.ended == "finished"
            assert set(ids(tmp_path)) == {number for number, steps in levels.items() if steps <= depth}
        few = run(site, tmp_path / "few", seeds, limit=7)
        assert (few.ended, few.status.kept) == ("enough", 7)
        assert ids(tmp_path / "few") == list(levels)[:7]
        more = run(site, tmp_path / "few", seeds, limit=12)
        assert (more.ended, ids(tmp_path / "few")) == ("enough", list(levels)[:12])
        again = run(site, tmp_path / "few", seeds, limit=12)
        assert (again.ended, again.status.decided) == ("enough", 0)
        new = run(site, tmp_path / "few", [*seeds, "US7000070B2"])
        assert set(ids(tmp_path / "few")) == set(reached(site.documents, [*seeds, "US7000070B2"]))
        assert new.ended == "finished"


@pytest.mark.parametrize("connections", [1, 4])
def test_the_order_of_answers_does_not_matter(tmp_path: Path, connections: int) -> None:
    documents = network(70, seed=5)
    with serving(site_of(documents)) as site:
        run(site, tmp_path / "plain", ["US7000001B2", "US7000002B2"], limit=25)
        for place, document in enumerate(documents):
            if place % 3 == 0:
                site.faults[document.number] = faults.first(0, lambda visit: bool(faults.time.sleep(0.03)))
        policy = replace(QUICK, connections=connections)
        run(site, tmp_path / "late", ["US7000001B2", "US7000002B2"], limit=25, policy=policy)
        assert site.max_open <= connections + 1  # the previous crawl may still be closing its connection
    assert ids(tmp_path / "late") == ids(tmp_path / "plain")


def test_unchanged_pages_are_not_transferred_again(tmp_path: Path) -> None:
    documents = network(15)
    always = replace(QUICK, fresh=0.0)
    with serving(site_of(documents)) as site:
        run(site, tmp_path, ["US7000001B2"], policy=always)
        requested = len(site.requested())
        (tmp_path / "corpus.db").unlink()
        run(site, tmp_path, ["US7000001B2"], policy=always)
        again = [headers for _, path, headers in site.log if path.startswith("/patent/")][requested:]
        assert len(again) == requested
        assert all("if-none-match" in headers for headers in again)
        site.log.clear()
        (tmp_path / "corpus.db").unlink()
        run(site, tmp_path, ["US7000001B2"])
        assert site.requested() == []


def test_family_members_are_stored_and_not_followed_as_citations(tmp_path: Path) -> None:
    documents = [
        Invented(
            "US8000001B2",
            cites=("US20140000009A1", "EP2000002A1"),
            family=("US20140000009A1",),
            priority="US61/100,200",
        ),
        Invented("EP2000002A1", cites=("US1000001A",), priority="US61/100,200"),
        Invented("US20140000009A1", cites=("US1000001A",)),
    ]
    family = CrawlSpec(MEDICAL.conditions, Following(family=True))
    with serving(site_of(documents)) as site:
        run(site, tmp_path, ["US8000001B2"])
        assert ids(tmp_path) == ["US8000001B2", "EP2000002A1"]
        run(site, tmp_path / "all", ["US8000001B2"], family)
    with Corpus(tmp_path / "all" / "corpus.db") as corpus:
        (found,) = families(corpus)
        assert {member.id for member in found.members} == {"US8000001B2", "EP2000002A1", "US20140000009A1"}
        assert {member.reason.split(" US")[0] for member in found.members} == {
            "shared priority",
            "continuation reference",
        }


def test_citing_documents_are_followed_on_request_in_both_layouts(tmp_path: Path) -> None:
    documents = [
        Invented("US8000001B2", cites=("US1000001A",), cited_by=("US8000002B2",)),
        Invented("US8000002B2", cites=("US8000001B2",), cited_by=("US8000003B2", "nobody"), old=True),
        Invented("US8000003B2", cites=("US8000002B2",)),
    ]
    with serving(site_of(documents)) as site:
        run(site, tmp_path, ["US8000001B2"])
        assert ids(tmp_path) == ["US8000001B2"]
        run(site, tmp_path, ["US8000001B2"], CrawlSpec(MEDICAL.conditions, Following(citing=True)))
    assert ids(tmp_path) == ["US8000001B2", "US8000002B2", "US8000003B2"]


def test_a_seed_without_kind_code_is_found_and_stored_under_its_id(tmp_path: Path) -> None:
    documents = [
        Invented("US20150066086A1", cites=("US8000002B2", "US8000002"), published="2015-03-05"),
        Invented("US8000002B2", cites=("US20150066086",)),
    ]
    with serving(site_of(documents)) as site:
        outcome = run(site, tmp_path, ["US 2015/0066086"])
        assert ids(tmp_path) == ["US20150066086A1", "US8000002B2"]
        assert (outcome.status.kept, outcome.status.found) == (2, 2)
        assert site.requested().count("/patent/US8000002B2/en") == 1


def test_conditions_apply_to_seeds_unless_keep_seeds_is_set(tmp_path: Path) -> None:
    documents = [
        Invented("US8000001B2", cites=("US8000002B2",), classes=("G06F17/30",)),
        Invented("US8000002B2", cites=("US1000001A",)),
    ]
    with serving(site_of(documents)) as site:
        assert run(site, tmp_path, ["US8000001B2"]).status.rejected == {"other class": 1}
        run(site, tmp_path, ["US8000001B2"], CrawlSpec(MEDICAL.conditions, keep_seeds=True))
    assert ids(tmp_path) == ["US8000001B2", "US8000002B2"]


def test_interrupted_by_the_keyboard_at_any_moment_it_resumes_and_ends_with_the_same_corpus(tmp_path: Path) -> None:
    with serving(site_of(network(60))) as site:
        run(site, tmp_path / "whole", ["US7000001B2"])
        site.delay = 0.01
        for place in range(1, 5):
            seen: list[CrawlStatus] = []

            def stop(status: CrawlStatus, place: int = place, seen: list[CrawlStatus] = seen) -> None:
                seen.append(status)
                if len(seen) == place and status.waiting:
                    raise KeyboardInterrupt

            outcome = run(site, tmp_path, ["US7000001B2"], progress=stop)
            if outcome.ended == "finished":
                break
            assert outcome.ended == "stopped"
            with Corpus(tmp_path / "corpus.db") as corpus:
                assert len(corpus) == outcome.status.kept
        run(site, tmp_path, ["US7000001B2"])
    with Corpus(tmp_path / "corpus.db") as one, Corpus(tmp_path / "whole" / "corpus.db") as other:
        assert one.ids() == other.ids()
        assert one.fingerprint == other.fingerprint


def test_stopping_does_not_wait_for_responses(tmp_path: Path) -> None:
    with serving(site_of(network(5))) as site:
        site.faults["US7000001B2"] = faults.silence(20, times=0)
        stopped: list[CrawlStatus] = []

        def stop(status: CrawlStatus) -> None:
            if 0.2 < status.seconds < 5 and not stopped:
                stopped.append(status)
                raise KeyboardInterrupt

        began = time.monotonic()
        patient = replace(QUICK, limits=Limits(silence=15, seconds=15))
        assert run(site, tmp_path, ["US7000001B2"], policy=patient, progress=stop).ended == "stopped"
        assert time.monotonic() - began < 5


@pytest.mark.parametrize("location", ["http://[::1", "http://a:b@c:99999999/", "ftp://x/", "", "//", "http://\u00fc/"])
def test_redirects_to_nowhere_fail_that_document_only(tmp_path: Path, location: str) -> None:
    documents = [Invented("US8000001B2", cites=("US8000002B2", "US8000003B2"), published="2015-01-06")]
    documents += [Invented("US8000003B2", cites=("US1000001A",))]
    with serving(site_of(documents)) as site:
        site.faults["US8000002B2"] = faults.moved(location)
        outcome = run(site, tmp_path, ["US8000001B2"])
    assert (outcome.ended, outcome.status.kept, outcome.status.failed) == ("finished", 2, 1)


def test_a_wrong_protocol_is_unreachable(tmp_path: Path) -> None:
    with serving(site_of(network(5))) as site:
        site.base = site.base.replace("http:", "https:")
        outcome = run(site, tmp_path, ["US7000001B2"], policy=replace(QUICK, attempts=2))
        assert (outcome.ended, outcome.status.failed) == ("finished", 1)


def test_a_second_crawl_at_the_same_time_is_refused(tmp_path: Path) -> None:
    with serving(site_of(network(5))) as site, Corpus(tmp_path / "corpus.db", create=True) as corpus:
        refused: list[str] = []

        def second(status: CrawlStatus) -> None:
            if not refused:
                with Corpus(tmp_path / "corpus.db") as other, pytest.raises(CorpusBusy) as message:
                    crawl(other, opened(site, tmp_path), ["US7000002B2"], MEDICAL)
                refused.append(str(message.value))

        source = opened(site, tmp_path)
        with closing(source):
            crawl(corpus, source, ["US7000001B2"], MEDICAL, progress=second)
    assert "wait until it has finished, then run this again" in refused[0]


def test_invalid_seeds_are_refused(tmp_path: Path) -> None:
    with serving(site_of([])) as site:
        with pytest.raises(CrawlError, match="'my patent' is not a publication number"):
            run(site, tmp_path, ["my patent"])
        with pytest.raises(CrawlError, match="at least one seed"):
            run(site, tmp_path, [])
        assert run(site, tmp_path, ["US1234567B2"]).status.missing == 1


def test_progress_counts_every_number_once(tmp_path: Path) -> None:
    seen: list[CrawlStatus] = []
    with serving(site_of(network(60))) as site:
        site.delay = 0.01
        outcome = run(site, tmp_path, ["US7000001B2"], progress=seen.append)
    assert len(seen) >= 3
    assert seen[-1].found == outcome.status.found == outcome.status.kept + sum(outcome.status.rejected.values())
    assert [status.kept for status in seen] == sorted(status.kept for status in seen)
    assert any(status.left for status in seen[:-1])
    assert CrawlConditions().report == "report"
