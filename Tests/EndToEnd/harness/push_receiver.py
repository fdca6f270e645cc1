# SPDX-License-Identifier: Apache-2.0
"""A stand-in push service on loopback: keeps every push, and misbehaves when told to.

Pushes are decrypted with http-ece and their sender is verified with py-vapid, so that the program under
test never checks itself. Decryption happens later, so that answering costs almost nothing.
"""
import json
import select
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode, b64urlencode

DAY = 86_400
MOST_BYTES = 4096
URGENCIES = ("very-low", "low", "normal", "high")
HANG_SECONDS = 90


@dataclass(frozen=True)
class Reply:
    """The answer to one push, and how it misbehaves."""

    status: int = 201
    headers: tuple[tuple[str, str], ...] = ()
    delay: float = 0
    # Only for bodies above a number of bytes; shorter ones are accepted.
    above: int | None = None
    # The connection stays open without an answer, or closes once the body has been read.
    hang: bool = False
    drop: bool = False
    # The body of the answer; the socket accepts as much as the sender reads.
    body: bytes = b""


def retry_after(status: int, text: str) -> Reply:
    return Reply(status, (("Retry-After", text),))


@dataclass(frozen=True)
class Push:
    """One request as received, and its answer."""

    device: "Device"
    # The monotonic clock of this machine, and the time that the sender believes it is.
    received: float
    clock: datetime
    origin: str
    headers: dict[str, str]
    body: bytes
    status: int | None

    @cached_property
    def plaintext(self) -> bytes:
        return http_ece.decrypt(
            self.body, private_key=self.device.private_key, auth_secret=self.device.secret,
            version="aes128gcm",
        )

    @cached_property
    def payload(self) -> dict[str, Any]:
        return json.loads(self.plaintext)

    @property
    def accepted(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def topic(self) -> str | None:
        return self.headers.get("topic")

    def verify(self) -> None:
        """Checks all rules of RFC 8030, 8188, 8291 and 8292 that one message can break."""
        headers = self.headers
        assert headers.get("content-encoding") == "aes128gcm", headers
        assert len(self.body) <= MOST_BYTES, f"{len(self.body)} bytes"
        record_size = int.from_bytes(self.body[16:20], "big")
        assert record_size >= len(self.body) - 86, "more than one record"
        assert 60 <= int(headers["ttl"]) <= 28 * DAY, headers["ttl"]
        assert headers.get("urgency", "normal") in URGENCIES, headers["urgency"]
        if self.topic is not None:
            assert 1 <= len(self.topic) <= 32, self.topic
            assert all(c.isascii() and (c.isalnum() or c in "-_") for c in self.topic), self.topic
        self._verify_sender(headers["authorization"])
        assert isinstance(self.payload, dict) and len(self.plaintext) <= 3000

    def _verify_sender(self, authorization: str) -> None:
        # The library rejects a space after the comma, which RFC 9110 allows.
        scheme, parameters = authorization.split(" ", 1)
        parts = dict(p.strip().split("=", 1) for p in parameters.split(","))
        assert scheme.lower() == "vapid" and set(parts) == {"t", "k"}, authorization
        assert "=" not in parts["t"] + parts["k"], "padding"
        assert Vapid02.verify(f"vapid t={parts['t']},k={parts['k']}"), "the signature is wrong"
        assert parts["k"] == self.device.server_key, "another key than vapidPublicKey"
        head, claims = (json.loads(b64urldecode(p.encode())) for p in parts["t"].split(".")[:2])
        assert head["alg"] == "ES256" and head.get("typ", "JWT") == "JWT", head
        assert claims["aud"] == self.origin, claims
        left = claims["exp"] - self.clock.timestamp()
        assert 0 < left <= DAY, f"exp is {left} s ahead"
        assert claims["sub"].startswith(("mailto:", "https://")) and len(claims["sub"]) > 8, claims


@dataclass(eq=False)
class Device:
    """A subscription with its own keys, like a browser's."""

    receiver: "PushReceiver"
    name: str = field(default_factory=lambda: uuid.uuid4().hex)
    server_key: str | None = None
    subscription: str | None = None
    pushes: list[Push] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=lambda: [Reply()])

    def __post_init__(self) -> None:
        self.private_key = ec.generate_private_key(ec.SECP256R1())
        self.secret = uuid.uuid4().bytes
        self.lock = threading.Lock()

    @property
    def endpoint(self) -> str:
        return f"{self.receiver.origin}/push/{self.name}"

    @property
    def json(self) -> dict[str, Any]:
        """Returns the result of PushSubscription.toJSON()."""
        point = self.private_key.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        keys = {"p256dh": b64urlencode(point), "auth": b64urlencode(self.secret)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def reply(self, *replies: Reply) -> None:
        """Sets the answers in order; the last one stays."""
        with self.lock:
            self.replies = list(replies)

    def next_reply(self) -> Reply:
        with self.lock:
            return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]

    @property
    def accepted(self) -> list[Push]:
        return [push for push in list(self.pushes) if push.accepted]

    def rung(self, dose: str) -> list[Push]:
        """Returns the accepted pushes that name a dose."""
        return [push for push in self.accepted if dose in push.payload.get("doses", ())]

    def verify(self) -> None:
        for push in list(self.pushes):
            push.verify()


