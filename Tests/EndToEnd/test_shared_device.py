# SPDX-License-Identifier: Apache-2.0
"""Two people share one browser: Ann's offline presses and texts are never sent in Bob's name, nor lost."""
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from harness.api import Api
from harness.browser import (
    LANGUAGES, PHONE, axe_problems, go_offline, message_key_pattern, narrow_problems, new_context,
    reload_controlled, screenshot, text_problems, wait_until,
)
from harness.forms import fill, follow, form_with, press, submit
from harness.ring import House
from harness.server import PASSWORD, Server
from harness.sign_up import sign_up
from test_ring_pages import TAKEN
from test_service_worker import Worker, answers, payload, stored

FULL_BROWSER = True

KEPT = "It’s sent when the person this reminder was for signs in here."
# The dose falls due within three seconds.
UNANSWERED = ("scheduled", "due")


@dataclass
class Tablet:
    """A browser that Ann and Bob share. Both act for Ann's child; Bob has no other connection to Ann."""

    house: House
    context: BrowserContext
    page: Page
    ann: str
    bob: str
    names: dict[str, str]
    child: str

    def sign_in(self, email: str) -> None:
        self.page.goto("/sign-in")
        form = form_with(self.page, "email", "password")
        fill(form, email=email, password=PASSWORD)
        submit(form)
        assert "/sign-in" not in self.page.url, self.page.url
        self.page.goto("/")
        reload_controlled(self.page)

    def sign_out(self) -> None:
        self.page.goto("/me")
        follow(self.page.locator('form[action="/sign-out"] button').first)
        self.page.wait_for_url("**/sign-in*")

    def end_session(self) -> None:
        """Drops the session, as if it had expired while the tablet was offline."""
        kept = [one for one in self.context.cookies() if one["name"] != "regimen"]
        self.context.clear_cookies()
        self.context.add_cookies(kept)  # type: ignore[arg-type]

    def worker(self) -> Worker:
        return Worker(self.page, self.context)

    def try_to_send(self) -> None:
        """Triggers everything that makes the worker send, and waits until it has finished."""
        self.page.evaluate("dispatchEvent(new Event('online'))")
        self.context.service_workers[-1].evaluate("flush()")

    def due(self) -> str:
        """Adds a dose for the child that is due in a moment, and returns it."""
        api = self.house.api
        plan = api.add_plan(
            api.events(0.05), name="Paracetamol", subject={"reference": f"Patient/{self.child}"})["id"]
        return api.doses(plan=plan, patient=self.child)[0]["id"]

    def state(self, dose: str) -> str:
        return next(one["state"] for one in self.house.api.doses(patient=self.child) if one["id"] == dose)

    def answer(self, dose: str) -> dict[str, Any]:
        return next(one for one in self.house.api.doses(patient=self.child) if one["id"] == dose)["answer"]

    def waits_for(self) -> str | None:
        place = self.page.locator("#waiting")
        return place.inner_text() if place.is_visible() else None


@pytest.fixture
def tablet(browser: Browser, headless_browser: Browser, ring_server: Server) -> Iterator[Tablet]:
    # In the small browser and without scripts, which takes a fraction of the time.
    _, ann, ann_email = sign_up(headless_browser, ring_server, java_script_enabled=False)
    _, bob, bob_email = sign_up(headless_browser, ring_server, java_script_enabled=False)
    ann.goto("/people/new")
    form = form_with(ann, "given-name")
    fill(form, given_name="Mali", birth_date="2022-05-01")
    submit(form)
    ann.goto("/people/share")
    form = form_with(ann, "relationship")
    fill(form, relationship="guardian")
    submit(form)
    offer = ann.url
    bob.goto(urlsplit(ann.locator("main p.break-anywhere").inner_text()).path)
    press(bob, "accept")
    ann.goto(offer)
    press(ann, "confirm")
    api = ring_server.api(ring_server.create_token(ann_email))
    names = {
        email: ring_server.api(ring_server.create_token(email)).ok("/api/v1/me")["account"]["name"]
        for email in (ann_email, bob_email)
    }
    child = api.ok("/api/v1/me")["patients"][1]["id"]
    for page in (ann, bob):
        page.context.close()
    context = new_context(browser, ring_server.base, size=PHONE, permissions=["notifications"])
    house = House(browser, ring_server, api, {}, [context])  # type: ignore[typeddict-item]
    yield Tablet(house, context, context.new_page(), ann_email, bob_email, names, child)
    context.close()


