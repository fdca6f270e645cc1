# SPDX-License-Identifier: Apache-2.0
"""Today, the emergency card and the log form open offline, encrypted, and only for the signed-in person."""
import time
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from playwright.sync_api import Error, Page, expect

from harness.browser import (
    LANGUAGES, PHONE, axe_problems, go_offline, message_key_pattern, narrow_problems, screenshot, text_problems,
)
from harness.forms import fill, form_with, put
from harness.ring import House
from test_offline_answers import WAITING, ready, row, seconds_apart, taken

FULL_BROWSER = True

PAGES = {"/", "/emergency-card", "/entry"}
READ_COPIES = """async () => {
  const nothing = async () => ({ pages: [], text: '', caches: await caches.keys() });
  const files = (await indexedDB.databases()).map((one) => one.name);
  if (!files.includes('regimen-copies')) return nothing();
  const settled = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const opening = indexedDB.open('regimen-copies');
  // Deleted since the look at the list: it must not be made anew.
  opening.onupgradeneeded = () => opening.transaction.abort();
  const database = await settled(opening).catch(() => null);
  if (!database) return nothing();
  const store = database.transaction('pages').objectStore('pages');
  const pages = await settled(store.getAllKeys());
  const all = await settled(store.getAll());
  database.close();
  const text = all.map((one) => new TextDecoder('latin1').decode(one.sealed)).join('');
  return { pages: pages.filter((one) => one.startsWith('/')), text, caches: await caches.keys() };
}"""


def copies(page: Page) -> dict[str, Any]:
    return page.evaluate(READ_COPIES)


def wait_for_copies(page: Page, pages: set[str]) -> dict[str, Any]:
    deadline = time.monotonic() + 30
    while set((found := copies(page))["pages"]) != pages:
        assert time.monotonic() < deadline, found["pages"]
        time.sleep(0.1)
    return found


def kept(house: House, address: str = "/", **options: Any) -> Page:
    """Opens a page, and waits until the offline pages are stored."""
    page = ready(house.context(**options).new_page(), address)
    wait_for_copies(page, PAGES)
    return page


def test_today_opens_without_a_network_and_takes_an_answer(house: House) -> None:
    dose, = house.due("Metoprolol")
    page = kept(house)
    found = copies(page)
    assert "Metoprolol" not in found["text"] and dose not in found["text"], "readable"
    go_offline(page.context)
    page.reload()
    notice = page.locator("#copied")
    expect(notice).to_contain_text("No connection. This is the copy saved at")
    expect(taken(page, dose)).to_be_visible()
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    screenshot(page, "offline", "today-copy")
    pressed = house.api.now()
    taken(page, dose).click()
    expect(row(page, dose).locator(".unsent")).to_contain_text(WAITING)
    # Reopened, it is still queued, and not offered again.
    page.reload()
    expect(row(page, dose).locator(".unsent")).to_contain_text(WAITING)
    expect(taken(page, dose)).to_be_hidden()
    # The page notices it without a reload.
    page.context.set_offline(False)
    house.wait_for([dose], "taken")
    expect(notice).to_have_count(0)
    assert seconds_apart(house.api.dose(dose)["answer"]["at"], pressed) <= 3
    assert len(house.api.administrations()) == 1


def test_an_answer_is_in_the_copy_a_moment_later(house: House) -> None:
    dose, = house.due("Metoprolol")
    page = kept(house)
    taken(page, dose).click()
    expect(row(page, dose)).to_contain_text("Taken")
    page.wait_for_timeout(6000)
    go_offline(page.context)
    page.reload()
    expect(page.locator("#copied")).to_be_visible()
    expect(taken(page, dose)).to_have_count(0)
    expect(row(page, dose)).to_contain_text("Taken")


@pytest.mark.long
def test_a_dose_whose_time_comes_without_a_network_can_be_taken(house: House) -> None:
    # On a busy machine it may be due before the page is kept.
    for seconds in (12, 45):
        dose, = house.due("Metoprolol", seconds=seconds, wait=False)
        page = kept(house)
        expect(row(page, dose)).to_be_visible()
        if house.states([dose]) == ["scheduled"]:
            break
    else:
        pytest.skip("it was due before the page could be kept")
    go_offline(page.context)
    page.reload()
    expect(page.locator("#copied")).to_be_visible()
    house.wait_for([dose], "due")
    page.reload()
    taken(page, dose).click()
    expect(row(page, dose).locator(".unsent")).to_contain_text(WAITING)
    page.context.set_offline(False)
    house.wait_for([dose], "taken")


def test_a_dose_of_a_day_ago_is_not_answered_from_a_copy(house: House) -> None:
    dose, = house.due("Metoprolol")
    page = kept(house)
    go_offline(page.context)
    page.clock.set_fixed_time(datetime.now(timezone.utc) + timedelta(hours=25))
    page.reload()
    expect(page.locator("#copied")).to_be_visible()
    expect(row(page, dose)).to_be_visible()
    expect(taken(page, dose)).to_have_count(0)
    expect(page.locator(".pinned")).to_have_count(0)


