# SPDX-License-Identifier: Apache-2.0
"""Layout and motion: names are more prominent than times, two columns if there is room, reduced motion,
print."""
import pytest
from playwright.sync_api import Page, expect

from harness.browser import narrow_problems, screenshot
from harness.ring import House

DAILY = {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d", "timeOfDay": ["08:00:00"]}}


def style(page: Page, selector: str, name: str) -> str:
    return page.locator(selector).first.evaluate(f"e => getComputedStyle(e).{name}")


def weight(page: Page, selector: str) -> tuple[int, float]:
    return int(style(page, selector, "fontWeight")), float(style(page, selector, "fontSize").removesuffix("px"))


def test_the_name_of_a_medicine_outweighs_its_time(house: House) -> None:
    house.due("Metoprolol 47.5 mg", "Ramipril 5 mg")
    page = house.open("/")
    name, time = weight(page, "#now .intake-name"), weight(page, "#now .slot-time")
    assert name[0] > time[0] and name[1] > time[1], (name, time)


@pytest.mark.parametrize("width, columns", [(1100, 2), (1000, 1), (390, 1)])
def test_the_rest_of_the_day_stands_beside_what_is_due(house: House, width: int, columns: int) -> None:
    house.due("Metoprolol 47.5 mg", "Ramipril 5 mg")
    house.api.add_plan(house.api.events(60, 90), name="Melatonin 2 mg")
    size = (width, 844)
    page = house.open("/", size=size)
    now, later = page.locator("#now").bounding_box(), page.locator("#later-today").bounding_box()
    assert now and later
    is_beside = later["x"] >= now["x"] + now["width"]
    assert is_beside == (columns == 2), (now, later)
    screenshot(page, f"today-{width}", "columns")
    assert narrow_problems(page, size) == []


def test_a_long_word_of_a_name_stays_whole_on_a_phone(house: House) -> None:
    house.due("Hydrochlorothiazide 12.5 mg", "Ramipril 5 mg")
    page = house.open("/", size=(390, 844))
    # No word of the name is broken across lines.
    pieces = page.locator("#now .intake-name a").filter(has_text="Hydro").evaluate("""e => {
        const text = e.firstChild, range = document.createRange();
        return text.data.split(' ').map((word) => {
            const start = text.data.indexOf(word);
            range.setStart(text, start);
            range.setEnd(text, start + word.length);
            return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
        });
    }""")
    assert pieces == [1] * len(pieces), pieces


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_an_answer_moves_only_for_those_who_want_it(house: House, motion: str) -> None:
    dose, _ = house.due("Metoprolol", "Ramipril")
    page = house.context().new_page()
    page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    page.goto("/")
    page.locator(f'[data-answers~="{dose}"] .intake-check button').click()
    row = page.locator(f'[data-answers~="{dose}"].is-new')
    expect(row).to_have_count(1)
    name, time = row.evaluate("e => { const s = getComputedStyle(e); return [s.animationName, s.animationDuration] }")
    assert (name, time) == (("settle", "0.25s") if motion == "no-preference" else ("none", "0s"))


@pytest.mark.parametrize("address", ["/medicines", "/emergency-card", "/report"])
def test_paper_carries_content_and_no_controls(house: House, address: str) -> None:
    house.api.add_plan(DAILY, name="Bisoprolol 5 mg")
    page = house.open(address)
    page.emulate_media(media="print")
    screenshot(page, "en-print", address.strip("/"))
    expect(page.locator("main")).to_contain_text("Bisoprolol 5 mg")
    for selector in ("form", "nav", ".buttons", ".page-footer"):
        assert not any(one.is_visible() for one in page.locator(selector).all()), selector
