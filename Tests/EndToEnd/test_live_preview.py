# SPDX-License-Identifier: Apache-2.0
"""The engine of schedules in the browser: the same answers as the program's, and a preview of doses during
typing."""
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from harness.browser import (
    LANGUAGES, PHONE, Listener, axe_problems, message_key_pattern, narrow_problems, new_context,
    screenshot, structure_problems, text_problems,
)
from harness.forms import fill, follow, form_with, submit
from harness.server import REPOSITORY, Server, binary
from harness.sign_up import new_session

CASES = Path(__file__).parent / "cases"
PLANNING = REPOSITORY / "Sources/Web/Assets/planning"


def cases() -> list[dict[str, Any]]:
    """Questions with answers from an independent expansion, or from a person."""
    return [json.loads(line) for line in (CASES / "schedules.ndjson").read_text().splitlines()]


def agree(answers: list[dict[str, Any]]) -> None:
    for case, answer in zip(cases(), answers, strict=True):
        kind = "error" if "error" in case else "instants"
        assert answer.get(kind) == case[kind], case["question"]


def test_the_program_answers_every_case() -> None:
    lines = "".join(json.dumps(case["question"]) + "\n" for case in cases())
    result = subprocess.run(
        [str(binary()), "schedule"], input=lines, capture_output=True, text=True, timeout=60, check=True)
    agree([json.loads(line) for line in result.stdout.splitlines()])


@pytest.mark.skipif(not shutil.which("node"), reason="node is not here; Chromium runs the same cases")
def test_the_module_answers_every_case_in_node() -> None:
    result = subprocess.run(
        ["node", str(CASES / "ask.mjs"), str(PLANNING / "10-module.mjs"), str(PLANNING / "scheduling.wasm.gz")],
        input=json.dumps([case["question"] for case in cases()]),
        capture_output=True, text=True, timeout=60, check=True)
    agree(json.loads(result.stdout))


@pytest.fixture(scope="module")
def session(server: Server) -> StorageState:
    # A test worker may return to this module with the same server, so the account is always new.
    return new_session(server)[0]


def test_the_module_answers_every_case_in_the_page(
    browser: Browser, server: Server, session: StorageState
) -> None:
    context = new_context(browser, server.base, storage_state=session)
    page = context.new_page()
    page.goto("/medicines/new/details")
    script = page.locator("script[src*='/planning.']").get_attribute("src")
    module = json.loads(page.locator("[data-planning]").get_attribute("data-planning") or "{}")["module"]
    agree(page.evaluate(
        """async ([script, module, questions]) => {
          const { answer } = await import(script);
          const answers = [];
          for (const question of questions) answers.push(await answer(module, question));
          return answers;
        }""", [script, module, [case["question"] for case in cases()]]))
    page.goto("/")
    assert page.locator("script[src*='/planning.']").count() == 0, "Today needs no engine"
    context.close()


def shown(page: Page, place: str) -> list[tuple[str, list[str]]]:
    """Returns the days and times of a list of doses, without text after a time."""
    rows = page.locator(f"{place} dl.facts > div").all()
    return [
        (row.locator("dt").inner_text(),
         [item.inner_text().split("\n")[0].split(",")[0] for item in row.locator("dd li").all()])
        for row in rows]


def settled(page: Page, place: str) -> list[tuple[str, list[str]]]:
    """Returns the list once it stays the same for over a second: a busy machine draws it late."""
    seen = [shown(page, place)]
    while len(seen) < 4 or len({str(one) for one in seen[-4:]}) > 1:
        assert len(seen) < 60, "the list never settles"
        page.wait_for_timeout(400)
        seen.append(shown(page, place))
    return seen[-1]


FORMS: dict[str, dict[str, str]] = {
    "times": {"schedule": "times", "time": "23:58"},
    "some weekdays": {"schedule": "weekdays", "time": "23:58", "weekday": "mon wed fri sun"},
    "hours": {"schedule": "every-hours", "hours": "7", "first_time": "00:30"},
    "days": {"schedule": "every-days", "days": "2", "days_time": "23:57"},
    "meals": {"schedule": "meals", "meal": "ACM CV HS", "meal_offset": "45", "meal_days": "every"},
}


