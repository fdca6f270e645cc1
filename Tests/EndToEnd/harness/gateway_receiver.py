# SPDX-License-Identifier: Apache-2.0
"""Stand-ins on loopback for services that receive messages by HTTP: a webhook, Home Assistant, Twilio,
Vonage and seven.io.

Each checks its requests against the real service's documentation, and fails when told to."""
import base64
import hashlib
import hmac
import json
import threading
import xml.etree.ElementTree as xml
from collections import deque
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

FORM = "application/x-www-form-urlencoded"
ACCOUNT, SECRET = "AC0123456789", "gateway-s3cret"
NUMBER = "+4740000012"
TAKEN = {
    "twilio": (201, {"sid": "SM1", "status": "queued"}),
    "vonage": (200, {"message-count": "1", "messages": [{"status": "0"}]}),
    "seven": (200, {"success": "100", "messages": []}),
    "hook": (200, {}), "home": (200, {}),
}


@dataclass(frozen=True)
class Taken:
    kind: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class GatewayReceiver:
    def __init__(self, secret: str = "") -> None:
        self.taken: list[Taken] = []
        self.faults: list[str] = []
        # The key that signs the webhook's messages.
        self.secret = secret
        # Statuses for the next messages, one after the other; then everything is accepted.
        self.replies: deque[int] = deque()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, body = receiver.take(self.path, dict(self.headers), raw)
                answer = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_port}"

    def take(self, path: str, headers: dict[str, str], raw: bytes) -> tuple[int, dict[str, Any]]:
        try:
            one = self.read(path, {name.lower(): value for name, value in headers.items()}, raw)
        except (ValueError, KeyError, AssertionError, StopIteration) as fault:
            self.faults.append(f"{path}: {fault!r}: {raw!r}")
            return 400, {}
        if self.replies and (status := self.replies.popleft()) != 200:
            return status, {}
        self.taken.append(one)
        return TAKEN[one.kind]

    def read(self, path: str, headers: dict[str, str], raw: bytes) -> Taken:
        place = urlsplit(path).path
        if place.startswith("/2010-04-01/Accounts/"):
            return Taken("twilio", place, headers, twilio(place, headers, form(headers, raw)))
        if place == "/sms/json":
            return Taken("vonage", place, headers, vonage(headers, form(headers, raw)))
        if place in ("/api/sms", "/api/voice"):
            return Taken("seven", place, headers, seven(place, headers, form(headers, raw)))
        assert headers["content-type"] == "application/json", headers
        body = json.loads(raw)
        if place.startswith("/api/services/notify/"):
            assert headers["authorization"] == "Bearer long-lived", headers
            assert set(body) <= {"title", "message", "data", "target"} and body["message"], body
            return Taken("home", place, headers, body)
        if place.startswith("/api/webhook/"):
            return Taken("home", place, headers, body)
        self.signed(headers, raw)
        return Taken("hook", place, headers, body)

    def signed(self, headers: dict[str, str], raw: bytes) -> None:
        """Verifies a message as a receiver according to Standard Webhooks."""
        key = base64.b64decode(self.secret.removeprefix("whsec_"))
        content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + raw
        mac = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
        assert f"v1,{mac}" in headers["webhook-signature"].split(" "), "the signature is wrong"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def form(headers: dict[str, str], raw: bytes) -> dict[str, Any]:
    assert headers["content-type"] == FORM, headers
    pairs = parse_qsl(raw.decode("ascii"), strict_parsing=True)
    assert len(dict(pairs)) == len(pairs), "a field comes twice"
    return dict(pairs)


def basic(headers: dict[str, str]) -> None:
    scheme, value = headers["authorization"].split(" ")
    assert scheme == "Basic" and base64.b64decode(value).decode() == f"{ACCOUNT}:{SECRET}"


def twilio(path: str, headers: dict[str, str], fields: dict[str, Any]) -> dict[str, Any]:
    basic(headers)
    resource = path.removeprefix(f"/2010-04-01/Accounts/{ACCOUNT}/")
    assert fields["To"] == NUMBER, fields
    if resource == "Messages.json":
        assert set(fields) in ({"To", "From", "Body"}, {"To", "MessagingServiceSid", "Body"}), fields
        return fields
    assert resource == "Calls.json" and set(fields) == {"To", "From", "Twiml"}, (path, fields)
    document = xml.fromstring(fields["Twiml"])
    say = document.find("Say")
    assert document.tag == "Response" and say is not None and say.text, fields["Twiml"]
    assert say.attrib["language"] and int(say.attrib["loop"]) > 0, say.attrib
    return fields | {"said": say.text}


def vonage(headers: dict[str, str], fields: dict[str, Any]) -> dict[str, Any]:
    basic(headers)
    assert {"from", "to", "text"} <= set(fields) <= {"from", "to", "text", "type", "client-ref"}, fields
    assert fields["to"] == NUMBER[1:], fields
    assert fields["text"].isascii() or fields["type"] == "unicode", fields
    return fields


def seven(path: str, headers: dict[str, str], fields: dict[str, Any]) -> dict[str, Any]:
    assert headers["x-api-key"] == SECRET and headers["accept"] == "application/json", headers
    more = {"from"} if path == "/api/sms" else {"from", "foreign_id"}
    assert {"to", "text"} <= set(fields) <= {"to", "text"} | more, fields
    assert fields["to"] == NUMBER, fields
    return fields
