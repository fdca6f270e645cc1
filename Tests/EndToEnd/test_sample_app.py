# SPDX-License-Identifier: Apache-2.0
"""Examples/adherence-chart in Chromium: a person connects it, allows it to read, and sees the chart."""
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, Page, expect

from harness.browser import axe_problems
from harness.server import REPOSITORY, Server
from harness.sign_up import sign_up

FOLDER = REPOSITORY / "Examples/adherence-chart"
SCOPES = "launch/patient patient/MedicationRequest.rs patient/MedicationAdministration.rs"


@dataclass
class Site:
    """The folder served like `python3 -m http.server` does, with a configuration of the test."""

    origin: str = ""
    settings: dict[str, object] = field(default_factory=dict)

    @property
    def config(self) -> bytes:
        return f"export const config = {json.dumps(self.settings)};\n".encode()


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, site: Site, *arguments: object, **options: object) -> None:
        self.site = site
        super().__init__(*arguments, **options)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        if self.path != "/config.mjs":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript")
        self.send_header("Content-Length", str(len(self.site.config)))
        self.end_headers()
        self.wfile.write(self.site.config)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def app_site() -> Iterator[Site]:
    site = Site()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, site, directory=str(FOLDER)))
    site.origin = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    with app_site() as made:
        yield made


@pytest.fixture
def server_of_site(site: Site, own_server: Callable[..., Server]) -> Server:
    """A server with the real clock, which the app's page has, too, and with the app registered."""
    server = own_server(environment={"REGIMEN_CORS_ORIGINS": site.origin}, clock_offset=0).start()
    line = server.command(
        "app", "add", "--name=Adherence chart", f"--redirect={site.origin}/", f"--scopes={SCOPES}",
    ).strip()
    assert line.startswith("client_id "), line
    site.settings = {
        "fhirBase": f"{server.base}/fhir", "clientId": line.removeprefix("client_id "),
        "scope": SCOPES, "days": 30,
    }
    return server


def connect(page: Page, site: Site) -> None:
    page.goto(f"{site.origin}/")
    page.get_by_role("button", name="Connect to Regimen").click()


def test_a_person_connects_the_app_and_sees_the_chart(
    site: Site, server_of_site: Server, browser: Browser
) -> None:
    context, page, email = sign_up(browser, server_of_site)
    api = server_of_site.api(server_of_site.create_token(email))
    plan = api.add_plan(api.events(1, 2), name="Testolol")
    first = min(api.doses(plan=plan["id"]), key=lambda dose: dose["due"])
    assert api.answer(first["id"], "taken", confirm=True).status_code == 200
    # Both doses are in the past for the app.
    page.clock.set_fixed_time(api.now() + timedelta(minutes=5))
    connect(page, site)
    page.get_by_role("button", name="Allow", exact=True).click()
    expect(page.locator("#total")).to_have_text("1 of 2 planned doses taken (50%).")
    expect(page.get_by_role("img", name="Doses by day")).to_be_visible()
    assert page.locator("tbody tr").count() == 30
    assert page.locator("tbody td").all_inner_texts().count("2") == 1
    # The code is not in the address, and the token nowhere that survives the page.
    assert page.url == f"{site.origin}/"
    assert page.evaluate("sessionStorage.length + localStorage.length") == 0
    assert axe_problems(page) == []
    page.reload()
    expect(page.get_by_role("button", name="Connect to Regimen")).to_be_visible()
    context.close()


def test_a_refusal_and_forged_answers_are_explained(
    site: Site, server_of_site: Server, browser: Browser
) -> None:
    context, page, _ = sign_up(browser, server_of_site)
    connect(page, site)
    page.get_by_role("button", name="Don’t allow").click()
    expect(page.get_by_role("alert")).to_have_text("You did not allow the app to read. Nothing was read.")
    page.goto(f"{site.origin}/?code=stolen&state=guessed")
    expect(page.get_by_role("alert")).to_contain_text("does not belong to a request of this page")
    assert page.url == f"{site.origin}/"
    context.close()


def test_a_wrong_configuration_is_explained(
    site: Site, server_of_site: Server, browser: Browser
) -> None:
    context, page, _ = sign_up(browser, server_of_site)
    right = dict(site.settings)
    site.settings = right | {"clientId": ""}
    connect(page, site)
    expect(page.get_by_role("alert")).to_contain_text("Put the client id")
    # A site that the operator does not allow.
    with app_site() as other:
        other.settings = right
        connect(page, other)
        expect(page.get_by_role("alert")).to_contain_text("REGIMEN_CORS_ORIGINS")
    # A server that does not know the app explains it on its own page.
    site.settings = right | {"clientId": "none"}
    connect(page, site)
    page.wait_for_url(f"{server_of_site.base}/**")
    expect(page.locator("main")).to_contain_text("unknown or not enabled")
    context.close()
