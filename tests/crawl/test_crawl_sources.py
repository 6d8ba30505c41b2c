"""Sources other than pages: a corpus, files, the services of the EPO and the USPTO."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from crawl.graph import MEDICAL, QUICK, fits, network, reached
from crawl.offices import Bulk, Epo, Uspto, grant_xml, weekly_zip
from crawl.pages import Invented, page
from crawl.site import Site, Visit, serving, site_of
from foreart.corpus import Corpus
from foreart.corpus.copying import packed_rows, stored_rows
from foreart.corpus.packing import pack
from foreart.crawl import (
    CrawlAccess,
    CrawlConditions,
    CrawlOutcome,
    CrawlSpec,
    Following,
    crawl,
    download_weeks,
    open_source,
)
from foreart.crawl.sites.epo import _spellings
from foreart.document.patent import Patent
from foreart.errors import CrawlError, Unreachable
from foreart.identifiers.numbers import parse_number
from foreart.sources import scan

SEEDS = ["US7000001B2"]


def run(
    name: str, folder: Path, seeds: list[str], access: CrawlAccess | None = None, spec: CrawlSpec = MEDICAL
) -> CrawlOutcome:
    source = open_source(name, folder, access or CrawlAccess(), citing=spec.following.citing)
    with closing(source), Corpus(folder / "corpus.db", create=True) as corpus:
        return crawl(corpus, source, seeds, spec)


def ids(folder: Path) -> list[str]:
    with Corpus(folder / "corpus.db") as corpus:
        return corpus.ids()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with a hundred invented patents, read from saved pages."""
    folder = tmp_path_factory.mktemp("library")
    for place, document in enumerate(network(100)):
        (folder / f"{place}.html").write_bytes(page(document))
    with Corpus(folder / "corpus.db", create=True) as corpus:
        corpus.add(item for file in sorted(folder.glob("*.html")) for item in scan(file))
    return folder


def test_a_local_corpus_needs_no_network_and_rows_are_copied_unchanged(library: Path, tmp_path: Path) -> None:
    before = (library / "corpus.db").read_bytes()
    outcome = run(str(library), tmp_path, SEEDS)
    expected = reached({document.number: document for document in network(100)}, SEEDS)
    assert ids(tmp_path) == list(expected)
    assert outcome.status.kept == len(expected)
    with Corpus(tmp_path / "corpus.db") as grown, Corpus(library / "corpus.db") as whole:
        assert [grown[number] for number in expected] == [whole[number] for number in expected]
        (stored,) = stored_rows(whole.connection, SEEDS[0])
        assert packed_rows(whole.connection, stored) == pack(whole[SEEDS[0]])
    assert (library / "corpus.db").read_bytes() == before


def test_citing_documents_are_found_in_a_corpus(library: Path, tmp_path: Path) -> None:
    documents = {document.number: document for document in network(100)}
    last = list(reached(documents, SEEDS))[-1]
    spec = CrawlSpec(MEDICAL.conditions, Following(citing=True))
    run(str(library / "corpus.db"), tmp_path, [last], spec=spec)
    good = {number for number, document in documents.items() if fits(document)}
    expected, before = {last}, set[str]()
    while expected != before:
        before = set(expected)
        expected |= {cited for number in before for cited in documents[number].cites} & good
        expected |= {number for number in good if expected & set(documents[number].cites)}
    assert set(ids(tmp_path)) == expected


def test_a_folder_of_files_is_read_once(library: Path, tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    for file in library.glob("*.html"):
        (files / file.name).write_bytes(file.read_bytes())
    (files / "broken.xml").write_text("<us-patent-grant>")
    run(str(files), tmp_path / "one", SEEDS)
    assert ids(tmp_path / "one") == list(reached({item.number: item for item in network(100)}, SEEDS))
    made = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "one" / "crawl").iterdir()}
    assert len([name for name in made if name.endswith(".done")]) == 1
    assert run(str(files), tmp_path / "one", SEEDS).status.decided == 0
    assert {path.name for path in (tmp_path / "one" / "crawl").glob("*.done")} == {
        name for name in made if name.endswith(".done")
    }


