# SPDX-License-Identifier: Apache-2.0
"""Alarm pages in Chromium: ring, answer, silence each other, keep answers offline."""
import gzip
import json
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from playwright.sync_api import Page, expect

from harness.browser import (
    DESKTOP, PHONE, Listener, axe_problems, go_offline, message_key_pattern, narrow_problems,
    reload_controlled, screenshot, structure_problems, text_problems, wait_until,
)
from harness.ring import House

FULL_BROWSER = True

# Expected complaints: sound on a page without a tap, and a stream that ends when the page is left.
UNTAPPED = (
    "AudioContext was not allowed", "Blocked call to navigator.vibrate",
    "/api/v1/events",
)
STOP, ARM, TAKEN = "Stop the sound", "Turn the sound on", "Taken"


def wait_for_ringing(page: Page, rings: bool) -> None:
    wait_until(page, f"(globalThis.ringing?.size > 0) === {str(rings).lower()}")


def is_playing(page: Page) -> bool:
    return page.evaluate("globalThis.ringing?.size > 0")


# Counts the sound sources that are playing, without touching the page's own code.
COUNT_SOUNDS = """
globalThis.ringing = new Set();
const start = AudioBufferSourceNode.prototype.start;
const stop = AudioBufferSourceNode.prototype.stop;
AudioBufferSourceNode.prototype.start = function (...all) {
  globalThis.ringing.add(this);
  this.addEventListener('ended', () => globalThis.ringing.delete(this));
  globalThis.melody = this.buffer;
  return start.apply(this, all);
};
AudioBufferSourceNode.prototype.stop = function (when) {
  if (!when) globalThis.ringing.delete(this);
  return stop.call(this, when ?? 0);
};
"""


def armed(house: House, **options: Any) -> Page:
    """Opens a bedside page that waits, its sound turned on by a tap."""
    context = house.context(**options)
    context.add_init_script(COUNT_SOUNDS)
    page = context.new_page()
    page.goto("/ring")
    page.get_by_role("button", name=ARM).click()
    expect(page.locator("[data-ring=arm]").first).to_be_hidden()
    return page


# MARK: the open page


def test_an_armed_page_rings_until_answered_and_waits_on(house: House) -> None:
    dose, = house.due("Metoprolol", seconds=6, wait=False)
    page = armed(house)
    expect(page.locator("[data-ring=sound]")).to_have_text("On. This page can ring.")
    expect(page.get_by_text("Rings next")).to_be_visible()
    alarm = page.get_by_role("alertdialog")
    expect(alarm).to_be_visible()
    expect(alarm).to_contain_text("Metoprolol")
    assert is_playing(page)
    # A stray key must not record a dose.
    stop = page.get_by_role("button", name=STOP)
    expect(stop).to_be_focused()
    page.keyboard.press("Enter")
    assert not is_playing(page)
    assert house.states([dose]) == ["due"]
    page.get_by_role("button", name=TAKEN).click()
    expect(page.get_by_role("status").first).to_contain_text("Metoprolol")
    assert house.states([dose]) == ["taken"]
    assert urlsplit(page.url).path == "/ring"
    expect(page.locator("#ring")).to_have_attribute("data-state", "armed")
    # Still armed: the sound needs no second tap.
    expect(page.get_by_role("button", name=ARM)).to_be_hidden()


def test_two_tones_between_500_and_1000_hertz_rise_for_ten_seconds(house: House) -> None:
    house.due("Ramipril")
    page = armed(house)
    page.get_by_role("alertdialog").wait_for()
    wait_for_ringing(page, True)
    tones = page.evaluate("""() => {
      const { melody } = globalThis, rate = melody.sampleRate, samples = melody.getChannelData(0);
      // How often the wave crosses zero upwards in the middle of each tone.
      return [0.05, 0.35].map((start) => {
        let crossings = 0;
        const from = Math.round(start * rate), to = Math.round((start + 0.15) * rate);
        for (let i = from; i < to; i += 1) if (samples[i] < 0 && samples[i + 1] >= 0) crossings += 1;
        return crossings / 0.15;
      });
    }""")
    assert all(480 <= tone <= 1000 for tone in tones) and tones[1] > tones[0] * 1.2, tones


def test_escape_silences_and_records_nothing(house: House) -> None:
    dose, = house.due("Zinc")
    page = armed(house)
    wait_for_ringing(page, True)
    page.keyboard.press("Escape")
    assert not is_playing(page)
    assert house.states([dose]) == ["due"]
    expect(page.get_by_role("button", name=TAKEN)).to_be_visible()


@pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "no-javascript"])
def test_of_several_some_are_taken_and_the_rest_keeps_ringing(
    house: House, javascript: bool
) -> None:
    doses = house.due("Metoprolol", "Ramipril", "Zinc")
    page = house.open("/ring", java_script_enabled=javascript)
    page.get_by_label("Ramipril").uncheck()
    page.get_by_role("button", name=TAKEN).click()
    expect(page.get_by_text("2 medicines taken.")).to_be_visible()
    assert sorted(house.states(doses)) == ["due", "taken", "taken"]
    expect(page.get_by_role("alertdialog")).to_contain_text("Ramipril")
    page.get_by_role("button", name="Later, in 10 min").click()
    expect(page.locator("#ring")).to_have_attribute("data-state", "armed")
    assert sorted(house.states(doses)) == ["later", "taken", "taken"]


def test_without_javascript_it_says_so_and_offers_no_sound(house: House) -> None:
    dose, = house.due("Zinc")
    page = house.open("/ring", java_script_enabled=False)
    # Chromium parses the page as with scripts: the content without scripts is in this element.
    words = page.locator("noscript").all_text_contents()
    assert any("This page needs JavaScript to ring." in text for text in words)
    assert page.get_by_role("button", name=STOP).count() == 0
    page.get_by_role("button", name="Skip").click()
    assert house.states([dose]) == ["skipped"]


def test_an_answer_on_one_page_silences_the_other(house: House) -> None:
    doses = house.due("Metoprolol", "Zinc")
    first, second = armed(house), armed(house)
    for page in (first, second):
        wait_for_ringing(page, True)
    first.get_by_role("button", name=TAKEN).click()
    wait_for_ringing(second, False)
    expect(second.locator("#ring")).to_have_attribute("data-state", "armed")
    assert house.states(doses) == ["taken", "taken"]


def test_what_is_pressed_without_a_network_is_sent_once_it_is_back(house: House) -> None:
    dose, = house.due("Metoprolol")
    page = armed(house)
    reload_controlled(page)
    go_offline(page.context)
    page.get_by_role("button", name=TAKEN).click()
    expect(page.get_by_text("Saved on this device.")).to_be_visible()
    assert house.states([dose]) == ["due"]
    sealed = page.evaluate(READ_QUEUE)
    assert len(sealed) == 1 and dose not in json.dumps(sealed), "kept readable"
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    house.wait_for([dose], "taken")
    assert len(house.api.administrations()) == 1


READ_QUEUE = """async () => {
  const opening = indexedDB.open('regimen');
  const database = await new Promise((done) => { opening.onsuccess = () => done(opening.result); });
  const all = database.transaction('queue').objectStore('queue').getAll();
  const found = await new Promise((done) => { all.onsuccess = () => done(all.result); });
  database.close();
  return found.map((one) => ({ ...one, iv: [...one.iv], sealed: [...new Uint8Array(one.sealed)] }));
}"""


# MARK: views


@pytest.mark.parametrize(
    ("language", "scheme", "size"),
    [("en", "light", PHONE), ("en", "dark", PHONE), ("th", "light", PHONE), ("th", "dark", DESKTOP),
     ("de", "light", DESKTOP), ("nb", "light", PHONE), ("tr", "light", PHONE)],
    ids=str,
)
def test_ringing_pages_hold(
    house: House, language: str, scheme: str, size: tuple[int, int]
) -> None:
    found: dict[str, list[str]] = {}
    listener = Listener()
    page = house.context(language=language, scheme=scheme, size=size).new_page()
    listener.attach(page)

    def look(name: str, address: str) -> None:
        page.goto(address)
        page.wait_for_timeout(500)
        complaints = [c for c in listener.take() if not any(known in c for known in UNTAPPED)]
        screenshot(page, f"{language}-{scheme}-ring", name)
        found[name] = complaints + structure_problems(page)
        found[name] += text_problems(page, language, message_key_pattern())
        found[name] += narrow_problems(page, size)
        # Structure and colours are the same in every language.
        if (language, scheme) in (("en", "light"), ("th", "dark")):
            found[name] += axe_problems(page)
        listener.take()

    look("ring-nothing", "/ring")
    timing = house.api.events(200)
    house.api.add_plan(timing, name="Insulin aspart")
    look("ring-armed", "/ring")
    house.due("Metoprolol 50 mg", "Ramipril 5 mg", "Vitamin D3 1000 IU")
    look("ring-now", "/ring")
    look("device", "/device")
    look("today-with-device", "/")
    problems = [f"{name}: {problem}" for name, list_ in found.items() for problem in list_]
    assert not problems, "\n".join(problems)


def test_scripts_stay_small(house: House) -> None:
    page = house.open("/")
    address = page.locator("script[src]").get_attribute("src")
    sizes = [
        len(gzip.compress(requests.get(house.server.base + path, timeout=10).content))
        for path in (address, "/service-worker.js")
    ]
    assert sum(sizes) <= 19_000, sizes
