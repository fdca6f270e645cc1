# SPDX-License-Identifier: Apache-2.0
"""Cycles, steps, hours since the last intake and moved doses, in Chromium without JavaScript, in English
and Thai."""
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Browser, Locator, Page

from harness.forms import fill, follow, form_with, submit, take
from harness.server import Server
from test_plans import visit


def medicine_form(page: Page, kind: str) -> Locator:
    """Opens the form of a new medicine with a collapsed kind of schedule chosen."""
    page.goto("/medicines/new/details")
    form = form_with(page, "name", "dose-value")
    page.locator(f"details:has([name=schedule][value={kind}]) > summary").click()
    fill(form, schedule=kind)
    return form


def due(dose: dict) -> datetime:
    return datetime.fromisoformat(dose["due"])


@pytest.mark.parametrize("language", ["en", "th"])
def test_steps_stand_in_a_calendar_before_they_are_saved(
    browser: Browser, server: Server, language: str
) -> None:
    page, api = visit(browser, server, language)
    form = medicine_form(page, "steps")
    fill(form, name="Prednisolone", form="tablet", strength_value="5")
    start = api.now().date() + timedelta(days=1)
    fill(form, start=start.isoformat())
    for index, (days, amount) in enumerate([("3", "20"), ("2", "1 x 5 + 1 x 2.5")]):
        form.locator("[name=step-days]").nth(index).fill(days)
        form.locator("[name=step-amount]").nth(index).fill(amount)
        form.locator("[name=step-time]").nth(index * 4).fill("08:00")
    follow(form.locator("button[name=preview]"))
    cells = page.locator(".plan-calendar td:has(br)")
    assert cells.count() == 5
    assert "20" in cells.nth(0).inner_text() and "7.5" in cells.nth(4).inner_text()
    assert api.doses(start=api.now(), end=api.now() + timedelta(days=9)) == []
    submit(form_with(page, "name", "dose-value"))
    doses = api.doses(start=api.now(), end=api.now() + timedelta(days=9))
    assert [dose["amount"]["value"] for dose in doses] == [20, 20, 20, 7.5, 7.5]
    assert "1 × 5" in page.locator("main").inner_text()
    page.context.close()


@pytest.mark.parametrize("language", ["en", "th"])
def test_a_break_is_told_the_day_before_it_ends(
    browser: Browser, server: Server, language: str
) -> None:
    page, api = visit(browser, server, language)
    form = medicine_form(page, "cycle")
    first = api.now().date() - timedelta(days=27)
    fill(
        form, name="Pill", form="tablet", dose_value="1", cycle_on="21", cycle_off="7",
        start=first.isoformat(),
    )
    form.locator("[name=cycle-time]").first.fill("20:00")
    submit(form)
    assert page.url.endswith("done=added"), page.locator("main").inner_text()
    page.goto("/")
    assert page.locator(".notice", has_text="Pill").count() == 1
    page.context.close()


@pytest.mark.parametrize("language", ["en", "th"])
def test_hours_run_from_the_dose_really_taken(
    browser: Browser, server: Server, language: str
) -> None:
    page, api = visit(browser, server, language)
    form = medicine_form(page, "after-intake")
    now = api.now()
    first = (now + timedelta(hours=1)).strftime("%H:%M")
    fill(
        form, name="Amoxicillin", form="capsule", dose_value="1", interval_hours="6",
        interval_first=first,
    )
    submit(form)
    assert page.url.endswith("done=added"), page.locator("main").inner_text()
    before = api.doses(start=now, end=now + timedelta(hours=30))
    page.goto(f"/doses/{before[0]['id']}")
    take(page)
    after = api.doses(start=now, end=now + timedelta(hours=30))
    assert after[1]["id"] == before[1]["id"]
    # Six hours from the press, an hour earlier than planned.
    assert timedelta(minutes=30) < due(before[1]) - due(after[1]) < timedelta(minutes=90)
    # The next dose depends only on intakes.
    page.goto(f"/doses/{after[1]['id']}")
    assert page.locator("[name=move-time]").count() == 0
    page.context.close()
