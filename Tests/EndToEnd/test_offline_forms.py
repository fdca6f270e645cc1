# SPDX-License-Identifier: Apache-2.0
"""Entries of the diary and answers to questionnaires, made offline, are checked like those made online, and sent once,
with their own time."""
import time
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.api import parse
from harness.browser import (
    LANGUAGES, PHONE, axe_problems, go_offline, message_key_pattern, narrow_problems, screenshot, text_problems,
)
from harness.forms import fill, follow, form_with, submit, unfolded
from harness.ring import House
from test_offline_answers import ready, seconds_apart
from test_offline_pages import PAGES, wait_for_copies

FULL_BROWSER = True

PRESSURE, TEMPERATURE = "/diary/trackers/blood-pressure", "/diary/trackers/temperature"
ADHERENCE, AIMS = "/questionnaires/adherence", "/questionnaires/aims"


def entries(house: House, tracker: str) -> list[dict[str, Any]]:
    return house.api.ok("/api/v1/diary/entries", patient=house.api.patient, tracker=tracker)["entries"]


def responses(house: House) -> list[dict[str, Any]]:
    found = house.api.ok("/fhir/QuestionnaireResponse", patient=house.api.patient)
    return [entry["resource"] for entry in found.get("entry", [])]


def used(house: House, *trackers: tuple[str, dict[str, Any]]) -> None:
    """Makes a first entry of trackers, so that Today has their buttons."""
    for tracker, value in trackers:
        made = house.api.post("/api/v1/diary/entries", {"patient": house.api.patient, "tracker": tracker} | value)
        assert made.status_code == 201, made.text


def planned(page: Page, address: str) -> None:
    page.goto(f"{address}/schedule")
    form = form_with(page, "kind", "starts")
    form.locator('[name="kind"][value="weekly"]').check(force=True)
    submit(form)


def kept(house: House, *forms: str, **options: Any) -> Page:
    """Opens Today, and waits until it and these forms are stored."""
    house.api.add_plan(house.api.events(600), name="Metoprolol")
    page = house.context(**options).new_page()
    for address in forms:
        if address.startswith("/questionnaires"):
            planned(page, address)
    ready(page)
    wait_for_copies(page, PAGES | set(forms))
    return page


def waiting(page: Page) -> Locator:
    return page.locator("#unsent li")


def press(page: Page) -> None:
    """Presses the button of the form; no other page opens."""
    page.locator("[data-entry] form button:not([type=button])").first.click()


def reviewed(page: Page) -> Locator:
    """Presses the button of a questionnaire's form, and returns the review that opens."""
    press(page)
    review = page.get_by_role("region", name="Check your answers")
    expect(review).to_be_focused()
    return review


def back_online(page: Page) -> None:
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")


def test_an_entry_and_answers_made_offline_are_stored_once_with_their_time(house: House) -> None:
    used(house, ("blood-pressure", {"systolic": 120, "diastolic": 80}))
    page = kept(house, PRESSURE, ADHERENCE)
    go_offline(page.context)
    page.goto("/")
    page.locator("#diary").get_by_role("link", name="Blood pressure").click()
    expect(page.locator("#copied")).to_be_visible()
    expect(page.locator("main")).not_to_contain_text("120/80")
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    yesterday = datetime.now(timezone.utc) - timedelta(days=1)
    # Without a value nothing is queued, and what was typed stays.
    fill(form_with(page, "value", "lower"), value="131")
    press(page)
    expect(page.locator("#said")).to_contain_text("something is missing")
    form = form_with(page, "value", "lower")
    fill(form, lower="140")
    press(page)
    expect(page.locator("#said")).to_contain_text("The lower value must be smaller")
    expect(form.locator("[name=lower]")).to_be_focused()
    assert waiting(page).count() == 0
    fill(form, lower="82", day=yesterday.strftime("%Y-%m-%d"), time="07:30", note="Before breakfast")
    press(page)
    expect(waiting(page)).to_contain_text("Waiting to be sent: Blood pressure, 131/82")
    expect(form.locator("[name=value]")).to_have_value("")
    screenshot(page, "offline", "diary-waiting")
    page.goto(ADHERENCE)
    never = page.get_by_label("Never", exact=True)
    for index in range(never.count()):
        never.nth(index).check()
    why = page.get_by_text("Why did you leave out doses?")
    expect(why).to_be_hidden()
    page.get_by_label("Often", exact=True).nth(2).check()
    expect(why).to_be_visible()
    page.get_by_label("The cost").check()
    # The answers are shown before they are queued.
    review = reviewed(page)
    expect(review.locator("dd")).to_have_text(["Never", "Never", "Often", "Never", "Never", "The cost"])
    expect(never.first).to_be_hidden()
    assert waiting(page).count() == 1
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    screenshot(page, "offline", "questionnaire-review")
    review.get_by_role("button", name="Change answers").press("Enter")
    expect(review).to_have_count(0)
    expect(never.first).to_be_focused()
    answered = house.api.now()
    reviewed(page).get_by_role("button", name="Send").press("Enter")
    expect(waiting(page)).to_have_count(2)
    expect(waiting(page).last).to_contain_text("How you take your medicines")
    # It is not offered a second time, unless it is taken back.
    expect(never.first).to_be_hidden()
    waiting(page).last.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("The cost")).to_be_checked()
    reviewed(page).get_by_role("button", name="Send").click()
    expect(waiting(page)).to_have_count(2)
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    time.sleep(4)
    back_online(page)
    house.wait_until(lambda: len(responses(house)) == 1 and len(entries(house, "blood-pressure")) == 2)
    expect(waiting(page)).to_have_count(0)
    older = entries(house, "blood-pressure")[-1]
    assert (older["systolic"], older["diastolic"], older["note"]) == (131, 82, "Before breakfast")
    assert older["at"].startswith(yesterday.strftime("%Y-%m-%dT07:30"))
    response, = responses(house)
    assert seconds_apart(response["authored"], answered) <= 60
    assert parse(response["authored"]) < parse(response["meta"]["lastUpdated"]) - timedelta(seconds=2)
    # Answered, it is no longer due, and its form is removed from the device.
    page.goto("/")
    wait_for_copies(page, PAGES | {PRESSURE})
    page.context.service_workers[-1].evaluate("flush()")
    assert len(responses(house)) == 1 and len(entries(house, "blood-pressure")) == 2


