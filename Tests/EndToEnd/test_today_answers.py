# SPDX-License-Identifier: Apache-2.0
"""An answer on Today updates its row in place: no reload, no movement, and undo gets the focus."""
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from harness.browser import PHONE, axe_problems
from harness.ring import House


def row(page: Page, dose: str) -> Locator:
    return page.locator(f'[data-answers~="{dose}"]')


def button(page: Page, dose: str, action: str) -> Locator:
    return row(page, dose).locator(f"form:has([name=action][value={action}]) button")


def test_a_press_changes_the_row_and_nothing_else(house: House) -> None:
    doses = house.due("Metoprolol", "Ramipril", "Zinc")
    page = house.open("/")
    page.evaluate("document.querySelector('main').dataset.same = 'yes'")
    taken = button(page, doses[2], "taken")
    taken.scroll_into_view_if_needed()
    height = page.evaluate("scrollY")
    taken.click()
    undo = button(page, doses[2], "undo")
    expect(undo).to_be_focused()
    expect(row(page, doses[2])).to_contain_text("Taken")
    assert page.evaluate("scrollY") == height
    assert page.evaluate("document.querySelector('main').dataset.same") == "yes", "it was loaded again"
    assert urlsplit(page.url).path == "/" and not urlsplit(page.url).query
    expect(page.locator("#said > p")).to_contain_text("Taken")
    assert axe_problems(page) == []
    assert house.states(doses) == ["due", "due", "taken"]
    # The page with live updates does not reload for changes that it already shows.
    first = page.locator("main > *").first
    first.evaluate("element => { element.dataset.old = 'yes'; }")
    page.wait_for_timeout(1500)
    expect(page.locator("main > [data-old]")).to_have_count(1)
    expect(undo).to_be_focused()
    # A change by someone else is loaded.
    assert house.api.answer(doses[0], "skipped").status_code == 200
    expect(row(page, doses[0])).to_contain_text("Skipped")
    expect(undo).to_be_focused()
    page.keyboard.press("Enter")
    expect(button(page, doses[2], "taken")).to_be_visible()
    assert house.states(doses) == ["skipped", "due", "due"]


def test_the_line_that_says_it_goes_after_ten_seconds_and_the_row_keeps_its_undo(house: House) -> None:
    dose, = house.due("Metoprolol")
    page = house.open("/")
    button(page, dose, "taken").click()
    said = page.locator("#said")
    expect(said.locator("p")).to_contain_text("Metoprolol")
    expect(said.locator("button")).to_be_visible()
    expect(said.locator("p")).to_have_text("", timeout=15_000)
    expect(said.locator("button")).to_have_count(0)
    button(page, dose, "undo").click()
    expect(button(page, dose, "taken")).to_be_visible()
    assert house.states([dose]) == ["due"]


def test_all_of_one_time_are_taken_and_taken_back_in_their_places(house: House) -> None:
    doses = house.due("Metoprolol", "Zinc")
    page = house.open("/")
    page.evaluate("document.querySelector('main').dataset.same = 'yes'")
    page.locator('.pinned form[action="/answers"] button').click()
    for dose in doses:
        expect(button(page, dose, "undo")).to_be_visible()
    expect(page.locator('main form[action="/answers"]')).to_have_count(0)
    page.locator("#said button").click()
    for dose in doses:
        expect(button(page, dose, "undo")).to_have_count(0)
    assert page.evaluate("document.querySelector('main').dataset.same") == "yes"
    assert house.states(doses) == ["due", "due"]


def test_pressed_twice_quickly_it_is_taken_once(house: House) -> None:
    dose, = house.due("Metoprolol")
    page = house.open("/")
    button(page, dose, "taken").dblclick()
    expect(button(page, dose, "undo")).to_be_visible()
    page.wait_for_timeout(500)
    assert house.states([dose]) == ["taken"] and len(house.api.administrations()) == 1


def test_what_has_to_be_asked_is_a_page_of_its_own(house: House) -> None:
    dose, = house.due("Metoprolol")
    page = house.open("/")
    # Someone else answers the dose while the page receives no events.
    page.context.route("**/api/v1/events*", lambda route: route.abort())
    page.reload()
    assert house.api.answer(dose, "skipped").status_code == 200
    with page.expect_navigation():
        button(page, dose, "taken").click()
    assert urlsplit(page.url).path == f"/doses/{dose}/answers"
    expect(page.locator("main")).to_contain_text("Skipped")
    assert house.states([dose]) == ["skipped"]


def test_without_scripts_the_page_comes_back_at_the_row(house: House) -> None:
    doses = house.due("Metoprolol", "Ramipril", "Zinc")
    page = house.open("/", java_script_enabled=False, size=PHONE)
    button(page, doses[2], "taken").click()
    assert urlsplit(page.url).fragment == f"dose-{doses[2]}"
    expect(row(page, doses[2])).to_be_in_viewport()
    expect(row(page, doses[2])).to_contain_text("Taken")
    assert house.states(doses) == ["due", "due", "taken"]
