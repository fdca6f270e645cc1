# SPDX-License-Identifier: Apache-2.0
"""A passkey without a browser: the authenticator's side of WebAuthn with one P-256 key."""
import base64
import hashlib
import json
import re
import secrets
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from harness.server import Server
from harness.session import Session

PRESENT, VERIFIED, NEW = 0x01, 0x04, 0x40


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def dataset(page: str, kind: str) -> dict[str, str]:
    """Returns the data attributes of the form that asks for a passkey."""
    form = re.search(rf'<form[^>]*data-passkey="{kind}"[^>]*>', page)
    assert form, f"no form with a passkey ({kind})"
    return dict(re.findall(r'data-([a-z]+)="([^"]*)"', form.group()))


class Passkey:
    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.credential, self.account = secrets.token_bytes(16), ""

    def _client(self, kind: str, data: dict[str, str], server: Server) -> bytes:
        return json.dumps({
            "type": kind, "challenge": data["challenge"], "origin": server.base, "crossOrigin": False,
        }).encode()

    def _authenticator(self, data: dict[str, str], flags: int) -> bytes:
        return hashlib.sha256(data["party"].encode()).digest() + bytes([flags, 0, 0, 0, 0])

    def create(self, data: dict[str, str], server: Server) -> dict[str, str]:
        """Returns the fields of a form that registers the passkey."""
        self.account = base64.urlsafe_b64decode(data["account"] + "==").decode()
        point = self.key.public_key().public_numbers()
        cose = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + point.x.to_bytes(32, "big")
        cose += b"\x22\x58\x20" + point.y.to_bytes(32, "big")
        body = self._authenticator(data, PRESENT | VERIFIED | NEW) + bytes(16)
        body += len(self.credential).to_bytes(2, "big") + self.credential + cose
        # {"fmt": "none", "attStmt": {}, "authData": body}
        attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(body)]) + body
        client = self._client("webauthn.create", data, server)
        return {"client-data": encoded(client), "attestation": encoded(attestation)}

    def sign(self, data: dict[str, str], server: Server) -> dict[str, str]:
        """Returns the fields of a form that signs in."""
        client = self._client("webauthn.get", data, server)
        body = self._authenticator(data, PRESENT | VERIFIED)
        signature = self.key.sign(body + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return {
            "credential": encoded(self.credential), "client-data": encoded(client),
            "authenticator-data": encoded(body), "signature": encoded(signature),
            "user-handle": encoded(self.account.encode()),
        }


def sign_up(server: Server, email: str, name: str) -> Session:
    """Creates an account with a passkey and signs in, which is faster than a password; sign-up must be open."""
    session, passkey = Session(server), Passkey()

    def post(path: str, page: str, kind: str, fields: dict[str, Any]) -> None:
        form = session.form(page, names=("client-data",), action=path)
        answer = session.request("POST", path, data=form.fields | fields)
        assert answer.status_code == 303, f"{path}: {answer.status_code} {answer.text[:2000]}"

    page = "/sign-up?way=passkey"
    made = passkey.create(dataset(session.get(page).text, "create"), server)
    # The account's id is in the form that was signed.
    made |= {"name": name, "email": email, "account": passkey.account}
    post("/sign-up", page, "create", made)
    signed = passkey.sign(dataset(session.get("/sign-in").text, "get"), server)
    post("/sign-in/passkey", "/sign-in", "get", signed)
    return session
