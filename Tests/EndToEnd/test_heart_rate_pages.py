# SPDX-License-Identifier: Apache-2.0
"""Heart rate in Chromium without JavaScript: an imported export, a manual pulse, the recipe with its
token."""
from collections.abc import Callable
from pathlib import Path

import requests
from playwright.sync_api import Browser

from harness import health_export
from harness.browser import (
    PHONE, Listener, axe_problems, narrow_problems, new_context, screenshot, structure_problems,
)
from harness.forms import follow
from harness.server import Server
from harness.session import Session

SUBMIT = 'form button:not([type="button"])'


def test_an_export_a_pulse_and_a_phone(
    browser: Browser, own_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = own_server()
    server.start()
    made = Session.by_invitation(server, "ann@example.org")
    context = new_context(
        browser, server.base, size=PHONE, storage_state=made.state, java_script_enabled=False)
    looking = new_context(browser, server.base, size=PHONE, storage_state=made.state)
    page, seen, listener, found = context.new_page(), looking.new_page(), Listener(), []
    listener.attach(seen)

    def look(path: str, name: str) -> None:
        seen.goto(path)
        for scheme in ("dark", "light"):
            seen.emulate_media(color_scheme=scheme)
            screenshot(seen, f"heart-{scheme}-phone", name)
        problems = structure_problems(seen) + axe_problems(seen) + narrow_problems(seen, PHONE)
        found.extend(f"{name}: {problem}" for problem in listener.take() + problems)

    page.goto("/progress")
    follow(page.locator('main a[href="/heart-rate"]').first)
    follow(page.locator('main a[href="/heart-rate/import"]').first)
    archive = tmp_path / "eksport.zip"
    health_export.write(archive, seed=5, megabytes=5)
    page.set_input_files('input[type="file"]', str(archive))
    follow(page.locator(f"main {SUBMIT}").last)
    page.get_by_text("Resting heart rate: ").wait_for(timeout=60_000)
    look(page.url, "import-result")

    page.goto("/heart-rate")
    page.fill('input[name="value"]', "500")
    follow(page.locator(f'main form[action="/heart-rate"] button').last)
    assert "from 20 to 300" in page.locator("main").inner_text()
    page.fill('input[name="value"]', "64")
    follow(page.locator(f'main form[action="/heart-rate"] button').last)
    assert "64 beats a minute" in page.locator("main").inner_text()
    look("/heart-rate", "heart")

    follow(page.locator('main a[href="/heart-rate/phone"]').first)
    follow(page.locator('main form[action="/heart-rate/phone"] button').last)
    address, header = page.locator(".heart-secret").all_inner_texts()
    answer = requests.post(
        address, timeout=30, headers={"Authorization": header},
        json={"type": "resting_heart_rate", "samples": [
            {"date": "2026-11-01T07:00:00+01:00", "value": 61, "source": "Ann's Watch"}]})
    assert answer.status_code == 200 and answer.json()["stored"] == 1, answer.text
    look("/heart-rate/phone", "phone")
    look("/heart-rate/import", "import")
    assert found == []
