# SPDX-License-Identifier: Apache-2.0
"""A daughter is told that her mother refused a dose and takes care of it; a helper opens the emergency
card."""
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page

from harness.browser import (
    PHONE, axe_problems, message_key_pattern, narrow_problems, new_context, screenshot,
    structure_problems, text_problems,
)
from harness.forms import fill, follow, form_with, press, submit
from harness.ringing import eventually
from harness.server import Server
from test_people import sign_up

KEYS = message_key_pattern()


def share(owner: Page, other: Page, **more: str) -> None:
    """The owner invites the other as family, who accepts; the owner confirms."""
    owner.goto("/people/share")
    form = form_with(owner, "relationship")
    fill(form, relationship="family", **more)
    submit(form)
    offer = owner.url
    link = owner.locator("main p.break-anywhere").inner_text()
    other.goto(urlsplit(link).path)
    press(other, "accept")
    owner.goto(offer)
    press(owner, "confirm")
    assert "done=confirmed" in owner.url


def told(page: Page, address: str, words: str) -> str:
    """Returns the text of a page once it contains some words."""

    def look() -> str:
        page.goto(address)
        text = page.locator("main").inner_text()
        return text if words in text else ""

    return eventually(look, f"{words} on {address}")


def test_a_daughter_is_told_and_a_helper_opens_the_card(browser: Browser, server: Server) -> None:
    """Without scripts, to prove that they are not needed."""
    ours, ann, ann_email = sign_up(browser, server, size=PHONE, java_script_enabled=False)
    theirs, bea, _ = sign_up(browser, server, java_script_enabled=False)
    share(ann, bea)

    ann.goto("/caregiver-messages/rules")
    follow(ann.locator('main a[href^="/caregiver-messages/rules/"]').first)
    form = form_with(ann, "topic-refused")
    fill(form, topic_refused="now", nudge="yes")
    submit(form)
    assert "Hasn’t agreed yet" in ann.locator("main").inner_text()
    bea.goto("/caregiver-messages")
    follow(bea.locator('form[action="/caregiver-messages/told"]:has([value="agree"]) button'))

    api = server.api(server.create_token(ann_email))
    plan = api.add_plan(api.events(20), name="Metoprolol")["id"]
    dose = api.doses(plan=plan)[0]["id"]
    assert api.answer(dose, "refused", reason="felt dizzy").status_code == 200
    text = told(bea, "/caregiver-messages", "Metoprolol")
    assert "was refused" in text and "felt dizzy" in text, text
    screenshot(bea, "messages", "inbox")
    follow(bea.locator('main form[action^="/caregiver-messages/"] button', has_text="I’ll take care of it"))
    assert "is taking care of it" in told(ann, "/", "is taking care of it")

    ann.goto("/emergency-card")
    form = form_with(ann, "days")
    fill(form, days="7", shows_code="yes")
    submit(form)
    card = ann.locator(".emergency-link")
    link, code = card.locator(".break-anywhere").inner_text(), card.locator(".fingerprint").inner_text()
    screenshot(ann, "messages", "card")
    stranger = new_context(browser, server.base, size=PHONE, java_script_enabled=False)
    helper = stranger.new_page()
    helper.goto(urlsplit(link).path)
    assert "Metoprolol" not in helper.content()
    form = form_with(helper, "code")
    fill(form, code=code)
    submit(form)
    assert "Metoprolol" in helper.locator("main").inner_text()
    for context in (ours, theirs, stranger):
        context.close()


def test_pages_of_messages_hold(browser: Browser, server: Server) -> None:
    """In the tallest script."""
    ours, page, _ = sign_up(browser, server, language="th", size=PHONE)
    theirs, other, _ = sign_up(browser, server)
    share(page, other)
    found: dict[str, list[str]] = {}
    page.goto("/caregiver-messages/rules")
    form_page = page.locator('main a[href^="/caregiver-messages/rules/"]').first.get_attribute("href") or ""
    for address in ["/caregiver-messages", "/caregiver-messages/rules", form_page, "/emergency-card"]:
        page.goto(address)
        found[address] = (
            structure_problems(page) + text_problems(page, "th", KEYS)
            + narrow_problems(page, PHONE) + axe_problems(page)
        )
    assert {a: f for a, f in found.items() if f} == {}
    ours.close()
    theirs.close()
