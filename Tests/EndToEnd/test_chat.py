# SPDX-License-Identifier: Apache-2.0
"""A patient and a doctor in two browsers write to each other: live, without scripts, and offline."""
import base64
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect

from harness.api import Api
from harness.browser import (
    DESKTOP, PHONE, axe_problems, go_offline, message_key_pattern, narrow_problems, new_context,
    reload_controlled, screenshot, structure_problems, text_problems,
)
from harness.forms import fill, follow, form_with, press, submit
from harness.server import Server
from harness.sign_up import sign_up

FULL_BROWSER = True

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@dataclass
class Practice:
    """Ann and her doctor, with whom she shares messages; each with a session."""

    browser: Browser
    server: Server
    ann: StorageState
    doctor: StorageState
    api: Api
    conversation: str
    opened: list[BrowserContext]

    @property
    def address(self) -> str:
        return f"/chat/{self.conversation}"

    def open(self, who: StorageState, address: str | None = None, **options: object) -> Page:
        context = new_context(self.browser, self.server.base, storage_state=who, **options)
        self.opened.append(context)
        page = context.new_page()
        page.goto(address or self.address)
        return page

    def texts(self) -> list[str]:
        found = self.api.ok(f"/api/v1/conversations/{self.conversation}/messages", limit=200)
        return [one.get("text", "") for one in found["messages"]]


@pytest.fixture(scope="module")
def practice(browser: Browser, server: Server) -> Iterator[Practice]:
    sessions, emails = [], []
    pages: list[Page] = []
    for _ in range(2):
        _, page, email = sign_up(browser, server, java_script_enabled=False)
        emails.append(email)
        pages.append(page)
    ann, doctor = pages
    ann.goto("/people/share")
    form = form_with(ann, "relationship")
    fill(form, relationship="practitioner", category="messages")
    submit(form)
    offer = ann.url
    doctor.goto(urlsplit(ann.locator("main p.break-anywhere").inner_text()).path)
    press(doctor, "accept")
    ann.goto(offer)
    press(ann, "confirm")
    for page in pages:
        sessions.append(page.context.storage_state())
        page.context.close()
    api = server.api(server.create_token(emails[0]))
    conversation = api.ok("/api/v1/conversations")["conversations"][0]["id"]
    opened: list[BrowserContext] = []
    yield Practice(browser, server, sessions[0], sessions[1], api, conversation, opened)
    for context in opened:
        context.close()


def write(page: Page, text: str) -> None:
    page.locator("#chat-write textarea").fill(text)
    page.locator("#chat-write button[type=submit]").click()


def log(page: Page):  # noqa: ANN201
    return page.locator("#chat-log .chat-text")


def test_both_write_and_see_it_at_once(practice: Practice) -> None:
    ann = practice.open(practice.ann, size=PHONE)
    doctor = practice.open(practice.doctor, size=DESKTOP)
    # An update does not interrupt typing.
    doctor.locator("#chat-write textarea").fill("Half a sent")
    write(ann, "I feel dizzy <b>since</b> Monday")
    expect(log(doctor)).to_contain_text(["I feel dizzy <b>since</b> Monday"])
    expect(doctor.locator("#chat-write textarea")).to_have_value("Half a sent")
    expect(ann.locator("#chat-write textarea")).to_have_value("")
    write(doctor, "Please measure your pulse")
    expect(log(ann).last).to_have_text("Please measure your pulse")
    write(ann, "It is 58")
    expect(log(doctor).last).to_have_text("It is 58")
    ann.reload()
    expect(ann.get_by_text("Seen")).to_be_visible()
    keys = message_key_pattern()
    problems = {}
    for name, page in (("patient", ann), ("doctor", doctor)):
        size = PHONE if page is ann else DESKTOP
        problems[name] = (
            structure_problems(page) + text_problems(page, "en", keys) + narrow_problems(page, size)
            + axe_problems(page)
        )
        screenshot(page, "chat", name)
    ann.goto("/chat")
    problems["list"] = structure_problems(ann) + narrow_problems(ann, PHONE) + axe_problems(ann)
    screenshot(ann, "chat", "list")
    thai = practice.open(practice.ann, language="th", scheme="dark", size=PHONE)
    problems["thai"] = text_problems(thai, "th", keys) + narrow_problems(thai, PHONE) + axe_problems(thai)
    screenshot(thai, "chat", "thai")
    assert {name: found for name, found in problems.items() if found} == {}


def test_what_is_written_without_a_network_is_sent_once(practice: Practice) -> None:
    doctor = practice.open(practice.doctor)
    ann = practice.open(practice.ann)
    reload_controlled(ann)
    before = practice.texts()
    go_offline(ann.context)
    write(ann, "From the tunnel")
    expect(ann.get_by_text("Not sent yet.")).to_be_visible()
    expect(ann.locator("#chat-write textarea")).to_have_value("")
    assert practice.texts() == before
    ann.context.set_offline(False)
    ann.evaluate("dispatchEvent(new Event('online'))")
    expect(log(doctor).last).to_have_text("From the tunnel")
    # The queued message is in the conversation now.
    expect(ann.get_by_text("Not sent yet.")).to_have_count(0)
    expect(ann.get_by_text("From the tunnel")).to_have_count(1)
    ann.evaluate("dispatchEvent(new Event('online'))")
    ann.reload()
    assert practice.texts() == [*before, "From the tunnel"]


def test_all_of_it_works_without_scripts(practice: Practice, tmp_path: Path) -> None:
    ann = practice.open(practice.ann, "/chat", size=PHONE, java_script_enabled=False)
    follow(ann.locator(f'a[href^="{practice.address}"]').first)
    form = form_with(ann, "text", "event")
    fill(form, text="Written without scripts")
    submit(form)
    expect(log(ann).last).to_have_text("Written without scripts")
    picture = tmp_path / "rash.png"
    picture.write_bytes(PICTURE)
    form = form_with(ann, "photo")
    ann.locator("details", has=form).locator("summary").click()
    form.locator("[name=photo]").set_input_files(picture)
    form.locator("[name=text]").fill("The rash")
    submit(form)
    assert ann.locator("#chat-log img").count() == 1
    doctor = practice.open(practice.doctor, "/", java_script_enabled=False)
    doctor.goto(practice.address)
    expect(log(doctor).last).to_have_text("The rash")
    form = form_with(doctor, "q")
    doctor.locator("details", has=form).locator("summary").click()
    fill(form, q="WITHOUT")
    submit(form)
    expect(log(doctor)).to_have_text(["Written without scripts"])
    follow(ann.locator("#chat-log .chat-message").last.locator("button"))
    expect(ann.locator("#chat-log .chat-message").last).to_contain_text("This message was taken back.")
    doctor.goto(practice.address)
    assert doctor.locator("#chat-log img").count() == 0
