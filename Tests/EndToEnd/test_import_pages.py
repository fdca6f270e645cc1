# SPDX-License-Identifier: Apache-2.0
"""A hospital's file in Chromium, with and without JavaScript: reviewed, accepted, shown in a chart."""
import json
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect

from harness.api import Api
from harness.browser import (
    PHONE, Listener, axe_problems, narrow_problems, new_context, screenshot, structure_problems,
)
from harness.forms import follow, press, take
from harness.server import Server, ServerError
from harness.session import Session
from harness.sign_up import new_email
from test_import import bundle, lines, request

MEGABYTE = 1024 * 1024


@dataclass
class Person:
    """A new person with a browser session and a token."""

    session: StorageState
    cookie: str
    api: Api

    def window(self, browser: Browser, server: Server, **options: Any) -> BrowserContext:
        context = new_context(browser, server.base, size=PHONE, storage_state=self.session, **options)
        context.set_default_timeout(60_000)  # pages are slow if many tests share a machine
        return context


@pytest.fixture
def person(server: Server) -> Person:
    email = new_email()
    made = Session.by_invitation(server, email)
    return Person(made.state, f"regimen={made.own.cookies['regimen']}", server.api(server.create_token(email)))


def hospital_file(folder: Path) -> str:
    """Returns two prescriptions with reminders, one with text only, a broken one, and a dose given."""
    def times(*clock: str) -> list[dict[str, Any]]:
        return [{
            "text": "as discussed", "timing": {"repeat": {"timeOfDay": list(clock)}},
            "doseAndRate": [{"doseQuantity": {"value": 1, "unit": "tablet"}}],
        }]

    content = bundle(
        request(1, medicationCodeableConcept={"text": "Bisoprolol 2.5 mg"},
                requester={"display": "Dr. Berg"}, dosageInstruction=times("13:30:00", "21:30:00")),
        request(2, medicationCodeableConcept={"text": "Ramipril 5 mg"}, dosageInstruction=times("22:00:00")),
        request(3, medicationCodeableConcept={"text": "Torasemide"},
                dosageInstruction=[{"text": "1-0-1 if the legs swell"}]),
        {"resourceType": "MedicationRequest"},
    )
    content["entry"].append({"resource": {
        "resourceType": "MedicationAdministration", "id": "a1", "status": "completed",
        "medicationCodeableConcept": {"text": "Bisoprolol 2.5 mg"},
        "subject": {"reference": content["entry"][0]["fullUrl"]},
        "request": {"reference": "https://h/fhir/MedicationRequest/r1"},
        "effectiveDateTime": "2025-02-03T08:00:00Z", "performer": [{"actor": {"display": "Nurse Joy"}}],
    }})
    path = folder / "hospital.json"
    path.write_text(json.dumps(content), "utf-8")
    return str(path)


def card(page: Page, name: str) -> str:
    """Returns a selector for the card of a prescription."""
    return f'main .card:has(:text("{name}"))'


@pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "no-javascript"])
def test_a_file_becomes_medicines_and_a_chart(
    browser: Browser, server: Server, person: Person, tmp_path: Path, javascript: bool
) -> None:
    listener, found = Listener(), []
    context = person.window(browser, server, java_script_enabled=javascript)
    page = context.new_page()
    listener.attach(page)

    def look(name: str) -> None:
        if not javascript:
            return
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)
            screenshot(page, f"import-{scheme}-phone", name)
        problems = structure_problems(page) + axe_problems(page) + narrow_problems(page, PHONE)
        found.extend(f"{name}: {problem}" for problem in listener.take() + problems)
        listener.take()

    page.goto("/medicines")
    follow(page.locator('main a[href="/import"]').first)
    page.set_input_files('input[type="file"]', hospital_file(tmp_path))
    look("choose")
    follow(page.locator('main form button:not([type="button"])').last)
    review = page.url
    text = page.locator("main").inner_text()
    assert "3 prescriptions, 1 dose given" in text and "13:30" in text
    assert "1-0-1 if the legs swell" in text and "1 entry couldn’t be read or used" in text
    assert person.api.doses() == [], "nothing is kept by looking"
    look("preview")

    press(page, "accept", within=card(page, "Bisoprolol"))
    assert page.url.startswith(review) and "You already have this." in page.locator("main").inner_text()
    look("one-taken-over")
    page.goto(review)
    press(page, "accept-all")
    names = page.locator("main").inner_text()
    assert all(name in names for name in ("Bisoprolol 2.5 mg", "Ramipril 5 mg", "Torasemide"))
    page.goto("/")
    assert "1-0-1 if the legs swell" in page.locator("main").inner_text()

    dose = person.api.doses()[0]
    page.goto(f"/doses/{dose['id']}")
    take(page)
    medicine = f"/medicines/{dose['plan']}"
    page.goto(medicine)
    expect(page.locator("#chart-sentence")).to_contain_text("1 of 1 doses taken (100%)")
    assert page.locator("svg.chart .chart-block-taken").count() == 1
    page.goto(f"/doses/{dose['id']}?change=yes")
    press(page, "skipped")
    page.goto(medicine)
    expect(page.locator("#chart-sentence")).to_contain_text("0 of 1 doses taken (0%)")
    versions = page.locator("details.versions").first
    versions.locator("summary").click()
    assert "Taken" in versions.inner_text() and "2 versions" in versions.inner_text()
    # A pause is hatched.
    follow(page.locator(f'main a[href="{medicine}/pause"]'))
    follow(page.locator(f'main form[action="{medicine}/pause"] button:not([type="button"])').last)
    assert page.locator("svg.chart .chart-paused").count() == 1
    assert "Paused on 1 day." in page.locator("#chart-sentence").inner_text()
    look("medicine")
    page.goto(f"{medicine}?by=month")
    look("medicine-months")
    context.close()
    assert not found, "\n".join(found)


