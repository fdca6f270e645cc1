# SPDX-License-Identifier: Apache-2.0
"""Debian's Mosquitto as the broker of a test, and a client that watches it like Home Assistant."""
import json
import shutil
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt

START_SECONDS = 20
USER, BROKER_PASSWORD = "regimen", "canary-broker-7f31"


def program() -> str | None:
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/sbin")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def run(*command: str | Path) -> None:
    subprocess.run([str(part) for part in command], check=True, capture_output=True)


@dataclass
class Certificates:
    """An authority of its own, and what it signed."""

    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Test authority",
            "-addext", "basicConstraints=critical,CA:TRUE", "-keyout", self.folder / "ca.key", "-out", self.authority)
        self.sign("broker", "subjectAltName=IP:127.0.0.1")
        self.sign("client", "extendedKeyUsage=clientAuth")

    @property
    def authority(self) -> Path:
        return self.folder / "ca.crt"

    def certificate(self, name: str) -> Path:
        return self.folder / f"{name}.crt"

    def key(self, name: str) -> Path:
        return self.folder / f"{name}.key"

    def sign(self, name: str, extension: str) -> None:
        request, extensions = self.folder / f"{name}.csr", self.folder / f"{name}.ext"
        extensions.write_text(extension + "\n")
        run("openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", self.key(name),
            "-out", request)
        run("openssl", "x509", "-req", "-in", request, "-CA", self.authority, "-CAkey", self.folder / "ca.key",
            "-CAcreateserial", "-days", "2", "-extfile", extensions, "-out", self.certificate(name))


@dataclass
class Broker:
    """One broker on its own folder, which keeps retained messages and sessions over a restart."""

    folder: Path
    certificates: Certificates | None = None
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Broker":
        found = program()
        assert found, "mosquitto is not installed"
        self.folder.mkdir(parents=True, exist_ok=True)
        passwords = self.folder / "passwords"
        passwords.touch(mode=0o600)
        run("mosquitto_passwd", "-b", passwords, USER, BROKER_PASSWORD)
        lines = [
            f"listener {self.port} 127.0.0.1", "allow_anonymous false", f"password_file {passwords}", "user root",
            "persistence true", f"persistence_location {self.folder}/", "autosave_on_changes true",
            "autosave_interval 1",
        ]
        if self.certificates:
            lines += [
                f"cafile {self.certificates.authority}", f"certfile {self.certificates.certificate('broker')}",
                f"keyfile {self.certificates.key('broker')}", "require_certificate true",
            ]
        settings = self.folder / "mosquitto.conf"
        settings.write_text("\n".join(lines) + "\n")
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen([found, "-c", str(settings)], stdout=log, stderr=log)
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return self
            except OSError:
                log_text = (self.folder / "log").read_text(errors="replace")
                assert self.process.poll() is None and time.monotonic() < deadline, log_text
                time.sleep(0.05)

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait(10)
            self.process = None

    def settings(self, **more: str) -> dict[str, str]:
        """Returns the variables with which a server uses this broker."""
        scheme = "mqtts" if self.certificates else "mqtt"
        values = {
            "URL": f"{scheme}://127.0.0.1:{self.port}", "USER": USER, "PASSWORD": BROKER_PASSWORD, **more,
        }
        return {f"REGIMEN_MQTT_{name}": value for name, value in values.items() if value}


class Watcher:
    """A client that keeps the last message of each topic, and every event."""

    def __init__(self, broker: Broker) -> None:
        self.last: dict[str, bytes] = {}
        self.events: list[tuple[str, Any]] = []
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        self._client.username_pw_set(USER, BROKER_PASSWORD)
        if broker.certificates:
            self._client.tls_set(
                str(broker.certificates.authority), str(broker.certificates.certificate("client")),
                str(broker.certificates.key("client")))
        self._client.on_message = self._take
        subscribed = threading.Event()
        self._client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self._client.on_subscribe = lambda *_: subscribed.set()
        self._client.connect("127.0.0.1", broker.port, keepalive=10)
        self._client.loop_start()
        assert subscribed.wait(20), "not subscribed"

    def _take(self, _client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        with self._lock:
            self._counts[message.topic] += 1
            if message.payload:
                self.last[message.topic] = message.payload
            else:
                self.last.pop(message.topic, None)
            if message.topic.endswith("/event"):
                self.events.append((message.topic, json.loads(message.payload)["event_type"]))

    def topics(self) -> set[str]:
        with self._lock:
            return set(self.last)

    def count(self, topic: str) -> int:
        """Returns the number of messages at a topic."""
        with self._lock:
            return self._counts[topic]

    def text(self, topic: str) -> str:
        with self._lock:
            return self.last.get(topic, b"").decode()

    def json(self, topic: str) -> dict[str, Any]:
        return json.loads(self.text(topic) or "{}")

    def publish(self, topic: str, payload: bytes | str | dict[str, Any], retain: bool = False) -> None:
        body = json.dumps(payload) if isinstance(payload, dict) else payload
        self._client.publish(topic, body, qos=1, retain=retain).wait_for_publish(20)

    def wait(self, check: Callable[[], bool], what: str, seconds: float = 40) -> None:
        deadline = time.monotonic() + seconds
        while not check():
            assert time.monotonic() < deadline, f"{what}: {sorted(self.topics())}"
            time.sleep(0.05)

    def close(self) -> None:
        self._client.loop_stop()
        self._client.disconnect()
