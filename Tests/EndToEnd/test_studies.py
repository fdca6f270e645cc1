# SPDX-License-Identifier: Apache-2.0
"""A study from its file to an export: loaded on the command line, joined and left in Chromium."""
import csv
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Page, expect

from harness.browser import PHONE, axe_problems, narrow_problems, structure_problems
from harness.ring import House
from harness.server import REPOSITORY, Server, binary

EXAMPLE = REPOSITORY / "Examples/study.json"
STUDY = "reminders-2026"
TITLE = "Do reminders that insist help?"
CONSENT = "Nothing is taken away from your reminders."
WRONG = "This answer is not right. Please read the text once more."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of its own: the others have no study on their pages."""
    own = Server(tmp_path_factory.mktemp("studies") / "data").start()
    yield own
    own.stop()


def researcher(server: Server, name: str) -> tuple[str, str]:
    """Returns the id and the token of a new researcher."""
    made, token = server.command("study", "researcher", STUDY, "--name", name).split()
    return made, token


def research(server: Server, path: str, token: str) -> requests.Response:
    return requests.get(
        f"{server.base}{path}", headers={"Authorization": f"Bearer {token}"}, timeout=60)


def become_eligible(house: House) -> None:
    """Enters a date of birth and a medicine."""
    address = f"Patient/{house.api.patient}"
    person = house.api.fhir("GET", address).json()
    person["birthDate"] = "1961-04-02"
    assert house.api.fhir("PUT", address, person).status_code == 200
    house.api.add_plan({"repeat": {"timeOfDay": ["08:00:00"]}}, name="Unmistakablol")


def minutes(page: Page) -> list[str]:
    """Returns the minutes of the person's reminders, as their page shows them."""
    page.goto("/reminders")
    fields = page.locator('main input[name^="minutes"]')
    assert fields.count() > 0
    return [one.input_value() for one in fields.all()]


