# SPDX-License-Identifier: Apache-2.0
"""Tests of the stand-in push service and sendmail: they accept what is right and detect what is not."""
import email.message
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import http_ece
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode, b64urlencode

from harness.mailbox import FAILED_FOR_NOW, Mailbox
from harness.push_receiver import Device, PushReceiver, Reply, retry_after

PAYLOAD = {"delivery": "d", "doses": ["x"], "title": "Zeit für 08:00"}


class Sender:
    """A correct push client, with every part open to be spoilt."""

    def __init__(self, device: Device) -> None:
        self.device, self.vapid = device, Vapid02()
        self.vapid.generate_keys()
        point = self.vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        device.server_key = b64urlencode(point)

    def claims(self) -> dict[str, Any]:
        return {
            "aud": self.device.receiver.origin, "sub": "mailto:a@example.org",
            "exp": int(time.time()) + 3600,
        }

    def send(
        self, claims: dict[str, Any] | None = None, plaintext: bytes | None = None,
        spoil: Callable[[bytes], bytes] = bytes, **headers: str,
    ) -> requests.Response:
        key = self.device.json["keys"]
        body = http_ece.encrypt(
            plaintext or json.dumps(PAYLOAD).encode(), private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=b64urldecode(key["p256dh"].encode()), auth_secret=b64urldecode(key["auth"].encode()),
            version="aes128gcm",
        )
        sent = self.vapid.sign(self.claims() | (claims or {})) | {
            "Content-Encoding": "aes128gcm", "TTL": "60", "Urgency": "high", "Topic": "abc",
        }
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        return requests.post(
            self.device.endpoint, data=spoil(body), headers=sent, timeout=5, allow_redirects=False
        )


@pytest.fixture
def receiver() -> Iterator[PushReceiver]:
    made = PushReceiver()
    yield made
    made.close()


@pytest.fixture
def sender(receiver: PushReceiver) -> Sender:
    return Sender(receiver.device())


def test_a_right_push_is_opened_and_passes(receiver: PushReceiver, sender: Sender) -> None:
    assert sender.send().status_code == 201
    receiver.verify()
    (push,) = sender.device.accepted
    assert push.payload == PAYLOAD and push.topic == "abc" and push.headers["ttl"] == "60"
    assert sender.device.rung("x") == [push] and sender.device.rung("y") == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"claims": {"aud": "http://127.0.0.1:1"}}, {"claims": {"exp": int(time.time()) + 100_000}},
        {"claims": {"exp": int(time.time()) - 5}}, {"TTL": "59"}, {"TTL": "soon"},
        {"Urgency": "loud"}, {"Topic": "a b"}, {"Topic": "a" * 33}, {"Topic": "a="},
        {"Content_Encoding": "aesgcm"}, {"spoil": lambda b: b[:-1] + bytes([b[-1] ^ 1])},
        {"spoil": lambda b: b[:-3]}, {"plaintext": b"[1]"}, {"plaintext": b'"' + b"a" * 3100 + b'"'},
        {"Authorization": "vapid t=a.b.c,k=d"}, {"Authorization": "Bearer x"},
    ],
    ids="-".join,
)
def test_a_wrong_push_is_found(receiver: PushReceiver, sender: Sender, wrong: dict) -> None:
    sender.send(**wrong)
    with pytest.raises(Exception):  # noqa: B017 - whichever library sees it first
        receiver.verify()


def test_anothers_key_and_a_forged_signature_are_found(
    receiver: PushReceiver, sender: Sender
) -> None:
    sender.send()
    sender.device.server_key = "B" + "A" * 86
    with pytest.raises(AssertionError, match="another key"):
        receiver.verify()
    parts = sender.vapid.sign(sender.claims())["Authorization"].split(".")
    forged = sender.vapid.sign(sender.claims() | {"sub": "mailto:b@example.org"})["Authorization"]
    other = Sender(receiver.device())
    other.send(Authorization=".".join([*parts[:2], forged.split(".")[2]]))
    with pytest.raises(AssertionError, match="signature"):
        other.device.verify()


def test_requests_for_nobody_are_found(receiver: PushReceiver) -> None:
    assert requests.post(f"{receiver.origin}/push/nobody", timeout=5).status_code == 404
    with pytest.raises(AssertionError, match="nobody"):
        receiver.verify()


def test_it_misbehaves_in_the_order_told(receiver: PushReceiver, sender: Sender) -> None:
    soon = format_datetime(receiver.clock(), usegmt=False).replace("+0000", "GMT")
    device = sender.device
    device.reply(
        retry_after(429, "3"), retry_after(503, soon), Reply(413, above=300), Reply(413, above=4),
        Reply(301, (("Location", "http://127.0.0.1:1/"),)), Reply(drop=True),
        Reply(delay=0.1), Reply(410),
    )
    assert sender.send().headers["Retry-After"] == "3"
    assert sender.send().headers["Retry-After"] == soon
    assert [sender.send().status_code for _ in range(3)] == [201, 413, 301]
    with pytest.raises(requests.ConnectionError):
        sender.send()
    assert [sender.send().status_code for _ in range(3)] == [201, 410, 410]
    device.reply(Reply(hang=True))
    with pytest.raises(requests.Timeout):
        requests.post(device.endpoint, data=b"", timeout=0.2)
    assert [p.status for p in device.pushes] == [429, 503, 201, 413, 301, None, 201, 410, 410, None]
    assert len(device.accepted) == 2


def test_mails_are_kept_or_refused_as_told(tmp_path: Path) -> None:
    box = Mailbox(tmp_path / "it's a box")
    message = email.message.EmailMessage()
    message["Subject"] = "Zeit für 08:00"
    message.set_content("Öffne die Seite.\n")

    def send(recipient: str) -> int:
        command = [str(box.program), "-i", "-f", "from@example.org", "--", recipient]
        return subprocess.run(command, input=bytes(message), env={"PATH": os.defpath}).returncode

    box.behave("ann@example.org", FAILED_FOR_NOW, 67)
    assert [send("ann@example.org") for _ in range(3)] == [75, 67, 0]
    assert send("bob@example.org") == 0
    assert len(box.mails()) == 2 and len(box.mails("ann@example.org", delivered=False)) == 3
    (mail,) = box.mails("ann@example.org")
    assert mail.arguments == ["-i", "-f", "from@example.org", "--", "ann@example.org"]
    assert mail.message["Subject"] == "Zeit für 08:00" and mail.text == "Öffne die Seite.\n"
