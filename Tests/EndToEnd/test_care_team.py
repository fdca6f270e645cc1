# SPDX-License-Identifier: Apache-2.0
"""A doctor and a patient, each in a browser: find, request, prescribe, accept, stop, end."""
import re
from datetime import timedelta
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Route, expect

from harness.browser import (
    PHONE, axe_problems, message_key_pattern, narrow_problems, screenshot, structure_problems,
    text_problems,
)
from harness.forms import fill, follow, form_with, press, submit
from harness.server import Server
from test_people import sign_up

KEYS = message_key_pattern()
BIRTH_DATE = "1948-07-16"


def link(page: Page, ending: str) -> None:
    follow(page.locator(f'main a[href$="{ending}"]').first)


def test_a_doctor_prescribes_and_stops(browser: Browser, server: Server) -> None:
    """The patient without scripts, the doctor's page with live updates."""
    ours, ann, ann_email = sign_up(browser, server, size=PHONE, java_script_enabled=False)
    theirs, doctor, doctor_email = sign_up(browser, server, size=PHONE, language="th")
    server.ask("account practitioner", email=doctor_email, end=False)
    found: dict[str, list[str]] = {}

    def look(name: str) -> None:
        found[name] = (
            structure_problems(doctor) + text_problems(doctor, "th", KEYS)
            + narrow_problems(doctor, PHONE) + axe_problems(doctor)
        )
        screenshot(doctor, "care-team", name)

    # Ann adds her profile; she enters the doctor's code and sends a request.
    ann.goto("/me/account")
    form = form_with(ann, "given-name")
    fill(form, given_name="Ann", family_name="Careful")
    submit(form)
    ann.goto("/me/health-profile")
    form = form_with(ann, "birth-date")
    fill(form, birth_date=BIRTH_DATE)
    submit(form)
    doctor.goto("/care/profile")
    code = doctor.locator("p.fingerprint").inner_text()
    form = form_with(doctor, "specialty")
    fill(form, specialty="Hearts", place="Ward 3", phone="+47 555 0100", illness="fever", listed="yes")
    look("profile")
    submit(form)
    doctor.goto("/doctors")
    expect(doctor.locator("main h2.card-title")).not_to_have_count(0)
    look("directory")
    ann.goto("/doctors")
    form = form_with(ann, "code")
    fill(form, code=code)
    submit(form)
    assert f"/doctors/with/{code}" in ann.url
    submit(form_with(ann, "category"))
    assert "done=asked" in ann.url

    # The doctor accepts and prescribes; the wrong birth date is refused.
    doctor.goto("/care")
    look("request")
    press(doctor, "accept")
    doctor.locator("main .desk-link").first.click()
    expect(doctor.locator("h1")).to_have_text("Ann Careful")
    look("patient")
    patient = urlsplit(doctor.url).path
    link(doctor, "/prescribe")
    look("prescribe")
    doctor.goto(f"{patient}/prescribe?q=Betalol")
    link(doctor, "/prescribe?name=Betalol")
    form = form_with(doctor, "name")
    fill(form, form="tablet")
    submit(form)
    look("prescribe-often")
    follow(doctor.locator("main button[name=often][value=once]"))
    form = form_with(doctor, "dose-value", "time")
    at = (server.api().now() + timedelta(hours=2)).strftime("%H:%M")
    form.locator('[name="time"]').first.fill(at)
    submit(form)
    assert doctor.url.endswith("/check"), doctor.locator("main").inner_text()
    look("prescribe-check")
    form = form_with(doctor, "patient-name")
    fill(form, patient_name="Ann Careful", patient_birth_date="1984-07-16")
    submit(form)
    expect(doctor.locator("#error-summary")).to_be_visible()
    look("wrong-patient")
    form = form_with(doctor, "patient-name")
    fill(form, patient_birth_date=BIRTH_DATE)
    submit(form)
    assert "done=sent" in doctor.url
    look("sent")

    # Ann sees the sender and accepts with one press: the medicine is on Today.
    ann.goto("/")
    card = ann.locator("#proposals")
    expect(card).to_contain_text("Betalol")
    press(ann, "accept")
    expect(ann.locator("main")).to_contain_text("Prescribed by")
    api = server.api(server.create_token(ann_email))
    dose = [d for d in api.doses() if d["state"] == "scheduled"][0]
    plan = dose["plan"]

    # The doctor's page has live updates: the open item is gone without a reload.
    doctor.goto("/care")
    look("panel")
    doctor.goto(patient)
    link(doctor, f"/plans/{plan}/end")
    form = form_with(doctor, "reason")
    fill(form, way="stop", reason="Too slow a pulse", patient_name="careful ann",
         patient_birth_date=BIRTH_DATE)
    look("end")
    submit(form)
    assert "done=stopped" in doctor.url
    assert api.dose(dose["id"])["state"] == "cancelled"
    ann.goto("/")
    expect(ann.locator("#proposals")).to_contain_text("Too slow a pulse")
    press(ann, "seen")

    # Interactions are shown before sending and confirmed by a tick; Ann reads them above the button that
    # accepts.
    api.add_plan({"repeat": {"timeOfDay": ["07:00:00"]}}, name="Warfarin")
    doctor.goto(f"{patient}/prescribe/details")
    form = form_with(doctor, "patient-name")
    fill(form, name="Ibuprofen", form="tablet", dose_value="1", schedule="times",
         patient_name="Ann Careful", patient_birth_date=BIRTH_DATE)
    form.locator('[name="time"]').first.fill(at)
    submit(form)
    expect(doctor.locator("#interactions-title")).to_be_visible()
    expect(doctor.locator("main")).to_contain_text("Warfarin กับ Ibuprofen")
    look("findings")
    submit(form_with(doctor, "patient-name"))
    expect(doctor.locator("#error-summary")).to_be_visible()
    look("unconfirmed")
    form = form_with(doctor, "patient-name")
    form.locator("[name=findings-confirmed]").check(force=True)
    submit(form)
    assert "done=sent" in doctor.url
    ann.goto("/")
    card = ann.locator("#proposals")
    expect(card).to_contain_text("Severe: Warfarin with Ibuprofen")
    expect(card).to_contain_text("read this warning")
    press(ann, "decline")

    # Ann ends it: the doctor no longer finds her.
    account = server.api(server.create_token(doctor_email)).ok("/api/v1/me")["account"]["id"]
    ann.goto(f"/people/access/{account}")
    press(ann, "end")
    assert "done=ended" in ann.url
    assert doctor.goto(patient).status == 404  # type: ignore[union-attr]
    doctor.goto("/care")
    expect(doctor.locator("main")).not_to_contain_text("Ann Careful")
    ours.close()
    theirs.close()
    assert {name: list_ for name, list_ in found.items() if list_} == {}


