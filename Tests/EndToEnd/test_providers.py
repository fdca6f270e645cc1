# SPDX-License-Identifier: Apache-2.0
"""Signing in with an account elsewhere, against a public stand-in for an OpenID provider."""
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
import requests
from oidc_provider_mock import run_server_in_thread

from harness.server import Server
from harness.session import Session


@pytest.fixture
def issuer() -> Iterator[str]:
    with run_server_in_thread(require_nonce=True) as provider:
        yield f"http://localhost:{provider.server_port}"


@pytest.fixture
def city(own_server: Callable[..., Server], issuer: str) -> Server:
    # The provider uses the clock of this machine.
    return own_server(
        clock_offset=0,
        environment={
            "REGIMEN_OIDC_PROVIDERS": "city", "REGIMEN_OIDC_CITY_ISSUER": issuer,
            "REGIMEN_OIDC_CITY_CLIENT_ID": "regimen", "REGIMEN_OIDC_CITY_CLIENT_SECRET": "s:1",
            "REGIMEN_OIDC_CITY_LABEL": "City hall",
        },
    ).start()


def go(session: Session, path: str, subject: str) -> requests.Response:
    """Follows the link, agrees at the provider as someone, and returns."""
    sent = session.own.get(session.server.base + path, allow_redirects=False)
    assert sent.status_code == 303, sent.text
    agreed = requests.post(sent.headers["Location"], data={"sub": subject}, allow_redirects=False)
    assert agreed.status_code == 302, agreed.text
    return session.own.get(agreed.headers["Location"], allow_redirects=False)


def test_someone_links_an_account_and_signs_in_with_it(city: Server) -> None:
    ann = Session.by_invitation(city, "ann@example.org")
    assert "City hall" in Session(city).get("/sign-in").text
    stranger = Session(city)
    # Claiming Ann's address through the provider gives no access to her account.
    refused = go(stranger, "/sign-in/with/city", "ann@example.org")
    assert refused.status_code == 403
    assert "regimen" not in stranger.own.cookies

    offered = go(ann, "/sign-in/with/city", "citizen-17@city.example")
    assert offered.status_code == 200 and "citizen-17@city.example" in offered.text
    assert "citizen-17" not in ann.get("/identities").text
    ticket = offered.text.split('name="ticket" value="', 1)[1].split('"', 1)[0]
    token = offered.text.split('name="form-token" value="', 1)[1].split('"', 1)[0]
    linked = ann.request("POST", "/identities", data={"ticket": ticket, "form-token": token})
    assert linked.status_code == 303 and "citizen-17@city.example" in ann.get("/identities").text

    phone = Session(city)
    entered = go(phone, "/sign-in/with/city?next=/medicines", "citizen-17@city.example")
    assert entered.status_code == 303 and urlsplit(entered.headers["Location"]).path == "/medicines"
    assert phone.get("/api/v1/me").json()["account"]["email"] == "ann@example.org"
    other = Session(city)
    assert go(other, "/sign-in/with/city", "bob@example.org").status_code == 403
    # A callback works only once.
    again = phone.own.get(entered.url, allow_redirects=False)
    assert again.status_code == 400
    for secret in ("rgo_", "rgv_", "code="):
        assert not [line for line in city.log if secret in line], "a secret stands in the log"


def test_wrong_settings_end_the_start(own_server: Callable[..., Server]) -> None:
    for wrong in (
        {"REGIMEN_OIDC_PROVIDERS": "a,a"}, {"REGIMEN_OIDC_PROVIDERS": "city"},
        {"REGIMEN_OIDC_PROVIDERS": "facebook", "REGIMEN_OIDC_FACEBOOK_CLIENT_ID": "1"},
        {
            "REGIMEN_OIDC_PROVIDERS": "city", "REGIMEN_OIDC_CITY_CLIENT_ID": "1",
            "REGIMEN_OIDC_CITY_ISSUER": "http://id.example.org",
        },
    ):
        with pytest.raises(AssertionError, match="REGIMEN_OIDC_"):
            own_server(environment=wrong).start()
