# SPDX-License-Identifier: Apache-2.0
"""Real-life plans in Chromium without JavaScript: as needed, and the simple view."""
import time

import pytest
from playwright.sync_api import Browser, Page

from harness.api import Api
from harness.browser import PHONE
from harness.forms import fill, follow, form_with, press, submit
from harness.server import Server
from harness.sign_up import sign_up


def visit(browser: Browser, server: Server, language: str) -> tuple[Page, Api]:
    """Opens a new person's window without scripts, and a client with the same rights."""
    _, page, email = sign_up(
        browser, server, language=language, size=PHONE, java_script_enabled=False)
    return page, server.api(server.create_token(email))


@pytest.mark.parametrize("language", ["en", "th"])
def test_a_medicine_when_needed_is_taken_and_asked_about(
    browser: Browser, server: Server, language: str
) -> None:
    page, api = visit(browser, server, language)
    page.goto("/medicines/new/details")
    form = form_with(page, "name", "dose-value")
    fill(
        form, name="Ibuprofen", form="tablet", strength_value="400", dose_value="3",
        most_amount="2", schedule="as-needed", gap="6", most_doses="3",
    )
    submit(form)
    # A single dose above the daily limit: both lines are next to the field, and no input is lost.
    assert page.locator("#field-most-amount[aria-invalid=true]").count() == 1
    form = form_with(page, "name", "dose-value")
    fill(form, dose_value="1")
    submit(form)
    page.goto("/as-needed")
    take = page.locator("form[action^='/as-needed/'] button[type=submit]")
    follow(take)
    assert len(api.administrations()) == 1
    # Too soon: the button shows the earliest time, and a question comes before it is recorded.
    follow(take)
    assert len(api.administrations()) == 1
    follow(page.locator("main form[action^='/as-needed/'] button[type=submit]"))
    assert len(api.administrations()) == 2
    page.context.close()


@pytest.mark.parametrize("language", ["en", "th"])
def test_the_simple_view_asks_one_question_and_shows_the_answer(
    browser: Browser, server: Server, language: str
) -> None:
    page, api = visit(browser, server, language)
    page.goto("/simple")
    choice = page.locator("form:has(input[name=choice]) button[type=submit]")
    follow(choice)
    dose = api.doses(plan=api.add_plan(api.events(0.1))["id"])[0]["id"]
    deadline = time.monotonic() + 120
    buttons = page.locator(".simple-buttons .button")
    while buttons.count() == 0:
        assert time.monotonic() < deadline, "the dose is never asked about"
        page.wait_for_timeout(500)
        # It is the first page for someone who chose it.
        page.goto("/")
    assert buttons.count() == 2
    press(page, "taken")
    assert api.dose(dose)["state"] == "taken"
    assert page.locator(".simple-answer").count() == 1 and buttons.count() == 0
    press(page, "undo")
    assert api.dose(dose)["state"] == "due" and buttons.count() == 2
    # To the full view and back.
    follow(page.locator("a[href='/?view=everything']"))
    assert page.locator(".simple").count() == 0
    follow(page.locator("main a[href='/simple']"))
    assert page.locator(".simple").count() == 1
    page.context.close()
