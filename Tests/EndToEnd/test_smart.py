# SPDX-License-Identifier: Apache-2.0
"""Apps that people connect: SMART App Launch from the registration to the end of access."""
import base64
import hashlib
import http.server
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from playwright.sync_api import Browser, expect

from harness.browser import axe_problems
from harness.server import Server
from harness.session import Session
from harness.sign_up import new_email, sign_up
from harness.smart import REDIRECT, App, Signer, agree, encoded
from test_team_story import share


def claims(token: str) -> dict[str, object]:
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


@pytest.fixture
def ann(server: Server) -> Session:
    return Session.by_invitation(server, new_email())


def test_an_app_is_connected_reads_and_loses_its_access(server: Server, ann: Session) -> None:
    app = App(server, f"--redirect={REDIRECT}")
    found = requests.get(f"{server.base}/fhir/.well-known/smart-configuration", timeout=30).json()
    assert found["token_endpoint"] == f"{server.base}/oauth/token"
    answer = agree(ann, app)
    assert answer["state"] == "s-1" and answer["iss"] == server.base
    response = app.exchange(answer["code"])
    assert response.status_code == 200 and response.headers["Cache-Control"] == "no-store"
    tokens = response.json()
    patient = tokens["patient"]
    assert app.read(tokens["access_token"], f"Patient/{patient}").json()["id"] == patient
    assert claims(tokens["id_token"])["fhirUser"] == f"{server.base}/fhir/Patient/{patient}"
    assert claims(tokens["id_token"])["nonce"] == "n-1"

    newer = app.post(grant_type="refresh_token", refresh_token=tokens["refresh_token"]).json()
    assert app.read(newer["access_token"], f"Patient/{patient}").status_code == 200
    ann.submit("/me/apps", "grant", action="/me/apps/end")
    assert app.read(newer["access_token"], f"Patient/{patient}").status_code == 401
    ended = app.post(grant_type="refresh_token", refresh_token=newer["refresh_token"])
    assert ended.status_code == 400 and ended.json()["error"] == "invalid_grant"
    for secret in ("rga_", "rgr_", "rgc_"):
        assert not [line for line in server.log if secret in line], "a secret is in the log"


def test_attacks_on_codes_and_refresh_tokens(server: Server, ann: Session) -> None:
    app, thief = App(server, f"--redirect={REDIRECT}"), App(server, f"--redirect={REDIRECT}")
    wrong = ann.get(app.address(redirect_uri="https://evil.example/"))
    assert wrong.status_code == 400 and "Location" not in wrong.headers
    assert agree(ann, app, answer="deny")["error"] == "access_denied"
    code = agree(ann, app)["code"]
    for response in (
        app.exchange(code, code_verifier="w" * 43), app.exchange(code, redirect_uri=REDIRECT + "/"),
        thief.exchange(code), thief.exchange(code, code_verifier=app.verifier),
    ):
        assert response.status_code == 400 and response.json()["error"] == "invalid_grant"
    tokens = app.exchange(code).json()
    wide = app.post(
        grant_type="refresh_token", refresh_token=tokens["refresh_token"], scope="user/*.cruds")
    assert wide.json()["error"] == "invalid_scope"
    stolen = thief.post(grant_type="refresh_token", refresh_token=tokens["refresh_token"])
    assert stolen.json()["error"] == "invalid_grant"
    newer = app.post(grant_type="refresh_token", refresh_token=tokens["refresh_token"]).json()
    # The second use of a refresh token ends everything.
    again = app.post(grant_type="refresh_token", refresh_token=tokens["refresh_token"])
    assert again.status_code == 400
    assert app.read(newer["access_token"], f"Patient/{tokens['patient']}").status_code == 401
    # So does the second use of a code.
    code = agree(ann, app)["code"]
    tokens = app.exchange(code).json()
    assert app.exchange(code).status_code == 400
    assert app.read(tokens["access_token"], f"Patient/{tokens['patient']}").status_code == 401
    refused = "\n".join(line for line in server.log if "An app's request was refused" in line)
    for error in ("invalid_grant", "invalid_scope", "invalid_redirect_uri"):
        assert error in refused, "no trace of the attack"
    assert "evil.example" not in refused and "access_denied" not in refused


