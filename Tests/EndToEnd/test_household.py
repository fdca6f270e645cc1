# SPDX-License-Identifier: Apache-2.0
"""A parent's Today names the child's dose, which can be answered one press away."""
import time

import pytest
from playwright.sync_api import Browser, Page, expect

from harness.browser import (
    PHONE, axe_problems, message_key_pattern, narrow_problems, screenshot, structure_problems, text_problems,
)
from harness.forms import fill, follow, form_with, submit
from harness.server import Server
from harness.sign_up import sign_up


def expect_due(page: Page) -> None:
    """Reloads Today until the dose is due."""
    deadline = time.monotonic() + 60
    while not page.locator("#household .household-doses").count():
        assert time.monotonic() < deadline, "the dose is not due"
        time.sleep(0.5)
        page.goto("/")
    expect(page.locator("#household .household-doses")).to_contain_text("Paracetamol 120 mg")


@pytest.mark.parametrize(
    "language, scheme, scripts", [("en", "light", False), ("de", "dark", True), ("th", "light", True)]
)
def test_who_needs_what_is_on_the_parents_today(
    browser: Browser, server: Server, language: str, scheme: str, scripts: bool
) -> None:
    context, page, email = sign_up(browser, server, size=PHONE, language=language, java_script_enabled=scripts)
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto("/people/new")
    form = form_with(page, "given-name")
    fill(form, given_name="Mali", birth_date="2022-05-01", label="nickname", nickname="Little M", colour="green")
    submit(form)
    api = server.api(server.create_token(email))
    child = next(p["id"] for p in api.ok("/api/v1/me")["patients"] if p["name"] == "Mali")
    page.goto("/")
    expect(page.locator("#household")).to_contain_text("Mali")
    api.add_plan(api.events(0.1), name="Paracetamol 120 mg", subject={"reference": f"Patient/{child}"})
    expect_due(page)
    assert structure_problems(page) == [] and narrow_problems(page, PHONE) == []
    assert text_problems(page, language, message_key_pattern()) == []
    if scripts:  # axe-core waits for timers, which never fire without scripts
        assert axe_problems(page) == []
    screenshot(page, f"{language}-{scheme}-phone", "household")
    # One press opens the child's own Today, where it is answered.
    follow(page.locator('#household form:has([name="person"]) button').first)
    expect(page.locator(".intake-now")).to_contain_text("Paracetamol 120 mg")
    expect(page.locator("#household")).to_have_count(0)
    context.close()
