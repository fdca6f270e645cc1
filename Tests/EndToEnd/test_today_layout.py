# SPDX-License-Identifier: Apache-2.0
"""Today on a phone: short, its main action visible, its menu one tap away, in every language and size."""
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from harness.browser import (
    DESKTOP, LANGUAGES, PHONE, axe_problems, message_key_pattern, narrow_problems, screenshot,
    structure_problems, text_problems,
)
from harness.ring import House
from harness.server import Server
from harness.sign_up import new_session

HIGHEST = 1_700


def furnish(house: House) -> list[str]:
    """Four doses that are due together, and four that come later."""
    # Allows time to create four plans on a busy machine, since a late one would leave a dose behind.
    names = ["Metoprolol succinate 47.5 mg", "Ramipril 5 mg", "Metformin 500 mg", "Vitamin D3 1000 IU"]
    due = house.due(*names, seconds=8)
    for name in ("Atorvastatin 20 mg", "Melatonin 2 mg"):
        house.api.add_plan(house.api.events(60, 90), name=name)
    return due


@pytest.fixture(scope="module")
def full_day(browser: Browser, ring_server: Server) -> Iterator[House]:
    """Someone with a full day, for tests that answer nothing."""
    session, email = new_session(ring_server)
    made = House(browser, ring_server, ring_server.api(ring_server.create_token(email)), session, [])
    furnish(made)
    yield made
    for one in made.opened:
        one.close()


def is_above_the_fold(page: Page, selector: str) -> bool:
    box = page.locator(selector).bounding_box()
    navigation = page.locator("#navigation").bounding_box()
    assert box and navigation
    return box["y"] >= 0 and box["y"] + box["height"] <= navigation["y"] + 1


def test_a_full_day_is_short_and_its_main_action_is_in_sight(house: House) -> None:
    due = furnish(house)
    page = house.open("/", size=(390, 844))
    expect(page.locator("#now .intake")).to_have_count(4)
    screenshot(page, "today", "full-day")
    assert is_above_the_fold(page, ".pinned button")
    # Only the day: the footer is the same on every page.
    height = page.evaluate("document.querySelector('.page-footer').getBoundingClientRect().top + scrollY")
    assert height <= HIGHEST, f"{height} px"
    page.locator(".pinned button").click()
    house.wait_for(due, "taken")
    expect(page.locator(".pinned")).to_have_count(0)


def test_a_check_and_a_menu_are_large_enough_for_a_thumb(house: House) -> None:
    house.due("Metoprolol", "Zinc")
    page = house.open("/")
    for selector in ("#now .intake-check button", "#now .intake-menu summary", ".pinned button"):
        for one in page.locator(selector).all():
            box = one.bounding_box()
            assert box and box["width"] >= 47.5 and box["height"] >= 47.5, (selector, box)


@pytest.mark.parametrize("action, state", [("later", "later"), ("skipped", "skipped")])
@pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "no-javascript"])
def test_the_menu_of_a_row_answers_by_one_press(
    house: House, action: str, state: str, javascript: bool
) -> None:
    dose, = house.due("Metoprolol")
    page = house.open("/", java_script_enabled=javascript)
    row = page.locator(f'[data-answers~="{dose}"]')
    row.locator("summary").click()
    row.locator(f"form:has([name=action][value={action}]) button").click()
    house.wait_for([dose], state)
    expect(row.locator("form:has([name=action][value=undo]) button")).to_be_visible()


def test_a_line_opens_the_doses_of_tomorrow(house: House) -> None:
    daily = {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d", "timeOfDay": ["00:05:00"]}}
    house.api.add_plan(daily, name="Metoprolol")
    page = house.open("/")
    tomorrow = page.locator("#tomorrow")
    expect(tomorrow.locator(".intake")).to_be_hidden()
    tomorrow.locator("summary").first.click()
    expect(tomorrow.locator(".intake")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scheme, size", [("light", PHONE), ("dark", DESKTOP)], ids=str)
def test_a_full_day_holds(full_day: House, language: str, scheme: str, size: tuple[int, int]) -> None:
    page = full_day.context(language=language, scheme=scheme, size=size).new_page()
    page.goto("/")
    expect(page.locator("#now .intake")).to_have_count(4)
    page.locator("#now .intake-menu summary").first.click()
    screenshot(page, f"{language}-{scheme}-today", "full-day")
    assert text_problems(page, language, message_key_pattern()) == []
    assert structure_problems(page) == [] and narrow_problems(page, size) == []
    if language in ("en", "th"):
        assert axe_problems(page) == []


@pytest.mark.parametrize("address", ["/ring", "/nightstand", "/simple"])
def test_pages_of_one_question_keep_their_buttons_in_sight(house: House, address: str) -> None:
    house.due(*(f"Medicine with a long name {number}" for number in range(1, 6)))
    page = house.open(address, size=(390, 844))
    button = page.locator("form:has([name=action][value=taken]) button[type=submit]:visible").first
    box = button.bounding_box()
    assert box and box["y"] >= 0 and box["y"] + box["height"] <= 844, box
