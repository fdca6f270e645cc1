# SPDX-License-Identifier: Apache-2.0
"""The list of medicines: short, by time of day, with everything about all medicines one tap away."""
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from harness.browser import (
    DESKTOP, LANGUAGES, PHONE, axe_problems, message_key_pattern, narrow_problems, screenshot,
    structure_problems, text_problems,
)
from harness.forms import follow
from harness.ring import House
from harness.server import Server
from harness.sign_up import new_session

HIGHEST = 1_700
ONCE = {"repeat": {"timeOfDay": ["08:00:00"]}}
TWICE = {"repeat": {"timeOfDay": ["08:00:00", "20:00:00"]}}
WEEKLY = {"repeat": {
    "frequency": 1, "period": 1, "periodUnit": "wk", "dayOfWeek": ["mon"], "timeOfDay": ["09:00:00"]}}
TWELVE = {
    "Metoprolol 50 mg": TWICE, "Ramipril 5 mg": TWICE, "Metformin 500 mg": TWICE, "Vitamin D3 1000 IU": ONCE,
    "Amlodipine 5 mg": ONCE, "Pantoprazole 40 mg": ONCE, "Allopurinol 100 mg": ONCE, "Torasemide 10 mg": ONCE,
    "Atorvastatin 20 mg": {"repeat": {"timeOfDay": ["20:00:00"]}}, "Melatonin 2 mg": {"repeat": {"timeOfDay": ["22:00:00"]}},
    "Alendronic acid 70 mg": WEEKLY,
}
LINKS = ["/medicines/new", "/import", "/stock", "/interactions", "/knowledge", "/medicines/simplify", "/hospitals"]


def furnish(house: House) -> None:
    """Twelve medicines: three are taken twice a day, one once a week and one as needed."""
    for name, timing in TWELVE.items():
        house.api.add_plan(timing, name=name)
    house.api.add_plan({}, name="Ibuprofen 400 mg", dosageInstruction=[needed()])


@pytest.fixture(scope="module")
def twelve(browser: Browser, ring_server: Server) -> Iterator[House]:
    """Someone with twelve medicines, for tests that change nothing."""
    session, email = new_session(ring_server)
    made = House(browser, ring_server, ring_server.api(ring_server.create_token(email)), session, [])
    furnish(made)
    yield made
    for one in made.opened:
        one.close()


def needed() -> dict[str, Any]:
    return {"asNeededBoolean": True, "doseAndRate": [{"doseQuantity": {"value": 1, "unit": "tablet"}}]}


def names(page: Page, part: str) -> list[str]:
    return page.locator(f"#{part} .medicine-name").all_inner_texts()


def test_twelve_medicines_are_a_short_page(house: House) -> None:
    furnish(house)
    page = house.open("/medicines", size=(390, 844))
    screenshot(page, "medicines", "twelve")
    # Only the list: the footer is the same on every page.
    height = page.evaluate("document.querySelector('.page-footer').getBoundingClientRect().top + scrollY")
    assert height <= HIGHEST, f"{height} px"
    assert len(names(page, "part-morning")) == 8
    assert names(page, "part-evening") == [
        "Atorvastatin 20 mg", "Metformin 500 mg", "Metoprolol 50 mg", "Ramipril 5 mg"]
    assert names(page, "part-night") == ["Melatonin 2 mg"]
    assert names(page, "other-days") == ["Alendronic acid 70 mg"]
    assert names(page, "as-needed") == ["Ibuprofen 400 mg"]
    expect(page.locator("#part-evening .medicine-facts").first).to_contain_text("1 tablet")
    expect(page.locator("#part-evening .medicine-next").first).to_contain_text("20:00")
    # The name is the most prominent text in its row.
    weight, other = (
        page.locator(f"#part-evening {part}").first.evaluate(
            "e => [Number(getComputedStyle(e).fontWeight), parseFloat(getComputedStyle(e).fontSize)]")
        for part in (".medicine-name", ".medicine-next"))
    assert weight[0] > other[0] and weight[1] > other[1]


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_everything_about_all_medicines_is_one_tap_away(house: House, scripts: bool) -> None:
    furnish(house)
    page = house.open("/medicines", java_script_enabled=scripts)
    for address in LINKS:
        page.goto("/medicines")
        follow(page.locator(f'main a[href="{address}"]'))
        assert page.url == house.server.base + address
    page.goto("/medicines")
    follow(page.locator("#other-days .medicine-name a"))
    expect(page.locator("h1")).to_contain_text("Alendronic acid 70 mg")


def test_ended_medicines_fold_once_there_are_more_than_three(house: House) -> None:
    page = house.open("/medicines")
    for number in range(1, 5):
        plan = house.api.add_plan(ONCE, name=f"Ended {number}")
        plan |= {"status": "stopped", "statusReason": {"text": "Dry cough"}}
        assert house.api.fhir("PUT", f"MedicationRequest/{plan['id']}", plan).status_code == 200
        page.goto("/medicines")
        rows = page.locator("#ended .medicine-row")
        expect(rows).to_have_count(number)
        if number < 4:
            expect(rows.first).to_be_visible()
    expect(rows.first).to_be_hidden()
    page.locator("#ended summary").click()
    expect(rows.first).to_be_visible()
    expect(rows.first).to_contain_text("Dry cough")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scheme, size", [("light", PHONE), ("dark", DESKTOP)], ids=str)
def test_the_list_holds(twelve: House, language: str, scheme: str, size: tuple[int, int]) -> None:
    page = twelve.context(language=language, scheme=scheme, size=size).new_page()
    page.goto("/medicines")
    screenshot(page, f"{language}-{scheme}-medicines", "list")
    assert text_problems(page, language, message_key_pattern()) == []
    assert structure_problems(page) == [] and narrow_problems(page, size) == []
    if language in ("en", "th"):
        assert axe_problems(page) == []
    page.evaluate("document.documentElement.style.fontSize = '225%'")
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
