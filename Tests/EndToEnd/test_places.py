# SPDX-License-Identifier: Apache-2.0
"""The navigation: everything people look for is at most three taps from a tab, and settings are short
pages."""
import pytest
from playwright.sync_api import Browser, Page, expect

from harness.browser import PHONE, axe_problems, narrow_problems, screenshot, structure_problems
from harness.forms import fill, follow, form_with, submit
from harness.server import Server
from harness.sign_up import new_session, sign_up

# Each target, the tab to start with, and the links on the way.
TASKS = {
    "add an allergy": ["/me", "/me/health-profile"],
    "quiet hours": ["/me", "/me/reminders", "/reminders/quiet"],
    "later on weekends": ["/me", "/me/reminders", "/reminders/mornings"],
    "change the password": ["/me", "/me/account", "/account/security"],
    "meal times": ["/me", "/me/routine"],
    "who looked at my data": ["/me", "/privacy", "/privacy/access-log"],
    "a calendar feed": ["/me", "/me/connections", "/calendar"],
    "large text": ["/me", "/me/appearance"],
    "a report for the doctor": ["/progress", "/report"],
    "last month's doses": ["/progress", "/report/charts?range=month"],
    "write to someone": ["/people", "/chat"],
    "whose medicines I see": ["/people", "/people/family"],
    "who sees my medicines": ["/people", "/people/sharing"],
    "share with someone": ["/people", "/people/sharing", "/people/share"],
    "the emergency card": ["/people", "/emergency-card"],
    "what runs out": ["/medicines", "/stock"],
}
# Two screens of a phone, with room for longer words in some languages.
TALLEST = 2 * PHONE[1] + 200
SHORT = [
    "/me", "/me/account", "/me/health-profile", "/me/contacts", "/me/routine", "/me/reminders", "/me/connections",
    "/me/appearance", "/help", "/progress", "/reminders", "/reminders/quiet", "/reminders/mornings",
    "/reminders/family", "/people", "/people/family", "/people/sharing",
]


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_everything_is_three_taps_away(browser: Browser, server: Server, scripts: bool) -> None:
    session, email = new_session(server)
    # Gives Progress something to show: a dose that was planned and answered.
    api = server.api(server.create_token(email))
    plan = api.add_plan(api.events(5), name="Paracetamol")["id"]
    assert api.answer(api.doses(plan=plan)[0]["id"], "refused").status_code == 200
    context = browser.new_context(
        base_url=server.base, storage_state=session, java_script_enabled=scripts,
        viewport={"width": PHONE[0], "height": PHONE[1]})
    page = context.new_page()
    for task, links in TASKS.items():
        assert len(links) <= 3, task
        page.goto("/")
        follow(page.locator(f'nav.navigation a[href="{links[0]}"]'))
        for link in links[1:]:
            follow(page.locator(f'main a[href="{link}"]').first)
        assert page.url == server.base + links[-1], task
        marked = page.locator("nav.navigation a[aria-current]")
        assert marked.get_attribute("href") == links[0], f"{task}: another tab is marked"
    context.close()


@pytest.mark.parametrize("language", ["en", "de", "th"])
def test_settings_are_short_pages(browser: Browser, server: Server, language: str) -> None:
    context, page, _ = sign_up(browser, server, size=PHONE, language=language)
    tall = {}
    for address in SHORT:
        page.goto(address)
        height = page.evaluate("document.querySelector('main').scrollHeight")
        if height > TALLEST:
            tall[address] = height
        footer = page.locator(".footer-line")
        assert footer.evaluate("e => e.getBoundingClientRect().height") < 60, f"{address}: more than one line"
    context.close()
    assert not tall


def search(page: Page, words: str) -> None:
    form = form_with(page, "q")
    fill(form, q=words)
    submit(form)


def test_the_search_leads_to_a_setting_a_medicine_and_an_answer(browser: Browser, server: Server) -> None:
    context, page, email = sign_up(browser, server, size=PHONE)
    api = server.api(server.create_token(email))
    medicine = api.add_plan({"repeat": {
        "frequency": 1, "period": 1, "periodUnit": "d", "timeOfDay": ["08:00:00"]}}, name="Bisoprolol 5 mg")["id"]
    page.goto("/medicines")
    search(page, "bisop")
    expect(page.locator(f'main a[href="/medicines/{medicine}"]')).to_be_visible()
    screenshot(page, "en-light-phone", "search-results")
    assert not structure_problems(page) + axe_problems(page) + narrow_problems(page, PHONE)
    page.goto("/me")
    search(page, "do not disturb")
    follow(page.locator('main a[href="/reminders/quiet"]'))
    expect(page.locator('[name="quiet-from"]')).to_be_visible()
    page.goto("/me")
    search(page, "missed dose")
    follow(page.locator('main a[href^="/help?question=missed-dose"]'))
    expect(page.locator("#missed-dose details[open]")).to_be_visible()
    assert not axe_problems(page)
    context.close()


def test_a_stranger_chooses_language_and_text_size(browser: Browser, server: Server) -> None:
    context = browser.new_context(base_url=server.base, viewport={"width": PHONE[0], "height": PHONE[1]})
    page = context.new_page()
    page.goto("/sign-in")
    follow(page.locator('footer a[lang="de"]'))
    expect(page.locator("html")).to_have_attribute("lang", "de")
    follow(page.locator('footer a[href="/me/appearance"]'))
    follow(page.locator('main a[href*="text-size=150"]'))
    expect(page.locator("html")).to_have_attribute("data-text-size", "150")
    assert not structure_problems(page) + axe_problems(page) + narrow_problems(page, PHONE)
    context.close()
