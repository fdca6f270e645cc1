# SPDX-License-Identifier: Apache-2.0
"""Prescriptions come from hospitals and answers go back, despite kills, outages and bad servers."""
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from harness.api import Api
from harness.browser import (
    PHONE, Listener, axe_problems, narrow_problems, new_context, screenshot, structure_problems,
)
from harness.forms import fill, follow, form_with, submit, take
from harness.forms import press as press_answer
from harness.hospital import Hospital, order, prescription
from harness.ringing import eventually
from harness.server import Server
from harness.session import Session

EMAIL = "ann@example.org"


@pytest.fixture
def hospital() -> Iterator[Hospital]:
    made = Hospital(token="let-me-in", packs=True)
    yield made
    made.close()


def household(server: Server) -> tuple[Session, Api]:
    """A person with the birth date of the hospital's patient, signed in, with a token."""
    session = Session.by_invitation(server, EMAIL)
    api = server.api(server.create_token(EMAIL))
    return session, api


def connect(session: Session, base: str, **more: str) -> str:
    """Connects a hospital and chooses the person there; returns the page of the connection."""
    response = session.request(
        "POST", "/hospitals", data=session.form("/hospitals/new", names=("address",)).fields
        | {"address": base, "name": "City"} | more)
    assert response.status_code == 303, response.text[-3000:]
    place = response.headers["Location"].removesuffix("/person")
    choose(session, place)
    return place


def choose(session: Session, place: str, name: str = "Ann Example", born: str = "1948-07-02") -> None:
    form = session.form(f"{place}/person", names=("name", "birth-date")).fields
    found = session.request(
        "POST", f"{place}/person", data=form | {"name": name, "birth-date": born})
    assert found.status_code == 200, found.text[-3000:]
    assert 'name="person"' in found.text
    person = found.text.split('name="person" value="')[1].split('"')[0] if (
        'name="person" value="' in found.text
    ) else "p1"
    chosen = session.request("POST", f"{place}/person", data=form | {"person": person})
    assert chosen.status_code == 303, chosen.text[-3000:]


def press(session: Session, place: str, action: str, **fields: str) -> None:
    token = session.form(place, action=place).fields
    keep = {n: v for n, v in token.items() if n not in ("do", "rule", "writes")}
    response = session.request("POST", place, data=keep | {"do": action} | fields)
    assert response.status_code == 303, response.text[-2000:]


def proposals(api: Api) -> list[dict[str, Any]]:
    return api.ok("/api/v1/proposals", patient=api.patient)["proposals"]


def accept_all(api: Api) -> None:
    for proposal in proposals(api):
        answer = api.post(
            f"/api/v1/proposals/{proposal['id']}/accept", {"patient": api.patient})
        assert answer.status_code == 200, answer.text


def allowed(*hospitals: Hospital) -> dict[str, str]:
    return {"REGIMEN_OUTBOUND_HOSTS": ",".join(h.host for h in hospitals)}