def test_an_open_page_shows_what_comes_and_what_was_decided(
    browser: Browser, server: Server, person: Person
) -> None:
    api, listener = person.api, Listener()
    context = person.window(browser, server)
    page = context.new_page()
    listener.attach(page)
    with page.expect_response("**/api/v1/events*"):
        page.goto("/")
    page.evaluate("window.stays = true")
    sent = api.request(
        "POST", "/api/v1/imports?name=clinic", data=json.dumps(bundle(request(1))),
        headers={"Content-Type": "application/fhir+json"})
    assert sent.status_code == 200 and sent.json()["prescriptions"]["proposed"] == 1
    section = page.locator("#proposals")
    expect(page.locator("main")).to_contain_text("Medicine 1")
    proposal = api.ok("/api/v1/proposals")["proposals"][0]
    screenshot(page, "import-light-phone", "today-proposal")
    page.emulate_media(color_scheme="dark")
    screenshot(page, "import-dark-phone", "today-proposal")
    accepted = api.request("POST", f"/api/v1/proposals/{proposal['id']}/accept", json={})
    assert accepted.status_code == 200
    expect(page.locator(f'form[action="/proposals/{proposal["id"]}"]')).to_have_count(0)
    assert section.count() == 0 and page.evaluate("window.stays"), "the page was not loaded anew"
    page.goto("/medicines")
    assert "Medicine 1" in page.locator("main").inner_text()
    assert listener.take() == []
    context.close()


def test_a_file_that_is_too_large_is_refused_unread(server: Server, person: Person) -> None:
    """The file is refused by its declared length, before a byte of it is read."""
    host = server.base.removeprefix("http://")
    for path, kind in [
        ("/import", "multipart/form-data; boundary=B"), ("/api/v1/imports", "application/fhir+json"),
    ]:
        with socket.create_connection(tuple(host.split(":")), timeout=20) as line:
            line.sendall(
                f"POST {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {person.cookie}\r\n"
                f"Origin: {server.base}\r\nContent-Type: {kind}\r\nContent-Length: {60 * MEGABYTE}\r\n\r\n"
                .encode())
            answer = line.recv(64 * 1024).decode(errors="replace")
        assert answer.startswith("HTTP/1.1 413 "), (path, answer[:200])


@pytest.mark.parametrize("running", [False, True], ids=["lock", "socket"])
def test_the_command_refuses_what_is_larger_than_it_takes(
    own_server: Callable[..., Server], tmp_path: Path, running: bool
) -> None:
    server = own_server()
    server.invite("ann@example.org")
    if running:
        server.start()
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(2048 * MEGABYTE)  # takes no disk space
    with pytest.raises(ServerError, match="ended with 1") as failure:
        server.command("import", str(path))
    assert "at most 1024 MB" in str(failure.value)
    small = tmp_path / "small.json"
    small.write_text(json.dumps(bundle(request(1))), "utf-8")
    assert lines(server.command("import", str(small)))[-1]["prescriptions"]["proposed"] == 1
