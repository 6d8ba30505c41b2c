"""The map: what is drawn, its colours, selections by mouse and keyboard, the better layout, and what a click opens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from server_world import Serving

SHOWN = "async ids => { const { shown } = await import('/static/asked.js'); return [shown.hits, shown.document]; }"


@pytest.fixture
def map_page(page: Page, desk: Serving, draft_file: Path) -> Page:
    """The map of a draft of the sample."""
    page.evaluate(
        """async text => {
          const { call } = await import('/static/api.js');
          const { askFor } = await import('/static/asked.js');
          askFor((await call('POST', '/drafts?name=pump.txt', new Blob([text]))).draft);
        }""",
        draft_file.read_text("utf-8"),
    )
    page.goto(f"{desk.address}map")
    page.wait_for_selector(".dot")
    return page


def answered(page: Page) -> dict:
    return page.evaluate(
        """async () => {
          const { call } = await import('/static/api.js');
          const { asked } = await import('/static/asked.js');
          return await call('POST', '/map', asked());
        }"""
    )


def middle_of(page: Page, number: str) -> tuple[float, float]:
    box = page.locator(f'.dot[data-id="{number}"]').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_points_drawn_are_those_answered(map_page: Page) -> None:
    found = answered(map_page)
    drawn = map_page.locator(".dot").evaluate_all("dots => dots.map(dot => dot.dataset.id)")
    assert sorted(drawn) == sorted(point["id"] for point in found["points"])
    radius = {dot: float(map_page.locator(f'.dot[data-id="{dot}"]').get_attribute("r") or 0) for dot in drawn}
    best, worst = found["points"][0]["id"], found["points"][-1]["id"]
    assert radius[best] == max(radius.values()) > radius[worst]
    said = map_page.inner_text("#trust")
    assert f"trustworthiness {found['trustworthiness']:.2f}" in said
    assert "never used for ranking" in said
    groups = sum(int(text) for text in map_page.locator("#legend b").all_inner_texts())
    assert groups == len(drawn)


def test_the_draft_is_in_the_middle_until_the_view_is_moved(map_page: Page) -> None:
    def places() -> tuple[list[float], list[float]]:
        box = map_page.locator("#plot").bounding_box()
        draft = map_page.locator("#plot .draft path").bounding_box()
        assert box is not None
        assert draft is not None
        middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        return [draft["x"] + draft["width"] / 2, draft["y"] + draft["height"] / 2], middle

    def visible() -> int:
        return map_page.evaluate(
            """() => { const box = document.querySelector("#plot").getBoundingClientRect();
                return [...document.querySelectorAll(".dot")].map((dot) => dot.getBoundingClientRect())
                    .filter((dot) => dot.left >= box.left && dot.right <= box.right
                        && dot.top >= box.top && dot.bottom <= box.bottom).length; }"""
        )

    every = map_page.locator(".dot").count()
    for width in (1280, 700, 1000):
        map_page.set_viewport_size({"width": width, "height": 900})
        map_page.wait_for_timeout(200)
        draft, middle = places()
        assert draft == pytest.approx(middle, abs=2)
        assert visible() == every
    map_page.click("#whole")
    assert visible() == every
    draft, middle = places()
    assert draft != pytest.approx(middle, abs=2)
    map_page.keyboard.press("d")
    draft, middle = places()
    assert draft == pytest.approx(middle, abs=2)
    map_page.keyboard.press("+")
    draft, middle = places()
    assert draft == pytest.approx(middle, abs=2)


def test_colours_switch_and_a_group_is_selected(map_page: Page) -> None:
    found = answered(map_page)["points"]
    map_page.select_option("#colouring", "status")
    expected = {point["status"] for point in found}
    assert set(map_page.locator("#legend .legend-label").all_inner_texts()) == expected
    map_page.click('#legend [data-group="prior art"]')
    wanted = [point["id"] for point in found if point["status"] == "prior art"]
    assert map_page.locator("#selected li").count() == len(wanted) == map_page.locator(".dot.selected").count()
    map_page.click("#read")
    map_page.wait_for_url("**/reading")
    assert map_page.evaluate(SHOWN) == [wanted, wanted[0]]


def test_a_lasso_by_mouse_and_selections_by_keys(map_page: Page) -> None:
    best = answered(map_page)["points"][0]["id"]
    x, y = middle_of(map_page, best)
    map_page.keyboard.press("l")
    map_page.mouse.move(x - 12, y - 12)
    map_page.mouse.down()
    for across, down in ((12, -12), (12, 12), (-12, 12)):
        map_page.mouse.move(x + across, y + down)
    map_page.mouse.up()
    selected = map_page.locator("#selected .id").all_inner_texts()
    assert best in selected
    map_page.keyboard.press("Escape")
    assert map_page.locator("#selected li").count() == 0
    map_page.keyboard.press("j")  # the first by rank, and the map has the focus
    map_page.keyboard.press("Space")
    assert map_page.locator("#selected .id").all_inner_texts() == [best]
    map_page.reload()
    map_page.wait_for_selector("#selected li")
    assert map_page.locator("#selected .id").all_inner_texts() == [best]
    map_page.locator("#plot svg").focus()
    map_page.keyboard.press("ArrowLeft")
    assert map_page.locator(".tip .id").is_visible()


def test_a_click_opens_and_the_table_has_the_same(map_page: Page) -> None:
    found = answered(map_page)["points"]
    map_page.click("#rows summary")
    map_page.wait_for_selector("#rows tbody tr")
    assert map_page.locator("#rows tbody tr").count() == len(found)
    best = found[0]["id"]
    map_page.mouse.click(*middle_of(map_page, best))
    map_page.wait_for_url("**/reading")
    assert map_page.evaluate(SHOWN) == [[point["id"] for point in found], best]


def test_a_better_layout_survives_a_reload(map_page: Page) -> None:
    map_page.click("#tsne")
    map_page.wait_for_selector("#job .job, #tsne[aria-pressed='true']")
    map_page.reload()
    map_page.wait_for_selector('#tsne[aria-pressed="true"]', timeout=60_000)
    assert map_page.locator(".dot").count() == len(answered(map_page)["points"])


def test_a_narrow_dark_map(map_page: Page) -> None:
    from axe_playwright_python.sync_playwright import Axe

    map_page.set_viewport_size({"width": 380, "height": 800})
    map_page.emulate_media(color_scheme="dark")
    map_page.click("#rows summary")
    map_page.locator("#legend button").first.click()
    assert map_page.evaluate("document.documentElement.scrollWidth") <= 380
    faults = Axe().run(map_page).response["violations"]
    assert [one["id"] for one in faults if one["impact"] in ("serious", "critical")] == []
