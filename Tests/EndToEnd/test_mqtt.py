# SPDX-License-Identifier: Apache-2.0
"""Home Assistant over MQTT, with Debian's Mosquitto as the broker.

A real Home Assistant is too heavy here (`make soak` runs one, see test_home_assistant.py): the discovery documents
are compared with the keys that it documents for device discovery, and presses are sent as its command template renders
them.
"""
import json
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests

from harness.api import Api, instant, parse
from harness.broker import BROKER_PASSWORD, Broker, Certificates, Watcher, program
from harness.pill_box import PillBox
from harness.server import Server, binary
from harness.session import Session
from harness.sign_up import new_email

pytestmark = pytest.mark.skipif(program() is None, reason="mosquitto is not installed: make test installs it")

PAGE = "/device/home-assistant"
# The keys of device discovery: https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
DEVICE_KEYS = {"identifiers", "name", "manufacturer", "sw_version", "configuration_url"}
ENTITY_KEYS = {
    "sensor": {"state_topic", "value_template", "device_class", "unit_of_measurement"},
    "binary_sensor": {"state_topic", "value_template", "payload_on", "payload_off"},
    "button": {"command_topic", "command_template", "payload_press"},
    "event": {"state_topic", "event_types"},
}
COMMON_KEYS = {"platform", "unique_id", "name", "icon", "qos", "json_attributes_topic", "json_attributes_template"}


@dataclass
class Home:
    broker: Broker
    server: Server
    watcher: Watcher


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    folder = tmp_path_factory.mktemp("mqtt")
    broker = Broker(folder / "broker").start()
    server = Server(folder / "data", environment=broker.settings()).start()
    watcher = Watcher(broker)
    yield Home(broker, server, watcher)
    watcher.close()
    server.kill()
    broker.kill()


@dataclass
class Shown:
    """A person whom Home Assistant shows."""

    watcher: Watcher
    api: Api
    session: Session
    id: str

    @property
    def state(self) -> dict[str, Any]:
        return self.watcher.json(f"regimen/{self.id}/state")

    @property
    def topics(self) -> set[str]:
        return {topic for topic in self.watcher.topics() if self.id in topic}

    def press(self, name: str, key: str | None = None, retain: bool = False) -> None:
        press = {"press": name, "dose_key": self.state["dose_key"] if key is None else key}
        self.watcher.publish(f"regimen/{self.id}/command", press, retain)

    def due(self, *names: str) -> list[str]:
        """Adds medicines that are due in a moment, and waits until Home Assistant knows."""
        for seconds in (2, 15, 45):
            timing = self.api.events(seconds / 60)
            plans = [self.api.add_plan(timing, name=name)["id"] for name in names]
            doses = [dose["id"] for dose in self.api.doses() if dose["plan"] in plans]
            if len(doses) == len(names):
                self.watcher.wait(lambda: self.state.get("due_count") == len(names), "the due doses", seconds + 30)
                return doses
        raise AssertionError("the doses were in the past")

    def states(self, doses: list[str]) -> list[str]:
        listed = {dose["id"]: dose["state"] for dose in self.api.doses()}
        return [listed[dose] for dose in doses]


def show(server: Server, watcher: Watcher, **values: str) -> Shown:
    """Creates an account, turns it on, and finds what appears at the broker."""
    email = new_email()
    session = Session.by_invitation(server, email)
    before = watcher.topics()
    session.submit(PAGE, action=PAGE, **values)

    def found() -> set[str]:
        return {topic for topic in watcher.topics() - before if topic.startswith("homeassistant/device/")}

    watcher.wait(lambda: len(found()) == 1, "the discovery")
    topic, = found()
    made = Shown(watcher, server.api(server.create_token(email)), session, topic.split("/")[2].removeprefix("regimen-"))
    watcher.wait(lambda: bool(made.state), "the state")
    return made


