# SPDX-License-Identifier: Apache-2.0
"""A new user's first steps, with and without JavaScript: from the setup code to an answered dose."""
import json
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect

from harness.api import Api
from harness.browser import PHONE, new_context
from harness.forms import fill, follow, form_with, press, submit, take, value
from harness.server import PASSWORD, Server
from harness.sign_up import new_session


@dataclass
class Person:
    """Creates an account with a password and the session that its invitation opened."""

    email: str
    session: StorageState
    token: str


class Visit:
    """Returns a signed-in window, and a client with the same rights."""

    def __init__(self, browser: Browser, server: Server, person: Person, javascript: bool) -> None:
        self.api = server.api(person.token)
        self.email = person.email
        self.context: BrowserContext = new_context(
            browser, server.base, size=PHONE, java_script_enabled=javascript,
            storage_state=person.session,
        )
        self.page: Page = self.context.new_page()

    def new_dose(self) -> str:
        """Returns the id of a dose in half an hour, in a separate plan."""
        plan = self.api.add_plan(self.api.events(30))["id"]
        return self.api.doses(plan=plan)[0]["id"]

    def plans(self, name: str) -> list[str]:
        """Returns the ids of the plans that contain a name."""
        found = self.api.pages("MedicationRequest", _count=100)
        return [plan["id"] for plan in found if name in json.dumps(plan)]

    def intakes(self, plan: str) -> list[dict[str, Any]]:
        """Returns the administrations of a plan."""
        return [
            kept for kept in self.api.administrations()
            if kept.get("request", {}).get("reference", "").endswith(plan)
        ]

    def add_medicine(self, **change: str) -> str:
        """Fills and posts the form of a new medicine; returns its name, which is new each time."""
        self.page.goto("/medicines/new/details")
        form = form_with(self.page, "name", "dose-value")
        form.evaluate("f => f.noValidate = true")
        values = {
            "name": f"Metoprolol {uuid.uuid4().hex[:12]}", "form": "tablet",
            "strength_value": "50", "dose_value": "1", "schedule": "times",
        } | change
        if values["schedule"] in ("times", "weekdays"):
            values.setdefault("time", "08:00")
        fill(form, **values)
        submit(form)
        if self.page.locator("[name=warned]").count():
            # It has the same ingredient as an earlier one: a warning, then it is saved anyway.
            submit(form_with(self.page, "name", "dose-value"))
        return values["name"]


def make_person(server: Server) -> Person:
    """Hashing a password takes seconds, so tests share a person if possible."""
    # Only the session: the language remains a choice of each window.
    session, email = new_session(server)
    return Person(email, session, server.create_token(email))


@pytest.fixture(scope="module")
def person(server: Server) -> Person:
    """A person whose medicines accumulate during the tests: each test uses only its own."""
    return make_person(server)


@pytest.fixture(params=[True, False], ids=["javascript", "no-javascript"])
def visit(
    request: pytest.FixtureRequest, browser: Browser, server: Server, person: Person
) -> Iterator[Visit]:
    made = Visit(browser, server, person, request.param)
    yield made
    made.context.close()


@pytest.fixture(params=[True, False], ids=["javascript", "no-javascript"])
def first_visit(
    request: pytest.FixtureRequest, browser: Browser, server: Server
) -> Iterator[Visit]:
    """A new person, for tests that change the account or its session."""
    made = Visit(browser, server, make_person(server), request.param)
    yield made
    made.context.close()


@pytest.mark.parametrize("zone", ["Europe/Oslo", "Asia/Bangkok"])
def test_the_first_visit_proposes_the_time_zone_of_the_device(
    browser: Browser, own_server: Callable[..., Server], zone: str
) -> None:
    server = own_server().start()
    context = browser.new_context(base_url=server.base, timezone_id=zone)
    page = context.new_page()
    page.goto("/welcome")
    assert value(form_with(page, "email", "password"), "zone") == zone
    context.close()


@pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "no-javascript"])
def test_the_first_visit_makes_the_first_account(
    browser: Browser, own_server: Callable[..., Server], javascript: bool
) -> None:
    server = own_server().start()
    code = server.setup_code()
    context = new_context(browser, server.base, java_script_enabled=javascript)
    page = context.new_page()
    page.goto("/")
    assert page.url.endswith("/welcome")
    form = form_with(page, "email", "password")
    code_field = form.locator("input[name*=code]").get_attribute("name") or ""
    name_field = form.locator("input[name*=name]").first.get_attribute("name") or ""

    def send(setup: str, password: str) -> None:
        form = form_with(page, "email", "password")
        form.evaluate("f => f.noValidate = true")
        fields = {code_field: setup, name_field: "Ann", "email": "ann@example.org", "country": "no"}
        fill(form, **fields, password=password)
        submit(form)

    send("AAAA-BBBB-CCCC", PASSWORD)
    assert page.url.endswith("/welcome"), "a stranger without the code"
    assert value(form_with(page, "email", "password"), "email") == "ann@example.org"
    send(code, "short")
    assert page.url.endswith("/welcome")
    send(code, PASSWORD)
    page.goto("/")
    assert page.locator("h1").count() == 1 and not page.url.endswith("/sign-in")
    page.goto("/welcome")
    assert not page.url.endswith("/welcome"), "there is a first account only once"
    assert server.api(server.create_token("ann@example.org")).patient
    context.close()


def test_from_a_medicine_to_an_answered_dose(visit: Visit) -> None:
    name = visit.add_medicine()
    assert "/medicines" in visit.page.url and "/new" not in visit.page.url
    assert name in visit.page.locator("main").inner_text()
    [plan] = visit.plans(name)
    doses = [d for d in visit.api.doses(plan=plan) if d["state"] == "scheduled"]
    assert doses and all(d["due"][11:16] == "08:00" for d in doses)
    visit.page.goto(f"/doses/{doses[0]['id']}")
    take(visit.page)
    assert visit.api.dose(doses[0]["id"])["state"] == "taken"
    visit.page.goto(f"/doses/{doses[0]['id']}")
    press(visit.page, "undo")
    assert visit.api.dose(doses[0]["id"])["state"] == "scheduled"
    assert visit.intakes(plan) == []


@pytest.mark.parametrize("action", ["skipped", "refused"])
def test_not_taken_with_a_reason(visit: Visit, action: str) -> None:
    dose = visit.new_dose()
    visit.page.goto(f"/doses/{dose}")
    form = visit.page.locator(f'form:has([name="action"][value="{action}"]):has([name="reason"])').first
    reason = form.locator('[name="reason"]')
    if reason.first.get_attribute("type") == "radio":
        reason.first.check(force=True)
    elif reason.first.evaluate("e => e.localName") == "select":
        reason.first.select_option(index=1)
    else:
        reason.first.fill("felt ill")
    named = form.locator(f'button[name="action"][value="{action}"]')
    if named.count():
        follow(named.first)
    else:
        if form.locator(f'input[type=radio][name="action"][value="{action}"]').count():
            fill(form, action=action)
        submit(form)
    kept = visit.api.dose(dose)
    assert kept["state"] == action and kept["answer"]["reason"]


def test_a_page_that_was_open_too_long_shows_what_holds(visit: Visit) -> None:
    dose = visit.new_dose()
    visit.page.goto(f"/doses/{dose}")
    assert visit.api.answer(dose, "skipped", reason="elsewhere").status_code == 200
    press(visit.page, "taken")
    kept = visit.api.dose(dose)
    assert kept["state"] == "skipped" and len(visit.intakes(kept["plan"])) == 1
    assert visit.page.locator("h1").count() == 1


def test_going_back_and_pressing_again_is_one_answer(visit: Visit) -> None:
    dose = visit.new_dose()
    visit.page.goto(f"/doses/{dose}")
    press(visit.page, "taken")
    kept = visit.api.dose(dose)
    visit.page.go_back()
    taken = visit.page.locator('main [name="action"][value="taken"]')
    if taken.count():
        press(visit.page, "taken")
    assert visit.api.dose(dose)["version"] == kept["version"]
    assert len(visit.intakes(kept["plan"])) == 1


BAD_FORMS: dict[str, dict[str, str]] = {
    "no name": {"name": ""},
    "zero dose": {"dose_value": "0"},
    "dose is no number": {"dose_value": "one"},
    "negative dose": {"dose_value": "-1"},
    "end before start": {"start": "2031-03-02", "end": "2031-03-01"},
    "no time": {"time": ""},
    "zero hours": {"schedule": "every-hours", "hours": "0", "first_time": "08:00"},
    "never fires": {"schedule": "weekdays", "weekday": "mon", "start": "2031-03-04", "end": "2031-03-05"},
}