def test_a_backend_service_signs_and_cannot_replay(
    own_server: Callable[..., Server], tmp_path: Path
) -> None:
    # Assertions carry the time of this machine.
    server = own_server(clock_offset=0).start()
    email = new_email()
    server.create_account(email)
    signer = Signer()
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps(signer.key_set))
    app = App(
        server, "--kind=backend", f"--account={email}", f"--jwks={keys}", scopes="system/Patient.rs")

    def ask(proof: dict[str, str], scope: str = "system/Patient.rs") -> requests.Response:
        return app.post(grant_type="client_credentials", scope=scope, **proof)

    proof = signer.assertion(app)
    tokens = ask(proof).json()
    assert tokens["expires_in"] <= 300 and "refresh_token" not in tokens
    found = app.read(tokens["access_token"], "Patient")
    assert found.status_code == 200 and found.json()["resourceType"] == "Bundle"
    assert ask(proof).status_code == 401, "the same assertion twice"
    assert ask(signer.assertion(app, exp=int(time.time()) + 900)).status_code == 401
    assert ask(signer.assertion(app, aud="https://other.example.org")).status_code == 401
    assert ask(Signer().assertion(app)).status_code == 401
    assert ask(signer.assertion(app), scope="system/*.cruds").json()["error"] == "invalid_scope"
    assert ask({}).status_code == 401
    server.command("app", "disable", app.id)
    assert app.read(tokens["access_token"], "Patient").status_code == 401
    assert ask(signer.assertion(app)).status_code == 401


def test_keys_are_never_fetched_from_private_addresses(own_server: Callable[..., Server]) -> None:
    server = own_server(clock_offset=0).start()
    email = new_email()
    server.create_account(email)
    signer = Signer()
    for address in ("https://127.0.0.1/keys", "https://localhost/keys", "https://[::1]:8443/keys"):
        app = App(
            server, "--kind=backend", f"--account={email}", f"--jwks-url={address}",
            scopes="system/Patient.rs")
        response = app.post(
            grant_type="client_credentials", scope="system/Patient.rs", **signer.assertion(app))
        assert response.status_code == 401 and response.json()["error"] == "invalid_client"


def test_apps_register_themselves_only_if_the_operator_allows_it(
    server: Server, own_server: Callable[..., Server]
) -> None:
    app = {
        "client_name": "Diary", "redirect_uris": [REDIRECT], "scope": "launch/patient patient/*.rs",
        "token_endpoint_auth_method": "none",
    }
    assert requests.post(f"{server.base}/oauth/register", json=app, timeout=30).status_code == 403
    asking = own_server(environment={"REGIMEN_APP_REGISTRATION": "approval"}).start()
    url = f"{asking.base}/oauth/register"
    wrong = requests.post(url, json=app | {"redirect_uris": ["http://app.example.org/"]}, timeout=30)
    assert wrong.status_code == 400 and wrong.json()["error"] == "invalid_redirect_uri"
    made = requests.post(url, json=app, timeout=30)
    assert made.status_code == 201 and "client_secret" not in made.json()
    assert f"{made.json()['client_id']} pending public Diary" in asking.command("app", "list")
    asking.command("app", "approve", made.json()["client_id"])
    assert f"{made.json()['client_id']} enabled" in asking.command("app", "list")


@pytest.fixture
def arrivals() -> Iterator[tuple[str, list[str]]]:
    """An app on this machine: the address to which people go back, and the paths that were asked for."""
    paths: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(b"<!doctype html><html lang=en><title>App</title><p>Back in the app</p>")

        def log_message(self, *_: object) -> None:
            pass

    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}/return", paths
    made.shutdown()
    made.server_close()


def test_a_person_decides_in_a_browser(
    browser: Browser, server: Server, arrivals: tuple[str, list[str]]
) -> None:
    redirect, paths = arrivals
    app = App(server, f"--redirect={redirect}", redirect=redirect)
    context, page, _ = sign_up(browser, server)
    page.goto(app.address())
    expect(page.get_by_role("heading", name="Connect Tracker?")).to_be_visible()
    assert not axe_problems(page)
    page.get_by_label("How long?").select_option("30")
    page.get_by_role("button", name="Allow", exact=True).click()
    expect(page.get_by_text("Back in the app")).to_be_visible()
    code = next(parse_qs(urlsplit(path).query)["code"][0] for path in paths if "code=" in path)
    assert app.exchange(code).status_code == 200
    page.goto("/me/apps")
    expect(page.get_by_role("heading", name="Tracker")).to_be_visible()
    assert not axe_problems(page)
    page.get_by_role("button", name="End access").click()
    expect(page.get_by_text("Access ended.")).to_be_visible()
    context.close()