def test_a_person_appears_without_configuration_and_is_followed(home: Home) -> None:
    shown = show(home.server, home.watcher)
    document = home.watcher.json(f"homeassistant/device/regimen-{shown.id}/config")
    assert set(document) == {"device", "origin", "availability", "components"}
    assert set(document["device"]) <= DEVICE_KEYS and document["origin"]["name"] == "Regimen"
    assert document["availability"][0]["topic"] == "regimen/status"
    assert home.watcher.text("regimen/status") == "online"
    for entity in document["components"].values():
        allowed = COMMON_KEYS | ENTITY_KEYS[entity["platform"]]
        assert {"platform", "unique_id", "name", "qos"} <= set(entity) <= allowed, entity
        # Home Assistant does not pass on a level of the whole device.
        assert entity["qos"] == 1
    assert len({entity["unique_id"] for entity in document["components"].values()}) == 10
    doses = shown.due("Testolol", "Zinc")
    assert shown.state["due"] == "ON" and shown.state["taken"] == 0
    # Names are hidden, and appear when they are chosen.
    assert not [topic for topic in shown.topics if "Testolol" in home.watcher.text(topic)]
    shown.session.submit(PAGE, action=PAGE, names="yes")
    home.watcher.wait(lambda: shown.state.get("medicines") is not None, "the names")
    assert sorted(shown.state["medicines"]) == ["Testolol", "Zinc"]
    assert shown.api.answer(doses[0], "taken").status_code == 200
    home.watcher.wait(lambda: shown.state["taken"] == 1 and shown.state["due_count"] == 1, "the answer")
    home.watcher.wait(
        lambda: ["due", "taken"] == sorted({event for topic, event in home.watcher.events if shown.id in topic}),
        "the events")


def test_a_press_logs_once_although_it_is_delivered_twice(home: Home) -> None:
    shown = show(home.server, home.watcher)
    doses = shown.due("Testolol", "Zinc")
    key = shown.state["dose_key"]
    for _ in range(2):
        shown.press("taken", key)
    home.watcher.wait(lambda: shown.state["taken"] == 2, "the press")
    assert shown.states(doses) == ["taken", "taken"]
    shown.press("skip", key)
    later = shown.due("Iron")
    assert shown.states(doses + later) == ["taken", "taken", "due"]
    assert len(shown.api.administrations()) == 2
    answers = [shown.api.dose(dose)["answer"] for dose in doses]
    assert all(answer["by"].endswith("through Home Assistant") for answer in answers), answers
    # Later, then left out.
    shown.press("snooze")
    home.watcher.wait(lambda: shown.state["due"] == "OFF", "the snooze")
    assert shown.states(later) == ["later"]


def test_hostile_messages_change_nothing(home: Home) -> None:
    shown = show(home.server, home.watcher)
    doses = shown.due("Testolol")
    command = f"regimen/{shown.id}/command"
    good = {"press": "taken", "dose_key": shown.state["dose_key"]}
    for payload in (b"\xff\xfe\x00", b"", b"PRESS", b"[" * 500, b"x" * 5_000_000, b'{"press":"taken"}'):
        home.watcher.publish(command, payload)
    for topic in (f"regimen/{shown.id}x/command", "regimen/guess/command", f"regimen/{shown.id}/a/command"):
        home.watcher.publish(topic, good)
    for _ in range(600):
        home.watcher.publish(command, {"press": "taken", "dose_key": "guess"})
    # An old press that the broker retains arrives again with the next connection.
    home.watcher.publish(command, {"press": "taken", "dose_key": "old"}, retain=True)
    home.server.restart()
    home.watcher.wait(lambda: home.watcher.text("regimen/status") == "online", "the connection")
    home.watcher.wait(lambda: shown.state.get("due") == "ON", "the state")
    # It listens elsewhere now.
    shown.api.base = home.server.base
    assert shown.states(doses) == ["due"]
    home.watcher.publish(command, b"", retain=True)
    shown.press("taken")
    home.watcher.wait(lambda: shown.state["taken"] == 1, "the press after the noise")
    assert shown.states(doses) == ["taken"]
    text = home.server.command("metrics")
    assert "regimen_mqtt_connected 1" in text
    assert 'regimen_mqtt_received_total{outcome="answered"} 1' in text


def test_turning_off_removes_what_the_broker_retains(home: Home) -> None:
    shown = show(home.server, home.watcher)
    assert len(shown.topics) == 2
    shown.session.submit(PAGE, "change", action=PAGE)
    home.watcher.wait(lambda: not shown.topics, "the removal")
    again = Watcher(home.broker)
    assert not [topic for topic in again.topics() if shown.id in topic]
    again.close()


def test_a_restarted_broker_is_found_again(home: Home) -> None:
    shown = show(home.server, home.watcher)
    dose, = shown.due("Testolol")
    home.broker.kill()
    # Answers do not wait for the broker.
    assert shown.api.answer(dose, "taken").status_code == 200
    time.sleep(1)
    home.broker.start()
    home.watcher.wait(lambda: shown.state["taken"] == 1, "the state after the restart", 90)
    assert home.watcher.text("regimen/status") == "online"
    # Home Assistant starts: everything is published again.
    topic = f"homeassistant/device/regimen-{shown.id}/config"
    home.watcher.publish(topic, b"", retain=True)
    home.watcher.wait(lambda: topic not in home.watcher.topics(), "the removal")
    home.watcher.publish("homeassistant/status", "online")
    home.watcher.wait(lambda: topic in home.watcher.topics(), "the discovery")


