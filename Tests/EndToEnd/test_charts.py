# SPDX-License-Identifier: Apache-2.0
"""Charts over all medicines in Chromium: all views, without scripts, by keyboard, in large text, in print."""
import re

import pytest
from playwright.sync_api import Browser, Page

from harness.browser import (
    DESKTOP, PHONE, Listener, new_context, page_problems, screenshot,
)
from test_demo import WITH_AXE, Demo, demo, medicine

__all__ = ["demo"]

CHARTS = "/report/charts"
LOOKS = [("en", "light", PHONE), ("th", "dark", PHONE), ("de", "light", DESKTOP), ("tr", "dark", DESKTOP)]
TALL = (390, 1600)


@pytest.mark.parametrize(("language", "scheme", "size"), LOOKS, ids=str)
def test_the_charts_hold_in_every_look(
    browser: Browser, demo: Demo, language: str, scheme: str, size: tuple[int, int]
) -> None:
    listener = Listener()
    context = new_context(
        browser, demo.server.base, language, scheme, size, storage_state=demo.session)
    page = context.new_page()
    listener.attach(page)
    found: list[str] = []
    effect = f"{medicine(page, 'Atorvastatin')}/effect?range="
    for name, address in {
        "month": CHARTS, "week": f"{CHARTS}?range=week", "quarter": f"{CHARTS}?range=quarter",
        "before": f"{CHARTS}?to=2001-01-01", "effect": f"{effect}3-months", "effect-years": f"{effect}10-years",
    }.items():
        page.goto(address)
        assert page.locator('svg[role="img"]').count() >= 1 and page.locator("h1").count() == 1
        for summary in page.locator("main details summary").all():
            summary.click()
        screenshot(page, f"charts-{language}-{scheme}-{'phone' if size == PHONE else 'desktop'}", name)
        problems = page_problems(
            page, listener, language, size, with_axe=(language, scheme, size) in WITH_AXE)
        found.extend(f"{name}: {problem}" for problem in problems)
    context.close()
    assert not found, "\n".join(found)


def sentence(page: Page) -> str:
    return page.locator("figcaption").first.inner_text()


@pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "no-javascript"])
@pytest.mark.parametrize("reach", ["week", "month", "quarter"])
def test_the_charts_lead_back_and_forth_and_tell_what_their_tables_tell(
    browser: Browser, demo: Demo, javascript: bool, reach: str
) -> None:
    context = new_context(
        browser, demo.server.base, size=PHONE, java_script_enabled=javascript,
        storage_state=demo.session)
    page = context.new_page()
    page.goto("/history")
    page.get_by_role("link", name="Charts").click()
    page.goto(f"{CHARTS}?range={reach}")
    seen = [sentence(page)]
    for _ in range(2):
        page.get_by_role("link", name=re.compile("^Earlier")).click()
        seen.append(sentence(page))
        figure = page.locator("section:has(> .stack > figure)").first
        figure.locator("details summary").click()
        total = figure.locator("tfoot td").first.inner_text()
        # The first of three months may have no data.
        if " of " in total:
            assert f"{total.split(' (')[0]} doses taken" in seen[-1]
        else:
            assert "no doses to count" in seen[-1]
    assert len(set(seen)) == 3
    for expected in reversed(seen[:-1]):
        page.get_by_role("link", name=re.compile("^Later")).click()
        assert sentence(page) == expected
    assert page.get_by_role("link", name=re.compile("^Later")).count() == 0
    context.close()


def test_one_medicine_and_the_day_on_which_weeks_begin(browser: Browser, demo: Demo) -> None:
    context = new_context(
        browser, demo.server.base, size=PHONE, java_script_enabled=False, storage_state=demo.session)
    page = context.new_page()
    plan = medicine(page, "Atorvastatin").rsplit("/", 1)[-1]
    page.goto(CHARTS)
    everything = sentence(page)
    page.locator("main details summary").first.click()
    page.locator('select[name="medicine"]').select_option(plan)
    page.locator('main form[method="get"] button').click()
    assert f"medicine={plan}" in page.url and sentence(page) != everything
    assert page.locator(".month-grid .chart-tick").first.text_content() == "Mon"
    page.get_by_role("link", name="Sunday").click()
    assert page.locator(".month-grid .chart-tick").first.text_content() == "Sun"
    assert f"medicine={plan}" in page.url
    context.close()


def test_with_the_keyboard_alone(browser: Browser, demo: Demo) -> None:
    context = new_context(browser, demo.server.base, storage_state=demo.session)
    page = context.new_page()
    page.goto(CHARTS)
    wanted = {"Week", "3 months", "Earlier", "Show as a table", "Saturday"}
    for _ in range(90):
        page.keyboard.press("Tab")
        name, ring = page.evaluate("""() => {
          const element = document.activeElement, style = getComputedStyle(element);
          return [element.innerText.split('\\n')[0].trim(),
            style.outlineStyle !== 'none' || style.boxShadow !== 'none'];
        }""")
        for word in list(wanted):
            if name.startswith(word):
                assert ring, f"{word} does not show that it has the focus"
                wanted.discard(word)
    assert not wanted, f"not reached: {wanted}"
    page.goto(CHARTS)
    page.get_by_role("link", name="Week", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("range=week"))
    context.close()


@pytest.mark.parametrize("language", ["en", "th"])
def test_large_texts_and_narrow_phones_lose_nothing(browser: Browser, demo: Demo, language: str) -> None:
    context = new_context(
        browser, demo.server.base, language, size=(320, 640), storage_state=demo.session)
    page = context.new_page()
    page.goto(CHARTS)
    cells = page.locator(".month-grid .day-cell").all()
    assert min(cell.bounding_box()["width"] for cell in cells[:7]) >= 33  # type: ignore[index]
    columns = page.locator(".month-grid > svg").evaluate_all(
        "all => all.map(svg => svg.getBoundingClientRect().width)")
    assert min(columns) >= 36
    context.add_cookies([{"name": "regimen-text-size", "value": "200", "url": demo.server.base}])
    for query in ("", "?range=week"):
        page.goto(CHARTS + query)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        screenshot(page, f"charts-large-{language}", query.partition("=")[2] or "month")
    context.close()


def test_on_paper_the_drawings_stay_and_the_choices_go(browser: Browser, demo: Demo) -> None:
    context = new_context(browser, demo.server.base, size=TALL, storage_state=demo.session)
    page = context.new_page()
    page.goto(CHARTS)
    page.emulate_media(media="print")
    assert page.locator(".month-grid").is_visible() and page.locator(".part-rows").is_visible()
    assert not page.locator(".tabs").first.is_visible()
    assert not page.locator(".chart-week-start").is_visible()
    context.close()
