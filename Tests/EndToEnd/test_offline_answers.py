# SPDX-License-Identifier: Apache-2.0
"""Offline answers are queued, shown as queued, and sent once, with their own time."""
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from harness.api import parse
from harness.browser import (
    LANGUAGES, PHONE, axe_problems, chromium, go_offline, message_key_pattern, narrow_problems,
    reload_controlled, screenshot, text_problems,
)
from harness.forms import fill, form_with, put
from harness.ring import House
from test_ring_pages import READ_QUEUE

FULL_BROWSER = True

WAITING = "Waiting to be sent: Taken"


def ready(page: Page, address: str = "/") -> Page:
    """Opens a page with its service worker."""
    page.goto(address)
    reload_controlled(page)
    return page


def row(page: Page, dose: str) -> Locator:
    return page.locator(f'[data-answers~="{dose}"]')


def taken(page: Page, dose: str) -> Locator:
    return row(page, dose).locator('form:has([name=action][value=taken]) button')


def back_online(page: Page) -> None:
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")


def seconds_apart(one: str, other: Any) -> float:
    return abs((parse(one) - other).total_seconds())


def test_a_dose_taken_on_today_without_a_network_is_sent_with_its_time(house: House) -> None:
    dose, = house.due("Metoprolol")
    page = ready(house.open("/"))
    go_offline(page.context)
    pressed = house.api.now()
    taken(page, dose).click()
    waits = row(page, dose).locator(".unsent")
    expect(waits).to_contain_text(WAITING)
    assert urlpath(page) == "/" and house.states([dose]) == ["due"]
    expect(taken(page, dose)).to_be_hidden()
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    screenshot(page, "offline", "today-waiting")
    sealed = page.evaluate(READ_QUEUE)
    assert len(sealed) == 1 and dose not in str(sealed) and "Metoprolol" not in str(sealed)
    time.sleep(6)
    back_online(page)
    house.wait_for([dose], "taken")
    expect(waits).to_have_count(0)
    answer = house.api.dose(dose)["answer"]
    assert seconds_apart(answer["at"], pressed) <= 3 and answer["at"] != answer["recorded"]
    assert len(house.api.administrations()) == 1
    assert page.evaluate(READ_QUEUE) == []


def urlpath(page: Page) -> str:
    return page.evaluate("location.pathname")


def test_what_waits_can_be_taken_back_and_is_then_never_sent(house: House) -> None:
    dose, = house.due("Metoprolol")
    page = ready(house.open("/"))
    go_offline(page.context)
    taken(page, dose).click()
    undo = row(page, dose).locator(".unsent button")
    expect(undo).to_be_focused()
    undo.click()
    expect(taken(page, dose)).to_be_visible()
    back_online(page)
    page.context.service_workers[-1].evaluate("flush()")
    assert house.states([dose]) == ["due"] and house.api.administrations() == []


def test_pressed_twice_it_is_one_answer(house: House) -> None:
    doses = house.due("Metoprolol", "Zinc")
    page = ready(house.open("/"))
    go_offline(page.context)
    taken(page, doses[0]).evaluate("button => { button.click(); button.click(); }")
    expect(row(page, doses[0]).locator(".unsent")).to_have_count(1)
    # The button for all skips queued doses.
    page.locator('.pinned form[action="/answers"] button').click()
    expect(page.locator(".unsent")).to_have_count(2)
    assert len(page.evaluate(READ_QUEUE)) == 2
    back_online(page)
    house.wait_for(doses, "taken")
    expect(page.locator(".unsent")).to_have_count(0)
    assert len(house.api.administrations()) == 2