def test_what_is_typed_is_shown_as_the_server_would_plan_it(
    browser: Browser, server: Server, session: StorageState
) -> None:
    context = new_context(browser, server.base, size=PHONE, storage_state=session)
    page = context.new_page()
    listener = Listener()
    listener.attach(page)
    for name, values in FORMS.items():
        page.goto("/medicines/new/details")
        box = page.locator("[data-planning]")
        assert box.is_hidden(), "nothing is typed yet"
        form = form_with(page, "name", "dose-value")
        fill(form, name="Metoprolol", form="tablet", dose_value="1", **values)
        box.wait_for(state="visible")
        live = settled(page, "[data-planning]")
        # Announced once, after the typing has stopped, and never line by line.
        assert box.locator("[aria-live], [role=status]").count() == 1
        expect(box.locator("[role=status]")).not_to_be_empty()
        said = box.locator("[role=status]").inner_text()
        assert live[0][0] in said and live[0][1][0] in said
        follow(form.locator("button[name=preview]"))
        page.locator("#preview-title").wait_for()
        planned = shown(page, "section:has(#preview-title)")
        assert planned, f"{name}: the server shows no doses"
        for day, other in zip(planned, live):
            assert day == other, f"{name}: {planned} {live}"
        assert not listener.take()
    context.close()


SPECIAL: dict[str, dict[str, list[str]]] = {
    "cycle": {"cycle-on": ["2"], "cycle-off": ["1"], "cycle-time": ["23:58"]},
    "steps": {"step-days": ["2", "3"], "step-amount": ["2", "1"], "step-time": ["23:57"]},
    "spread": {"spread-count": ["3"], "spread-gap": ["4"], "spread-from": ["08:00"], "spread-until": ["22:00"]},
    "after-intake": {"interval-hours": ["6"], "interval-first": ["23:56"]},
}


@pytest.mark.parametrize("language", ["en", "th"])
def test_kinds_that_the_engine_does_not_know_are_asked_of_the_server(
    browser: Browser, server: Server, session: StorageState, language: str
) -> None:
    context = new_context(browser, server.base, language, size=PHONE, storage_state=session)
    page = context.new_page()
    listener = Listener()
    listener.attach(page)
    for kind, fields in SPECIAL.items():
        page.goto("/medicines/new/details")
        box = page.locator("[data-planning]")
        form = form_with(page, "name", "dose-value")
        page.locator(f"details:has([name=schedule][value={kind}]) > summary").click()
        fill(form, form="tablet", dose_value="1", schedule=kind)
        for name, values in fields.items():
            for index, value in enumerate(values):
                form.locator(f"[name={name}]").nth(index).fill(value)
        if kind == "steps":
            form.locator("[name=step-time]").nth(4).fill("23:57")
        # The times are previewed even without a name.
        expect(box.locator("[data-asked] dl.facts > div")).not_to_have_count(0)
        page.wait_for_timeout(1500)
        live = shown(page, "[data-planning] [data-asked]")
        expect(box.locator("[role=status]")).not_to_be_empty()
        assert box.locator("dl.facts").first.locator("> div").count() == 0, "one answer, not two"
        calendars = box.locator(".plan-calendar").count()
        assert calendars == (1 if kind in ("cycle", "steps") else 0)
        if kind == "cycle":
            assert not narrow_problems(page, PHONE) and not listener.take()
            assert not axe_problems(page)
            screenshot(page, f"{language}-light-phone", "medicine-live-cycle")
            # The code that looks for problems is not part of the page.
            listener.take()
        if kind == "spread":
            # There is no preview for contradictory input or if the server is unreachable.
            form.locator("[name=spread-gap]").fill("23")
            expect(box).to_be_hidden()
            form.locator("[name=spread-gap]").fill("4")
            expect(box).to_be_visible()
            assert not listener.take()
            context.set_offline(True)
            form.locator("[name=spread-gap]").fill("3")
            expect(box).to_be_hidden()
            context.set_offline(False)
            listener.take()
            form.locator("[name=spread-gap]").fill("4")
            expect(box).to_be_visible()
        if kind == "after-intake":
            # On return to a kind that the engine supports, the server's answer is removed.
            fill(form, schedule="times", time="23:58")
            expect(box.locator("[data-asked] > *")).to_have_count(0)
            expect(box.locator("dl.facts > div")).not_to_have_count(0)
            fill(form, schedule=kind)
            expect(box.locator("[data-asked] dl.facts > div")).not_to_have_count(0)
        fill(form, name="Metoprolol")
        follow(form.locator("button[name=preview]"))
        page.locator("#preview-title").wait_for()
        planned = shown(page, "section:has(#preview-title)")
        assert planned and planned == live, f"{kind}: {planned} {live}"
        assert not listener.take()
    context.close()


