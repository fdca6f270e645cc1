# SPDX-License-Identifier: Apache-2.0
"""Travel in Chromium, in English and Thai: the question and "not now", kept hours, moved doses that stay."""
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from harness.api import Api
from harness.browser import LANGUAGES, PHONE, Listener, axe_problems, narrow_problems, screenshot
from harness.forms import fill, follow, form_with, put, submit, value
from harness.server import Server
from test_plans import visit

GIVEN_UP = {"en": "replaces the time you chose", "th": "แทนเวลาที่คุณเลือกไว้"}


def twice_a_day(api: Api) -> str:
    """Creates a plan of two times, twelve hours apart, the first in two hours; returns its id."""
    first = api.now() + timedelta(hours=2)
    times = [(first + timedelta(hours=hours)).strftime("%H:%M:00") for hours in (0, 12)]
    return api.add_plan({"repeat": {"timeOfDay": sorted(times)}}, name="Metoprolol")["id"]


def ahead(api: Api, hours: int = 40) -> list[dict[str, Any]]:
    found = api.doses(start=api.now(), end=api.now() + timedelta(hours=hours))
    return [dose for dose in found if dose["state"] == "scheduled"]


def due(dose: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(dose["due"])


@pytest.mark.parametrize("language", ["en", "th"])
def test_the_hours_between_doses_are_kept_and_home_again_the_clock_counts(
    browser: Browser, server: Server, language: str
) -> None:
    page, api = visit(browser, server, language)
    # The machine's zone may have another name than in the list.
    page.goto("/travel?zone=UTC")
    submit(form_with(page, "zone"))
    plan = twice_a_day(api)
    before = [due(dose) for dose in ahead(api)]
    page.goto("/travel?zone=Asia/Kathmandu")
    form = form_with(page, "zone", f"policy-{plan}")
    there = [(moment + timedelta(hours=5, minutes=45)).strftime("%H:%M") for moment in before[:2]]
    hint = form.inner_text()
    assert all(time in hint for time in there), (there, hint)
    put(form, f"policy-{plan}", "elapsed")
    follow(form.locator("button[name=preview]"))
    assert page.locator("section:has(#preview-title) li").count() == 0
    assert [due(dose) for dose in ahead(api)] == before
    screenshot(page, f"{language}-light-phone", "travel-elapsed")
    submit(form_with(page, "zone", f"policy-{plan}"))
    assert [due(dose) for dose in ahead(api)] == before
    page.goto(f"/medicines/{plan}")
    assert all(time in page.locator("main").inner_text() for time in there)
    assert not narrow_problems(page, PHONE)
    # The form of the medicine keeps the answer.
    page.goto(f"/medicines/{plan}/edit")
    assert value(form_with(page, "name", "policy"), "policy") == "elapsed"
    page.goto("/travel?zone=UTC")
    form = form_with(page, "zone", f"policy-{plan}")
    assert value(form, f"policy-{plan}") == "follow", "home again, the clock is offered"
    submit(form)
    assert [due(dose) for dose in ahead(api)] == before
    page.goto(f"/medicines/{plan}/edit")
    assert value(form_with(page, "name", "policy"), "policy") == "follow"
    page.context.close()


@pytest.mark.parametrize("language", ["en", "th"])
def test_a_moved_dose_stays_where_it_was_put_or_the_list_says_that_it_does_not(
    browser: Browser, server: Server, language: str
) -> None:
    page, api = visit(browser, server, language)
    plan = twice_a_day(api)
    dose = ahead(api)[0]
    moved = due(dose) + timedelta(hours=1)
    page.goto(f"/doses/{dose['id']}")
    page.locator("details:has([name=move-time]) > summary").click()
    form = form_with(page, "move-time")
    fill(form, move_date=moved.strftime("%Y-%m-%d"), move_time=moved.strftime("%H:%M"))
    submit(form)
    assert due(ahead(api)[0]) == moved

    def tried(zone: str) -> str:
        page.goto(f"/travel?zone={zone}")
        form = form_with(page, "zone", f"policy-{plan}")
        put(form, f"policy-{plan}", "follow")
        follow(form.locator("button[name=preview]"))
        return page.locator("section:has(#preview-title)").inner_text()

    # An hour east, both neighbouring doses leave enough time; half a day away they do not.
    assert GIVEN_UP[language] not in tried("Europe/Berlin")
    assert GIVEN_UP[language] in tried("Pacific/Auckland")
    screenshot(page, f"{language}-light-phone", "travel-move-given-up")
    assert due(ahead(api)[0]) == moved, "looking changes nothing"
    tried("Africa/Lagos")
    submit(form_with(page, "zone", f"policy-{plan}"))
    found = ahead(api)
    assert due(found[0]) == moved and found[0]["id"] != dose["id"]
    assert due(found[1]) - due(found[0]) >= timedelta(hours=6)
    page.context.close()


def device_in(
    browser: Browser, server: Server, state: Any, language: str, zone: str, scheme: str = "light"
) -> BrowserContext:
    return browser.new_context(
        base_url=server.base, locale=LANGUAGES[language], timezone_id=zone, color_scheme=scheme,
        reduced_motion="reduce", storage_state=state,
        viewport={"width": PHONE[0], "height": PHONE[1]})


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("th", "dark")])
def test_the_question_of_a_device_elsewhere_is_put_off_for_that_zone(
    browser: Browser, server: Server, language: str, scheme: str
) -> None:
    still, api = visit(browser, server, language)
    twice_a_day(api)
    state = still.context.storage_state()
    # Without a script there is no clock to compare, so there is no question.
    still.goto("/")
    assert still.locator("[data-home-zone]").is_hidden()
    with device_in(browser, server, state, language, "Asia/Bangkok", scheme) as context:
        page = context.new_page()
        listener = Listener()
        listener.attach(page)
        page.goto("/")
        note = page.locator("[data-home-zone]")
        expect(note).to_be_visible()
        assert not axe_problems(page) and not narrow_problems(page, PHONE)
        screenshot(page, f"{language}-{scheme}-phone", "travel-question")
        follow(note.locator("form button"))
        expect(page.locator("[data-home-zone]")).to_be_hidden()
        page.goto("/")
        expect(page.locator("[data-home-zone]")).to_be_hidden()
        # The page is still available at its address.
        page.goto("/travel?zone=Asia/Bangkok")
        assert page.locator("[name=zone]").first.input_value() == "Asia/Bangkok"
        assert not listener.take()
    with device_in(browser, server, state, language, "Asia/Tokyo", scheme) as context:
        page = context.new_page()
        page.goto("/")
        expect(page.locator("[data-home-zone]")).to_be_visible()
        follow(page.locator("[data-home-zone] a"))
        assert page.url.endswith("/travel?zone=Asia%2FTokyo")
    with device_in(browser, server, state, language, "UTC", scheme) as context:
        page = context.new_page()
        page.goto("/")
        expect(page.locator("[data-home-zone]")).to_be_hidden()
    still.context.close()


@pytest.mark.parametrize("language", ["en", "th"])
def test_the_word_before_the_clocks_are_set_is_a_choice(
    browser: Browser, server: Server, language: str
) -> None:
    page, _ = visit(browser, server, language)
    for said in ("quiet", "tell"):
        page.goto("/reminders/quiet")
        button = page.locator("form[action='/reminders/clock'] button")
        assert page.locator("form[action='/reminders/clock'] [name=do]").input_value() == said
        follow(button)
    screenshot(page, f"{language}-light-phone", "reminders-clock")
    assert not narrow_problems(page, PHONE)
    page.context.close()