def test_the_panel_follows_what_happens(browser: Browser, server: Server) -> None:
    """A refused dose appears on the doctor's page without a reload."""
    ours, ann, ann_email = sign_up(browser, server, java_script_enabled=False)
    theirs, doctor, doctor_email = sign_up(browser, server)
    ann.goto("/people/share")
    form = form_with(ann, "relationship")
    fill(form, relationship="practitioner")
    submit(form)
    offer = ann.url
    doctor.goto(urlsplit(ann.locator("main p.break-anywhere").inner_text()).path)
    press(doctor, "accept")
    ann.goto(offer)
    press(ann, "confirm")
    api = server.api(server.create_token(ann_email))
    plan = api.add_plan(api.events(30, 60), name="Panelol")["id"]
    doctor.goto("/care")
    expect(doctor.locator("main .desk-table")).to_be_visible()
    expect(doctor.locator("main .desk-table .chip")).to_have_count(0)
    first, second = api.doses(plan=plan)[:2]
    assert api.answer(first["id"], "refused").status_code == 200
    expect(doctor.locator("main .desk-table .chip")).to_have_text(re.compile("1 dose refused"))

    # The same for a change after the page is rendered and before it listens.
    def answer_first(route: Route) -> None:
        if not answered:
            answered.append(api.answer(second["id"], "refused").status_code)
        route.continue_()

    answered: list[int] = []
    doctor.route("**/api/v1/events*", answer_first)
    doctor.goto("/care")
    expect(doctor.locator("main .desk-table .chip")).to_have_text(re.compile("2 doses refused"))
    assert answered == [200]
    ours.close()
    theirs.close()
