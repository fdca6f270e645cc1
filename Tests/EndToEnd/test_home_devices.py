# SPDX-License-Identifier: Apache-2.0
"""Devices in the home: added in Chromium, reporting over HTTP, and the simulator of the command line."""
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import expect

from harness.browser import (
    PHONE, Listener, axe_problems, message_key_pattern, narrow_problems, screenshot,
    structure_problems, text_problems,
)
from harness.ring import House
from harness.server import Server, binary

BY = "by Pill box “Kitchen”"


def report(server: Server, token: str, *events: dict[str, Any]) -> requests.Response:
    return requests.post(
        f"{server.base}/api/v1/home-devices/events", json={"boot": "test", "events": list(events)},
        headers={"Authorization": f"Bearer {token}"}, timeout=60)


def outcomes(answer: requests.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [result["outcome"] for result in answer.json()["results"]]


def add(house: House) -> str:
    """Adds a pill box that records doses, as a person would, and returns its token."""
    page = house.open("/home-devices/new", size=PHONE)
    page.locator('[name="name"]').fill("Kitchen")
    page.locator('[name="meaning-0"]').select_option("log")
    page.get_by_role("button", name="Add a device").click()
    shown = page.locator("main code").first
    expect(shown).to_contain_text("rgd_")
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    return shown.inner_text().strip()


def test_an_opened_lid_is_the_dose_taken_until_it_is_undone(house: House) -> None:
    token = add(house)
    (dose,) = house.due("Metoprolol")
    page = house.open("/", size=PHONE)
    assert outcomes(report(house.server, token, {"sequence": 1, "event": "opened"})) == ["logged"]
    # The open page follows by itself.
    expect(page.locator("main")).to_contain_text(BY)
    assert house.states([dose]) == ["taken"]
    # A replay and a second lid change nothing.
    again = report(
        house.server, token, {"sequence": 1, "event": "opened"}, {"sequence": 2, "event": "closed"})
    assert [result["repeated"] for result in again.json()["results"]] == [True, False]
    page.goto("/home-devices")
    page.get_by_role("link", name=re.compile("Kitchen")).click()
    expect(page.get_by_text("Logged as taken")).to_be_visible()
    screenshot(page, "home-devices", "device")
    assert axe_problems(page) == [] and narrow_problems(page, PHONE) == []
    page.locator("main #events button").first.click()
    house.wait_for([dose], "due")
    page = house.open("/", size=PHONE)
    expect(page.locator("main")).not_to_contain_text(BY)


def test_a_device_that_is_turned_off_is_refused(house: House) -> None:
    token = add(house)
    page = house.open("/home-devices", size=PHONE)
    page.get_by_role("link", name=re.compile("Kitchen")).click()
    page.get_by_role("button", name=re.compile("^Turn off")).click()
    expect(page.locator("main").get_by_text("Turned off").first).to_be_visible()
    assert report(house.server, token, {"sequence": 1, "event": "opened"}).status_code == 401
    assert report(house.server, "rgd_nobody", {"sequence": 1, "event": "opened"}).status_code == 401


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("th", "dark")])
def test_the_pages_hold(house: House, language: str, scheme: str) -> None:
    add(house)
    found: dict[str, list[str]] = {}
    listener = Listener()
    page = house.context(language=language, scheme=scheme, size=PHONE).new_page()
    listener.attach(page)
    page.goto("/home-devices")
    device = page.locator('main a[href^="/home-devices/"]').first.get_attribute("href")
    for name, address in {"list": "/home-devices", "new": "/home-devices/new", "device": device}.items():
        assert address
        page.goto(address)
        screenshot(page, f"{language}-{scheme}-home-devices", name)
        found[name] = listener.take() + structure_problems(page) + narrow_problems(page, PHONE)
        found[name] += text_problems(page, language, message_key_pattern()) + axe_problems(page)
    assert not {name: problems for name, problems in found.items() if problems}


SCRIPT = """
# Yesterday and today, with a device that was offline and then lost its clock.
day 1
00:05 offline
08:00 opened
08:01 closed
12:00 online
12:01 replay
13:00 refill mon tue wed thu
14:00 restart
14:01 skew -1700000000
14:02 offline
14:03 opened
14:10 closed
14:20 online
day 2
00:00 heartbeat
"""


def simulate(server: Server, token: str, script: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(binary()), "device", "simulate", "--url", server.base, "--token", token, "--script", str(script)],
        capture_output=True, text=True, timeout=60, check=False)


def test_the_simulator_follows_its_script(own_server: Callable[..., Server], tmp_path: Path) -> None:
    server = own_server(clock_offset=0)
    server.create_account("ann@example.org")
    server.start()
    account = ("--account", "ann@example.org")
    compartments = [word for name in ("mon", "tue", "wed", "thu") for word in ("--compartment", name)]
    made = server.command("device", "add", *account, "--name", "Kitchen", "--meaning", "log", *compartments)
    device, token = made.split()
    script = tmp_path / "script"
    script.write_text(SCRIPT)
    ran = simulate(server, token, script)
    assert ran.returncode == 0, ran.stderr
    seen = [(words[1], words[3], words[4]) for words in map(str.split, ran.stdout.splitlines())]
    lid = [("opened", "noted", "nothing-due"), ("closed", "noted", "no-sign")]
    assert seen == [
        *lid, *lid,
        *[("opened", "noted", reason) for reason in ("nothing-due", "nothing-due", "refill", "refill")],
        ("opened", "aside", "clock"), ("closed", "aside", "clock"), ("heartbeat", "counted", "-"),
    ]
    listed = server.command("device", "list", *account)
    assert listed.startswith(f"{device} pill-box enabled seen ") and listed.strip().endswith("Kitchen")
    assert server.command("device", "revoke", *account, device).strip() == device
    assert "revoked" in server.command("device", "list", *account)
    assert simulate(server, token, script).returncode == 1
    script.write_text("08:00 exploded\n")
    assert "line 1" in simulate(server, token, script).stderr