def test_a_weekly_medicine_on_every_day_shows_the_refusal(
    browser: Browser, server: Server, session: StorageState
) -> None:
    context = new_context(browser, server.base, size=PHONE, storage_state=session)
    page = context.new_page()
    listener = Listener()
    listener.attach(page)
    page.goto("/medicines/new/details")
    box = page.locator("[data-planning]")
    form = form_with(page, "name", "dose-value")
    fill(form, name="Methotrexate 2.5 mg", form="tablet", dose_value="6", schedule="times", time="23:58")
    expect(box.locator("[data-asked] .notice-title")).to_contain_text("at most once in 7 days")
    expect(box.locator("dl.facts > div")).to_have_count(0)
    expect(box.locator("[role=status]")).to_contain_text("at most once in 7 days")
    # Typing more does not bring the days back.
    form.locator("[name=dose-value]").fill("5")
    page.wait_for_timeout(400)
    assert box.locator("dl.facts > div").count() == 0
    fill(form, schedule="weekdays", time="23:58", weekday="mon")
    expect(box.locator("dl.facts > div")).not_to_have_count(0)
    expect(box.locator("[data-asked] .notice-title")).to_have_count(0)
    assert not listener.take()
    context.close()


def test_without_a_script_the_place_stays_hidden(
    browser: Browser, server: Server, session: StorageState
) -> None:
    context = new_context(browser, server.base, storage_state=session, java_script_enabled=False)
    page = context.new_page()
    page.goto("/medicines/new/details")
    assert page.locator("[data-planning]").is_hidden()
    assert page.locator("button[name=preview]").is_visible()
    context.close()


def test_what_a_change_moves_is_shown_before_and_why_a_dose_is_when_it_is(
    browser: Browser, server: Server, session: StorageState
) -> None:
    context = new_context(browser, server.base, size=PHONE, storage_state=session)
    page = context.new_page()
    page.goto("/medicines/new/details")
    form = form_with(page, "name", "dose-value")
    fill(form, name="Bisoprolol", form="tablet", dose_value="1", schedule="times", time="23:58")
    submit(form)
    medicine = page.url.split("?")[0]
    page.goto(f"{medicine}/edit")
    form = form_with(page, "name", "dose-value")
    fill(form, time="23:31")
    follow(form.locator("button[name=preview]"))
    moves = page.locator("section:has(#preview-title) h3 + ul li").all_inner_texts()
    assert moves and all("23:31 instead of" in move and "23:58" in move for move in moves[1:]), moves
    page.goto("/me/routine")
    form = form_with(page, "zone", "breakfast")
    fill(form, zone="Pacific/Auckland")
    follow(form.locator("button[name=preview]"))
    card = page.locator("section:has(#preview-title)")
    # A plan that follows the clock keeps its times, at other instants.
    assert "Bisoprolol" in card.inner_text() and "23:58 on the new clock" in card.inner_text()
    assert not axe_problems(page)
    screenshot(page, "en-light-phone", "details-moves")
    page.goto("/me/routine")
    assert form_with(page, "zone").locator("[name=zone]").input_value() != "Pacific/Auckland", "kept nothing"
    page.goto("/")
    page.locator("a[href^='/doses/']", has_text="Bisoprolol").first.click()
    why = page.locator("details", has_text="Why 23:58?")
    why.locator("summary").click()
    assert why.locator("li").all_inner_texts() == ["The plan says 23:58."]
    assert not axe_problems(page)
    context.close()


@pytest.mark.parametrize(("language", "scheme"), [(language, "light") for language in LANGUAGES] + [("en", "dark")])
def test_the_preview_holds_in_every_language(
    browser: Browser, server: Server, session: StorageState, language: str, scheme: str
) -> None:
    context = new_context(
        browser, server.base, language, scheme=scheme, size=PHONE, storage_state=session)
    page = context.new_page()
    listener = Listener()
    listener.attach(page)
    page.goto("/medicines/new/details")
    # Uses only the keyboard, as far as browsers allow for radio buttons.
    page.locator("input[name=schedule]").first.focus()
    page.keyboard.press("Space")
    page.locator("input[name=time]").first.fill("08:00")
    page.locator("[data-planning]").wait_for(state="visible")
    found = listener.take() + structure_problems(page)
    found += text_problems(page, language, message_key_pattern()) + narrow_problems(page, PHONE)
    if (language, scheme) in {("en", "light"), ("en", "dark"), ("th", "light")}:
        found += axe_problems(page)
    screenshot(page, f"{language}-{scheme}-phone", "medicine-live-preview")
    assert not found, "\n".join(found)
    context.close()
