# SPDX-License-Identifier: Apache-2.0
"""The diary in Chromium: two taps from Today, questions about unusual values, own trackers, charts and photos."""
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from harness.browser import PHONE, Listener, page_problems, screenshot
from harness.forms import fill, follow, form_with, submit, unfolded
from harness.server import Server
from harness.sign_up import sign_up
from test_appearance import medicine, picture


def enter(page: Page, tracker: str, **values: str) -> None:
    page.goto(f"/diary/trackers/{tracker}")
    form = form_with(page, "value", "day")
    fill(form, **values)
    submit(form)


@pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "no-javascript"])
def test_a_value_is_two_taps_from_today(browser: Browser, server: Server, javascript: bool) -> None:
    context, page, email = sign_up(browser, server, size=PHONE, java_script_enabled=javascript)
    medicine(server, email)
    enter(page, "blood-pressure", value="131", lower="82")
    expect(page.locator(".flash")).to_contain_text("Saved.")
    page.goto("/")
    follow(page.locator("#diary").get_by_role("link", name="Blood pressure"))
    form = form_with(page, "value", "lower")
    fill(form, value="128", lower="79")
    submit(form)
    expect(page.locator("main")).to_contain_text("128/79 mmHg")
    expect(page.locator("figcaption")).to_contain_text("2 values, from 128 to 131.")
    api = server.api(server.create_token(email))
    found = api.ok("/fhir/Observation", code="http://loinc.org|85354-9")
    assert found["total"] == 2
    assert found["entry"][0]["resource"]["component"][1]["valueQuantity"]["code"] == "mm[Hg]"
    context.close()


def test_a_symptom_is_two_taps_from_today_before_the_diary_is_used(browser: Browser, server: Server) -> None:
    context, page, _ = sign_up(browser, server, size=PHONE)
    page.goto("/")
    follow(page.locator("main").get_by_role("link", name="Write down a symptom"))
    form = form_with(page, "value", "strength")
    fill(form, value="Dizzy", strength="4")
    submit(form)
    expect(page.locator(".flash")).to_contain_text("Saved.")
    expect(page.locator("main")).to_contain_text("Dizzy (4 out of 10)")
    context.close()


def test_an_unusual_value_asks_and_an_impossible_one_is_refused(browser: Browser, server: Server) -> None:
    context, page, _ = sign_up(browser, server, size=PHONE)
    enter(page, "temperature", value="98.6", unit="celsius")
    expect(page.locator("#error-summary")).to_contain_text("This value isn’t possible.")
    enter(page, "temperature", value="42.1", unit="celsius")
    expect(page.locator("#error-summary")).to_contain_text("Is it right?")
    form = form_with(page, "value", "reason")
    fill(form, reason="Measured twice")
    submit(form)
    expect(page.locator(".flash")).to_contain_text("Saved.")
    expect(page.locator("main")).to_contain_text("42.1 °C")
    context.close()


def test_an_own_tracker_is_made_used_corrected_and_put_away(browser: Browser, server: Server) -> None:
    context, page, _ = sign_up(browser, server, size=PHONE)
    page.goto("/diary")
    form = unfolded(form_with(page, "name", "scale"))
    fill(form, name="Water", scale="number", unit="glasses")
    submit(form)
    expect(page.locator("h1")).to_have_text("Water")
    form = form_with(page, "value", "day")
    fill(form, value="6", note="Hot day")
    submit(form)
    follow(page.get_by_role("link", name="6 glasses"))
    form = form_with(page, "value", "day")
    fill(form, value="7")
    submit(form)
    expect(page.locator("main")).to_contain_text("7 glasses")
    submit(page.locator("form[action$='/end']"))
    expect(page.locator("main")).to_contain_text("No longer in use")
    context.close()


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("th", "dark")])
def test_the_pages_hold(
    browser: Browser, server: Server, tmp_path: Path, language: str, scheme: str
) -> None:
    context, page, email = sign_up(browser, server, size=PHONE, language=language, scheme=scheme)
    medicine(server, email)
    enter(page, "symptom", value="Rash", strength="3")
    follow(page.locator("main li a[href^='/diary/entries/']").first)
    entry = page.url
    file = tmp_path / "rash.png"
    file.write_bytes(picture())
    form = unfolded(page.locator("form[action$='/photos']"))
    form.locator("[name=photo]").set_input_files(file)
    submit(form)
    expect(page.locator("main img")).to_have_count(1)
    for weight in ("71", "70.4"):
        enter(page, "weight", value=weight, unit="kilograms")
    listener = Listener()
    listener.attach(page)
    found: dict[str, list[str]] = {}
    for name, address in {
        "diary": "/diary", "weight": "/diary/trackers/weight", "pain": "/diary/trackers/pain",
        "pressure": "/diary/trackers/blood-pressure", "entry": entry, "today": "/",
    }.items():
        page.goto(address)
        page.evaluate("for (const fold of document.querySelectorAll('main details')) fold.open = true")
        screenshot(page, f"{language}-{scheme}-diary", name)
        found[name] = [
            p for p in page_problems(page, listener, language, PHONE) if "/api/v1/events" not in p]
    context.close()
    assert not {name: problems for name, problems in found.items() if problems}