def test_there_and_back(hospital: Hospital, own_server: Callable[..., Server]) -> None:
    """Fetches, accepts, answers and delivers, despite kills and a hospital that misbehaves in every way."""
    server = own_server(environment=allowed(hospital)).start()
    session, api = household(server)
    for number in range(1, 8):
        hospital.put(prescription(str(number), f"Medicine {number}", ("09:45:00",)))
    hospital.page = 3
    place = connect(session, hospital.base, access="token", token="let-me-in")
    eventually(lambda: len(proposals(api)) == 7)
    assert "let-me-in" not in session.get(place).text

    # Invalid resources are refused, and the last good state stays.
    foreign = prescription("99", "Not yours", patient="p9")
    link = {"resourceType": "Bundle", "link": [{"relation": "next", "url": "https://evil.example/"}]}
    for body, words in [
        ({"resourceType": "Bundle", "entry": [{"resource": foreign}]}, "another person"),
        (link, "another server"), (b"{broken", "couldn’t read"),
        ({"resourceType": "Bundle", "entry": 7}, "didn’t ask for"),
    ]:
        hospital.once("MedicationRequest", 200, body)
        press(session, place, "fetch")
        eventually(lambda: words in session.get(place).text)
        assert "What came before stays" in session.get(place).text
        assert len(proposals(api)) == 7
    for status, headers, words in [
        (429, {"Retry_After": "3600"}, "busy"), (500, {}, "has a problem"),
        (302, {"Location": "https://evil.example/"}, "elsewhere"),
    ]:
        hospital.once("MedicationRequest", status, {}, **headers)
        press(session, place, "fetch")
        eventually(lambda: words in session.get(place).text)
    assert "evil.example" not in "\n".join(server.log)
    assert "Medicine 1" not in "\n".join(server.log)
    press(session, place, "fetch")
    eventually(lambda: "Up to date" in session.get(place).text)

    accept_all(api)
    press(session, place, "writing", writes="yes")
    doses = [d for d in api.doses() if d["state"] in ("due", "scheduled")]
    first = {d["plan"]: d for d in reversed(doses)}
    assert len(first) == 7
    # Answers while the hospital is down, and while our server is killed right after.
    hospital.down = True
    for index, dose in enumerate(first.values()):
        said = {"action": "taken", "confirm": True} if index % 2 else {"action": "skipped", "reason": "Dizzy"}
        answer = api.answer(dose["id"], **said)
        assert answer.status_code == 200, answer.text
        if index in (2, 5):
            server.kill()
            hospital.down = index == 2
            server.start()
            api.base = server.base
    hospital.down = False
    eventually(lambda: len(hospital.administrations()) == 7)
    eventually(lambda: "Sent: 7. Waiting: 0" in session.get(place).text)
    told = hospital.administrations()
    assert sorted(a["status"] for a in told) == ["completed"] * 3 + ["not-done"] * 4
    assert len({a["request"]["reference"] for a in told}) == 7
    assert all(a["subject"]["reference"] == "Patient/p1" for a in told)
    assert {a["statusReason"][0]["text"] for a in told if a["status"] == "not-done"} == {"Dizzy"}

    # A correction changes the record there; a refusal is shown with the hospital's text.
    dose = api.dose(next(iter(first.values()))["id"])
    hospital.once("MedicationAdministration/", 422, {
        "resourceType": "OperationOutcome",
        "issue": [{"severity": "error", "code": "invalid", "diagnostics": "The order is closed"}]})
    corrected = api.answer(dose["id"], "taken", corrects=dose["version"], confirm=True)
    assert corrected.status_code == 200, corrected.text
    eventually(lambda: "The order is closed" in session.get(place).text)
    press(session, place, "again")
    eventually(lambda: "Sent: 7. Waiting: 0" in session.get(place).text)
    assert sorted(a["status"] for a in hospital.administrations()) == (
        ["completed"] * 4 + ["not-done"] * 3)

    # Most prescriptions are gone at once: nothing is proposed before the person confirms it.
    hospital.lists_deletions = True
    press(session, place, "fetch")
    eventually(lambda: hospital.asked("GET", "metadata") and "Up to date" in session.get(place).text)
    press(session, place, "fetch")
    eventually(lambda: hospital.asked("GET", "MedicationRequest/_history"))
    for number in range(1, 5):
        hospital.delete(f"MedicationRequest/{number}")
    press(session, place, "fetch")
    eventually(lambda: "4 prescriptions are gone at the hospital" in session.get(place).text)
    assert proposals(api) == []
    press(session, place, "missing")
    eventually(lambda: [p["kind"] for p in proposals(api)] == ["stopped"] * 4)
    assert "no longer has 4 prescriptions" in session.get(place).text
    assert all(p["status"] == "active" for p in api.pages("MedicationRequest"))

    # Another server at the address, then an expired token: both are reported, and nothing is lost.
    hospital.name = "Somebody Else"
    press(session, place, "fetch")
    eventually(lambda: "until you confirm that it’s right" in session.get(place).text)
    hospital.name = "City Hospital"
    press(session, place, "accept")
    eventually(lambda: "Up to date" in session.get(place).text)
    hospital.token = "another"
    press(session, place, "fetch")
    eventually(lambda: "Your access has expired" in session.get(place).text)
    press(session, place, "token", token="another")
    eventually(lambda: "Up to date" in session.get(place).text)
    press(session, place, "remove")
    assert session.get(place).status_code == 404
    assert len(api.administrations()) == 7


