"""Evaluate: own figures, an evaluation, and blind labelling by keys, of which no answer tells a score or a citation."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from foreart import Library
from server_world import Serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

_SECRETS = {"score", "cosine", "jaccard", "cited", "citations", "stratum", "rank", "chance", "relevant"}


@pytest.fixture(scope="module")
def own_desk(desk: Serving, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server of a copy that has learned."""
    folder = tmp_path_factory.mktemp("evaluate") / "library"
    shutil.copytree(desk.folder, folder, ignore=shutil.ignore_patterns("desk"))
    with Library(folder) as library:
        library.learn()
    process = Serving(folder).start()
    yield process
    process.stop()


@pytest.fixture
def evaluate_page(open_context, own_desk: Serving) -> Page:  # type: ignore[no-untyped-def]
    found = open_context().new_page()
    found.goto(f"{own_desk.address}evaluate#{own_desk.token}")
    found.wait_for_selector("#sets > *")
    return found


def keys_of(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


def test_own_figures_and_an_evaluation(evaluate_page: Page) -> None:
    evaluate_page.wait_for_selector("#own-figures table")
    assert evaluate_page.locator("#own-figures tbody th").first.inner_text() == "map"
    evaluate_page.fill("#draw input[name=citing]", "4")
    evaluate_page.click("#draw button")
    evaluate_page.wait_for_selector("#evaluation table", timeout=60_000)
    assert "the citations of 4 patents drawn with seed 1" in evaluate_page.inner_text("#evaluation")
    evaluate_page.reload()
    evaluate_page.wait_for_selector("#evaluation table")
    evaluate_page.click("#evaluation summary")
    assert evaluate_page.locator("#evaluation .rows tbody tr").count() == 4


def test_judgements_of_a_file(evaluate_page: Page, own_desk: Serving) -> None:
    with Library(own_desk.folder) as library:
        citing = next(patent for patent in library.corpus if len(patent.citations) > 3)
    lines = "".join(f"{citing.id} 0 {cited.id} 1\n" for cited in citing.citations)
    evaluate_page.set_input_files("#qrels", {"name": "bad.qrels", "mimeType": "text/plain", "buffer": b"a 0 b\n"})
    evaluate_page.wait_for_selector("#problem:not([hidden])")
    assert evaluate_page.inner_text("#problem").startswith("Line 1 is no judgement")
    given = {"name": "own.qrels", "mimeType": "text/plain", "buffer": lines.encode()}
    evaluate_page.set_input_files("#qrels", given)
    evaluate_page.wait_for_selector("#evaluation >> text=1 queries with judgements", timeout=60_000)


def test_two_raters_label_blind_by_keys(evaluate_page: Page) -> None:
    answers: list[tuple[str, object]] = []
    evaluate_page.on(
        "response",
        lambda response: answers.append((response.url, response.text())) if "/expert-sets/" in response.url else None,
    )
    for name, value in {"name": "spring", "number": "1", "each": "1", "min_cited": "1", "seed": "3"}.items():
        evaluate_page.fill(f"#make-set input[name={name}]", value)
    evaluate_page.click("#make-set button")
    evaluate_page.wait_for_selector(".set", timeout=60_000)
    for rater, key in (("ann", "4"), ("bob", "3")):
        evaluate_page.fill(".set input[name=rater]", rater)
        evaluate_page.click(".set form button:not([type=button])")
        evaluate_page.wait_for_selector(".pair")
        assert evaluate_page.locator("#overview").is_hidden()
        if rater == "ann":
            evaluate_page.keyboard.press("n")
            evaluate_page.keyboard.type("close 5")  # digits in a field are no labels
            evaluate_page.keyboard.press("Enter")
        count = int(evaluate_page.inner_text(".label-head p").split(" of ")[1].split()[0])
        for done in range(1, count + 1):
            evaluate_page.keyboard.press(key)
            evaluate_page.wait_for_selector(f".label-head >> text=/ {done} judged/")
        assert "Thank you" in evaluate_page.inner_text("#labelling")
        evaluate_page.keyboard.press("Backspace")
        evaluate_page.wait_for_selector(".pair")
        assert evaluate_page.locator('.scale [aria-pressed="true"] kbd').inner_text() == key
        evaluate_page.reload()
        evaluate_page.wait_for_selector("#labelling:not([hidden])")
        evaluate_page.click("#stop-labelling")
        evaluate_page.wait_for_selector(".set")
    evaluate_page.click(".set button[type=button]")
    evaluate_page.wait_for_selector("#agreement table")
    assert "same label to 0 of 100 pairs" in evaluate_page.inner_text("#agreement")
    pairs = [json.loads(str(text)) for url, text in answers if "/next" in url or "/labels" in url]
    assert len(pairs) > 6
    assert set().union(*map(keys_of, pairs)) & _SECRETS == set()


def test_a_narrow_dark_evaluation(evaluate_page: Page) -> None:
    from axe_playwright_python.sync_playwright import Axe

    evaluate_page.set_viewport_size({"width": 380, "height": 800})
    evaluate_page.emulate_media(color_scheme="dark")
    evaluate_page.locator("#reproduce").scroll_into_view_if_needed()
    evaluate_page.wait_for_selector("#paper button")
    assert evaluate_page.evaluate("document.documentElement.scrollWidth") <= 380
    faults = Axe().run(evaluate_page).response["violations"]
    assert [one["id"] for one in faults if one["impact"] in ("serious", "critical")] == []
