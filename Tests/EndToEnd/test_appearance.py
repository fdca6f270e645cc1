# SPDX-License-Identifier: Apache-2.0
"""The appearance of a medicine in Chromium: described, photographed, shown with its doses, and encrypted
at rest."""
import base64
import struct
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from harness.browser import (
    PHONE, Listener, axe_problems, message_key_pattern, narrow_problems, screenshot,
    structure_problems, text_problems,
)
from harness.forms import submit
from harness.server import PASSWORD, Server, binary
from harness.sign_up import sign_up


def picture(width: int = 300, height: int = 200) -> bytes:
    """Returns a PNG of a pale disc on a dark background, with metadata that must not be kept."""
    def chunk(name: bytes, content: bytes) -> bytes:
        body = name + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            inside = (x - width / 2) ** 2 + (y - height / 2) ** 2 < 80 ** 2
            rows += bytes((236, 232, 220) if inside else (40, 60 + (x * 7 + y * 3) % 40, 70))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"tEXt", b"Comment\x00taken at home")
            + chunk(b"IDAT", zlib.compress(bytes(rows))) + chunk(b"IEND", b""))


def medicine(server: Server, email: str, name: str = "Metoprolol 50 mg") -> str:
    api = server.api(server.create_token(email))
    # A dose that is due in an hour is on Today at any time of day.
    hour = (api.now().hour + 1) % 24
    timing = {"repeat": {"timeOfDay": [f"{hour:02}:30:00"]}}
    return api.add_plan(timing, name=name)["id"]


def photo_form(page: Page, place: int):
    return page.locator(f"form[action$='/photos/{place}']")


def say(page: Page, plan: str) -> None:
    page.goto(f"/medicines/{plan}/appearance")
    page.locator("input[name=look-shape][value=capsule]").check()
    page.locator("[name=look-color]").select_option("red")
    page.locator("[name=look-second-color]").select_option("white")
    page.locator("[name=look-imprint]").fill("M 50")
    submit(page.locator("form[action$='/appearance']"))


def test_it_is_said_and_photographed_without_scripts(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    context, page, email = sign_up(browser, server, size=PHONE, java_script_enabled=False)
    plan = medicine(server, email)
    say(page, plan)
    expect(page.locator(".flash")).to_contain_text("Saved.")
    words = "Capsule, red and white, marked “M 50”"
    expect(page.locator(".look-large")).to_contain_text(words)
    file = tmp_path / "capsule.png"
    file.write_bytes(picture())
    photo_form(page, 1).locator("[name=photo]").set_input_files(file)
    submit(photo_form(page, 1))
    expect(page.locator(".flash")).to_contain_text("Photo saved.")
    for address in ["/", "/medicines", f"/medicines/{plan}"]:
        page.goto(address)
        shown = page.locator("main img[src^='/appearance/']").first
        expect(shown).to_have_attribute("alt", f"Photo 1 of Metoprolol 50 mg: {words}")
        expect(shown).to_have_attribute("loading", "lazy")
        # The list has room for one picture: the photo, with the same alternative text.
        if address == "/medicines":
            expect(page.locator("main svg.look")).to_have_count(0)
            continue
        expect(page.locator("main svg.look").first).to_be_visible()
        expect(page.locator("main")).to_contain_text(words)

    # An invalid photo is reported at its field; the existing one stays.
    page.goto(f"/medicines/{plan}/appearance")
    wrong = tmp_path / "wrong.png"
    wrong.write_bytes(b"<svg onload=alert(1)></svg>")
    photo_form(page, 2).locator("[name=photo]").set_input_files(wrong)
    submit(photo_form(page, 2))
    expect(page.locator("#error-summary")).to_contain_text("not a JPEG or PNG")
    expect(page.locator("main img[src^='/appearance/']")).to_have_count(1)
    submit(page.locator("form[action$='/photos/1/remove']"))
    expect(page.locator(".flash")).to_contain_text("Photo removed.")
    expect(page.locator("main img[src^='/appearance/']")).to_have_count(0)
    context.close()


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("th", "dark")])
def test_pages_with_looks_hold(
    browser: Browser, server: Server, tmp_path: Path, language: str, scheme: str
) -> None:
    context, page, email = sign_up(browser, server, size=PHONE, language=language, scheme=scheme)
    plan = medicine(server, email)
    say(page, plan)
    file = tmp_path / "capsule.png"
    file.write_bytes(picture())
    photo_form(page, 1).locator("[name=photo]").set_input_files(file)
    submit(photo_form(page, 1))
    listener = Listener()
    listener.attach(page)
    found: dict[str, list[str]] = {}
    for name, address in {
        "look": f"/medicines/{plan}/appearance", "today": "/", "list": "/medicines",
        "medicine": f"/medicines/{plan}", "new": "/medicines/new/details", "simple": "/simple",
    }.items():
        page.goto(address)
        page.evaluate("for (const fold of document.querySelectorAll('main details')) fold.open = true")
        if name in ("look", "today", "medicine"):
            loaded = page.locator("main img[src^='/appearance/']").first
            loaded.scroll_into_view_if_needed()
            expect(loaded).not_to_have_js_property("naturalWidth", 0)
        complaints = [c for c in listener.take() if "/api/v1/events" not in c]
        screenshot(page, f"{language}-{scheme}-looks", name)
        found[name] = complaints + structure_problems(page)
        found[name] += text_problems(page, language, message_key_pattern())
        found[name] += narrow_problems(page, PHONE) + axe_problems(page)
    context.close()
    assert not {name: problems for name, problems in found.items() if problems}


