# SPDX-License-Identifier: Apache-2.0
"""Supplies in Chromium: counted, used up, refilled and undone, also without scripts."""
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from harness.api import instant
from harness.browser import (
    PHONE, Listener, axe_problems, message_key_pattern, narrow_problems, screenshot,
    structure_problems, text_problems,
)
from harness.server import Server
from harness.sign_up import sign_up


def medicine(server: Server, email: str) -> str:
    api = server.api(server.create_token(email))
    timing = {"repeat": {"timeOfDay": ["00:30:00", "12:30:00"]}}
    return api.add_plan(timing, name="Metoprolol 50 mg")["id"]


def count(page: Page, plan: str, amount: str) -> None:
    page.goto(f"/stock/new?plan={plan}")
    page.locator("#field-amount").fill(amount)
    page.locator("#field-expires").fill("2031-01-31")
    page.locator("main form.form button[type=submit]").click()


def hand_out(server: Server, email: str, name: str, **more: object) -> None:
    """A pharmacy's program reports a dispense today."""
    api = server.api(server.create_token(email))
    resource = {
        "resourceType": "MedicationDispense", "status": "completed",
        "identifier": [{"system": "urn:pharmacy", "value": name}],
        "medicationCodeableConcept": {"text": "Metoprolol 50 mg"},
        "subject": {"reference": f"Patient/{api.patient}"},
        "quantity": {"value": 98, "unit": "tablet"},
        "whenHandedOver": instant(api.now()),
    } | more
    sent = api.fhir("POST", "MedicationDispense", resource)
    assert sent.status_code in (200, 201), sent.text


def test_a_pack_is_counted_filled_up_and_taken_back(browser: Browser, server: Server) -> None:
    context, page, email = sign_up(browser, server, size=PHONE, java_script_enabled=False)
    count(page, medicine(server, email), "6")
    expect(page.locator(".flash")).to_contain_text("Your supply is now tracked.")
    expect(page.locator(".lead")).to_contain_text("6 tablets left, lasts until")
    # The initial count can be the rest of a pack, so the button appears only after a pack was added.
    expect(page.get_by_role("button", name="Add a pack:")).to_have_count(0)
    page.get_by_text("Add another pack").click()
    page.locator("#field-amount").fill("6")
    page.locator("form:has(#field-amount) button[type=submit]").click()
    expect(page.locator(".lead")).to_contain_text("12 tablets left")
    expect(page.get_by_role("button", name="Add a pack: 6 tablets")).to_have_count(1)
    page.locator(".flash").get_by_role("button", name="Undo").click()
    expect(page.locator(".lead")).to_contain_text("6 tablets left")
    page.get_by_text("Count again", exact=True).click()
    page.locator("input[name^=lot-]").fill("4")
    page.get_by_role("button", name="Save count").click()
    expect(page.locator(".lead")).to_contain_text("4 tablets left")
    page.goto("/")
    expect(page.locator("main")).to_contain_text("Check your supply of one medicine")
    page.goto("/stock/shopping")
    expect(page.get_by_role("heading", name="Metoprolol 50 mg")).to_be_visible()
    context.close()


@pytest.mark.parametrize(("language", "scheme"), [("de", "light"), ("th", "dark")])
def test_stock_pages_hold(
    browser: Browser, server: Server, language: str, scheme: str
) -> None:
    context, page, email = sign_up(browser, server, size=PHONE, language=language, scheme=scheme)
    listener = Listener()
    count(page, medicine(server, email), "6")
    expect(page.locator("#packs")).to_be_visible()
    hand_out(server, email, "bottle")
    hand_out(server, email, "box", quantity={"value": 2, "unit": "box"})
    stock = urlsplit(page.url).path
    listener.attach(page)
    found: dict[str, list[str]] = {}
    for name, address in {
        "list": "/stock", "new": "/stock/new", "one": stock, "shopping": "/stock/shopping",
    }.items():
        page.goto(address)
        page.evaluate("for (const fold of document.querySelectorAll('main details')) fold.open = true")
        complaints = [c for c in listener.take() if "/api/v1/events" not in c]
        screenshot(page, f"{language}-{scheme}-stock", name)
        found[name] = complaints + structure_problems(page)
        found[name] += text_problems(page, language, message_key_pattern())
        found[name] += narrow_problems(page, PHONE) + axe_problems(page)
    context.close()
    assert not {name: problems for name, problems in found.items() if problems}
