# SPDX-License-Identifier: Apache-2.0
"""A stand-in ntfy server on loopback: accepts messages as JSON at its root, checks their form, and fails
when told to."""
import json
import re
import threading
from collections import deque
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# The fields that ntfy reads; any other one is a mistake in the message.
FIELDS = {
    "topic": str, "title": str, "message": str, "priority": int, "tags": list, "click": str,
    "actions": list, "sequence_id": str,
}
TOPIC = re.compile(r"[-_A-Za-z0-9]{1,64}")


@dataclass(frozen=True)
class Message:
    headers: dict[str, str]
    body: dict[str, Any]
    status: int


class NtfyReceiver:
    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.faults: list[str] = []
        # Answers for the next messages, one after the other; then everything is accepted.
        self.replies: deque[tuple[int, dict[str, str]]] = deque()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, headers = receiver.take(self.path, dict(self.headers), raw)
                answer = b"{}"
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
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

    def take(
        self, path: str, headers: dict[str, str], raw: bytes
    ) -> tuple[int, dict[str, str]]:
        status, more = self.replies.popleft() if self.replies else (200, {})
        try:
            body = json.loads(raw)
            self.check(path, body)
        except (ValueError, AssertionError) as fault:
            self.faults.append(f"{fault}: {raw!r}")
            return 400, {}
        self.messages.append(Message(headers, body, status))
        return status, more

    @staticmethod
    def check(path: str, body: dict[str, Any]) -> None:
        assert path == "/", path
        unknown = set(body) - set(FIELDS)
        assert not unknown, f"unknown fields {unknown}"
        for name, value in body.items():
            assert isinstance(value, FIELDS[name]), name
        assert TOPIC.fullmatch(body["topic"]), body["topic"]
        assert body["priority"] == 5
        (action,) = body["actions"]
        assert action["action"] == "view" and action["label"], action
        assert action["url"] == body["click"], "the button and a tap lead to different places"

    def taken(self, topic: str) -> list[Message]:
        return [m for m in self.messages if m.body["topic"] == topic and m.status == 200]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
