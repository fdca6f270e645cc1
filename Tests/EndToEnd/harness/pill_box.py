# SPDX-License-Identifier: Apache-2.0
"""A pill box that reports over the broker of a test, and reads the answers."""
import hashlib
import hmac
import json
from dataclasses import dataclass
from typing import Any

import requests

from harness.api import Api
from harness.broker import Watcher


@dataclass
class PillBox:
    watcher: Watcher
    token: str
    events: str
    answers: str
    key: str

    @classmethod
    def add(cls, api: Api, watcher: Watcher, meaning: str = "log") -> "PillBox":
        """Registers a pill box, which asks with its token how to speak over the broker."""
        added = api.post(
            "/api/v1/home-devices",
            {"kind": "pill-box", "name": "Kitchen", "compartments": [{"meaning": meaning}]})
        assert added.status_code == 201, added.text
        token = added.json()["token"]
        told = requests.get(
            f"{api.base}/api/v1/home-devices/broker", headers={"Authorization": f"Bearer {token}"}, timeout=60)
        assert told.status_code == 200, told.text
        return cls(watcher, token, **told.json())

    def signature(self, topic: str, body: str) -> str:
        return hmac.new(self.key.encode(), f"{topic}\n{body}".encode(), hashlib.sha256).hexdigest()

    def send(self, body: str) -> str:
        """Publishes a signed body and returns its signature."""
        signature = self.signature(self.events, body)
        self.watcher.publish(self.events, f"{signature}\n{body}")
        return signature

    def answer(self) -> dict[str, Any]:
        """Returns the last answer, whose signature must be right; nothing if there is none."""
        text = self.watcher.text(self.answers)
        if not text:
            return {}
        signature, body = text.split("\n", 1)
        assert signature == self.signature(self.answers, body)
        return json.loads(body)

    def report(self, sent: str | None, *events: dict[str, Any]) -> dict[str, Any]:
        """Reports events and returns the answer."""
        body = json.dumps({"boot": "test", "events": list(events)} | ({"sent": sent} if sent else {}))
        before = self.watcher.count(self.answers)
        signature = self.send(body)
        self.watcher.wait(lambda: self.watcher.count(self.answers) > before, "the answer")
        answer = self.answer()
        assert answer["report"] == signature
        return answer
