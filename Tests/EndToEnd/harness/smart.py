# SPDX-License-Identifier: Apache-2.0
"""Apps as they act against a server: registered by the operator, allowed by a person, signing assertions."""
import base64
import hashlib
import json
import secrets
import time
from urllib.parse import parse_qs, urlencode, urlsplit

import requests
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from harness.server import Server
from harness.session import Session

REDIRECT = "https://app.example.org/return"
SCOPES = "openid fhirUser launch launch/patient offline_access patient/*.rs"


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class App:
    """An app with its registration, and the requests that it sends."""

    def __init__(
        self, server: Server, *options: str, scopes: str = SCOPES, redirect: str = REDIRECT
    ) -> None:
        self.server, self.redirect = server, redirect
        lines = server.command("app", "add", "--name=Tracker", f"--scopes={scopes}", *options).split()
        self.id = lines[1]
        self.secret = lines[3] if len(lines) > 3 else None
        self.verifier = encoded(secrets.token_bytes(32))

    def address(self, **changes: str) -> str:
        challenge = encoded(hashlib.sha256(self.verifier.encode()).digest())
        return "/oauth/authorize?" + urlencode({
            "response_type": "code", "client_id": self.id, "redirect_uri": self.redirect, "state": "s-1",
            "scope": "openid fhirUser launch/patient offline_access patient/*.rs",
            "aud": f"{self.server.base}/fhir", "code_challenge": challenge,
            "code_challenge_method": "S256", "nonce": "n-1",
        } | changes)

    def post(self, path: str = "/oauth/token", **fields: str) -> requests.Response:
        own = {"client_id": self.id} | ({"client_secret": self.secret} if self.secret else {})
        return requests.post(self.server.base + path, data=own | fields, timeout=30)

    def exchange(self, code: str, **changes: str) -> requests.Response:
        fields = {
            "grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect,
            "code_verifier": self.verifier,
        }
        return self.post(**fields | changes)

    def read(self, token: str, path: str) -> requests.Response:
        return requests.get(
            f"{self.server.base}/fhir/{path}", headers={"Authorization": f"Bearer {token}"}, timeout=30)


def agree(session: Session, app: App, answer: str = "allow", **changes: str) -> dict[str, str]:
    """Follows the link of the app, decides, and returns what the app learns."""
    led = session.get(app.address(**changes))
    assert led.status_code == 303, led.text
    form = session.form(led.headers["Location"], names=("answer",), action="/oauth/consent")
    sent = session.request("POST", "/oauth/consent", data=form.fields | {"answer": answer})
    assert sent.status_code == 303 and sent.headers["Location"].startswith(REDIRECT), sent.text
    return {name: value[0] for name, value in parse_qs(urlsplit(sent.headers["Location"]).query).items()}


class Signer:
    """A key of an app, with which it signs assertions."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP384R1())

    @property
    def key_set(self) -> dict[str, object]:
        numbers = self.key.public_key().public_numbers()
        return {"keys": [{
            "kty": "EC", "crv": "P-384", "kid": "k1", "alg": "ES384",
            "x": encoded(numbers.x.to_bytes(48)), "y": encoded(numbers.y.to_bytes(48)),
        }]}

    def assertion(self, app: App, **changes: object) -> dict[str, str]:
        header = {"alg": "ES384", "typ": "JWT", "kid": "k1"}
        content = {
            "iss": app.id, "sub": app.id, "aud": f"{app.server.base}/oauth/token",
            "exp": int(time.time()) + 240, "jti": secrets.token_hex(8),
        } | changes
        text = ".".join(encoded(json.dumps(part).encode()) for part in (header, content))
        r, s = decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(hashes.SHA384())))
        return {
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion": f"{text}.{encoded(r.to_bytes(48) + s.to_bytes(48))}",
        }
