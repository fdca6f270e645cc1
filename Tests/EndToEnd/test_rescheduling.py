# SPDX-License-Identifier: Apache-2.0
"""A dose taken late, and the next ones that move when a person agrees: in Chromium, with and without
scripts."""
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from harness.api import Api
from harness.browser import (
    PHONE, axe_problems, message_key_pattern, narrow_problems, structure_problems,
    text_problems,
)
from harness.forms import follow, press
from harness.server import Server, offset_to
from harness.sign_up import sign_up

RULE = {
    "url": "urn:regimen:after-miss",
    "extension": [{"url": "rule", "valueCode": "shift"}, {"url": "hours", "valuePositiveInt": 5}],
}
TIMES = {"repeat": {"timeOfDay": ["08:00:00", "14:00:00", "20:00:00"]}}


def morning(own_server: Callable[..., Server]) -> Server:
    return own_server(clock_offset=offset_to(7, 0)).start()


def person(browser: Browser, server: Server, language: str, **options: object) -> tuple[Page, Api]:
    _, page, email = sign_up(browser, server, language=language, size=PHONE, **options)
    return page, server.api(server.create_token(email))


def times(api: Api) -> list[str]:
    start = api.now().replace(hour=0, minute=0, second=0, microsecond=0)
    return [dose["due"][11:16] for dose in api.doses(start, start.replace(hour=23))]


def later(server: Server, api: Api, hour: int, minute: int) -> Api:
    """Returns the same day at a later time of day."""
    now = api.now()
    seconds = (now.replace(hour=hour, minute=minute, second=0) - now).total_seconds()
    server.restart(later=int(seconds))
    return server.api(api.token)


def late_dose(server: Server, api: Api) -> tuple[Api, dict]:
    """10:30, with the 08:00 dose unanswered and a rule that moves the next ones."""
    api.add_plan(TIMES, name="Nitrofurantoin", extension=[RULE])
    api = later(server, api, 10, 30)
    return api, api.doses(api.now().replace(hour=0, minute=0), api.now())[0]


def problems(page: Page, language: str) -> list[str]:
    return (
        text_problems(page, language, message_key_pattern()) + structure_problems(page)
        + narrow_problems(page, PHONE) + axe_problems(page)
    )


@pytest.mark.parametrize("language", ["en", "th"])
def test_taken_late_and_the_next_one_rings_at_its_new_time(
    browser: Browser, own_server: Callable[..., Server], language: str
) -> None:
    server = morning(own_server)
    page, api = person(browser, server, language)
    api, late = late_dose(server, api)
    page.goto(f"{server.base}/doses/{late['id']}")
    assert problems(page, language) == []
    assert api.answer(late["id"], "taken").status_code == 200
    assert times(api) == ["08:00", "14:00", "20:00"]
    # The port may change after a restart, so the page's address may change too.
    page.goto(f"{server.base}/")
    card = page.locator(f".notice:has(form[action='/doses/{late['id']}/shift'])")
    assert "15:3" in card.inner_text() and "14:00" in card.inner_text()
    assert problems(page, language) == []
    follow(card.locator("form:has([value=moved]) button"))
    assert page.locator("form[action$='/shift']").count() == 0
    assert [time[:4] for time in times(api)] == ["08:0", "15:3", "20:3"]
    assert "15:3" in page.locator("main").inner_text()
    # Nothing rings at its old time, and it rings at the new one.
    api = later(server, api, 14, 20)
    page.goto(f"{server.base}/ring")
    assert page.locator(".ring.ring-now").count() == 0
    second = api.dose(late["id"][:-1] + "2")
    assert second["state"] == "scheduled"
    api = later(server, api, 15, 50)
    page.goto(f"{server.base}/ring")
    page.locator(".ring.ring-now").wait_for()
    assert api.dose(second["id"])["state"] == "due"
    page.context.close()


@pytest.mark.parametrize("language", ["en", "th"])
def test_one_press_without_scripts_and_undo_gives_the_old_times_back(
    browser: Browser, own_server: Callable[..., Server], language: str
) -> None:
    server = morning(own_server)
    page, api = person(browser, server, language, java_script_enabled=False)
    api, late = late_dose(server, api)
    page.goto(f"{server.base}/doses/{late['id']}")
    assert "15:3" in page.locator("main ol li").first.inner_text()
    follow(page.locator("form:has([name=shift]) button"))
    assert [time[:4] for time in times(api)] == ["08:0", "15:3", "20:3"]
    assert "15:3" in page.locator("main .notice-success").inner_text()
    press(page, "undo")
    assert times(api) == ["08:00", "14:00", "20:00"]
    # Once it is left in place, the question does not appear again.
    assert api.answer(late["id"], "taken").status_code == 200
    page.goto(f"{server.base}/")
    follow(page.locator("form[action$='/shift']:has([value=left]) button"))
    assert page.locator("form[action$='/shift']").count() == 0
    assert times(api) == ["08:00", "14:00", "20:00"]
    page.context.close()


@pytest.mark.parametrize("language", ["en", "th"])
def test_the_simple_view_and_the_missed_doses_ask_the_same_without_scripts(
    browser: Browser, own_server: Callable[..., Server], language: str
) -> None:
    server = morning(own_server)
    page, api = person(browser, server, language, java_script_enabled=False)
    api, late = late_dose(server, api)
    page.goto(f"{server.base}/simple")
    follow(page.locator(".simple-buttons form:has([value=taken]) button"))
    assert urlsplit(page.url).path == "/simple"
    form = f"form[action='/doses/{late['id']}/shift']"
    for path in ["/missed", "/simple"]:
        page.goto(f"{server.base}{path}")
        assert "15:3" in page.locator(f".notice:has({form})").inner_text()
        # Without scripts axe cannot run; text and widths are checked anyway.
        assert text_problems(page, language, message_key_pattern()) == []
        assert structure_problems(page) == [] and narrow_problems(page, PHONE) == []
    follow(page.locator(f"{form}:has([value=moved]) button"))
    assert urlsplit(page.url).path == "/simple" and page.locator(form).count() == 0
    assert [time[:4] for time in times(api)] == ["08:0", "15:3", "20:3"]
    page.context.close()


def test_of_a_dose_of_someone_else_nothing_is_known(
    browser: Browser, own_server: Callable[..., Server]
) -> None:
    server = morning(own_server)
    page, api = person(browser, server, "en")
    other, _ = person(browser, server, "en")
    api, late = late_dose(server, api)
    assert api.ok(f"/api/v1/doses/{late['id']}/replan")["verdict"] == "take-and-move"
    assert api.answer(late["id"], "taken").status_code == 200
    page.goto(f"{server.base}/doses/{late['id']}")
    form = page.locator("form[action$='/shift']:has([value=moved])")
    # Someone else answered in the meantime: the old page moves nothing.
    assert api.answer(late["id"], "undo").status_code == 200
    follow(form.locator("button"))
    assert times(api) == ["08:00", "14:00", "20:00"]
    assert other.goto(f"{server.base}/doses/{late['id']}").status == 404
    page.context.close()
    other.context.close()