def test_a_press_while_the_server_is_away_is_kept(home: Home) -> None:
    shown = show(home.server, home.watcher)
    doses = shown.due("Testolol")
    home.server.stop()
    shown.press("taken")
    home.server.start()
    shown.api.base = home.server.base
    home.watcher.wait(lambda: shown.state["taken"] == 1, "the press")
    assert shown.states(doses) == ["taken"]


def metric(server: Server, outcome: str) -> int:
    """Returns the number of received messages with an outcome."""
    for line in server.command("metrics").splitlines():
        if line.startswith(f'regimen_mqtt_received_total{{outcome="{outcome}"}}'):
            return int(float(line.split()[1]))
    return 0


def test_a_pill_box_reports_over_the_broker(home: Home) -> None:
    shown = show(home.server, home.watcher)
    box = PillBox.add(shown.api, home.watcher)
    dose, = shown.due("Testolol")
    opened = {"sequence": 1, "event": "opened"}
    # Whoever may write at the broker, but not sign, changes nothing and gets no answer.
    unsigned = metric(home.server, "unsigned")
    body = json.dumps({"events": [opened]})
    hostile: list[bytes | str] = [
        body, f"{box.token}\n{body}", f"{'0' * 64}\n{body}", b"\xff" * 100, b"\x00",
        f"{box.signature(box.answers, body)}\n{body}",
    ]
    for payload in hostile:
        home.watcher.publish(box.events, payload)
    home.watcher.publish(f"regimen/device/{'A' * 43}/events", f"{box.signature(box.events, body)}\n{body}")
    # Above the largest payload: dropped before anyone reads it.
    dropped = metric(home.server, "dropped")
    box.send(" " * 20_000 + body)
    home.watcher.wait(lambda: metric(home.server, "unsigned") == unsigned + 7, "the refusals")
    home.watcher.wait(lambda: metric(home.server, "dropped") == dropped + 1, "the large message")
    assert home.watcher.count(box.answers) == 0 and shown.states([dose]) == ["due"]
    # Signed, but not understood: refused whole, with the reason.
    box.send('{"events":[{"sequence":1,"event":"exploded"}]}')
    home.watcher.wait(lambda: bool(box.answer()), "the refusal")
    assert box.answer()["problem"]["status"] == 422 and "event" in box.answer()["problem"]["detail"]
    assert shown.states([dose]) == ["due"]
    answer = box.report(instant(shown.api.now()), opened, {"sequence": 2, "event": "closed"})
    assert [result["outcome"] for result in answer["results"]] == ["logged", "noted"]
    assert shown.states([dose]) == ["taken"]
    assert shown.api.dose(dose)["answer"]["by"] == "Pill box “Kitchen”"
    # Delivered again: nothing more, and the same result.
    again = box.report(instant(shown.api.now()), opened)
    assert again["results"][0]["repeated"] is True and again["results"][0]["outcome"] == "logged"
    # Over HTTP it is the same event too.
    posted = requests.post(
        f"{home.server.base}/api/v1/home-devices/events", json={"boot": "test", "events": [opened]},
        headers={"Authorization": f"Bearer {box.token}"}, timeout=60)
    assert posted.json()["results"][0]["repeated"] is True
    assert len(shown.api.administrations()) == 1
    log = "\n".join(home.server.log)
    assert box.key not in log and box.token not in log and "exploded" not in log


def test_a_report_that_waited_at_the_broker_keeps_its_time(home: Home) -> None:
    shown = show(home.server, home.watcher)
    box = PillBox.add(shown.api, home.watcher)
    dose, = shown.due("Testolol")
    home.server.stop()
    sent = shown.api.now()
    box.send(json.dumps({"sent": instant(sent), "events": [{"sequence": 1, "event": "opened"}]}))
    home.server.start()
    shown.api.base = home.server.base
    home.watcher.wait(lambda: bool(box.answer()), "the answer")
    assert box.answer()["results"][0]["outcome"] == "logged", box.answer()
    assert parse(shown.api.dose(dose)["answer"]["at"]) == sent


