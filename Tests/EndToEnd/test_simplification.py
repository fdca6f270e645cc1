# SPDX-License-Identifier: Apache-2.0
"""Fewer times a day: proposed, reviewed and applied in Chromium without JavaScript, in English and Thai."""
import json
import subprocess

import pytest
from playwright.sync_api import Browser, expect

from harness.browser import PHONE, axe_problems, narrow_problems, screenshot, structure_problems
from harness.forms import follow
from harness.server import Server, binary
from test_people import sign_up
from test_plans import visit

WORDS = {
    "en": ("now 1 hour apart", "Calcium carbonate: at least 4 hours after Levothyroxine.", "Use these times"),
    "th": ("ห่างกัน 1 ชั่วโมง", "Calcium carbonate: อย่างน้อย 4 ชั่วโมง หลัง Levothyroxine", "ใช้เวลาเหล่านี้"),
}


def furnish(api) -> dict[str, str]:
    plans = {"Levothyroxine": "07:00:00", "Calcium carbonate": "08:00:00", "Bisoprolol": "09:00:00"}
    made = {
        name: api.add_plan({"repeat": {"timeOfDay": [time]}}, name=name)["id"] for name, time in plans.items()
    }
    made["Metformin"] = api.add_plan({"repeat": {"when": ["CM", "CD"]}}, name="Metformin")["id"]
    return made


def times(api, plan: str) -> list[str]:
    timing = api.fhir("GET", f"MedicationRequest/{plan}").json()["dosageInstruction"][0]["timing"]
    return [time[:5] for time in timing["repeat"]["timeOfDay"]]


@pytest.mark.parametrize("language", ["en", "th"])
def test_times_are_merged_and_hours_kept(browser: Browser, server: Server, language: str) -> None:
    page, api = visit(browser, server, language)
    plans = furnish(api)
    apart, rule, take = WORDS[language]
    page.goto("/medicines")
    follow(page.locator("a[href='/medicines/simplify']"))
    main = page.locator("main")
    expect(main).to_contain_text(apart)
    expect(main).to_contain_text(rule)
    expect(main).not_to_contain_text("I011")
    assert page.locator("[name=accept]").count() == 0
    assert page.locator("[name=take]:checked").count() == 3
    follow(page.locator("button[name=show]"))
    assert page.locator("#preview-title").count() == 1
    assert times(api, plans["Calcium carbonate"]) == ["08:00"]
    # An unticked medicine stays unchanged, and is reviewed before applying.
    page.locator(f"[name=take][value='{plans['Bisoprolol']}']").uncheck(force=True)
    follow(page.locator("button[name=accept]"))
    assert times(api, plans["Calcium carbonate"]) == ["08:00"]
    expect(page.locator("button[name=accept]")).to_contain_text(take)
    follow(page.locator("button[name=accept]"))
    expect(page.locator(".flash > p")).to_contain_text("Calcium carbonate 08:00")
    found = {name: times(api, plan) for name, plan in plans.items() if name != "Metformin"}
    assert found["Bisoprolol"] == ["09:00"] and found["Levothyroxine"] == ["07:00"]
    assert found["Calcium carbonate"][0] >= "11:00", found
    expect(main).not_to_contain_text(apart)
    page.context.close()


@pytest.mark.parametrize("language", ["en", "th"])
def test_the_page_holds_with_scripts(browser: Browser, server: Server, language: str) -> None:
    context, page, email = sign_up(browser, server, size=PHONE, language=language)
    furnish(server.api(server.create_token(email)))
    page.goto("/medicines/simplify")
    follow(page.locator("button[name=show]"))
    for summary in page.locator("main details > summary").all():
        summary.click()
    problems = structure_problems(page) + narrow_problems(page, PHONE) + axe_problems(page)
    screenshot(page, language, "intake-times")
    assert not problems, problems
    context.close()


def test_the_command_line_proposes_and_refuses() -> None:
    lines = [
        {"id": 1, "medicines": [
            {"name": "Levothyroxine", "times": ["07:00"]}, {"name": "Calcium carbonate", "times": ["08:00"]},
            {"name": "Metformin", "times": ["12:30"]}]},
        {"id": 2, "medicines": [{"name": "Metformin", "times": ["25:00"]}]},
        {"id": 3, "medicines": []},
    ]
    output = subprocess.run(
        [str(binary()), "plan-times"], input="\n".join(json.dumps(line) for line in lines), capture_output=True,
        text=True, check=True).stdout
    first, *others = [json.loads(line) for line in output.splitlines()]
    assert first["before"] == ["07:00", "08:00", "12:30"] and first["after"] == ["07:00", "12:30"]
    assert first["medicines"][1] == {"name": "Calcium carbonate", "times": ["12:30"]}
    assert first["unkept"] == [] and first["exhaustive"] is True
    assert [other["id"] for other in others] == [2, 3] and all("error" in other for other in others)
