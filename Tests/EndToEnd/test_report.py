# SPDX-License-Identifier: Apache-2.0
"""The report for the visit in Chromium: all views, its files, its period, and a link that someone else
opens."""
import csv
import io
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from harness.browser import (
    DESKTOP, LANGUAGES, PHONE, Listener, narrow_problems, new_context, page_problems, screenshot,
    structure_problems,
)
from harness.forms import fill, follow, form_with, submit
from test_demo import WITH_AXE, Demo, demo

__all__ = ["demo"]

REPORT = "/report"
LOOKS = [("en", "light", PHONE), ("th", "dark", PHONE), ("de", "light", DESKTOP), ("tr", "dark", DESKTOP),
         ("nb", "light", PHONE)]


def first_table(page: Page) -> dict[str, list[str]]:
    """Returns the numbers of each medicine, by name."""
    rows = page.locator("main table").first.locator("tbody tr")
    return {
        row.locator("th").inner_text().split("\n")[0]: row.locator("td").all_inner_texts()
        for row in rows.all()
    }


@pytest.mark.parametrize(("language", "scheme", "size"), LOOKS, ids=str)
def test_the_report_holds_in_every_look(
    browser: Browser, demo: Demo, language: str, scheme: str, size: tuple[int, int]
) -> None:
    listener = Listener()
    context = new_context(
        browser, demo.server.base, language, scheme, size, storage_state=demo.session)
    page = context.new_page()
    listener.attach(page)
    found: list[str] = []
    for name, query in {
        "month": "", "year": "?days=365", "before": "?from=2001-01-01&until=2001-01-31",
        "wrong": "?from=2026-03-05&until=2026-03-01",
    }.items():
        page.goto(REPORT + query)
        assert page.locator("h1").count() == 1
        screenshot(page, f"report-{language}-{scheme}-{'phone' if size == PHONE else 'desktop'}", name)
        problems = page_problems(
            page, listener, language, size, with_axe=(language, scheme, size) in WITH_AXE)
        if page.locator(".table-stacked").count():
            hidden = page.locator(".table-stacked").evaluate(
                "e => e.parentElement.scrollWidth - e.parentElement.clientWidth")
            problems += [f"{hidden} pixels of the numbers are out of sight"] if hidden > 0 else []
        else:
            assert name == "before"
        found.extend(f"{name}: {problem}" for problem in problems)
    context.close()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "no-javascript"])
def test_days_are_chosen_and_typed_and_wrong_ones_are_said(
    browser: Browser, demo: Demo, javascript: bool
) -> None:
    context = new_context(
        browser, demo.server.base, size=PHONE, java_script_enabled=javascript,
        storage_state=demo.session)
    page = context.new_page()
    page.goto("/history")
    follow(page.get_by_role("link", name="Visit report"))
    month = first_table(page)
    follow(page.get_by_role("link", name="7 days"))
    week = first_table(page)
    rows = [next(row for name, row in table.items() if name.startswith("Atorvastatin")) for table in (week, month)]
    planned = [int(row[0].split(" of ")[1].split()[0]) for row in rows]
    assert 6 <= planned[0] <= 7 and 29 <= planned[1] <= 30
    page.locator("details:has([name=from]) summary").click()
    form = form_with(page, "from", "until")
    fill(form, **{"from": "2026-03-05", "until": "2026-03-01"})
    submit(form)
    expect(page.locator("[aria-invalid=true]")).not_to_have_count(0)
    form = form_with(page, "from", "until")
    assert form.locator("[name=from]").input_value() == "2026-03-05"
    fill(form, **{"from": "1990-01-01", "until": "2026-03-01"})
    submit(form)
    expect(page.locator("main")).to_contain_text("Choose ten years or less.")
    context.close()


def test_the_files_tell_what_the_page_tells(browser: Browser, demo: Demo) -> None:
    context = new_context(browser, demo.server.base, size=PHONE, storage_state=demo.session)
    page = context.new_page()
    page.goto(f"{REPORT}?days=30")
    shown = first_table(page)
    assert len(shown) > 5
    address = {
        kind: page.locator(f"#keep a[href*='.{kind}?']").get_attribute("href") or ""
        for kind in ("pdf", "csv", "json")
    }
    table = context.request.get(address["csv"])
    assert table.headers["content-type"].startswith("text/csv")
    rows = {row["Medicine"]: row for row in csv.DictReader(io.StringIO(table.body().decode("utf-8-sig")))}
    for name, numbers in shown.items():
        row = rows[re.sub(r" \((paused|as needed|ended)\)$", "", name)]
        taken = int(row["Taken on time"]) + int(row["Taken late"])
        if int(row["Planned"]):
            assert numbers[0] == f"{taken} of {row['Planned']} ({row['Taken, percent']}%)", name
            assert int(numbers[1].split()[0]) == int(row["Taken late"]), name
    bundle = context.request.get(address["json"]).json()
    kinds = [entry["resource"]["resourceType"] for entry in bundle["entry"]]
    assert bundle["type"] == "document" and kinds[0] == "Composition" and "Patient" in kinds
    for bad in ("from=2026-02-30&until=2026-03-01", "from=1990-01-01&until=2026-03-01"):
        for kind in address:
            assert context.request.get(f"{REPORT}.{kind}?{bad}").status == 400
    context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_paper_is_one_sheet_of_a4(browser: Browser, demo: Demo, language: str) -> None:
    context = new_context(browser, demo.server.base, language, storage_state=demo.session)
    for days in (7, 90, 365):
        paper = context.request.get(f"{REPORT}.pdf?days={days}")
        assert paper.headers["content-type"] == "application/pdf"
        body = paper.body()
        assert body.startswith(b"%PDF-") and body.rstrip().endswith(b"%%EOF")
        sheets = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", body)
        assert [(round(float(w)), round(float(h))) for w, h in sheets] == [(595, 842)], days
    context.close()


@pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "no-javascript"])
def test_someone_without_an_account_opens_the_link_until_it_is_ended(
    browser: Browser, demo: Demo, javascript: bool
) -> None:
    context = new_context(
        browser, demo.server.base, size=PHONE, java_script_enabled=javascript,
        storage_state=demo.session)
    page = context.new_page()
    page.goto(f"{REPORT}?days=7")
    own = first_table(page)
    form = form_with(page, "ends")
    fill(form, ends="1")
    submit(form)
    address = page.locator("main code").inner_text()
    assert page.locator("main svg[role=img]").count() == 1 and structure_problems(page) == []
    stranger = new_context(browser, demo.server.base, "de", size=PHONE, java_script_enabled=javascript)
    theirs = stranger.new_page()
    opened = theirs.goto(address)
    assert opened and opened.status == 200
    # In the language of the person who shared it, with no button except print.
    assert first_table(theirs) == own and theirs.locator("form[method=post]").count() == 0
    assert narrow_problems(theirs, PHONE) == []
    paper = theirs.locator("main a[href$='report.pdf']").get_attribute("href") or ""
    assert stranger.request.get(paper).body().startswith(b"%PDF-")
    assert theirs.goto(REPORT) and "/sign-in" in theirs.url
    page.goto(REPORT)
    expect(page.locator("#share li").last).to_contain_text("opened 2 times")
    follow(page.locator("#share li form button").last)
    expect(page.locator(".flash")).to_contain_text("The link has ended.")
    ended = theirs.goto(address)
    assert ended and ended.status == 404 and "Atorvastatin" not in theirs.content()
    stranger.close()
    context.close()