def test_someone_else_answered_meanwhile(house: House) -> None:
    dose, = house.due("Metoprolol")
    page = ready(house.open("/"))
    go_offline(page.context)
    taken(page, dose).click()
    expect(row(page, dose).locator(".unsent")).to_contain_text(WAITING)
    assert house.api.answer(dose, "skipped").status_code == 200
    back_online(page)
    said = row(page, dose).locator(".unsent")
    expect(said).to_contain_text("Not needed: this dose was already answered. Your answer was: Taken")
    expect(row(page, dose)).to_contain_text("Skipped")
    # It stays until someone has seen it, and then never returns.
    page.reload()
    expect(said).to_contain_text("Not needed")
    said.get_by_role("button", name="OK").click()
    expect(said).to_have_count(0)
    page.reload()
    page.wait_for_timeout(500)
    expect(said).to_have_count(0)
    assert house.states([dose]) == ["skipped"] and page.evaluate(READ_QUEUE) == []


def persistent(house: House, folder: Path) -> BrowserContext:
    context = house.browser.browser_type.launch_persistent_context(
        str(folder), executable_path=chromium(), args=["--no-sandbox"], base_url=house.server.base,
        viewport={"width": PHONE[0], "height": PHONE[1]}, timezone_id="UTC", locale="en",
    )
    context.add_cookies(house.session["cookies"])  # type: ignore[arg-type]
    return context


def test_a_closed_browser_sends_what_waited_when_it_is_opened_again(house: House, tmp_path: Path) -> None:
    dose, = house.due("Metoprolol")
    context = persistent(house, tmp_path)
    page = ready(context.new_page())
    go_offline(context)
    pressed = house.api.now()
    taken(page, dose).click()
    expect(row(page, dose).locator(".unsent")).to_contain_text(WAITING)
    context.close()
    assert house.states([dose]) == ["due"]
    time.sleep(5)
    context = persistent(house, tmp_path)
    context.new_page().goto("/medicines")
    house.wait_for([dose], "taken")
    assert seconds_apart(house.api.dose(dose)["answer"]["at"], pressed) <= 3
    assert len(house.api.administrations()) == 1
    context.close()


def test_without_an_answer_within_seconds_it_waits_too(house: House) -> None:
    dose, = house.due("Metoprolol")
    page = ready(house.open("/"))
    held: list[Route] = []
    page.route("**/doses/*/answers", lambda route: held.append(route))
    # The worker has no network either.
    worker = page.context.service_workers[-1]
    worker.evaluate("() => { globalThis.own = fetch; globalThis.fetch = () => Promise.reject(new Error('no')); }")
    taken(page, dose).click()
    expect(row(page, dose).locator(".unsent")).to_contain_text(WAITING, timeout=15_000)
    # It is still shown after a reload.
    page.unroute("**/doses/*/answers")
    page.reload()
    expect(row(page, dose).locator(".unsent")).to_contain_text(WAITING)
    worker.evaluate("() => { globalThis.fetch = globalThis.own; }")
    page.evaluate("dispatchEvent(new Event('online'))")
    house.wait_for([dose], "taken")
    assert len(house.api.administrations()) == 1


def test_an_answer_with_its_details_waits_on_the_page_of_the_dose(house: House) -> None:
    dose, other = house.due("Metoprolol", "Zinc")
    page = ready(house.open("/"), f"/doses/{dose}")
    page.locator("details:has([name=at-time]) > summary").click()
    form = form_with(page, "at-time")
    # More than an hour before it is due, a question would come first.
    at = (house.api.now() - timedelta(minutes=5)).strftime("%Y-%m-%d %H:%M").split()
    fill(form, at_date=at[0], at_time=at[1], amount_value="2")
    go_offline(page.context)
    form.locator("button").last.click()
    expect(row(page, dose)).to_contain_text(f"{WAITING}")
    expect(form).to_be_hidden()
    # The page of a dose reloads once the queued answer is sent.
    with page.expect_navigation():
        back_online(page)
    # The intake has already happened, so a time typed offline raises no question.
    house.wait_for([dose], "taken")
    answer = house.api.dose(dose)["answer"]
    assert answer["at"].startswith("T".join(at)) and answer["amount"]["value"] == 2

    ready(page, f"/doses/{other}")
    form = form_with(page, "reason")
    put(form, "reason", "unwell")
    put(form, "reason-words", "since breakfast")
    go_offline(page.context)
    form.locator("[name=action][value=skipped]").click()
    expect(row(page, other)).to_contain_text("Waiting to be sent: Skipped")
    back_online(page)
    house.wait_for([other], "skipped")
    assert house.api.dose(other)["answer"]["reason"].endswith(": since breakfast")