@pytest.mark.parametrize("name", BAD_FORMS)
def test_a_wrong_form_keeps_what_was_typed_and_says_why(visit: Visit, name: str) -> None:
    note = "With a glass of water, ม and ø"
    before = visit.plans("")
    visit.add_medicine(**{"instruction": note, **BAD_FORMS[name]})
    form = form_with(visit.page, "name", "dose-value")
    assert value(form, "instruction") == note
    for field, typed in BAD_FORMS[name].items():
        if field != "dose_value" or typed != "one":  # a number field accepts no letters
            assert value(form, field.replace("_", "-")) == typed
    assert form.locator("[aria-invalid=true]").count() >= 1
    described = form.locator("[aria-invalid=true]").first.get_attribute("aria-describedby")
    assert described and visit.page.locator(f"#{described.split()[-1]}").count() == 1
    assert visit.plans("") == before


def test_certain_weekdays_without_a_day_are_never_every_day(visit: Visit) -> None:
    before = visit.plans("")
    visit.add_medicine(schedule="weekdays")
    assert visit.page.locator("a[href='#field-weekday']").count() == 1
    assert visit.page.locator("#field-weekday-error").is_visible()
    assert visit.plans("") == before


def test_a_weekly_medicine_is_saved_as_daily_only_with_the_word(visit: Visit) -> None:
    name = visit.add_medicine(name=f"Methotrexate 2.5 mg {uuid.uuid4().hex[:8]}", strength_value="2.5")
    assert visit.plans(name) == []
    form = form_with(visit.page, "bar-word")
    fill(form, bar_word="yes")
    submit(form)
    assert visit.plans(name) == [], "another word confirms nothing"
    form = form_with(visit.page, "bar-word")
    assert form.locator("[name=bar-word]").get_attribute("aria-invalid") == "true"
    fill(form, bar_word="more often")
    submit(form)
    if visit.page.locator("[name=warned]").count():
        submit(form_with(visit.page, "name", "dose-value"))
    assert len(visit.plans(name)) == 1


def test_an_edit_keeps_the_identity_of_doses(visit: Visit) -> None:
    name = visit.add_medicine()
    [plan] = visit.plans(name)
    # Whole days, so that the time of day never splits one.
    midnight = visit.api.now().replace(hour=0, minute=0, second=0)
    window = (midnight + timedelta(days=2), midnight + timedelta(days=6))
    before = visit.api.doses(*window, plan=plan)
    visit.page.goto(f"/medicines/{plan}/edit")
    form = form_with(visit.page, "name", "dose-value")
    assert value(form, "name") == name and value(form, "time") == "08:00"
    fill(form, time="09:30")
    submit(form)
    after = visit.api.doses(*window, plan=plan)
    assert [d["due"][11:16] for d in after] == ["09:30"] * 4
    assert [d["id"] for d in after] == [d["id"] for d in before]


def test_a_medicine_is_stopped_only_with_a_reason(visit: Visit) -> None:
    [plan] = visit.plans(visit.add_medicine())
    for reason in ("", "Dry cough"):
        visit.page.goto(f"/medicines/{plan}/stop")
        form = form_with(visit.page, "reason")
        form.evaluate("f => f.noValidate = true")
        if reason:
            fill(form, reason=reason)
        submit(form)
        status = visit.api.ok(f"/fhir/MedicationRequest/{plan}")["status"]
        assert status == ("stopped" if reason else "active")
    assert "Dry cough" in str(visit.api.ok(f"/fhir/MedicationRequest/{plan}")["statusReason"])
    assert all(d["state"] != "scheduled" for d in visit.api.doses(plan=plan))


def test_an_entry_of_something_else(visit: Visit) -> None:
    name = f"Paracetamol {uuid.uuid4().hex[:12]}"
    visit.page.goto("/entry")
    form = form_with(visit.page, "medicine", "outcome")
    fill(form, medicine="other", name=name, amount_value="2", outcome="taken")
    submit(form)
    kept = [
        a["status"] for a in visit.api.administrations()
        if a["medicationCodeableConcept"].get("text") == name
    ]
    assert kept == ["completed"]