def test_an_unknown_source_is_an_error(library: Path, tmp_path: Path) -> None:
    for name, message in (
        ("nowhere", "neither a source"),
        ("epo", "needs your own key"),
        ("uspto", "needs your own key"),
    ):
        with pytest.raises(CrawlError, match=message):
            open_source(name, tmp_path, CrawlAccess())
    with pytest.raises(CrawlError, match="needs both a key and a secret"):
        open_source("epo", tmp_path, CrawlAccess(key="k"))
    with pytest.raises(CrawlError, match=r"must contain \{number\}"):
        open_source("google", tmp_path, CrawlAccess(address="https://example.org/"))
    with pytest.raises(CrawlError, match="is not an address of a site"):
        open_source("google", tmp_path, CrawlAccess(address="ftp://example.org/{number}"))
    with pytest.raises(CrawlError, match="the corpus to grow"):
        open_source(str(library), library, CrawlAccess())
    with pytest.raises(CrawlError, match="does not know which documents cite"):
        run("uspto", tmp_path, SEEDS, CrawlAccess(key="k"), CrawlSpec(following=Following(citing=True)))


EUROPEAN = [
    Invented("EP1000001A1", cites=("EP1000002A1", "US7000001B2"), published="2015-01-07"),
    Invented("EP1000002A1", cites=("DE3000003A1",), published="1999-01-06"),
    Invented("US7000001B2", cites=("EP1000004A1",), published="2006-02-14"),
    Invented("EP1000004A1", cites=("DE3000003A1",), published="2001-01-10"),
]


def epo(site: Site, **changes: object) -> CrawlAccess:
    policy = replace(QUICK, **changes)  # type: ignore[arg-type]
    return CrawlAccess(address=f"{site.base}/3.2", key="key", secret="secret", rate=1000, policy=policy)


def test_full_texts_of_the_epo_are_fetched_only_for_kept_documents(tmp_path: Path) -> None:
    with serving(site_of(EUROPEAN)) as site:
        service = Epo(site)
        outcome = run("epo", tmp_path, ["EP 1000001 A1"], epo(site))
        assert ids(tmp_path) == ["EP1000001A1", "US7000001B2", "EP1000004A1"]
        assert (outcome.status.rejected, outcome.status.missing) == ({"published too early": 1}, 1)
        assert service.tokens == 1
        parts = [path.rsplit(".", 1)[1] for _, path, _ in site.log if "EP.1000002" in path]
        assert parts == ["A1/biblio"]
        assert "/robots.txt" not in site.counts
    with Corpus(tmp_path / "corpus.db") as corpus:
        one = corpus["EP1000001A1"]
    assert (one.depth, one.claims[0].number, one.published) == ("full", 1, "2015-01-07")
    assert one.description_text == EUROPEAN[0].text("description", 40) + "."
    assert [citation.id for citation in one.citations] == list(EUROPEAN[0].cites)


def test_an_expired_epo_token_is_renewed_and_a_wrong_key_is_an_error(tmp_path: Path) -> None:
    with serving(site_of(EUROPEAN)) as site:
        service = Epo(site, good_for=3)
        run("epo", tmp_path, ["EP1000001A1"], epo(site))
        assert len(ids(tmp_path)) == 3
        assert service.tokens >= 3
        wrong = run("epo", tmp_path / "other", ["EP1000001A1"], replace(epo(site), secret="guess"))
        assert (wrong.ended, wrong.status.kept) == ("refused", 0)
        assert "answered 401" in wrong.message


def test_an_exhausted_epo_quota_stops_the_crawl(tmp_path: Path) -> None:
    with serving(site_of(EUROPEAN)) as site:
        Epo(site)
        site.routes["/3.2/rest-services/published-data/publication/docdb/US.7000001.B2/biblio"] = lambda request: Visit(
            request, "", 1
        ).answer(403, b"<error/>", X_Rejection_Reason="RegisteredQuotaPerWeek")  # type: ignore[func-returns-value]
        outcome = run("epo", tmp_path, ["EP1000001A1"], epo(site))
    assert outcome.ended == "refused"
    assert "(RegisteredQuotaPerWeek)" in outcome.message
    assert ids(tmp_path) == ["EP1000001A1"]


@pytest.mark.parametrize(
    ("number", "spellings"),
    [
        ("EP1000000A1", ["docdb/EP.1000000.A1"]),
        ("EP1000000", ["epodoc/EP1000000"]),
        ("US20150066086A1", ["docdb/US.2015066086.A1"]),
        ("WO2004012345A2", ["docdb/WO.2004012345.A2"]),
        ("WO 96/25012 A1", ["docdb/WO.9625012.A1", "docdb/WO.96025012.A1"]),
    ],
)
def test_numbers_in_epo_formats(number: str, spellings: list[str]) -> None:
    assert list(_spellings(parse_number(number))) == spellings