def test_a_doctor_opens_an_app_from_the_desk(
    browser: Browser, server: Server, arrivals: tuple[str, list[str]]
) -> None:
    redirect, paths = arrivals
    start = redirect.replace("/return", "/launch")
    app = App(server, f"--redirect={redirect}", f"--launch-url={start}", redirect=redirect)
    ours, ann, _ = sign_up(browser, server)
    theirs, doctor, email = sign_up(browser, server)
    server.ask("account practitioner", email=email, end=False)
    share(ann, doctor, "practitioner")
    doctor.goto("/care")
    doctor.locator("main .desk-link").first.click()
    doctor.get_by_role("link", name="Start an app").click()
    expect(doctor.get_by_role("heading", name="Tracker")).to_be_visible()
    assert not axe_problems(doctor)
    patient = parse_qs(urlsplit(doctor.url).query)["patient"][0]
    doctor.get_by_role("button", name="Open Tracker").click()
    expect(doctor.get_by_text("Back in the app")).to_be_visible()
    begun = parse_qs(urlsplit(next(path for path in paths if path.startswith("/launch?"))).query)
    assert begun["iss"] == [f"{server.base}/fhir"]
    wanted = {"launch": begun["launch"][0], "scope": "launch patient/Patient.rs"}
    doctor.goto(app.address(**wanted))
    doctor.get_by_role("button", name="Allow", exact=True).click()
    expect(doctor.get_by_text("Back in the app")).to_be_visible()
    code = next(parse_qs(urlsplit(path).query)["code"][0] for path in paths if "code=" in path)
    tokens = app.exchange(code).json()
    assert tokens["patient"] == patient and tokens["need_patient_banner"] is True
    assert app.read(tokens["access_token"], f"Patient/{patient}").json()["id"] == patient
    # The launch is used up: the app hears so, and no page appears.
    doctor.goto(app.address(**wanted))
    expect(doctor.get_by_text("Back in the app")).to_be_visible()
    assert any("error=invalid_request" in path for path in paths)
    ann.goto("/privacy/access-log")
    expect(ann.get_by_text("App: Tracker").first).to_be_visible()
    ours.close()
    theirs.close()


class Holder:
    """An app that binds its tokens to a key and signs a proof for each request (DPoP)."""

    def __init__(self, server: Server) -> None:
        self.server, self.key = server, ec.generate_private_key(ec.SECP256R1())

    def proof(self, method: str, path: str, token: str | None = None) -> dict[str, str]:
        numbers = self.key.public_key().public_numbers()
        header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": {
            "kty": "EC", "crv": "P-256",
            "x": encoded(numbers.x.to_bytes(32)), "y": encoded(numbers.y.to_bytes(32)),
        }}
        content: dict[str, object] = {
            "htm": method, "htu": self.server.base + path, "jti": secrets.token_hex(8),
            "iat": int(time.time()) + self.server.clock_offset,
        }
        if token:
            content["ath"] = encoded(hashlib.sha256(token.encode()).digest())
        text = ".".join(encoded(json.dumps(part).encode()) for part in (header, content))
        r, s = decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        return {"DPoP": f"{text}.{encoded(r.to_bytes(32) + s.to_bytes(32))}"}

    def token(self, app: App, **fields: str) -> requests.Response:
        return requests.post(
            f"{self.server.base}/oauth/token", data={"client_id": app.id} | fields,
            headers=self.proof("POST", "/oauth/token"), timeout=30)

    def read(self, path: str, token: str, proof: dict[str, str]) -> int:
        headers = {"Authorization": f"DPoP {token}"} | proof
        return requests.get(self.server.base + path, headers=headers, timeout=30).status_code


def test_a_token_is_bound_to_the_key_of_its_app(server: Server, ann: Session) -> None:
    app = App(server, f"--redirect={REDIRECT}")
    holder, thief = Holder(server), Holder(server)
    answer = holder.token(
        app, grant_type="authorization_code", code=agree(ann, app)["code"], redirect_uri=REDIRECT,
        code_verifier=app.verifier)
    assert answer.status_code == 200, answer.text
    tokens = answer.json()
    assert tokens["token_type"] == "DPoP"
    token, path = tokens["access_token"], f"/fhir/Patient/{tokens['patient']}"
    proof = holder.proof("GET", path, token)
    assert holder.read(path, token, proof) == 200
    assert holder.read(path, token, proof) == 401, "the same proof twice"
    assert app.read(token, f"Patient/{tokens['patient']}").status_code == 401, "as a bearer token"
    assert thief.read(path, token, thief.proof("GET", path, token)) == 401
    assert holder.read(path, token, holder.proof("PUT", path, token)) == 401
    refresh = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    assert app.post(**refresh).json()["error"] == "invalid_grant"
    assert thief.token(app, **refresh).json()["error"] == "invalid_grant"
    assert holder.token(app, **refresh).json()["token_type"] == "DPoP"
