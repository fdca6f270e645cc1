# SPDX-License-Identifier: Apache-2.0
"""The key of sealed fields is changed with a running server, with a stopped one, and after a kill."""
import json
import signal
import subprocess
import time
from collections.abc import Callable

from harness.server import Server, ServerError, binary

ENDPOINT = "https://updates.push.services.mozilla.com/wpush/v2/a-device"
KEYS = {
    "p256dh": "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
    "auth": "tBHItJI5svbpez7KI4CCXg",
}


def field_keys(server: Server) -> list[str]:
    stored = json.loads((server.data / "keys.json").read_text())
    return [key["id"] for key in stored["keys"] if key["use"] == "fields"]


def test_the_key_of_sealed_fields_changes(own_server: Callable[..., Server]) -> None:
    server = own_server().start()
    email = "ann@example.org"
    server.invite(email)
    token = server.create_token(email)
    made = server.api(token).post("/api/v1/push-subscriptions", {"endpoint": ENDPOINT, "keys": KEYS})
    assert made.status_code == 201, made.text

    def is_read() -> bool:
        return server.api(token).get("/api/v1/me").json()["account"]["email"] == email

    old, = field_keys(server)
    said = server.command("change-key")
    new, = field_keys(server)
    assert new != old and new in said and "Encrypted again: " in said, said
    assert is_read()
    server.stop()
    # Killed in the middle, without a server: the next call finishes the change.
    running = subprocess.Popen(
        [str(binary()), "change-key", "--data", str(server.data)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 30
    while field_keys(server) == [new] and running.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.001)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    server.start()
    assert is_read()
    server.command("change-key")
    assert len(field_keys(server)) == 1 and is_read()
    server.stop()
    # Passed by systemd; if there are both, it is unclear which one to use.
    handed = server.data.parent / "credentials"
    handed.mkdir()
    (server.data / "keys.json").rename(handed / "regimen-keys")
    result = subprocess.run(
        [str(binary()), "verify", "--data", str(server.data)], capture_output=True, text=True,
        env={"CREDENTIALS_DIRECTORY": str(handed)})
    assert result.returncode == 0, result.stderr
    result = subprocess.run(
        [str(binary()), "change-key", "--data", str(server.data)], capture_output=True, text=True,
        env={"CREDENTIALS_DIRECTORY": str(handed)})
    assert result.returncode == 1 and "--new-keys" in result.stdout + result.stderr
    try:
        server.start()
    except ServerError:
        assert "keys.json" in server.tail()
    else:
        raise AssertionError("it started without keys")