def test_citing_documents_of_the_epo(tmp_path: Path) -> None:
    with serving(site_of(EUROPEAN)) as site:
        Epo(site)
        spec = CrawlSpec(CrawlConditions(), Following(citing=True))
        run("epo", tmp_path, ["EP1000004A1"], epo(site), spec)
    assert ids(tmp_path) == ["EP1000004A1", "US7000001B2", "EP1000001A1", "EP1000002A1"]


def uspto(site: Site, key: str = "key", **changes: object) -> CrawlAccess:
    return CrawlAccess(address=site.base, key=key, rate=1000, policy=replace(QUICK, **changes))  # type: ignore[arg-type]


def test_us_documents_of_the_uspto_portal(tmp_path: Path) -> None:
    documents = [replace(document, old=False) for document in network(40)]
    documents[0] = replace(documents[0], cites=(*documents[0].cites, "EP1000001A1"))
    with serving(site_of(documents)) as site:
        Uspto(site)
        outcome = run("uspto", tmp_path, SEEDS, uspto(site))
        assert set(ids(tmp_path)) == set(reached(site.documents, SEEDS))
        assert outcome.status.missing == 1
        wrong = run("uspto", tmp_path / "other", SEEDS, uspto(site, key="guess"))
        assert (wrong.ended, wrong.status.kept) == ("refused", 0)
        site.routes["/api/v1/patent/applications/search"] = lambda request: Visit(request, "", 1).answer(
            200,
            b'{"patentFileWrapperDataBag": [{"grantDocumentMetaData": {"fileLocationURI": "http://evil.example/x.xml"}}]}',
            Content_Type="application/json",
        )  # type: ignore[func-returns-value]
        evil = run("uspto", tmp_path / "evil", SEEDS, uspto(site))
        assert evil.status.rejected == {"cannot be read": 1}
    with Corpus(tmp_path / "corpus.db") as corpus:
        assert [citation.category for citation in corpus[SEEDS[0]].citations[:3]] == ["examiner"] * 3


def test_an_entity_bomb_in_a_response_is_not_expanded(tmp_path: Path) -> None:
    bomb = (
        b'<!DOCTYPE us-patent-grant [<!ENTITY a "boom"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
        b'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY x SYSTEM "file:///etc/passwd">]>'
    )
    document = Invented("US7000001B2", cites=("US7000002B2",))
    data = grant_xml(document).replace(
        b'<!DOCTYPE us-patent-grant SYSTEM "us-patent-grant-v45-2014-04-03.dtd" [ ]>', bomb
    )
    data = data.replace(b'num="0001">', b'num="0001">&c; &x; ')
    with serving(site_of([document])) as site:
        Uspto(site)
        site.routes["/files/US7000001B2.xml"] = lambda request: Visit(request, "", 1).answer(
            200, data, Content_Type="application/xml"
        )  # type: ignore[func-returns-value]
        run("uspto", tmp_path, SEEDS, uspto(site))
    with Corpus(tmp_path / "corpus.db") as corpus:
        text = corpus[SEEDS[0]].description_text
    assert text.startswith("&c; &x; ")
    assert "boom" not in text


@pytest.fixture
def weeks() -> dict[str, tuple[str, bytes]]:
    documents = [replace(document, old=False) for document in network(60)]
    return {
        "ipg150106.zip": ("2015-01-06", weekly_zip("ipg150106", documents[:20])),
        "ipg150113.zip": ("2015-01-13", weekly_zip("ipg150113", documents[20:40])),
        "ipg150120.zip": ("2015-01-20", weekly_zip("ipg150120", documents[40:])),
    }


def bulk(site: Site, begin: str, end: str) -> CrawlAccess:
    return replace(uspto(site), weeks=(begin, end))


