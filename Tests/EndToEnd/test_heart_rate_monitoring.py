# SPDX-License-Identifier: Apache-2.0
"""Heart rate monitoring in Chromium without JavaScript: setup, the limit, a question and its answers."""
from collections.abc import Callable
from datetime import timedelta

from playwright.sync_api import Browser

from harness.browser import (
    PHONE, Listener, axe_problems, narrow_problems, new_context, screenshot, structure_problems,
)
from harness.forms import follow
from harness.server import Server, offset_to
from harness.session import Session

PAGES = {
    "watch": "/heart-rate/monitoring", "graph": "/heart-rate/monitoring/graph?range=month", "limit": "/heart-rate/monitoring/limit",
    "settings": "/heart-rate/monitoring/settings", "log": "/heart-rate/warnings", "questions": "/heart-rate/questions",
    "start": "/heart-rate/monitoring/start", "wearing": "/heart-rate/monitoring/wearing",
}


def test_a_question_is_asked_and_answered(browser: Browser, own_server: Callable[..., Server]) -> None:
    server = own_server(clock_offset=offset_to(15))
    server.start()
    made = Session.by_invitation(server, "ann@example.org")
    api = server.api(server.create_token("ann@example.org"))
    api.add_plan(
        {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d", "timeOfDay": ["14:40:00"]}},
        name="Metoprolol 50 mg")
    context = new_context(
        browser, server.base, size=PHONE, storage_state=made.state, java_script_enabled=False)
    page = context.new_page()

    page.goto("/heart-rate/monitoring")
    follow(page.locator('main a[href="/heart-rate/monitoring/start"]').first)
    follow(page.locator('main form[action="/heart-rate/monitoring/start"] button'))
    assert "Heart rate check is on" in page.inner_text("main")

    def send(days: int, bpm: int) -> None:
        at = api.now() - timedelta(days=days)
        answer = api.post("/api/v1/vitals", {"readings": [{
            "type": "resting-heart-rate", "at": at.isoformat(timespec="seconds"), "value": bpm, "source": "Watch"}]})
        assert answer.status_code == 200 and not answer.json()["skipped"], answer.text

    for days in range(28, 0, -1):
        send(days, 60 + days % 3)
    send(0, 88)
    for _ in range(60):
        page.goto("/heart-rate/warnings")
        if page.locator("article").count():
            break
        page.wait_for_timeout(500)
    follow(page.locator("article a").first)
    question = page.url
    assert "Have you taken it today?" in page.inner_text("main")

    looking = new_context(browser, server.base, size=PHONE, storage_state=made.state)
    seen, listener, found = looking.new_page(), Listener(), []
    listener.attach(seen)

    def look(path: str, name: str) -> None:
        for scheme in ("dark", "light"):
            seen.emulate_media(color_scheme=scheme)
            seen.goto(path)
            screenshot(seen, f"watching-{scheme}-phone", name)
            problems = structure_problems(seen) + axe_problems(seen) + narrow_problems(seen, PHONE)
            found.extend(f"{name} {scheme}: {problem}" for problem in listener.take() + problems)

    look(question, "question")
    follow(page.get_by_role("button", name="No", exact=True))
    assert "Your plan says" in page.inner_text("main")
    look(question, "no")
    follow(page.get_by_role("button", name="In 2 hours"))
    assert "remind you once more" in page.inner_text("main")
    for name, path in PAGES.items():
        look(path, name)

    page.goto("/heart-rate/monitoring/limit")
    page.check('input[name="way"][value="number"]')
    page.fill('input[name="value"]', "75")
    follow(page.locator("main form button").last)
    assert "Current" in page.inner_text("main")
    follow(page.get_by_role("button", name="Yes, change it"))
    assert "75 beats a minute" in page.inner_text("main")
    assert found == []

    looking.close()
    thai = new_context(browser, server.base, "th", size=PHONE, storage_state=made.state)
    shown = thai.new_page()
    for name, path in {**PAGES, "question": question}.items():
        shown.goto(path)
        screenshot(shown, "watching-th-phone", name)
        assert narrow_problems(shown, PHONE) == []
