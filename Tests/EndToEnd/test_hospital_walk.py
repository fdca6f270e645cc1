# SPDX-License-Identifier: Apache-2.0
"""The walk of docs/connect-a-hospital.md: a second Regimen is the hospital, and people sign in there."""
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, expect

from harness.browser import PHONE, new_context
from harness.forms import fill, follow, form_with, press, submit, take
from harness.ringing import eventually
from harness.server import PASSWORD, Server
from harness.session import Session

EMAIL = "ann@example.org"
SCOPES = "openid fhirUser launch/patient offline_access patient/*.rs patient/MedicationAdministration.cruds"


def text(page: Page) -> str:
    return page.locator("main").inner_text()


def reads(page: Page, place: str, words: str) -> None:
    """Waits until the page of the connection says so."""
    eventually(lambda: page.goto(place) and words in text(page))


def decide(page: Page, hospital: str, answer: str) -> None:
    """Answers the hospital's question about this app, which leads back."""
    assert page.url.startswith(f"{hospital}/oauth/consent"), page.url
    expect(page.get_by_role("heading", name="Connect Regimen at home?")).to_be_visible()
    follow(page.get_by_role("button", name=answer, exact=True))


def test_a_person_signs_in_at_a_second_regimen(
    browser: Browser, own_server: Callable[..., Server]
) -> None:
    """Connects by pages only, accepts, answers, and ends the connection first there and then here."""
    clinic = own_server().start()
    # A browser sends the cookies of a host to all its ports, so the two servers have different names.
    hospital = f"http://localhost:{clinic.port}"
    Session.by_invitation(clinic, EMAIL)
    records = clinic.api(clinic.create_token(EMAIL))
    records.add_plan({"repeat": {"timeOfDay": ["09:45:00"]}}, name="Bisoprolol 2.5 mg")
    home = own_server(environment={"REGIMEN_OUTBOUND_HOSTS": urlsplit(hospital).netloc}).start()
    client = clinic.command(
        "app", "add", "--name=Regimen at home", f"--redirect={home.base}/hospitals/return",
        f"--scopes={SCOPES}").split()[1]
    session = Session.by_invitation(home, EMAIL)
    api = home.api(home.create_token(EMAIL))
    context = new_context(browser, home.base, size=PHONE, storage_state=session.state)
    page = context.new_page()

    page.goto("/hospitals")
    follow(page.locator('main a[href="/hospitals/new"]').first)
    form = form_with(page, "address")
    fill(form, address=f"{hospital}/fhir", name="City Hospital", access="smart", client=client)
    submit(form)
    place = urlsplit(page.url).path
    follow(page.get_by_role("link", name="Sign in at the hospital"))
    # The hospital asks first who it is, and then what this app may do.
    assert page.url.startswith(f"{hospital}/sign-in"), page.url
    form = form_with(page, "password")
    fill(form, email=EMAIL, password=PASSWORD)
    submit(form)
    decide(page, hospital, "Don’t allow")
    assert urlsplit(page.url).path == place
    assert "Signing in at the hospital didn’t work" in text(page)
    follow(page.get_by_role("link", name="Sign in at the hospital"))
    decide(page, hospital, "Allow")
    assert page.url == home.base + place, page.url

    reads(page, place, "Up to date")
    follow(page.locator('main a[href="/#proposals"]'))
    press(page, "accept")
    page.goto(place)
    form = form_with(page, "writes")
    fill(form, writes="yes")
    follow(form.locator('button[name="do"]'))
    dose = next(d for d in api.doses() if d["state"] in ("due", "scheduled"))
    page.goto(f"/doses/{dose['id']}")
    take(page)
    reads(page, place, "Sent: 1. Waiting: 0. Refused: 0.")
    [told] = records.administrations()
    [plan] = records.pages("MedicationRequest")
    assert told["status"] == "completed"
    assert told["request"]["reference"] == f"MedicationRequest/{plan['id']}"

    # Access that ends at the hospital ends here, and signing in again resumes it.
    page.goto(f"{hospital}/privacy/access-log")
    expect(page.get_by_text("App: Regimen at home").first).to_be_visible()
    page.goto(f"{hospital}/me/apps")
    follow(page.get_by_role("button", name="End access"))
    page.goto(place)
    follow(page.get_by_role("button", name="Update now"))
    reads(page, place, "Your access has expired")
    follow(page.get_by_role("link", name="Sign in at the hospital"))
    decide(page, hospital, "Allow")
    reads(page, place, "Up to date")

    # A connection that ends here ends at the hospital too, and nothing is lost on either side.
    page.goto(f"{hospital}/me/apps")
    expect(page.get_by_role("heading", name="Regimen at home")).to_be_visible()
    page.goto(place)
    page.locator("summary").filter(has_text="Disconnect").click()
    follow(page.get_by_role("button", name="Disconnect"))
    assert "Disconnected" in page.content()
    page.goto(f"{hospital}/me/apps")
    assert page.get_by_role("heading", name="Regimen at home").count() == 0
    assert len(api.administrations()) == len(records.administrations()) == 1
    context.close()