def test_signing_in_there(own_server: Callable[..., Server]) -> None:
    """SMART standalone launch with PKCE, and the token is renewed when the server forgets it."""
    hospital = Hospital(token="nobody-has-this")
    hospital.signs_in = True
    server = own_server(environment=allowed(hospital)).start()
    session, api = household(server)
    hospital.put(prescription("1"))
    fields = session.form("/hospitals/new", names=("address",)).fields
    response = session.request("POST", "/hospitals", data=fields | {
        "address": hospital.base, "access": "smart", "client": "regimen"})
    assert response.status_code == 303, response.text[-2000:]
    place = response.headers["Location"]
    away = session.get(f"{place}/sign-in")
    assert away.status_code == 303
    there = session.own.get(away.headers["Location"], allow_redirects=False)
    back = there.headers["Location"].removeprefix(server.base)
    # It doesn't work in another browser or a second time.
    other = Session(server)
    assert other.get(back).status_code in (303, 404)
    done = session.get(back)
    assert done.status_code == 303 and done.headers["Location"].endswith(place)
    assert session.get(back).status_code == 404
    eventually(lambda: len(proposals(api)) == 1)
    hospital.token = "forgotten"
    press(session, place, "fetch")
    eventually(lambda: hospital.refreshes == 1)
    eventually(lambda: "Up to date" in session.get(place).text)
    hospital.close()


def test_an_old_server(own_server: Callable[..., Server]) -> None:
    """DSTU2 is read and written in its own form."""
    hospital = Hospital(version="1.0.2")
    server = own_server(environment=allowed(hospital)).start()
    session, api = household(server)
    hospital.put(order("5", "Metoprolol 50 mg"))
    place = connect(session, hospital.base, access="open")
    eventually(lambda: len(proposals(api)) == 1)
    accept_all(api)
    press(session, place, "writing", writes="yes")
    dose = next(d for d in api.doses() if d["state"] in ("due", "scheduled"))
    assert api.answer(dose["id"], "refused", reason="Sick").status_code == 200
    eventually(lambda: len(hospital.administrations()) == 1)
    told = hospital.administrations()[0]
    assert told["wasNotGiven"] is True and told["prescription"]["reference"] == "MedicationOrder/5"
    assert told["patient"]["reference"] == "Patient/p1" and "effectiveTimeDateTime" in told
    hospital.close()


def test_two_regimens(own_server: Callable[..., Server]) -> None:
    """One server prescribes, the other answers; killing either at any moment loses and duplicates nothing."""
    clinic = own_server().start()
    port = clinic.port
    Session.by_invitation(clinic, EMAIL)
    there = clinic.api(clinic.create_token(EMAIL))
    home = own_server(environment={"REGIMEN_OUTBOUND_HOSTS": f"127.0.0.1:{port}"}).start()
    session, api = household(home)
    for minute in range(4):
        there.add_plan(
            {"repeat": {"timeOfDay": ["09:55:00"]}}, name=f"Tablet {minute}", intent="order")
    fields = session.form("/hospitals/new", names=("address",)).fields
    response = session.request("POST", "/hospitals", data=fields | {
        "address": f"{clinic.base}/fhir", "access": "token", "token": there.token or ""})
    assert response.status_code == 303, response.text[-2000:]
    place = response.headers["Location"].removesuffix("/person")
    form = session.form(f"{place}/person", names=("name", "birth-date")).fields
    chosen = session.request("POST", f"{place}/person", data=form | {"person": there.patient})
    assert chosen.status_code == 303, chosen.text[-2000:]
    eventually(lambda: len(proposals(api)) == 4)
    accept_all(api)
    press(session, place, "writing", writes="yes")
    doses = {d["plan"]: d for d in api.doses() if d["state"] in ("due", "scheduled")}

    for number, dose in enumerate(doses.values()):
        # The clinic is down, or either side is killed while the answer is sent.
        if number == 1:
            clinic.kill()
        assert api.answer(dose["id"], "taken", confirm=True).status_code == 200
        if number in (0, 2):
            home.kill()
            home.start()
            api.base = home.base
        if number == 1:
            restart_on(clinic, port)
            there.base = clinic.base

    def told() -> list[dict[str, Any]]:
        return there.administrations()

    eventually(lambda: len(told()) == len(doses))
    eventually(lambda: f"Sent: {len(doses)}. Waiting: 0" in session.get(place).text)
    assert len(told()) == len(doses)
    plans = {p["id"] for p in there.pages("MedicationRequest")}
    assert {a["request"]["reference"].split("/")[1] for a in told()} == plans
    # An undo at home is also an undo at the clinic.
    last = list(doses.values())[-1]
    assert api.answer(last["id"], "undo").status_code == 200
    eventually(lambda: len(told()) == len(doses) - 1)

    # A prescription that the clinic deletes goes on at home until the person decides.
    extra = there.add_plan({"repeat": {"timeOfDay": ["09:55:00"]}}, name="Tablet 9", intent="order")
    press(session, place, "fetch")
    eventually(lambda: [p["kind"] for p in proposals(api)] == ["new"])
    accept_all(api)
    assert there.fhir("DELETE", f"MedicationRequest/{extra['id']}").status_code == 204
    press(session, place, "fetch")
    eventually(lambda: [p["kind"] for p in proposals(api)] == ["stopped"])
    assert "no longer has 1 prescription" in session.get(place).text
    assert "The hospital no longer has this prescription" in session.get("/").text
    accept_all(api)
    ended = {p["medicationCodeableConcept"]["text"]: p for p in api.pages("MedicationRequest")}
    assert ended["Tablet 9"]["status"] == "stopped"
    assert ended["Tablet 9"]["statusReason"]["text"] == "The hospital no longer has this prescription."
    assert ended["Tablet 1"]["status"] == "active"


