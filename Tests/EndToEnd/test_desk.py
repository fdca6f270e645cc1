# SPDX-License-Identifier: Apache-2.0
"""A doctor's table of patients: by mouse, by keyboard, without scripts, on a phone and in print."""
import re
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, expect

from harness.browser import (
    DESKTOP, PHONE, axe_problems, message_key_pattern, narrow_problems, screenshot, structure_problems,
    text_problems,
)
from harness.forms import fill, follow, form_with, submit
from harness.server import Server
from test_people import sign_up
from test_team_story import share

KEYS = message_key_pattern()


def name(page: Page, given: str) -> None:
    page.goto("/me/account")
    form = form_with(page, "given-name")
    fill(form, given_name=given, family_name="Careful")
    submit(form)


def rows(page: Page) -> list[str]:
    return [text.strip() for text in page.locator(".desk-link").all_inner_texts()]


def test_a_desk_of_two_patients(browser: Browser, server: Server) -> None:
    ours, ann, ann_email = sign_up(browser, server, java_script_enabled=False)
    hers, bea, _ = sign_up(browser, server, java_script_enabled=False)
    theirs, doctor, doctor_email = sign_up(browser, server, size=DESKTOP)
    server.ask("account practitioner", email=doctor_email, end=False)
    found: dict[str, list[str]] = {}

    def look(at: Page, picture: str, size: tuple[int, int] = DESKTOP) -> None:
        found[picture] = (
            structure_problems(at) + text_problems(at, "en", KEYS) + narrow_problems(at, size) + axe_problems(at))
        screenshot(at, "desk", picture)

    # Before the first patient: the practitioner's tabs, and the steps to the first one.
    doctor.goto("/care")
    tabs = [a.get_attribute("href") for a in doctor.locator("nav.navigation a").all()]
    assert tabs == ["/care", "/chat", "/knowledge", "/me"], tabs
    look(doctor, "empty")
    follow(doctor.locator('main a[href="/care/profile"]').first)
    expect(doctor.locator("p.fingerprint")).to_be_visible()

    name(ann, "Ann")
    name(bea, "Bea")
    share(ann, doctor, "practitioner")
    share(bea, doctor, "practitioner")
    api = server.api(server.create_token(ann_email))
    plan = api.add_plan(api.events(30, 60), name="Deskol")["id"]
    assert api.answer(api.doses(plan=plan)[0]["id"], "refused").status_code == 200

    # The table on a wide page: patients who need attention are first, and its headings sort.
    doctor.goto("/care")
    assert rows(doctor) == ["Ann Careful", "Bea Careful"]
    expect(doctor.locator(".desk-table thead")).to_be_visible()
    expect(doctor.locator('[aria-sort="descending"]')).to_have_text("Needs attention")
    expect(doctor.locator("tbody tr").first).to_contain_text("1 dose refused")
    look(doctor, "table")
    follow(doctor.get_by_role("columnheader", name="Name").get_by_role("link"))
    follow(doctor.get_by_role("columnheader", name="Name").get_by_role("link"))
    assert rows(doctor) == ["Bea Careful", "Ann Careful"]
    expect(doctor.locator('[aria-sort="descending"]')).to_have_text("Name")

    # The keyboard moves from row to row and opens a patient; afterwards the row has the focus again.
    links = doctor.locator(".desk-link")
    links.first.focus()
    for key, at in [("j", 1), ("j", 1), ("k", 0), ("ArrowDown", 1), ("Home", 0), ("End", 1)]:
        doctor.keyboard.press(key)
        expect(links.nth(at)).to_be_focused()
    with doctor.expect_navigation():
        doctor.keyboard.press("Enter")
    expect(doctor.locator("h1")).to_have_text("Ann Careful")
    patient = urlsplit(doctor.url).path
    assert rows(doctor) == ["Bea Careful", "Ann Careful"]
    expect(doctor.locator('.desk-link[aria-current="true"]')).to_be_focused()
    side, table = doctor.locator(".desk-patient").bounding_box(), doctor.locator(".desk-list").bounding_box()
    assert side and table and table["x"] + table["width"] <= side["x"]
    expect(doctor.locator("#plan")).to_contain_text("Deskol")
    look(doctor, "beside")

    # A message and a note without leaving the page; the table stays as it is.
    form = form_with(doctor, "text")
    fill(form, text="Why did you refuse it?")
    submit(form)
    assert urlsplit(doctor.url).path == patient and "order=reversed" in doctor.url
    expect(doctor.locator("#messages")).to_contain_text("Why did you refuse it?")
    assert rows(doctor) == ["Bea Careful", "Ann Careful"]
    form = form_with(doctor, "note")
    fill(form, note="Ask about nausea")
    submit(form)
    expect(doctor.locator("#notes")).to_contain_text("Ask about nausea")
    # The steps of a new prescription fill the page; the long form is next to the table.
    follow(doctor.locator('main a[href*="/prescribe"]').first)
    expect(form_with(doctor, "q")).to_be_visible()
    look(doctor, "prescribe")
    doctor.go_back()
    doctor.goto(f"{patient}/prescribe/details?{urlsplit(doctor.url).query}")
    assert rows(doctor) == ["Bea Careful", "Ann Careful"]
    expect(form_with(doctor, "patient-name")).to_be_visible()
    look(doctor, "prescribe-details")

    # In print: only the patient, or the table without forms.
    doctor.goto(patient)
    doctor.emulate_media(media="print")
    expect(doctor.locator(".desk-list")).to_be_hidden()
    expect(doctor.locator("#notes form").first).to_be_hidden()
    doctor.goto("/care")
    expect(doctor.locator(".desk-search")).to_be_hidden()
    expect(doctor.locator(".desk-date")).to_be_visible()
    expect(doctor.locator(".desk-table thead")).to_be_visible()
    screenshot(doctor, "desk", "paper")
    doctor.emulate_media(media="screen")

    # On a phone the rows are cards, and a patient has a separate page.
    doctor.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    doctor.goto("/care")
    expect(doctor.locator(".desk-table thead")).to_be_hidden()
    expect(doctor.locator("tbody tr").first).to_contain_text("Needs attention")
    look(doctor, "cards", PHONE)
    follow(doctor.locator(".desk-link").first)
    expect(doctor.locator(".desk-list")).to_be_hidden()
    look(doctor, "patient", PHONE)
    assert {picture: list_ for picture, list_ in found.items() if list_} == {}

    # Without scripts everything works: the form filters, the links sort and open.
    state = theirs.storage_state()
    plain = browser.new_context(
        base_url=server.base, storage_state=state, java_script_enabled=False,
        viewport={"width": DESKTOP[0], "height": DESKTOP[1]})
    page = plain.new_page()
    page.goto("/care")
    form = form_with(page, "q", "sort")
    fill(form, q="careful", show="refused", sort="name")
    submit(form)
    assert rows(page) == ["Ann Careful"]
    follow(page.locator(".desk-link").first)
    expect(page.locator("h1")).to_have_text("Ann Careful")
    assert rows(page) == ["Ann Careful"]
    expect(page.locator(".desk-list")).to_be_visible()
    follow(page.locator(".back-link"))
    assert re.search(r"/care\?.*show=refused", page.url)
    for context in (plain, ours, hers, theirs):
        context.close()
