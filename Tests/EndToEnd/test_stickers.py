# SPDX-License-Identifier: Apache-2.0
"""Stickers in Chromium: a tap on a marked phone logs by its script and is undone; without scripts it asks; strangers
learn nothing."""
import re
from urllib.parse import urlsplit

import requests
from playwright.sync_api import BrowserContext, Page, expect

from harness.browser import PHONE, axe_problems, narrow_problems, new_context
from harness.ring import House
from harness.sign_up import new_session

TAKEN = re.compile(r"\?done=taken")


def make(context: BrowserContext, name: str = "Kitchen") -> str:
    """Makes a sticker for everything that is due, as a person would, and returns its path."""
    page = context.new_page()
    page.goto("/stickers")
    page.locator('[name="name"]').fill(name)
    page.get_by_role("button", name="Make a sticker").click()
    address = page.locator("#own code").first
    expect(address).to_contain_text("/s/rgn_")
    path = urlsplit((address.text_content() or "").strip()).path
    page.close()
    return path


def mark(context: BrowserContext) -> None:
    """Chooses that taps on this phone are logged at once."""
    page = context.new_page()
    page.goto("/stickers")
    page.get_by_role("button", name="Log at once on this phone").click()
    expect(page.get_by_text("Taps on this phone are now logged at once.")).to_be_visible()
    page.close()


def tap(context: BrowserContext, path: str) -> Page:
    page = context.new_page()
    page.goto(path)
    return page


def undo(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Undo")).first.click()


def test_a_tap_on_a_marked_phone_is_logged_once_and_undone(house: House) -> None:
    phone = house.context()
    path = make(phone)
    mark(phone)
    dose, = house.due("Testolol")
    page = tap(phone, path)
    page.wait_for_url(TAKEN)
    expect(page.get_by_role("button", name=re.compile("^Undo")).first).to_be_visible()
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    answer = house.api.dose(dose)["answer"]
    assert house.states([dose]) == ["taken"] and "by the sticker “Kitchen”" in answer["by"]
    # The page again, by a reload and by another tap, logs nothing more.
    page.reload()
    second = tap(phone, path)
    expect(second.get_by_role("heading", level=1)).to_contain_text("Nothing is due now")
    assert len(house.api.administrations()) == 1
    undo(page)
    house.wait_for([dose], "due")
    # A dose that was undone is asked about: its next tap sends nothing by itself.
    again = tap(phone, path)
    expect(again.get_by_role("heading", level=1)).to_contain_text("Testolol")
    assert again.locator("form[data-at-once]").count() == 0
    assert house.states([dose]) == ["due"]
    again.get_by_role("button", name=re.compile("^Taken")).click()
    again.wait_for_url(TAKEN)
    assert house.states([dose]) == ["taken"]


def test_an_unmarked_phone_and_one_without_scripts_ask_first(house: House) -> None:
    phone = house.context()
    path = make(phone)
    dose, = house.due("Testolol")
    page = tap(phone, path)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Testolol")
    assert page.locator("form[data-at-once]").count() == 0
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    plain = house.context(java_script_enabled=False)
    mark(plain)
    asked = tap(plain, path)
    # The same page as with scripts, but nothing sends it.
    assert asked.locator("form[data-at-once]").count() == 1
    assert house.states([dose]) == ["due"]
    asked.get_by_role("button", name=re.compile("^Taken")).click()
    asked.wait_for_url(TAKEN)
    assert house.states([dose]) == ["taken"]
    undo(asked)
    house.wait_for([dose], "due")


def test_strangers_learn_nothing_and_log_nothing(house: House) -> None:
    phone = house.context()
    path, other = make(phone), "/s/rgn_" + "A" * 43
    dose, = house.due("Testolol")
    session, _ = new_session(house.server)
    stranger = new_context(house.browser, house.server.base, size=PHONE, storage_state=session)
    house.opened.append(stranger)
    # Even on a phone that logs its own person's taps at once.
    mark(stranger)
    signed_out = new_context(house.browser, house.server.base, size=PHONE)
    house.opened.append(signed_out)
    for context in (stranger, signed_out):
        seen = []
        for address in (path, other):
            page = tap(context, address)
            expect(page.get_by_role("heading", level=1)).to_have_text("A sticker for medicines")
            assert page.locator("form[data-at-once]").count() == 0
            seen.append(page.locator("main").inner_text())
        assert seen[0] == seen[1] and "Testolol" not in seen[0] and "Kitchen" not in seen[0]
    plain = [requests.get(house.server.base + address, timeout=60) for address in (path, other)]
    assert [answer.status_code for answer in plain] == [404, 404]
    assert house.states([dose]) == ["due"]