def test_own_details_are_kept_and_speak_the_chosen_language(first_visit: Visit) -> None:
    page = first_visit.page
    page.goto("/me/account")
    form = form_with(page, "given-name", "family-name")
    name = {"given_name": "Åse <b>", "family_name": "Öztürk & Søn"}
    fill(form, **name, phone="+47 22 00 00 00")
    submit(form)
    for place, fields in {
        "health-profile": {"birth_date": "1948-07-16"},
        "routine": {"zone": "Europe/Oslo", "breakfast": "07:10"},
        "appearance": {"language": "nb"},
    }.items():
        page.goto("/me")
        follow(page.locator(f'main a[href="/me/{place}"]'))
        form = form_with(page, *(field.replace("_", "-") for field in fields))
        fill(form, **fields)
        submit(form)
    expect(page.locator("html")).to_have_attribute("lang", "nb")
    patient = first_visit.api.ok(f"/fhir/Patient/{first_visit.api.patient}")
    assert patient["name"][0]["family"] == name["family_name"]
    assert patient["name"][0]["given"] == [name["given_name"]]
    assert patient["birthDate"] == "1948-07-16" and "Europe/Oslo" in str(patient)
    page.goto("/details")
    assert page.url.endswith("/me"), "the old address"
    page.goto("/me/routine")
    assert value(form_with(page, "zone"), "breakfast") == "07:10"
    page.goto("/me/account")
    assert value(form_with(page, "given-name"), "given-name") == name["given_name"]
    assert page.locator("main b").count() == 0, "a name is never markup"


def test_signing_out_ends_the_session(first_visit: Visit) -> None:
    first_visit.page.goto("/")
    session = {c["name"]: c["value"] for c in first_visit.context.cookies()}
    follow(first_visit.page.locator('form[action="/sign-out"] button').first)
    assert "/sign-in" in first_visit.page.url
    # This also applies to a client that kept the cookie.
    kept = requests.get(first_visit.api.base + "/", cookies=session, allow_redirects=False, timeout=30)
    assert kept.status_code == 303 and kept.headers["Location"].startswith("/sign-in")


def test_a_form_without_its_token_or_from_elsewhere_does_nothing(
    visit: Visit, server: Server
) -> None:
    dose = visit.new_dose()
    cookies = {c["name"]: c["value"] for c in visit.context.cookies()}
    for headers in ({}, {"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        response = requests.post(
            f"{server.base}/doses/{dose}/answers", data={"action": "taken"}, cookies=cookies,
            headers=headers, allow_redirects=False, timeout=30,
        )
        assert response.status_code == 403, response.status_code
    assert visit.api.dose(dose)["state"] == "scheduled"


@pytest.mark.parametrize("address", ["/", "/medicines", "/medicines/new", "/me", "/me/routine", "/entry"])
def test_a_stranger_is_sent_to_sign_in(server: Server, address: str) -> None:
    response = requests.get(server.base + address, allow_redirects=False, timeout=30)
    assert response.status_code == 303
    assert response.headers["Location"].startswith(("/sign-in", "/welcome"))


@pytest.mark.parametrize(
    "target", ["//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:1"]
)
def test_sign_in_never_leads_elsewhere(server: Server, person: Person, target: str) -> None:
    """Checks it for a stranger, for a redirect, and after the password."""
    address, open_to_all = f"{server.base}/sign-in", {"allow_redirects": False, "timeout": 30}
    page = requests.get(address, params={"next": target}, **open_to_all)
    assert page.status_code == 200 and 'name="next"' not in page.text
    cookies = {c["name"]: c["value"] for c in person.session["cookies"]}
    sent_on = requests.get(address, params={"next": target}, cookies=cookies, **open_to_all)
    form = {"email": person.email, "password": PASSWORD, "next": target}
    signed_in = requests.post(address, data=form, **open_to_all)
    for response in (sent_on, signed_in):
        assert response.status_code == 303 and response.headers["Location"] == "/"


def test_someone_elses_pages_are_not_found(visit: Visit, new_api: Callable[[], Api]) -> None:
    other = new_api()
    plan = other.add_plan(other.events(30))["id"]
    dose = other.doses(plan=plan)[0]["id"]
    for address in (f"/medicines/{plan}", f"/medicines/{plan}/edit", f"/doses/{dose}"):
        response = visit.page.goto(address)
        assert response and response.status == 404, address
