"""`foreart crawl`, typed as a person types it, against a site on this machine."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from crawl import site as faults
from crawl.graph import network, reached
from crawl.offices import Bulk, weekly_zip
from crawl.pages import Invented
from crawl.site import Site, serving, site_of
from foreart.cli.app import app
from foreart.corpus import Corpus

DOCS = Path(__file__).resolve().parents[2] / "docs"
MEDICAL = ("--class", "A61", "--published-from", "2000")


def foreart(*words: str, library: Path, site: Site | None = None, env: dict[str, str] | None = None) -> Result:
    given = {"FOREART_CRAWL_RATE": "1000", "FOREART_LIBRARY": str(library), **(env or {})}
    if site is not None:
        given["FOREART_CRAWL_ADDRESS"] = site.address
    return CliRunner().invoke(app, list(words), env=given, catch_exceptions=False)


def test_it_tells_what_became_of_everything(tmp_path: Path) -> None:
    with serving(site_of(network(60))) as site:
        result = foreart("crawl", "us 7,000,001 b2", *MEDICAL, library=tmp_path, site=site)
        expected = reached(site.documents, ["US7000001B2"])
        assert result.exit_code == 0, result.output
        first, second, last = result.stdout.splitlines()
        assert re.fullmatch(rf"\d+ found: {len(expected)} kept, \d+ rejected, 0 missing, 0 failed", first)
        assert second.startswith("rejected: ")
        assert last == f"corpus in {tmp_path}"
        again = json.loads(foreart("crawl", "US7000001B2", *MEDICAL, "--json", library=tmp_path, site=site).stdout)
        assert (again["ended"], again["kept"], again["decided"], again["waiting"]) == ("finished", len(expected), 0, 0)
        few = json.loads(
            foreart("crawl", "US7000001B2", "--max", "3", "--json", library=tmp_path / "few", site=site).stdout
        )
        assert (few["ended"], few["kept"]) == ("enough", 3)
        status = foreart("crawl", "--status", library=tmp_path)
        assert f"kept {len(expected)}" in status.stdout
        (told,) = json.loads(foreart("crawl", "--status", "--json", library=tmp_path).stdout)
        assert told["asked"]["conditions"]["classes"] == ["A61"]
        assert told["kept"] == len(expected)
    with Corpus(tmp_path / "corpus.db") as corpus:
        assert set(corpus.ids()) == set(expected)


def test_refusals_are_told_and_end_with_1(tmp_path: Path) -> None:
    with serving(site_of(network(20))) as site:
        site.faults["US7000001B2"] = faults.status(403, times=0)
        result = foreart("crawl", "US7000001B2", library=tmp_path, site=site)
        assert result.exit_code == 1
        assert "answered 403" in result.stdout
        assert "run the same command again to resume" in result.stdout
        site.faults.clear()
        assert foreart("crawl", "US7000001B2", library=tmp_path, site=site).exit_code == 0


def test_ctrl_c_ends_with_130_and_the_same_command_goes_on(tmp_path: Path) -> None:
    words = ("crawl", "US7000001B2", *MEDICAL)
    with serving(site_of(network(60))) as site:
        given = {**os.environ, "FOREART_CRAWL_ADDRESS": site.address, "FOREART_CRAWL_RATE": "30"}
        command = [sys.executable, "-m", "foreart", *words, "--library", str(tmp_path)]
        process = subprocess.Popen(
            command,
            env=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            # A shell in the background has Ctrl-C ignored, and its children inherit that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        while len(site.requested()) < 8:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate()
        assert process.returncode == 130
        assert "interrupted by the keyboard" in told
        assert "run the same command again to resume" in told
        assert foreart(*words, library=tmp_path, site=site).exit_code == 0
        expected = reached(site.documents, ["US7000001B2"])
    with Corpus(tmp_path / "corpus.db") as corpus:
        assert corpus.ids() == list(expected)


def test_wrong_usage_is_told(tmp_path: Path) -> None:
    assert foreart("crawl", library=tmp_path).exit_code == 2
    bad = foreart("crawl", "my patent", library=tmp_path)
    assert bad.exit_code == 1
    assert "'my patent' is not a publication number" in bad.stderr
    nowhere = foreart("crawl", "US1A", "--from", "nowhere", library=tmp_path)
    assert nowhere.exit_code == 1
    assert "neither a source (google, epo, uspto, uspto-bulk)" in nowhere.stderr
    assert "no corpus at" in foreart("crawl", "--status", library=tmp_path / "none").stderr


def test_weekly_files_without_seeds_are_only_downloaded(tmp_path: Path) -> None:
    weeks = {
        "ipg150106.zip": ("2015-01-06", weekly_zip("ipg150106", [Invented("US7000001B2", cites=("US7000002B2",))]))
    }
    words = ("crawl", "--from", "uspto-bulk", "--weeks", "2015-01-01..2015-01-31")
    with serving(site_of([])) as site:
        Bulk(site, weeks)
        env = {"FOREART_CRAWL_ADDRESS": site.base, "FOREART_CRAWL_KEY": "key"}
        result = foreart(*words, library=tmp_path, env=env)
        assert result.exit_code == 0, result.output
        file = tmp_path / "downloads" / "PTGRXML" / "ipg150106.zip"
        assert result.stdout.splitlines()[0] == str(file)
        assert json.loads(foreart(*words, "--json", library=tmp_path, env=env).stdout) == {"files": [str(file)]}
        assert "needs your own key" in foreart(*words, "US7000001B2", library=tmp_path / "x", site=site).stderr
    assert not (tmp_path / "corpus.db").exists()


def _twenty_seeds() -> list[Invented]:
    """Twenty seeds of 2015 that cite into a network of earlier documents."""
    later = network(160, seed=11, per=4)
    seeds = [
        Invented(
            f"US2015{place:07d}A1",
            cites=tuple(document.number for document in later[place * 7 : place * 7 + 6]),
            published="2015-03-05",
            family=("EP2900001A1",) if place == 1 else (),
        )
        for place in range(1, 21)
    ]
    twin = Invented("EP2900001A1", cites=("US7000010B2",), published="2014-08-06")
    return [*seeds, *later, twin, Invented("US7999999B2", cites=("EP2900001A1", "US7000020B2"))]


def test_the_how_to_from_seeds_to_the_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands as they stand in docs/crawling.md, with fewer random documents and the quick tables."""
    text = (DOCS / "crawling.md").read_text("utf-8")
    block = re.search(r"```sh\n(.*?)```", text, re.DOTALL)
    assert block is not None
    commands = [shlex.split(line, comments=True)[1:] for line in block[1].splitlines()]
    assert [words[0] for words in commands] == ["crawl", "pairs", "paper"]
    documents = _twenty_seeds()
    (tmp_path / "seeds.txt").write_text(
        "".join(f"{document.number}\n" for document in documents[:20]) + "US7999999B2\n"
    )
    monkeypatch.chdir(tmp_path)
    library = tmp_path / "library"
    with serving(site_of(documents)) as site:
        crawled = foreart(*commands[0], library=library, site=site)
        assert crawled.exit_code == 0, crawled.output
        seeds = [*(document.number for document in documents[:20]), "US7999999B2"]
        with Corpus(library / "corpus.db") as corpus:
            assert set(corpus.ids()) == set(reached(site.documents, seeds))
    pairs = json.loads(foreart(*commands[1], "--random", "30", "--json", library=library).stdout)
    assert (pairs["targets"], pairs["random"], pairs["duplicate"]) == (20, 600, 1)
    assert pairs["cited"] > 60
    paper = foreart(*commands[2], "--only", "T6,F2,F8", library=library)
    assert paper.exit_code == 0, paper.output
    assert (tmp_path / "report" / "report.html").is_file()
    assert (tmp_path / "report" / "results.json").is_file()


def test_a_crawl_in_which_every_document_fails_ends_with_1(tmp_path: Path) -> None:
    with serving(site_of(network(20))) as site:
        for word, fault in (("rejected", faults.status(200, times=0)), ("missing", faults.status(404, times=0))):
            site.faults["US7000001B2"] = fault
            result = foreart("crawl", "US7000001B2", library=tmp_path / word, site=site)
            assert re.search(rf"^1 found: 0 kept, .*\b1 {word}", result.stdout)
            assert result.exit_code == 1, result.stdout
        site.faults.clear()
        again = foreart("crawl", "US7000001B2", "--again", "--no-cache", library=tmp_path / "rejected", site=site)
        assert again.exit_code == 0
