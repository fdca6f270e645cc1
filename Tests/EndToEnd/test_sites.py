# SPDX-License-Identifier: Apache-2.0
"""As-needed doses that are followed up, and the site of a patch, in Chromium and over HTTP."""
import re
from datetime import timedelta

from playwright.sync_api import expect

from harness.api import instant
from harness.browser import (
    PHONE, axe_problems, message_key_pattern, narrow_problems, structure_problems, text_problems,
)
from harness.ring import House

PATCH = [{"doseQuantity": {"value": 1, "unit": "patch"}}]


def as_needed(house: House, name: str) -> str:
    plan = house.api.add_plan(
        {}, name=name, dosageInstruction=[{"asNeededBoolean": True, "doseAndRate": PATCH}])
    return str(plan["id"])


def test_a_dose_of_two_hours_ago_is_followed_up_with_one_press(house: House) -> None:
    plan = as_needed(house, "Sumatriptan")
    taken = house.api.administer(
        plan, at=instant(house.api.now() - timedelta(hours=3)), confirm=True)
    assert taken.status_code == 201, taken.text
    page = house.open("/", size=PHONE)
    expect(page.get_by_role("heading", name="Did Sumatriptan help?")).to_be_visible()
    assert axe_problems(page) == [] and structure_problems(page) == []
    assert narrow_problems(page, PHONE) == []
    page.get_by_role("button", name=re.compile("A little")).click()
    expect(page.get_by_role("heading", name="Did Sumatriptan help?")).to_have_count(0)
    page.goto("/as-needed")
    expect(page.locator("main")).to_contain_text("it helped once")
    (medicine,) = house.api.ok("/api/v1/follow-ups")["medicines"]
    assert medicine["answers"] == ["little"] and medicine["helped"] == 1
    (found,) = house.api.ok(
        "/fhir/Observation", patient=house.api.patient, code="did-it-help")["entry"]
    assert found["resource"]["partOf"][0]["reference"] == (
        f"MedicationAdministration/{taken.json()['id']}")


def test_a_patch_is_placed_by_keyboard_and_taken_off(house: House) -> None:
    plan = as_needed(house, "Rotigotine")
    page = house.open(f"/medicines/{plan}/sites", size=PHONE)
    page.get_by_label("Ask for the site after each dose").check()
    page.get_by_label("Patch", exact=True).check()
    page.locator('[name="hours"]').fill("1")
    page.get_by_role("button", name=re.compile("Save")).click()
    expect(page.get_by_role("status").first).to_contain_text("Saved.")
    assert axe_problems(page) == [] and structure_problems(page) == []
    given = house.api.administer(
        plan, at=instant(house.api.now() - timedelta(hours=3)), confirm=True)
    assert given.status_code == 201, given.text
    dose = given.json()["id"]
    page.goto(f"/sites/{dose}")
    assert text_problems(page, "en", message_key_pattern()) == []
    assert axe_problems(page) == [] and structure_problems(page) == []
    assert narrow_problems(page, PHONE) == []
    # Text at 200 %: nothing is cut off sideways.
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert narrow_problems(page, PHONE) == []
    # The drawing needs no script: its sites are links that choose in the list.
    link = page.locator(".body-map a").filter(has=page.locator("text", has_text=re.compile("^4$")))
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("site=arm-left"))
    expect(page.locator('[value="arm-left"]')).to_be_checked()
    page.get_by_label("Redness").check()
    page.get_by_role("button", name=re.compile("Save")).click()
    expect(page.get_by_role("status").first).to_contain_text("Saved.")
    kept = house.api.ok(f"/fhir/MedicationAdministration/{dose}")
    assert kept["dosage"]["site"]["coding"][0]["code"] == "arm-left"
    page.goto("/")
    page.get_by_role("link", name=re.compile("Log that it’s off")).click()
    page.get_by_role("button", name=re.compile("It’s off now")).click()
    expect(page.locator("main")).to_contain_text("late")
    page.goto(f"/medicines/{plan}/sites")
    expect(page.locator("#history")).to_contain_text("Left upper arm")
    expect(page.locator("#history")).to_contain_text("Redness")
