# SPDX-License-Identifier: Apache-2.0
"""Three browsers at once: a patient, her doctor and her daughter, from a prescription to a changed one."""
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from harness.browser import PHONE
from harness.forms import fill, follow, form_with, press, submit, take
from harness.ringing import eventually
from harness.server import Server
from test_chat import log, write
from test_people import sign_up

BIRTH_DATE = "1948-07-16"


def share(owner: Page, other: Page, relationship: str) -> None:
    """The owner invites, the other accepts, the owner confirms: everything is shared."""
    owner.goto("/people/share")
    form = form_with(owner, "relationship")
    fill(form, relationship=relationship, category="medicines adherence heart-rate messages")
    submit(form)
    offer = owner.url
    other.goto(urlsplit(owner.locator("main p.break-anywhere").inner_text()).path)
    press(other, "accept")
    owner.goto(offer)
    press(owner, "confirm")
    assert "done=confirmed" in owner.url


def prescribe(doctor: Page, amount: str, **times: str) -> None:
    """Fills in the form on the page and posts it."""
    form = form_with(doctor, "patient-name")
    fill(form, name="Betalol", form="tablet", dose_value=amount, schedule="times", patient_name="Ann Careful",
         patient_birth_date=BIRTH_DATE)
    for number, time in enumerate(times.values()):
        form.locator('[name="time"]').nth(number).fill(time)
    submit(form)
    assert "done=sent" in doctor.url, doctor.locator("main").inner_text()


@pytest.mark.long
def test_a_prescription_is_refused_talked_about_changed_and_taken(browser: Browser, server: Server) -> None:
    ours, ann, ann_email = sign_up(browser, server, size=PHONE)
    theirs, doctor, doctor_email = sign_up(browser, server)
    hers, bea, _ = sign_up(browser, server, size=PHONE)
    server.ask("account practitioner", email=doctor_email, end=False)
    api = server.api(server.create_token(ann_email))
    ann.goto("/me/account")
    form = form_with(ann, "given-name")
    fill(form, given_name="Ann", family_name="Careful")
    submit(form)
    ann.goto("/me/health-profile")
    form = form_with(ann, "birth-date")
    fill(form, birth_date=BIRTH_DATE)
    submit(form)
    share(ann, doctor, "practitioner")
    share(ann, bea, "family")
    # Both agree to be told at once about refused doses.
    ann.goto("/caregiver-messages/rules")
    pages = [link.get_attribute("href") or "" for link in ann.locator('main a[href^="/caregiver-messages/rules/"]').all()]
    assert len(pages) == 2
    for page in pages:
        ann.goto(page)
        form = form_with(ann, "topic-refused")
        fill(form, topic_refused="now")
        submit(form)
    for other in (bea, doctor):
        other.goto("/caregiver-messages")
        follow(other.locator('form[action="/caregiver-messages/told"]:has([value="agree"]) button'))

    # The doctor prescribes; Ann accepts on her open page, and a dose is due soon.
    ann.goto("/")
    doctor.goto("/care")
    doctor.locator("main .desk-link").first.click()
    expect(doctor.locator("h1")).to_have_text("Ann Careful")
    patient = urlsplit(doctor.url).path
    doctor.goto(f"{patient}/prescribe/details")
    now = api.now()
    soon = (now + timedelta(seconds=75)).strftime("%H:%M")
    prescribe(doctor, "1", soon=soon)
    expect(ann.locator("#proposals")).to_contain_text("Betalol")
    press(ann, "accept")
    dose = api.doses()[0]

    # It rings: the open page says so without a reload. She refuses, and her daughter and her doctor are told.
    ann.goto("/")
    expect(ann.locator("#now")).to_contain_text("Betalol", timeout=180_000)
    assert api.answer(dose["id"], "refused", reason="My pulse is 48").status_code == 200
    expect(ann.locator("#now")).to_have_count(0)

    def told(page: Page) -> bool:
        page.goto("/caregiver-messages")
        text = page.locator("main").inner_text()
        return "was refused" in text and "My pulse is 48" in text

    for other in (bea, doctor):
        eventually(lambda other=other: told(other), "what was refused")
    doctor.goto("/care")
    expect(doctor.locator("main .desk-table .chip").first).to_contain_text("refused")

    # They write to each other, live.
    doctor.goto("/chat")
    address = doctor.locator('main a[href^="/chat/"]').first.get_attribute("href") or ""
    for page in (ann, doctor):
        page.goto(address)
    write(doctor, "Then take half of it from tonight on")
    expect(log(ann).last).to_have_text("Then take half of it from tonight on")
    write(ann, "I will")
    expect(log(doctor).last).to_have_text("I will")

    # The prescription is changed and accepted, and its next dose is taken, with the new amount.
    doctor.goto(f"{patient}/prescribe/details?plan={dose['plan']}")
    prescribe(doctor, "0.5", evening=(now + timedelta(hours=3)).strftime("%H:%M"))
    ann.goto("/")
    expect(ann.locator("#proposals")).to_contain_text("Betalol")
    press(ann, "accept")
    following = [d for d in api.doses() if d["state"] in ("scheduled", "due")][0]
    ann.goto(f"/doses/{following['id']}")
    take(ann)
    answered = api.dose(following["id"])
    assert answered["state"] == "taken" and answered["plan"] == dose["plan"]
    for context in (ours, theirs, hers):
        context.close()