def restart_on(server: Server, port: int) -> None:
    """Restarts it at the same address."""
    server.wanted_port = port
    deadline = time.monotonic() + 30
    while True:
        try:
            server.start()
            break
        except AssertionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
    assert server.port == port


@pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "no-javascript"])
def test_in_the_browser(
    browser: Browser, own_server: Callable[..., Server], hospital: Hospital, javascript: bool
) -> None:
    """Connects, chooses, accepts, answers, and sees that it reached the hospital, in English and Thai."""
    hospital.token = None
    hospital.put(prescription("1", "Bisoprolol 2.5 mg", ("09:45:00",)))
    hospital.put({
        "resourceType": "Patient", "id": "p2", "birthDate": "1948-07-02",
        "identifier": [{"system": "urn:example:mrn", "value": "4712"}],
        "name": [{"family": "Example", "given": ["Ann", "Maria"]}],
    })
    server = own_server(environment=allowed(hospital)).start()
    session, api = household(server)
    [cookie] = [c for c in session.own.cookies if c.name == "regimen"]
    context = new_context(browser, server.base, size=PHONE, java_script_enabled=javascript)
    context.add_cookies([{"name": cookie.name, "value": cookie.value or "", "url": server.base}])
    page, listener, found = context.new_page(), Listener(), []
    listener.attach(page)

    def look(name: str) -> None:
        if not javascript:
            return
        address = page.url
        for language in ("th", "en"):
            context.add_cookies(
                [{"name": "regimen-language", "value": language, "url": server.base}])
            page.goto(address)
            page.emulate_media(color_scheme="dark" if language == "th" else "light")
            screenshot(page, f"hospitals-{language}", name)
            problems = structure_problems(page) + axe_problems(page) + narrow_problems(page, PHONE)
            found.extend(f"{name} {language}: {problem}" for problem in listener.take() + problems)
        listener.take()

    page.goto("/medicines")
    follow(page.locator('main a[href="/hospitals"]').first)
    look("none")
    follow(page.locator('main a[href="/hospitals/new"]').first)
    look("connect")
    form = form_with(page, "address")
    fill(form, address="ftp://nowhere")
    submit(form)
    assert "begins with https://" in page.locator("main").inner_text()
    form = form_with(page, "address")
    fill(form, address=hospital.base, name="City Hospital", access="open")
    submit(form)
    look("person")
    fill(form_with(page, "birth-date"), name="Ann Example", birth_date="1948-07-02")
    submit(form_with(page, "birth-date"))
    assert "2 people were found" in page.locator("main").inner_text()
    form = form_with(page, "person")
    fill(form, person="p1")
    submit(form)
    place = page.url
    eventually(lambda: page.goto(place) and "Up to date" in page.locator("main").inner_text())
    follow(page.locator('main a[href="/#proposals"]'))
    press_answer(page, "accept")
    page.goto(place)
    form = form_with(page, "writes")
    fill(form, writes="yes")
    follow(form.locator('button[name="do"]'))
    look("writing")
    dose = next(d for d in api.doses() if d["state"] in ("due", "scheduled"))
    page.goto(f"/doses/{dose['id']}")
    take(page)
    eventually(lambda: page.goto(place) and (
        "Sent: 1. Waiting: 0. Refused: 0." in page.locator("main").inner_text()))
    look("reached")
    page.goto("/hospitals")
    look("list")
    assert [a["status"] for a in hospital.administrations()] == ["completed"]
    context.close()
    assert not found, "\n".join(found)