def press_offline(tablet: Tablet) -> str:
    """Ann gives the child a dose on the ringing page while offline."""
    dose = tablet.due()
    page = tablet.page
    # Opening the page of the child's dose selects the child.
    page.goto(f"/doses/{dose}")
    page.goto("/ring")
    taken = page.get_by_role("button", name=TAKEN)
    expect(taken.first).to_be_visible()
    go_offline(tablet.context)
    taken.first.click()
    expect(page.get_by_text("Saved on this device.")).to_be_visible()
    return dose


def test_what_one_pressed_is_never_sent_in_the_name_of_another(tablet: Tablet) -> None:
    tablet.sign_in(tablet.ann)
    page = tablet.page
    page.goto("/feedback")
    page.locator("textarea").fill("Only for Ann")
    dose = press_offline(tablet)
    tablet.end_session()
    tablet.context.set_offline(False)

    # While no one is signed in, the entry waits, and the page says so.
    page.goto("/sign-in")
    name = tablet.names[tablet.ann]
    expect(page.locator("#waiting")).to_contain_text(f"Entries from {name} are waiting on this device.")
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    screenshot(page, "shared-device", "sign-in")

    # Bob is allowed to give the child a dose too, but he did not give this one.
    tablet.sign_in(tablet.bob)
    tablet.try_to_send()
    page.goto("/medicines")
    expect(page.locator("#waiting")).to_contain_text(name)
    assert "Paracetamol" not in (tablet.waits_for() or "")
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    tablet.try_to_send()
    assert tablet.state(dose) in UNANSWERED
    page.goto("/feedback")
    expect(page.locator("textarea")).to_have_value("")

    tablet.sign_out()
    expect(page.locator("#waiting")).to_contain_text(name)
    found = stored(tablet.worker())
    assert len(answers(found)) == 1 and found["local"] == {} and found["caches"] == []
    assert dose not in json.dumps(found) and name not in json.dumps(found)

    tablet.sign_in(tablet.ann)
    tablet.house.wait_until(lambda: tablet.state(dose) == "taken")
    assert tablet.answer(dose)["by"] == name
    page.reload()
    expect(page.locator("#waiting")).to_be_hidden()
    tablet.sign_out()
    wait_until(page, "indexedDB.databases().then((found) => found.length === 0)")
    expect(page.locator("#waiting")).to_be_hidden()
    assert len([one for one in tablet.house.api.pages("MedicationAdministration", patient=tablet.child)
                if one["status"] == "completed"]) == 1


def test_signing_out_oneself_keeps_what_could_not_be_sent(tablet: Tablet) -> None:
    tablet.sign_in(tablet.ann)
    dose = press_offline(tablet)
    # Pages can reach the network again, but the worker cannot.
    tablet.context.service_workers[-1].evaluate(
        "() => { globalThis.ownFetch = fetch; globalThis.fetch = () => Promise.reject(new Error('no')); }")
    tablet.context.set_offline(False)
    tablet.sign_out()
    expect(tablet.page.locator("#waiting")).to_contain_text(tablet.names[tablet.ann])
    tablet.context.service_workers[-1].evaluate("() => { globalThis.fetch = globalThis.ownFetch; }")
    tablet.sign_in(tablet.bob)
    tablet.try_to_send()
    assert tablet.state(dose) in UNANSWERED
    tablet.sign_out()
    tablet.sign_in(tablet.ann)
    tablet.house.wait_until(lambda: tablet.state(dose) == "taken")
    assert tablet.answer(dose)["by"] == tablet.names[tablet.ann]


