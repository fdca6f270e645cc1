# SPDX-License-Identifier: Apache-2.0
"""Supplies in Chromium: dispenses from a pharmacy, refills, mistakes, and who is told."""
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, expect

from harness.browser import (
    PHONE, axe_problems, message_key_pattern, narrow_problems, screenshot, structure_problems,
    text_problems,
)
from harness.forms import fill, follow, form_with, submit
from harness.server import Server
from test_messages import share, told
from test_stock import count, hand_out, medicine, sign_up

KEYS = message_key_pattern()


def problems(page: Page, language: str = "en") -> list[str]:
    return (
        structure_problems(page) + text_problems(page, language, KEYS)
        + narrow_problems(page, PHONE) + axe_problems(page)
    )


def test_what_a_pharmacy_handed_out_is_added_with_one_press(browser: Browser, server: Server) -> None:
    context, page, email = sign_up(browser, server, size=PHONE, java_script_enabled=False)
    count(page, medicine(server, email), "6")
    stock = urlsplit(page.url).path
    hand_out(server, email, "first")
    page.goto("/stock")
    expect(page.locator("main")).to_contain_text("A pack from the pharmacy is ready to add.")
    page.goto(stock)
    expect(page.locator("#dispenses")).to_contain_text("Your pharmacy gave you 98 tablets")
    page.locator("#dispenses button.button-primary").click()
    expect(page.locator(".lead")).to_contain_text("104 tablets left")
    # The same again, and another one that cannot be counted.
    hand_out(server, email, "first")
    hand_out(server, email, "second", quantity={"value": 2, "unit": "box"})
    page.goto(stock)
    offers = page.locator("#dispenses")
    expect(offers.locator("h3")).to_have_count(1)
    expect(offers).to_contain_text("in this unit. Enter what’s in the pack.")
    offers.locator("button.button-primary").click()
    expect(page.locator("#error-summary")).to_contain_text("Enter the amount as a number")
    page.locator("#field-amount-d0").fill("20")
    page.locator("#dispenses button.button-primary").click()
    expect(page.locator(".lead")).to_contain_text("124 tablets left")
    hand_out(server, email, "third")
    page.goto(stock)
    page.get_by_role("button", name="Don’t add it").click()
    expect(page.locator(".flash")).to_contain_text("You won’t be asked about it again.")
    expect(page.locator("#dispenses")).to_have_count(0)
    context.close()


def test_a_mistake_keeps_what_was_typed_and_takes_the_focus(browser: Browser, server: Server) -> None:
    context, page, email = sign_up(browser, server, size=PHONE)
    count(page, medicine(server, email), "6")
    page.get_by_text("Change dates", exact=False).first.click()
    page.locator("#field-opened-1").fill("2031-05-05")
    page.locator("form:has(#field-opened-1) button[type=submit]").click()
    expect(page.locator("#error-summary")).to_be_focused()
    expect(page.locator("#field-opened-1")).to_have_value("2031-05-05")
    expect(page.locator("#field-opened-1")).to_be_visible()
    page.locator("#error-summary a").click()
    expect(page.locator("#field-opened-1")).to_be_focused()
    page.goto(urlsplit(page.url).path)
    page.get_by_text("Count again", exact=True).click()
    page.locator("input[name^=lot-]").fill("a dozen")
    page.get_by_role("button", name="Save count").click()
    expect(page.locator("#error-summary")).to_be_focused()
    expect(page.locator("input[name^=lot-]")).to_have_value("a dozen")
    found = problems(page)
    context.close()
    assert not found


def test_repeats_are_used_up_by_packs_on_the_prescription(browser: Browser, server: Server) -> None:
    context, page, email = sign_up(browser, server, size=PHONE, java_script_enabled=False)
    count(page, medicine(server, email), "30")
    stock = urlsplit(page.url).path
    page.get_by_text("Settings", exact=True).last.click()
    page.locator("#field-repeats").fill("1")
    page.locator("#field-doctor-weeks").fill("2")
    page.locator("form:has(#field-doctor-weeks) button[type=submit]").click()
    expect(page.locator("main")).to_contain_text("1 refill left.")
    page.get_by_text("Add another pack").click()
    page.locator("#field-amount").fill("2")
    page.locator("input[name=prescribed]").uncheck()
    page.locator("form:has(#field-amount) button[type=submit]").click()
    expect(page.locator("main")).to_contain_text("1 refill left.")
    expect(page.locator("main")).to_contain_text("not on prescription")
    page.get_by_role("button", name="Add a pack").first.click()
    expect(page.locator("main")).to_contain_text("No refills left")
    page.goto("/stock/shopping")
    expect(page.locator("main")).to_contain_text("a new")
    page.goto(stock)
    context.close()


def test_a_daughter_is_told_that_it_runs_out(browser: Browser, server: Server) -> None:
    ours, ann, ann_email = sign_up(browser, server, size=PHONE)
    theirs, bea, _ = sign_up(browser, server, size=PHONE, language="th", scheme="dark")
    share(ann, bea, category="medicines adherence stock")
    ann.goto("/caregiver-messages/rules")
    follow(ann.locator('main a[href^="/caregiver-messages/rules/"]').first)
    form = form_with(ann, "topic-stock-low")
    fill(form, topic_stock_low="now", topic_stock_out="now")
    submit(form)
    bea.goto("/caregiver-messages")
    follow(bea.locator('form[action="/caregiver-messages/told"]:has([value="agree"]) button'))
    count(ann, medicine(server, ann_email), "6")
    text = told(bea, "/caregiver-messages", "Metoprolol 50 mg")
    assert "จะหมดประมาณ" in text, text
    screenshot(bea, "stock", "told-th-dark")
    found = problems(bea, "th")
    ours.close()
    theirs.close()
    assert not found
