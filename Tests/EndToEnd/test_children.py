# SPDX-License-Identifier: Apache-2.0
"""A feverish child in Thai and English: from the topic to a dose, to the schedule, to the reminder."""
from datetime import date, timedelta

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from harness.browser import (
    PHONE, axe_problems, message_key_pattern, narrow_problems, screenshot, structure_problems,
    text_problems,
)
from harness.forms import fill, follow, form_with, submit
from harness.server import Server
from test_people import sign_up

KEYS = message_key_pattern()
TABLES = {"en": ("paracetamol-uk-120", "7"), "th": ("paracetamol-th-120", "10")}


def link(page: Page, part: str) -> Locator:
    return page.locator(f'main a[href*="{part}"]').first


@pytest.mark.parametrize("language", ["en", "th"])
def test_from_fever_to_a_dose_to_a_reminder(browser: Browser, server: Server, language: str) -> None:
    table, whole = TABLES[language]
    context, page, _ = sign_up(browser, server, size=PHONE, language=language)
    theirs, doctor, doctor_email = sign_up(browser, server, size=PHONE, language=language)
    found: dict[str, list[str]] = {}

    def look(at: Page, name: str) -> None:
        found[name] = structure_problems(at) + text_problems(at, language, KEYS)
        found[name] += narrow_problems(at, PHONE) + axe_problems(at)
        screenshot(at, f"{language}-children", name)

    # A dose table is enabled once a confirmed practitioner approves it.
    server.ask("account practitioner", email=doctor_email, end=False)
    doctor.goto("/knowledge/doses")
    look(doctor, "tables")
    form = doctor.locator(f'form[action="/knowledge/doses/{table}"]')
    if form.locator('input[name="action"][value="approve"]').count():
        follow(form.locator("button"))
    expect(form.locator('input[name="action"]')).to_have_value("withdraw")
    theirs.close()

    page.goto("/people/new")
    form = form_with(page, "given-name")
    born = date.today() - timedelta(days=1280)
    fill(form, given_name="Ben", birth_date=born.isoformat(), label="nickname", nickname="Ben")
    submit(form)
    page.goto("/knowledge/topics/fever")
    if language == "en":
        follow(page.get_by_role("link", name="United Kingdom", exact=True))
    follow(link(page, "/dose?topic=fever"))
    look(page, "no-weight")
    form = form_with(page, "weight")
    fill(form, weight="16")
    submit(form)
    form = form_with(page, "bottle")
    fill(form, bottle="other")
    submit(form)
    expect(page.locator("#result .care-card")).to_be_visible()
    look(page, "ask")
    form = form_with(page, "bottle")
    form.locator('[name="bottle"][value="paracetamol 120/5"]').check(force=True)
    submit(form)
    expect(page.locator("#result")).to_contain_text(whole)
    look(page, "dose")

    follow(link(page, "/new?"))
    form = form_with(page, "whole")
    expect(form.locator('[name="whole"]')).to_have_value(whole)
    look(page, "form")
    rings = (server.api().now() + timedelta(hours=1)).strftime("%H:%M")
    fill(form, when="times")
    form.locator('[name="time"]').first.fill(rings)
    submit(form)
    expect(page.locator(".flash")).to_be_visible()
    expect(page.locator("#today")).to_contain_text(rings)
    look(page, "schedule")
    # The child's pages named the child; the device still shows the parent's.
    expect(page.locator(".visit-line")).to_contain_text("Ben")
    page.goto("/")
    expect(page.locator(".visit-line")).to_have_count(0)
    expect(page.locator(".page-header .person-name")).not_to_have_text("Ben")
    page.goto("/people/family")
    follow(page.locator('main form[action="/person"] button').first)
    expect(page.locator(".page-header .person-name")).to_have_text("Ben")
    page.goto("/ring")
    expect(page.locator("main")).to_contain_text(rings)
    page.goto("/children")
    look(page, "children")
    assert not {name: problems for name, problems in found.items() if problems}
    context.close()


def test_the_search_answers_while_typing(browser: Browser, server: Server) -> None:
    """Uses only the keyboard, and sends the operator a message that survives a lost connection."""
    context, page, _ = sign_up(browser, server, size=PHONE, language="en")
    page.goto("/knowledge")
    box = page.get_by_role("combobox")
    box.press_sequentially("ibuprofin")
    option = page.get_by_role("option").first
    expect(option).to_contain_text("ibuprofen")
    assert not axe_problems(page)
    box.press("ArrowDown")
    expect(option).to_have_attribute("aria-selected", "true")
    box.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    box.press("End")
    box.type(" ")
    box.press("Backspace")
    expect(option).to_be_visible()
    box.press("ArrowDown")
    with page.expect_navigation():
        box.press("Enter")
    expect(page.locator("h1")).to_contain_text("ibuprofen")
    assert page.locator("#sources details").count() == 1

    page.goto("/feedback")
    page.locator("textarea").fill("The bell is too soft.")
    context.set_offline(True)
    page.locator("main form button").click()
    expect(page.locator("#draft-status")).to_contain_text("stays on this device")
    context.set_offline(False)
    page.goto("/about")
    page.goto("/feedback")
    expect(page.locator("textarea")).to_have_value("The bell is too soft.")
    assert not axe_problems(page)
    submit(form_with(page, "message"))
    expect(page.locator(".flash")).to_be_visible()
    expect(page.locator("textarea")).to_have_value("")
    context.close()