def test_a_person_joins_sees_what_is_shared_and_leaves_without_a_trace(
    house: House, tmp_path: Path
) -> None:
    server = house.server
    assert server.command("study", "load", str(EXAMPLE)) == f"{STUDY} version 1\n"
    become_eligible(house)
    _, token = researcher(server, "Dr. Example")
    usual = minutes(house.open("/", size=PHONE))

    # Read the consent, and answer a question about it wrongly.
    page = house.open("/studies", size=PHONE)
    page.get_by_role("link", name=TITLE).click()
    expect(page.get_by_text("It lasts 84 days.")).to_be_visible()
    expect(page.get_by_text("It asks you to answer questionnaires on 3 days.")).to_be_visible()
    page.get_by_role("link", name="Read more and join").click()
    expect(page.get_by_text(CONSENT)).to_be_visible()
    assert axe_problems(page) == [] and structure_problems(page) == []
    assert narrow_problems(page, PHONE) == []
    page.get_by_role("group", name="Do you carry your phone").get_by_label("Yes").check()
    page.get_by_label("No, only after twelve weeks").check()
    page.get_by_label("Sign with your full name").fill("Ann Example")
    page.get_by_role("button", name="Sign and join").click()
    # The text to read again is on the same page, and nothing that was typed is lost.
    expect(page.get_by_role("link", name=WRONG)).to_be_visible()
    expect(page.get_by_text(CONSENT)).to_be_visible()
    expect(page.get_by_label("Sign with your full name")).to_have_value("Ann Example")
    assert research(server, "/api/v1/research/counts", token).json()["allocated"] == "0"
    page.get_by_label("Yes, without giving a reason").check()
    page.get_by_role("button", name="Sign and join").click()
    expect(page.get_by_text("You are taking part. Thank you.")).to_be_visible()

    # What is shared, what the group adds, and a copy of the consent.
    row = page.get_by_role("row", name="Each answer, with its time")
    expect(row.get_by_role("cell")).to_have_text("Yes, since you joined")
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    insists = page.get_by_text("Your group: Reminders that insist").count() == 1
    assert insists == (page.get_by_text("Another notification after 15 minutes").count() == 1)
    assert insists == (page.get_by_text("An e-mail after 45 minutes").count() == 1)
    copy = page.request.get(f"{server.base}/studies/{STUDY}/consent.pdf")
    assert copy.headers["content-type"] == "application/pdf" and copy.body().startswith(b"%PDF")
    page.goto("/questionnaires")
    asked = page.get_by_text(f"asked for by {TITLE}")
    expect(asked).to_have_count(2)
    assert ("15" in minutes(page)) == insists
    page.goto("/")
    expect(page.get_by_role("link", name="How you take your medicines")).to_be_visible()

    # A researcher's token opens counts and files of the study, and nothing else.
    counts = research(server, "/api/v1/research/counts", token)
    assert counts.status_code == 200 and counts.json()["taking"] == "<5"
    file = research(server, "/api/v1/research/files/participants.csv", token)
    [participant] = csv.DictReader(file.text.splitlines())
    assert participant["arm"] == "" and participant["withdrew"] == "0"
    assert research(server, "/api/v1/research/files/names.csv", token).status_code == 404
    assert research(server, "/api/v1/me", token).status_code == 401
    assert research(server, f"/fhir/Patient/{house.api.patient}", token).status_code == 401
    assert house.api.get("/api/v1/research/counts").status_code == 403
    page.goto(f"/studies/{STUDY}")
    expect(page.get_by_text(": Dr. Example")).to_be_visible()

    # Leaving with everything.
    page.get_by_label("Leave all of my data out").check()
    page.get_by_role("button", name="Stop taking part").click()
    expect(page.get_by_text("You are no longer taking part.")).to_be_visible()
    expect(row.get_by_role("cell")).to_have_text("No longer")
    page.goto("/questionnaires")
    expect(asked).to_have_count(0)
    assert minutes(page) == usual
    folder = tmp_path / "export"
    server.command("study", "export", STUDY, "--to", str(folder))
    for one in folder.iterdir():
        text = one.read_text()
        for trace in (participant["participant"], house.api.patient, "Ann Example", "Unmistakablol"):
            assert trace not in text, f"{one.name} contains {trace}"
    assert len((folder / "participants.csv").read_text().splitlines()) == 1


def test_a_token_ends_and_a_file_with_faults_is_refused(server: Server, tmp_path: Path) -> None:
    study = json.loads(EXAMPLE.read_text())
    study["id"], faulty = "token-2026", tmp_path / "study.json"
    faulty.write_text(json.dumps(study))
    server.command("study", "load", str(faulty))
    made, token = server.command("study", "researcher", "token-2026", "--name", "Eve").split()
    assert research(server, "/api/v1/research/counts", token).status_code == 200
    server.command("study", "revoke", "token-2026", "--researcher", made)
    assert research(server, "/api/v1/research/counts", token).status_code == 401

    del study["consent"]["withdrawal"]
    study["questionnaires"] = [{"id": "phq-9", "days": [0]}]
    faulty.write_text(json.dumps(study, indent=2))
    lines = faulty.read_text().splitlines()
    number = next(n for n, line in enumerate(lines, 1) if "phq-9" in line)
    for command in ("check", "load"):
        place = [] if command == "check" else ["--data", str(server.data)]
        refused = subprocess.run(
            [str(binary()), "study", command, str(faulty), *place],
            capture_output=True, text=True, timeout=60, check=False)
        assert refused.returncode == 1
        assert ", consent.withdrawal: withdrawal: " in refused.stdout
        assert f"line {number}, questionnaires[0].id: value: " in refused.stdout
    faulty.write_text("not a study")
    garbage = subprocess.run(
        [str(binary()), "study", "check", str(faulty)],
        capture_output=True, text=True, timeout=60, check=False)
    assert garbage.returncode == 1 and re.search(r"line 1, the file: json: ", garbage.stdout)
