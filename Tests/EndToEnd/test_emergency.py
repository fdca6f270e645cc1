# SPDX-License-Identifier: Apache-2.0
"""A person's health data, and emergency access to it, without scripts."""
import struct
import zlib

from playwright.sync_api import Browser, expect

from harness.browser import (
    PHONE, axe_problems, message_key_pattern, narrow_problems, screenshot, structure_problems,
    text_problems,
)
from harness.forms import fill, form_with, submit, unfolded
from harness.server import PASSWORD, Server
from test_people import sign_up

KEYS = message_key_pattern()


def picture(side: int = 64) -> bytes:
    """Returns a PNG in one colour."""
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x30\x60\xc0" * side) * side)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_a_doctor_opens_a_person_in_an_emergency(browser: Browser, server: Server) -> None:
    ours, ann, ann_email = sign_up(browser, server, size=PHONE, language="th")
    theirs, doctor, doctor_email = sign_up(browser, server, size=PHONE, language="th")
    found: dict[str, list[str]] = {}

    def look(page: object, name: str) -> None:
        found[name] = (
            structure_problems(page) + text_problems(page, "th", KEYS) + narrow_problems(page, PHONE)
            + axe_problems(page)
        )
        screenshot(page, "emergency", name)

    # Ann adds her name, allergies, weight and a photo.
    ann.goto("/me/account")
    form = form_with(ann, "given-name")
    fill(form, given_name="Ann", family_name="Emergency")
    submit(form)
    ann.goto("/me/appearance")
    form = form_with(ann, "language")
    fill(form, language="th")
    submit(form)
    ann.goto("/me/health-profile")
    form = form_with(ann, "birth-date")
    fill(form, birth_date="1948-07-16")
    submit(form)
    form = unfolded(form_with(ann, "allergy"))
    fill(form, allergy="Penicillin")
    submit(form)
    form = unfolded(form_with(ann, "weight"))
    fill(form, weight="62,5")
    submit(form)
    form = unfolded(form_with(ann, "photo"))
    form.locator('[name="photo"]').set_input_files(
        {"name": "me.png", "mimeType": "image/png", "buffer": picture()})
    submit(form)
    face = ann.locator("header img.person-photo")
    expect(face).to_be_visible()
    address = face.get_attribute("src") or ""
    picture_answer = ann.request.get(address)
    assert picture_answer.ok and picture_answer.headers["content-type"] == "image/jpeg"
    assert doctor.request.get(address).status == 404
    look(ann, "health-profile")
    api = server.api(server.create_token(ann_email))
    api.add_plan(api.events(60), name="Unmistakablol")

    # The page does not exist until the operator confirms the doctor.
    assert doctor.goto("/emergency").status == 404  # type: ignore[union-attr]
    server.ask("account practitioner", email=doctor_email, end=False)
    doctor.goto("/emergency")
    look(doctor, "form")
    form = form_with(doctor, "reason")
    fill(form, name="Ann Emergency", birth_date="1948-07-16", reason="Unconscious, brought in by ambulance.",
         password=PASSWORD)
    submit(form)
    assert "/emergency/" in doctor.url, doctor.locator("main").inner_text()
    assert "Penicillin" in doctor.locator("main").inner_text()
    look(doctor, "overview")
    doctor.goto("/medicines")
    text = doctor.locator("main").inner_text()
    assert "Unmistakablol" in text and doctor.locator("main form[action^='/medicines']").count() == 0
    expect(doctor.locator(".notice-error").first).to_be_visible()

    # Ann is told on every page, and can read who and why.
    ann.goto("/")
    ann.locator("a[href='/privacy/emergencies']").first.click()
    assert "Unconscious, brought in by ambulance." in ann.locator("main").inner_text()
    look(ann, "told")

    # The doctor ends it and no longer has access to Ann.
    submit(doctor.locator("form[action$='/end']"))
    doctor.goto("/medicines")
    assert "Unmistakablol" not in doctor.locator("main").inner_text()
    assert {a: f for a, f in found.items() if f} == {}
    ours.close()
    theirs.close()