def test_a_dose_of_another_day_waits_for_an_answer_to_the_question(house: House) -> None:
    plan = house.api.add_plan(house.api.events(30 * 60), name="Metoprolol")
    dose = house.api.doses(plan=plan["id"])[0]["id"]
    page = ready(house.open("/"), f"/doses/{dose}")
    go_offline(page.context)
    page.locator('form:has([name=action][value=taken]) button').first.click()
    said = row(page, dose).locator(".unsent")
    expect(said).to_contain_text(WAITING)
    time.sleep(6)
    back_online(page)
    expect(said).to_contain_text("Not logged yet: there’s a question about this dose.")
    assert house.states([dose]) == ["scheduled"] and house.api.administrations() == []


def test_what_is_logged_without_a_network_is_kept(house: House) -> None:
    page = ready(house.open("/"), "/entry")
    go_offline(page.context)
    form = form_with(page, "medicine", "name")
    put(form, "medicine", "other")
    fill(form, name="Ibuprofen", reason="Headache")
    form.locator("button[type=submit]").first.click()
    expect(page.locator("#unsent li")).to_contain_text("Ibuprofen, Taken")
    expect(form.locator("[name=reason]")).to_have_value("")
    assert house.api.administrations() == []
    back_online(page)
    house.wait_until(lambda: len(house.api.administrations()) == 1)
    expect(page.locator("#unsent")).to_be_hidden()


def test_what_is_taken_as_needed_without_a_network_is_kept_with_its_amount(house: House) -> None:
    tablet = {"value": 1, "unit": "tablet"}
    plan = house.api.add_plan({}, name="Ibuprofen", dosageInstruction=[
        {"asNeededBoolean": True, "doseAndRate": [{"doseQuantity": tablet}]}])["id"]
    page = ready(house.open("/"), "/as-needed")
    go_offline(page.context)
    form = page.locator(f'form[action="/as-needed/{plan}"]')
    form.locator("[name=reason]").fill("Headache")
    form.locator("button[type=submit]").click()
    expect(page.locator("#unsent li")).to_contain_text("Ibuprofen, Taken")
    back_online(page)
    house.wait_until(lambda: len(house.api.administrations()) == 1)
    taken = house.api.administrations()[0]
    assert taken["dosage"]["dose"]["value"] == 1 and "Headache" in str(taken)


def test_the_simple_view_keeps_what_was_pressed(house: House) -> None:
    dose, = house.due("Metoprolol")
    page = ready(house.open("/"), "/simple")
    go_offline(page.context)
    taken(page, dose).click()
    expect(row(page, dose)).to_contain_text(WAITING)
    expect(taken(page, dose)).to_be_hidden()
    back_online(page)
    house.wait_for([dose], "taken")


def test_what_cannot_be_kept_stays_on_the_page_and_says_so(house: House) -> None:
    page = ready(house.open("/"), "/entry")
    go_offline(page.context)
    form = form_with(page, "medicine", "name")
    put(form, "medicine", "other")
    fill(form, reason="Headache")
    form.locator("button[type=submit]").first.click()
    said = page.locator("#said")
    expect(said).to_contain_text("Not logged")
    # A failure stays on the page; a success disappears after ten seconds.
    time.sleep(11)
    expect(said).to_contain_text("Not logged")
    expect(form.locator("[name=reason]")).to_have_value("Headache")
    assert page.evaluate("indexedDB.databases()") == [] or page.evaluate(READ_QUEUE) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_something_waits_is_said_in_every_language(house: House, language: str) -> None:
    dose, = house.due("Metoprolol")
    page = ready(house.context(language=language).new_page())
    go_offline(page.context)
    taken(page, dose).click()
    expect(row(page, dose).locator(".unsent")).to_be_visible()
    assert text_problems(page, language, message_key_pattern()) == []
    assert narrow_problems(page, PHONE) == []
