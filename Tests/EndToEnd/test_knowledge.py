# SPDX-License-Identifier: Apache-2.0
"""Information about illnesses and medicines: in English without scripts, in Thai with axe."""
import pytest
from playwright.sync_api import Browser, expect

from harness.browser import (
    PHONE, axe_problems, message_key_pattern, narrow_problems, screenshot, structure_problems,
    text_problems,
)
from harness.server import Server
from test_people import sign_up

KEYS = message_key_pattern()


def test_topics_and_medicines_without_scripts(browser: Browser, server: Server) -> None:
    context, page, _ = sign_up(browser, server, size=PHONE, language="en", java_script_enabled=False)
    page.goto("/medicines")
    page.get_by_role("link", name="Look up illnesses and medicines").click()
    page.get_by_label("Find a medicine").fill("ibuprofin")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="ibuprofen", exact=True).click()
    main = page.locator("main")
    for heading in ("How to use it", "Food", "Take care", "Storage", "Interactions", "Sources"):
        expect(main.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    assert main.locator("#sources details:not([open])").count() == 1
    page.goto("/knowledge")
    page.get_by_role("link", name="Fever", exact=True).click()
    expect(main.get_by_role("heading", level=2).first).to_contain_text("Get help at once")
    # One region's rules at a time, and the choice is remembered.
    expect(main).to_contain_text("Call your country’s emergency number.")
    expect(main).not_to_contain_text("999")
    page.get_by_role("link", name="United Kingdom", exact=True).click()
    expect(main).to_contain_text("999")
    expect(main).not_to_contain_text("Call your country")
    page.get_by_role("link", name="United States", exact=True).click()
    expect(main).to_contain_text("911")
    expect(main).not_to_contain_text("999")
    page.goto("/knowledge/topics/colic")
    expect(main).to_contain_text("911")
    expect(main).to_contain_text("No clinician has reviewed this page yet")
    context.close()


@pytest.mark.parametrize("language", ["en", "th"])
def test_the_pages_hold(browser: Browser, server: Server, language: str) -> None:
    context, page, _ = sign_up(browser, server, size=PHONE, language=language)
    found: dict[str, list[str]] = {}
    topics = ["fever", "skin", "heart-failure"]
    if language == "th":
        topics += [
            "cough-cold", "colic", "antibiotics", "constipation", "diarrhoea", "teeth", "poisons",
            "giving-medicine", "blood-pressure", "taking-medicines",
        ]
    addresses = {name: f"/knowledge/topics/{name}" for name in topics}
    addresses |= {
        "list": "/knowledge", "results": "/knowledge?q=amoxi", "none": "/knowledge?q=qqqqqqqq",
        "amoxicillin": "/knowledge/medicines/m013", "warfarin": "/knowledge/medicines/m156",
    }
    for name, address in addresses.items():
        page.goto(address)
        screenshot(page, f"{language}-knowledge", name)
        found[name] = structure_problems(page) + text_problems(page, language, KEYS)
        found[name] += narrow_problems(page, PHONE)
        if name in {"fever", "list", "results", "warfarin"}:
            found[name] += axe_problems(page)
    assert not {name: problems for name, problems in found.items() if problems}
    context.close()