def test_photos_rest_sealed_and_travel_in_a_backup(
    browser: Browser, own_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = own_server().start()
    context, page, email = sign_up(browser, server)
    plan = medicine(server, email)
    page.goto(f"/medicines/{plan}/appearance")
    file = tmp_path / "tablet.png"
    file.write_bytes(picture())
    photo_form(page, 1).locator("[name=photo]").set_input_files(file)
    submit(photo_form(page, 1))
    address = page.locator("main img[src^='/appearance/']").get_attribute("src")
    large = context.request.get(address).body()
    small = context.request.get(f"{address}?size=small").body()
    assert large.startswith(b"\xff\xd8\xff") and small.startswith(b"\xff\xd8\xff")
    assert len(small) < len(large) and b"taken at home" not in large
    server.command("change-key")
    assert context.request.get(address).body() == large
    traces = [part for one in (large, small) for part in (one[200:240], base64.b64encode(one)[300:340])]

    def holders() -> list[str]:
        return [
            str(path) for path in server.data.rglob("*") if path.is_file()
            and any(trace in path.read_bytes() for trace in traces)
        ]

    assert not holders()
    context.close()

    key, file = tmp_path / "key", tmp_path / "one.backup"
    key.write_text(base64.b64encode(bytes(range(32))).decode() + "\n")
    server.command("backup", "--to", str(file), "--key-file", str(key))
    assert not any(trace in file.read_bytes() for trace in traces)
    server.stop()
    assert not holders()
    target = tmp_path / "restored"
    done = subprocess.run(
        [str(binary()), "restore", "--from", str(file), "--data", str(target), "--key-file", str(key)],
        capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    copy = Server(target)
    copy.start()
    try:
        looks = copy.api(copy.create_token(email)).get("/api/v1/looks").json()["looks"]
        assert [photo["address"] for look in looks for photo in look["photos"]] == [address]
        with requests.Session() as session:
            session.headers["Origin"] = copy.base
            session.post(
                f"{copy.base}/sign-in", data={"email": email, "password": PASSWORD}, timeout=60)
            assert session.get(f"{copy.base}{address}", timeout=30).content == large
    finally:
        copy.kill()