def test_a_notification_for_one_is_not_answered_by_another(tablet: Tablet) -> None:
    tablet.sign_in(tablet.ann)
    account = tablet.house.api.ok("/api/v1/me")["account"]["id"]
    dose = tablet.due()
    tablet.end_session()
    tablet.sign_in(tablet.bob)
    worker = tablet.worker()
    worker.push(payload([dose]) | {"account": account, "patient": tablet.child})
    worker.wait(bool)
    worker.click("taken")
    worker.wait(lambda found: bool(found) and found[0]["body"].endswith(KEPT))
    tablet.try_to_send()
    assert tablet.state(dose) in UNANSWERED
    tablet.page.reload()
    expect(tablet.page.locator("#waiting")).to_contain_text(tablet.names[tablet.ann])
    tablet.sign_out()
    # Nothing on the screen shows Ann's doses any more.
    worker.wait(lambda found: not found)
    tablet.sign_in(tablet.ann)
    tablet.house.wait_until(lambda: tablet.state(dose) == "taken")
    assert tablet.answer(dose)["by"] == tablet.names[tablet.ann]


def test_a_message_waits_for_who_wrote_it(tablet: Tablet, headless_browser: Browser) -> None:
    """Bob does not even know of the conversation: sent in his name, the message was refused and lost."""
    tablet.sign_in(tablet.ann)
    page = tablet.page
    _, doctor, _ = sign_up(headless_browser, tablet.house.server, java_script_enabled=False)
    page.goto("/people/share")
    form = form_with(page, "relationship")
    fill(form, relationship="practitioner", category="messages")
    submit(form)
    offer = page.url
    doctor.goto(urlsplit(page.locator("main p.break-anywhere").inner_text()).path)
    press(doctor, "accept")
    page.goto(offer)
    press(page, "confirm")
    doctor.context.close()
    api: Api = tablet.house.api
    conversation = api.ok("/api/v1/conversations")["conversations"][0]["id"]
    page.goto(f"/chat/{conversation}")
    wait_until(page, "navigator.serviceWorker.controller !== null")
    go_offline(tablet.context)
    page.locator("#chat-write textarea").fill("From the tunnel")
    page.locator("#chat-write button[type=submit]").click()
    expect(page.get_by_text("Not sent yet.")).to_be_visible()
    tablet.end_session()
    tablet.context.set_offline(False)
    tablet.sign_in(tablet.bob)
    tablet.try_to_send()
    path = f"/api/v1/conversations/{conversation}/messages"
    assert api.ok(path)["messages"] == []
    page.goto("/")
    said = page.locator("#waiting")
    expect(said).to_contain_text(tablet.names[tablet.ann])
    assert "message" not in said.inner_text() and "tunnel" not in said.inner_text()
    tablet.sign_out()
    tablet.sign_in(tablet.ann)
    tablet.house.wait_until(lambda: [one["text"] for one in api.ok(path)["messages"]] == ["From the tunnel"])


def test_an_entry_of_an_older_version_goes_to_who_was_there_when_it_was_pressed(tablet: Tablet) -> None:
    tablet.sign_in(tablet.ann)
    dose = tablet.due()
    worker = tablet.worker().worker
    keep = """async ([event, ago, dose]) => {
      await keep(event, Date.now() - ago, { path: `/api/v1/doses/${dose}/answers`, body: { action: 'taken' } });
      await flush(); return (await entries()).map((one) => one.event); }"""
    early, now = str(uuid.uuid4()), str(uuid.uuid4())
    assert worker.evaluate(keep, [early, 3_600_000, dose]) == [early]
    assert tablet.state(dose) in UNANSWERED
    assert worker.evaluate(keep, [now, 0, dose]) == [early]
    assert tablet.state(dose) == "taken"


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_has_something_waiting_is_said_in_every_language(tablet: Tablet, language: str) -> None:
    tablet.sign_in(tablet.ann)
    press_offline(tablet)
    tablet.end_session()
    tablet.context.set_offline(False)
    tablet.context.add_cookies(
        [{"name": "regimen-language", "value": language, "url": tablet.house.server.base}])
    page = tablet.page
    page.goto("/sign-in")
    expect(page.locator("#waiting")).to_contain_text(tablet.names[tablet.ann])
    assert "…" not in page.locator("#waiting").inner_text()
    assert text_problems(page, language, message_key_pattern()) == []
    assert narrow_problems(page, PHONE) == []
