# SPDX-License-Identifier: Apache-2.0
"""Questionnaires in Chromium, and the check on the command line."""
import json
import subprocess
from pathlib import Path

from playwright.sync_api import expect

from harness.browser import PHONE, axe_problems, narrow_problems
from harness.ring import House
from harness.server import binary

QUESTIONS = 5


def test_a_questionnaire_is_answered_checked_and_sent(house: House) -> None:
    page = house.open("/questionnaires", size=PHONE)
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    page.get_by_role("link", name="How you take your medicines", exact=True).click()
    never = page.get_by_label("Never", exact=True)
    expect(never).to_have_count(QUESTIONS)
    for index in range(QUESTIONS):
        never.nth(index).check()
    page.get_by_label("Often", exact=True).nth(2).check()
    page.get_by_role("button", name="Next").click()
    # The answer opened a further question.
    expect(page.get_by_text("Why did you leave out doses?")).to_be_visible()
    page.get_by_label("The cost").check()
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="Check your answers")).to_be_visible()
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Score: 85 of 100")).to_be_visible()
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []


def test_the_command_line_names_each_broken_rule(tmp_path: Path) -> None:
    file = tmp_path / "form.json"
    form = {
        "resourceType": "Questionnaire", "status": "active", "url": "urn:test:form",
        "item": [{
            "linkId": "a", "type": "string",
            "enableWhen": [{"question": "b", "operator": "exists", "answerBoolean": True}],
        }],
    }
    file.write_text(json.dumps(form))
    command = [str(binary()), "questionnaire", "check", str(file)]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert refused.returncode == 1
    assert refused.stdout.startswith("Questionnaire.item[0].enableWhen[0].question: condition: ")
    del form["item"][0]["enableWhen"]
    file.write_text(json.dumps(form))
    good = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (good.returncode, good.stdout, good.stderr) == (0, "", "")