def test_the_simulator_reports_over_the_broker(home: Home, tmp_path: Path) -> None:
    shown = show(home.server, home.watcher)
    box = PillBox.add(shown.api, home.watcher, meaning="note")
    script, password = tmp_path / "script", tmp_path / "password"
    # The clock of the server is ahead of this machine's, which the device's time of sending shows.
    script.write_text("00:00 opened\n00:00 closed\n")
    password.write_text(BROKER_PASSWORD)
    command = [
        binary(), "device", "simulate", "--url", home.server.base, "--token", box.token, "--script", script,
        "--broker", f"mqtt://127.0.0.1:{home.broker.port}", "--broker-user", "regimen", "--broker-password-file",
    ]
    ran = subprocess.run([*command, password], capture_output=True, text=True, timeout=90)
    assert ran.returncode == 0, ran.stderr
    assert [line.split()[1] for line in ran.stdout.splitlines()] == ["opened", "closed"], ran.stdout
    listed = shown.api.ok("/api/v1/home-devices")["devices"]
    assert [device["seen"] is not None for device in listed] == [True]
    ended = subprocess.run([*command, script], capture_output=True, text=True, timeout=90)
    assert ended.returncode == 1 and "credentials" in ended.stderr, ended.stderr


def test_the_broker_says_when_the_server_is_gone(tmp_path: Path, own_server: Callable[..., Server]) -> None:
    broker = Broker(tmp_path / "broker").start()
    try:
        server = own_server(environment=broker.settings()).start()
        watcher = Watcher(broker)
        watcher.wait(lambda: watcher.text("regimen/status") == "online", "the connection")
        server.kill()
        watcher.wait(lambda: watcher.text("regimen/status") == "offline", "the will")
        server.start()
        watcher.wait(lambda: watcher.text("regimen/status") == "online", "the connection")
        server.stop()
        watcher.wait(lambda: watcher.text("regimen/status") == "offline", "the goodbye", 5)
        watcher.close()
    finally:
        broker.kill()


def test_tls_with_an_authority_and_a_client_certificate(tmp_path: Path, own_server: Callable[..., Server]) -> None:
    certificates = Certificates(tmp_path / "certificates")
    broker = Broker(tmp_path / "broker", certificates).start()
    files = {
        "CA_FILE": str(certificates.authority), "CERTIFICATE_FILE": str(certificates.certificate("client")),
        "KEY_FILE": str(certificates.key("client")),
    }
    password = tmp_path / "password"
    password.write_text(BROKER_PASSWORD + "\n")
    try:
        server = own_server(
            environment=broker.settings(PASSWORD="", PASSWORD_FILE=str(password), **files)).start()
        watcher = Watcher(broker)
        watcher.wait(lambda: watcher.text("regimen/status") == "online", "the secure connection")
        watcher.close()
        server.kill()
        # An authority that did not sign the broker's certificate is not enough.
        stranger = Certificates(tmp_path / "stranger")
        server = own_server(environment=broker.settings(**files | {"CA_FILE": str(stranger.authority)})).start()
        assert reason(server) == "tls"
    finally:
        broker.kill()


def reason(server: Server) -> str:
    """Returns the reason that the log gives for the missing connection."""
    deadline = time.monotonic() + 40
    while time.monotonic() < deadline:
        for line in server.log:
            entry = json.loads(line) if line.startswith("{") else {}
            if entry.get("message") == "there is no connection to the MQTT broker":
                return entry["metadata"]["reason"]
        time.sleep(0.1)
    raise AssertionError(server.tail())


def test_a_wrong_password_is_reported_without_it(tmp_path: Path, own_server: Callable[..., Server]) -> None:
    broker = Broker(tmp_path / "broker").start()
    wrong = "canary-wrong-password-5c"
    try:
        server = own_server(environment=broker.settings(PASSWORD=wrong)).start()
        assert reason(server) == "credentials"
        session = Session.by_invitation(server, new_email(), True)
        page = session.get("/status").text
        assert "accept the user or password" in page and wrong not in page
        assert wrong not in "\n".join(server.log)
        assert requests.get(f"{server.base}/health", timeout=10).status_code == 200
    finally:
        broker.kill()


@pytest.mark.parametrize(("name", "value", "says"), [
    ("URL", "broker.example.org", "REGIMEN_MQTT_URL must be an address"),
    ("PREFIX", "a/#", "must be topics"),
    ("CA_FILE", "/nowhere", "REGIMEN_MQTT_CA_FILE must be a file"),
    ("KEY_FILE", "/etc/hostname", "need each other"),
    ("USER", "", "Set REGIMEN_MQTT_USER"),
])
def test_wrong_settings_end_the_start(tmp_path: Path, name: str, value: str, says: str) -> None:
    settings = {"URL": "mqtts://127.0.0.1:1", "USER": "regimen", "PASSWORD": "x"} | {name: value}
    ended = subprocess.run(
        [binary(), "serve", "--data", tmp_path / "data", "--port", "0"], capture_output=True, text=True, timeout=60,
        env={"PATH": "/usr/bin:/bin"} | {f"REGIMEN_MQTT_{key}": text for key, text in settings.items()})
    assert ended.returncode != 0 and says in ended.stderr, ended.stderr