class PushReceiver:
    """`offset` is the number of seconds that the sender's clock is ahead of this machine's."""

    def __init__(self, offset: Callable[[], float] = lambda: 0) -> None:
        self.offset = offset
        self.devices: dict[str, Device] = {}
        self.strays: list[str] = []
        self.ended = threading.Event()
        receiver = self

        class Handler(_Handler):
            service = receiver

        self.http = _Service(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def host(self) -> str:
        """Returns the value for REGIMEN_PUSH_HOSTS."""
        return f"127.0.0.1:{self.http.server_port}"

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    def device(self) -> Device:
        made = Device(self)
        self.devices[made.name] = made
        return made

    def clock(self) -> datetime:
        return datetime.now(timezone.utc) + timedelta(seconds=self.offset())

    def verify(self) -> None:
        assert not self.strays, f"requests for nobody: {self.strays}"
        for device in list(self.devices.values()):
            device.verify()

    def close(self) -> None:
        self.ended.set()
        self.http.shutdown()
        self.http.server_close()


class _Service(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 512

    def handle_error(self, *arguments: object) -> None:
        """A killed server leaves broken connections, which are ignored."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    service: PushReceiver

    def do_POST(self) -> None:  # noqa: N802
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if len(body) < length:
            # The sender died while sending: no service would accept this.
            self.close_connection = True
            return
        device = self.service.devices.get(self.path.removeprefix("/push/"))
        if device is None:
            self.service.strays.append(f"{self.command} {self.path}")
            self._answer(Reply(404))
            return
        reply = device.next_reply()
        if reply.above is not None and len(body) <= reply.above:
            reply = Reply()
        silent = reply.hang or reply.drop
        device.pushes.append(
            Push(
                device, time.monotonic(), self.service.clock(),
                f"http://{self.headers.get('Host')}",
                {name.lower(): value for name, value in self.headers.items()}, body,
                None if silent else reply.status,
            )
        )
        if reply.delay:
            self.service.ended.wait(reply.delay)
        if silent:
            self._be_silent(HANG_SECONDS if reply.hang else 0)
        else:
            self._answer(reply)

    do_GET = do_PUT = do_HEAD = do_POST  # a followed redirect would show up as one of these

    def _be_silent(self, seconds: float) -> None:
        """Waits until the sender gives up, or not at all."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not self.service.ended.is_set():
            if select.select([self.connection], [], [], 0.1)[0]:
                break
        self.close_connection = True

    def _answer(self, reply: Reply) -> None:
        lines = [f"HTTP/1.1 {reply.status} Answer", f"Content-Length: {len(reply.body)}"]
        lines += [f"{name}: {value}" for name, value in reply.headers]
        self.wfile.write(("\r\n".join(lines) + "\r\n\r\n").encode() + reply.body)
        self.wfile.flush()

    def log_message(self, *arguments: object) -> None:
        pass
