# SPDX-License-Identifier: Apache-2.0
"""Decision support for a hospital's system, which signs its tokens with another program's cryptography."""
import base64
import json
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
import requests
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from harness.server import Server
from harness.sign_up import new_email

ISSUER = "https://ehr.example.org"
SERVICE = "/cds-services/regimen-order-sign"


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class System:
    """A system with a key of one of the two kinds."""

    def __init__(self, algorithm: str) -> None:
        self.algorithm = algorithm
        if algorithm == "ES384":
            self.elliptic = ec.generate_private_key(ec.SECP384R1())
        else:
            self.rsa = rsa.generate_private_key(65537, 2048)

    @property
    def key_set(self) -> str:
        if self.algorithm == "ES384":
            point = self.elliptic.public_key().public_numbers()
            key = {
                "kty": "EC", "crv": "P-384", "x": encoded(point.x.to_bytes(48, "big")),
                "y": encoded(point.y.to_bytes(48, "big")),
            }
        else:
            number = self.rsa.public_key().public_numbers().n
            key = {"kty": "RSA", "e": "AQAB", "n": encoded(number.to_bytes(256, "big"))}
        return json.dumps({"keys": [key | {"kid": "k1", "use": "sig"}]})

    def token(self, audience: str, now: float, **changes: object) -> str:
        header = {"alg": self.algorithm, "typ": "JWT", "kid": "k1"}
        claims = {
            "iss": ISSUER, "aud": audience, "iat": int(now), "exp": int(now) + 120, "jti": str(uuid.uuid4()),
        } | changes
        signed = ".".join(encoded(json.dumps(part).encode()) for part in (header, claims))
        if self.algorithm == "ES384":
            r, s = decode_dss_signature(self.elliptic.sign(signed.encode(), ec.ECDSA(hashes.SHA384())))
            signature = r.to_bytes(48, "big") + s.to_bytes(48, "big")
        else:
            signature = self.rsa.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA384())
        return f"{signed}.{encoded(signature)}"


@pytest.mark.parametrize("algorithm", ["ES384", "RS384"])
def test_a_system_gets_cards_about_a_draft_order(
    own_server: Callable[..., Server], tmp_path: Path, algorithm: str
) -> None:
    server = own_server(clock_offset=0).start()
    email, system, keys = new_email(), System(algorithm), tmp_path / "keys.json"
    server.create_account(email)
    api = server.api(server.create_token(email))
    api.add_plan(api.events(60), name="Warfarin 3 mg")
    keys.write_text(system.key_set)
    added = server.command("cds", "add", f"--issuer={ISSUER}", f"--jwks={keys}", f"--account={email}")
    assert added.strip() == ISSUER
    body = {
        "hook": "order-sign", "hookInstance": str(uuid.uuid4()),
        "context": {
            "userId": "Practitioner/1", "patientId": api.patient,
            "draftOrders": {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": {
                "resourceType": "MedicationRequest", "id": "o1", "status": "draft", "intent": "order",
                "subject": {"reference": f"Patient/{api.patient}"},
                "medicationCodeableConcept": {"text": "Ibuprofen"},
            }}]},
        },
    }

    def call(token: str) -> requests.Response:
        return requests.post(
            server.base + SERVICE, json=body, headers={"Authorization": f"Bearer {token}"}, timeout=60)

    now = time.time()
    token = system.token(server.base + SERVICE, now)
    first = call(token)
    assert first.status_code == 200, first.text
    cards = [card for card in first.json()["cards"] if "Warfarin 3 mg with Ibuprofen" in card["summary"]]
    assert len(cards) == 1 and cards[0]["indicator"] == "warning" and len(cards[0]["summary"]) < 140
    assert ISSUER in server.command("cds", "list")
    for refused, reason in [
        (token, "replayed"),
        (system.token(server.base + "/cds-services/regimen-patient-view", now), "audience"),
        (system.token(server.base + SERVICE, now - 600), "expired"),
        (system.token(server.base + SERVICE, now, exp=int(now) + 3600), "lifetime"),
        (system.token(server.base + SERVICE, now, iss="https://other.example"), "issuer"),
        (System(algorithm).token(server.base + SERVICE, now), "signature"),
    ]:
        answer = call(refused)
        assert answer.status_code == 401 and reason in answer.json()["detail"], f"{reason}: {answer.text}"
    server.command("cds", "remove", f"--issuer={ISSUER}")
    assert call(system.token(server.base + SERVICE, now)).status_code == 401