def test_a_refused_entry_is_opened_again_as_it_was_typed(house: House) -> None:
    used(house, ("temperature", {"value": 37, "unit": "Cel"}))
    page = kept(house, TEMPERATURE)
    go_offline(page.context)
    page.goto(TEMPERATURE)
    form = form_with(page, "value")
    fill(form, value="52,1", unit="celsius")
    press(page)
    expect(page.locator("#said")).to_contain_text("This value isn’t possible.")
    expect(form.locator("[name=value]")).to_be_focused()
    # The same number is usual in the other unit; here it is asked about, until there is a reason.
    fill(form, value="107", unit="fahrenheit")
    question = page.get_by_role("region", name="This value is unusual.")
    for _ in range(2):
        press(page)
        expect(question).to_be_focused()
    assert waiting(page).count() == 0
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    screenshot(page, "offline", "diary-question")
    for key in ("Tab", "Thermometer is new", "Enter"):
        page.keyboard.press(key) if key in ("Tab", "Enter") else page.keyboard.type(key)
    expect(waiting(page)).to_contain_text("Waiting to be sent: Temperature, 107")
    expect(question).to_have_count(0)
    # A copy of an earlier version knows no limits: the server asks when it is sent.
    page.evaluate("delete document.querySelector('[data-entry]').dataset.ranges")
    fill(form, value="42,1", unit="celsius", note="After the sauna")
    press(page)
    expect(waiting(page).last).to_contain_text("Waiting to be sent: Temperature, 42,1")
    back_online(page)
    expect(waiting(page)).to_have_count(1)
    expect(waiting(page)).to_contain_text("Not saved yet, because this value is unusual.")
    waiting(page).locator("summary").click()
    expect(waiting(page).locator("dd").last).to_be_visible()
    expect(waiting(page)).to_contain_text("After the sauna")
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    screenshot(page, "offline", "diary-refused")
    assert sorted(one["value"] for one in entries(house, "temperature")) == [37, 107]
    follow(waiting(page).get_by_role("link", name="Open the form again"))
    form = form_with(page, "value", "reason")
    expect(form.locator("[name=value]")).to_have_value("42,1")
    expect(form.locator("[name=note]")).to_have_value("After the sauna")
    fill(form, reason="Measured twice")
    submit(form)
    expect(page.locator(".flash")).to_contain_text("Saved.")
    expect(waiting(page)).to_have_count(0)
    found = entries(house, "temperature")
    reasons = {one["value"]: one.get("reason") or "" for one in found}
    assert reasons == {37: "", 42.1: "Measured twice", 107: "Thermometer is new"}


def test_what_can_no_longer_be_saved_can_be_read(house: House) -> None:
    house.api.add_plan(house.api.events(600), name="Metoprolol")
    page = house.open("/diary")
    form = unfolded(form_with(page, "name", "scale"))
    fill(form, name="Water", scale="text")
    submit(form)
    own = page.evaluate("location.pathname")
    ready(page)
    wait_for_copies(page, PAGES | {own})
    go_offline(page.context)
    page.goto(own)
    fill(form_with(page, "value"), value="Six glasses")
    press(page)
    expect(waiting(page)).to_contain_text("Waiting to be sent: Water, Six glasses")
    # Meanwhile it is put away on another device.
    other = house.open(own)
    submit(other.locator("form[action$='/end']"))
    back_online(page)
    expect(waiting(page)).to_contain_text("This couldn’t be saved.")
    waiting(page).locator("summary").click()
    expect(waiting(page).locator("dd").first).to_have_text("Six glasses")
    page.reload()
    expect(waiting(page)).to_contain_text("Six glasses")
    waiting(page).get_by_role("button", name="OK").click()
    expect(waiting(page)).to_have_count(0)
    assert entries(house, own.rsplit("/", 1)[1]) == []


def test_forms_are_gone_after_signing_out(house: House) -> None:
    used(house, ("pain", {"value": 3}))
    page = kept(house, "/diary/trackers/pain", AIMS)
    page.goto("/me")
    page.locator('form[action="/sign-out"] button').first.click()
    page.wait_for_url("**/sign-in*")
    wait_for_copies(page, set())


def test_a_form_that_is_not_queued_says_that_it_needs_a_connection(house: House) -> None:
    page = ready(house.open(AIMS), AIMS)
    chosen = page.locator("[data-entry] input[value=yes]").first
    chosen.check(force=True)
    go_offline(page.context)
    page.locator("[data-entry] form button[value=draft]").click()
    expect(page.locator("#said")).to_contain_text("You need a connection for this.")
    expect(chosen).to_be_checked()


@pytest.mark.parametrize("language", LANGUAGES)
def test_queued_forms_are_shown_in_every_language(house: House, language: str) -> None:
    used(house, ("pain", {"value": 3}))
    page = kept(house, "/diary/trackers/pain", language=language)
    go_offline(page.context)
    page.goto("/diary/trackers/pain")
    fill(form_with(page, "value"), value="4")
    press(page)
    expect(waiting(page)).to_have_count(1)
    assert text_problems(page, language, message_key_pattern()) == []
    assert narrow_problems(page, PHONE) == []