def test_the_emergency_card_and_the_log_form_open_without_a_network(house: House) -> None:
    house.due("Metoprolol")
    page = kept(house)
    go_offline(page.context)
    page.goto("/emergency-card")
    expect(page.locator("main")).to_contain_text("Metoprolol")
    expect(page.locator("#copied")).to_be_visible()
    screenshot(page, "offline", "emergency-card-copy")
    # The page stays and explains what the copy can't do.
    page.locator('main form[action="/emergency-card"] button').last.click()
    expect(page.locator("#said")).to_contain_text("You need a connection for this.")
    page.goto("/")
    page.locator('nav a[href="/medicines"]').click()
    expect(page.locator("#said")).to_contain_text("You need a connection for this.")
    page.goto("/entry")
    form = form_with(page, "medicine", "name")
    put(form, "medicine", "other")
    fill(form, name="Ibuprofen", reason="Headache")
    form.locator("button[type=submit]").first.click()
    expect(page.locator("#unsent li")).to_contain_text("Ibuprofen, Taken")
    page.context.set_offline(False)
    house.wait_until(lambda: len(house.api.administrations()) == 1)


def test_an_extra_dose_is_taken_back_without_a_network(house: House) -> None:
    tablet = {"value": 1, "unit": "tablet"}
    made = house.api.post("/api/v1/administrations", {
        "medicine": "Ibuprofen", "at": house.api.now().isoformat(), "taken": True, "amount": tablet})
    assert made.status_code == 201, made.text
    page = kept(house)
    entry = page.locator(f'[data-answers="entry-{made.json()["id"]}"]')
    go_offline(page.context)
    entry.get_by_role("button", name="Undo").click()
    expect(entry.locator(".unsent")).to_contain_text("Waiting to be sent: Undo")
    # Undoing the queued undo keeps the entry.
    entry.locator(".unsent button").click()
    expect(entry.locator(".unsent")).to_have_count(0)
    entry.get_by_role("button", name="Undo").click()
    expect(entry.locator(".unsent")).to_contain_text("Waiting to be sent: Undo")
    page.context.set_offline(False)
    house.wait_until(lambda: house.api.administrations() == [])
    page.reload()
    expect(entry).to_have_count(0)


def is_opened(page: Page) -> bool:
    try:
        page.goto("/")
    except Error:
        return False
    return page.locator("#copied").count() > 0


def test_copies_are_gone_after_signing_out(house: House) -> None:
    house.due("Metoprolol")
    page = kept(house, "/me")
    page.locator('form[action="/sign-out"] button').first.click()
    assert "/sign-in" in page.url, page.url
    found = wait_for_copies(page, set())
    assert "assets" not in found["caches"]
    page.context.set_offline(True)
    assert not is_opened(page)


def test_copies_are_gone_once_the_session_has_ended(house: House) -> None:
    page = kept(house)
    # Simulates that another device has ended the session.
    page.context.clear_cookies()
    # The copy is shown if the server is slow to answer; the next try gets an answer.
    for _ in range(5):
        page.goto("/")
        if "/sign-in" in page.url:
            break
    assert "/sign-in" in page.url, page.url
    wait_for_copies(page, set())
    go_offline(page.context)
    assert not is_opened(page)


def test_copies_do_not_open_after_their_time(house: House) -> None:
    page = kept(house)
    go_offline(page.context)
    assert is_opened(page)
    worker = page.context.service_workers[-1]
    worker.evaluate("() => { globalThis.own = Date.now; Date.now = () => own() + 8 * 86400000; }")
    assert not is_opened(page)
    worker.evaluate("() => { Date.now = globalThis.own; }")
    # They were deleted, not just hidden.
    assert not is_opened(page)


def test_a_device_can_be_told_to_keep_none(house: House) -> None:
    page = kept(house, "/device/offline")
    assert axe_problems(page) == []
    page.get_by_role("button", name="Don’t save pages on this device").click()
    expect(page.locator("main")).to_contain_text("This device doesn’t save pages.")
    wait_for_copies(page, set())
    page.goto("/")
    page.wait_for_timeout(500)
    assert copies(page)["pages"] == []
    page.goto("/device/offline")
    page.get_by_role("button", name="Save pages on this device").click()
    expect(page.locator("main")).to_contain_text("open on this device")
    wait_for_copies(page, PAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_copies_say_so_in_every_language(house: House, language: str) -> None:
    house.due("Metoprolol")
    page = kept(house, language=language)
    go_offline(page.context)
    page.reload()
    expect(page.locator("#copied")).to_be_visible()
    assert "…" not in page.locator("#copied").inner_text()
    assert text_problems(page, language, message_key_pattern()) == []
    assert narrow_problems(page, PHONE) == []
