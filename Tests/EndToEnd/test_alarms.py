# SPDX-License-Identifier: Apache-2.0
"""Alarms, sounds, the bedside page and missed doses in Chromium: page rules and scripts."""
import re

import pytest
from playwright.sync_api import expect

from harness.browser import (
    PHONE, Listener, axe_problems, message_key_pattern, narrow_problems, screenshot,
    structure_problems, text_problems,
)
from harness.ring import House

# Expected complaints: sound on a page without a tap, and a stream that ends when the page is left.
UNTAPPED = (
    "AudioContext was not allowed", "Blocked call to navigator.vibrate",
    "/api/v1/events",
)
PAGES = {
    "alarms": "/alarms", "new": "/alarms/new", "sounds": "/alarms/sounds",
    "nightstand": "/nightstand", "missed": "/missed", "mornings": "/reminders/mornings",
}


def test_an_alarm_is_made_tried_and_turned_off(house: House) -> None:
    page = house.open("/alarms/new", size=PHONE)
    page.get_by_label("Something else").check()
    page.get_by_label("Name").fill("Call Anna")
    page.get_by_label("Time", exact=True).fill("23:55")
    page.get_by_label("Sound", exact=True).select_option("wood")
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Save").click()
    row = page.get_by_role("listitem").filter(has_text="Call Anna")
    expect(row).to_contain_text("Every day")
    switch = row.get_by_role("button", name="On")
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    expect(row.get_by_role("button", name="Off")).to_have_attribute("aria-pressed", "false")


def test_the_night_stand_says_what_is_in_order_and_what_is_not(house: House) -> None:
    context = house.context(size=PHONE)
    context.add_init_script(
        "navigator.wakeLock.request = () => Promise.reject(new Error('refused'));")
    page = context.new_page()
    page.goto("/nightstand")
    expect(page.locator("[data-night=clock]")).to_have_text(re.compile(r"^\d{1,2}[:.]\d{2}"))
    page.get_by_role("button", name="Turn the sound on").click()
    page.get_by_role("button", name="Test now").click()
    told = page.locator("[data-night=test]")
    expect(told).to_contain_text("Something is wrong.")
    expect(told).to_contain_text("The screen may switch off")
    expect(told).not_to_contain_text("No connection.")


@pytest.mark.parametrize(
    ("language", "scheme"), [("en", "light"), ("en", "dark"), ("th", "light"), ("th", "dark")])
def test_alarm_pages_hold(house: House, language: str, scheme: str) -> None:
    found: dict[str, list[str]] = {}
    listener = Listener()
    page = house.context(language=language, scheme=scheme, size=PHONE).new_page()
    listener.attach(page)
    for name, address in PAGES.items():
        page.goto(address)
        complaints = [c for c in listener.take() if not any(known in c for known in UNTAPPED)]
        screenshot(page, f"{language}-{scheme}-alarms", name)
        found[name] = complaints + structure_problems(page)
        found[name] += text_problems(page, language, message_key_pattern())
        found[name] += narrow_problems(page, PHONE)
        if (language, scheme) != ("th", "light"):
            found[name] += axe_problems(page)
    assert not {name: problems for name, problems in found.items() if problems}