def test_weekly_files_are_downloaded_once_and_crawled(tmp_path: Path, weeks: dict[str, tuple[str, bytes]]) -> None:
    with serving(site_of([])) as site:
        service = Bulk(site, weeks)
        outcome = run("uspto-bulk", tmp_path, SEEDS, bulk(site, "2015-01-01", "2015-01-20"))
        documents = {document.number: document for document in network(60)}
        assert set(ids(tmp_path)) == set(reached(documents, SEEDS))
        assert outcome.ended == "finished"
        folder = tmp_path / "downloads" / "PTGRXML"
        assert sorted(path.name for path in folder.glob("*.zip")) == list(weeks)
        assert service.sent == sum(len(data) for _, data in weeks.values())
        assert not list(tmp_path.parent.rglob("evil.zip"))
        run("uspto-bulk", tmp_path, SEEDS, bulk(site, "2015-01-01", "2015-01-20"))
        assert service.sent == sum(len(data) for _, data in weeks.values())
        line = (folder / "ipg150106.zip.sha256").read_text()
        assert line.endswith("  ipg150106.zip\n")
        (folder / "ipg150113.zip").write_bytes(b"spoilt")
        download_weeks(tmp_path, bulk(site, "2015-01-10", "2015-01-15"))
        assert (folder / "ipg150113.zip").read_bytes() == weeks["ipg150113.zip"][1]


def test_only_files_within_the_dates_are_downloaded(tmp_path: Path, weeks: dict[str, tuple[str, bytes]]) -> None:
    with serving(site_of([])) as site:
        Bulk(site, weeks)
        found = download_weeks(tmp_path, bulk(site, "2015-01-07", "2015-01-13"))
        assert [path.name for path in found] == ["ipg150113.zip"]
        with pytest.raises(CrawlError, match="lists no file"):
            download_weeks(tmp_path, bulk(site, "2014-01-07", "2014-01-13"))
        with pytest.raises(CrawlError, match="range of dates"):
            download_weeks(tmp_path, uspto(site))


def test_an_interrupted_download_resumes(tmp_path: Path, weeks: dict[str, tuple[str, bytes]]) -> None:
    size = len(weeks["ipg150106.zip"][1])
    with serving(site_of([])) as site:
        service = Bulk(site, weeks, cuts=2)
        (path,) = download_weeks(tmp_path, bulk(site, "2015-01-06", "2015-01-06"))
        assert path.read_bytes() == weeks["ipg150106.zip"][1]
        assert service.sent == size  # no byte twice
        service.cuts = 9
        once = replace(bulk(site, "2015-01-13", "2015-01-13"), policy=replace(QUICK, attempts=1))
        with pytest.raises(Unreachable, match="the same command continues"):
            download_weeks(tmp_path, once)
        part = tmp_path / "downloads" / "PTGRXML" / "ipg150113.zip.part"
        assert part.stat().st_size == len(weeks["ipg150113.zip"][1]) // 3
        service.cuts = 0
        service.sent = 0
        download_weeks(tmp_path, once)
        assert service.sent == len(weeks["ipg150113.zip"][1]) - len(weeks["ipg150113.zip"][1]) // 3


@pytest.mark.parametrize("way", ["digest", "zip", "size"])
def test_a_damaged_download_is_deleted(tmp_path: Path, weeks: dict[str, tuple[str, bytes]], way: str) -> None:
    day, data = weeks["ipg150106.zip"]
    if way == "zip":
        middle = data.find(b"\x50\x4b\x01\x02") // 2
        weeks["ipg150106.zip"] = (day, data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :])
    with serving(site_of([])) as site:
        service = Bulk(site, weeks, wrong="ipg150106.zip" if way == "digest" else "")
        if way == "size":
            listing = service.list
            service.files = {**weeks, "ipg150106.zip": (day, data)}
            site.routes["/signed/ipg150106.zip"] = lambda request: Visit(request, "", 1).answer(200, data[:-9])  # type: ignore[func-returns-value]
            assert listing == service.list
        expected = {"digest": "sha256 differs from that of the server", "zip": "damaged", "size": "bytes instead of"}[
            way
        ]
        with pytest.raises(CrawlError, match=expected):
            download_weeks(tmp_path, bulk(site, "2015-01-06", "2015-01-06"))
    folder = tmp_path / "downloads" / "PTGRXML"
    assert [path.name for path in folder.iterdir() if path.suffix in (".zip", ".part")] == []


def test_patents_of_a_file_keep_their_origin(tmp_path: Path) -> None:
    document = Invented("US7000001B2", cites=("US7000002B2",))
    with serving(site_of([document])) as site:
        Uspto(site)
        run("uspto", tmp_path, SEEDS, uspto(site))
    with Corpus(tmp_path / "corpus.db") as corpus:
        found: Patent = corpus[SEEDS[0]]
    assert found.origins[0].file == f"{site.base}/files/US7000001B2.xml"
    assert found.origins[0].format == "uspto-xml-v4"
