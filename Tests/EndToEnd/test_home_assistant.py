# SPDX-License-Identifier: Apache-2.0
"""A real Home Assistant core from PyPI with its MQTT integration; `make soak` runs it.

`REGIMEN_HOME_ASSISTANT` names a Python that has Home Assistant and what its integrations need (home-assistant.txt). The
last version for Debian's Python 3.11 is older than device discovery, so there the document is split into one for each
entity, as newer versions do it themselves.
"""
import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from harness.broker import BROKER_PASSWORD, USER, Broker, Watcher, program
from harness.server import Server
from test_mqtt import Shown, show

PYTHON = os.environ.get("REGIMEN_HOME_ASSISTANT")
CORE = Path(__file__).parent / "harness" / "home_assistant_core.py"
# What Home Assistant passes on from a device to its entities; the quality of service is not among it.
SHARED = ("availability", "availability_mode", "availability_template", "availability_topic", "command_topic",
          "payload_available", "payload_not_available", "state_topic")

pytestmark = pytest.mark.skipif(
    not PYTHON or program() is None, reason="REGIMEN_HOME_ASSISTANT names no Python with Home Assistant")


class Core:
    """A running core."""

    def __init__(self, folder: Path, broker: Broker) -> None:
        self.log = folder.parent / "home-assistant.log"
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [str(PYTHON), "-P", str(CORE), str(folder), str(broker.port), USER, BROKER_PASSWORD],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            self.about = self.read()
        except AssertionError:
            self.close()
            raise

    def read(self) -> dict[str, Any]:
        line = self.process.stdout.readline() if self.process.stdout else ""
        assert line, self.log.read_text(errors="replace")[-4000:]
        return json.loads(line)

    def ask(self, command: str) -> dict[str, Any]:
        assert self.process.stdin
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.read()

    def entities(self) -> dict[str, dict[str, Any]]:
        """Returns the entities of people's medicines by their id."""
        return {name: state for name, state in self.ask("states").items() if "medicines_of" in name}

    def entity(self, end: str) -> dict[str, Any]:
        found = [state for name, state in self.entities().items() if name.endswith(end)]
        assert len(found) == 1, (end, sorted(self.entities()))
        return found[0]

    def close(self) -> None:
        self.process.kill()
        self.process.wait(10)


@dataclass
class Rooms:
    server: Server
    watcher: Watcher
    core: Core

    def split(self, shown: Shown) -> None:
        """Does what a newer core does with the document of a device."""
        if self.core.about["knows_devices"]:
            return
        document = self.watcher.json(f"homeassistant/device/regimen-{shown.id}/config")
        shared = {name: document[name] for name in ("device", "origin", *SHARED) if name in document}
        for name, entity in document["components"].items():
            topic = f"homeassistant/{entity.pop('platform')}/regimen-{shown.id}/{name}/config"
            self.watcher.publish(topic, shared | entity, retain=True)


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rooms]:
    folder = tmp_path_factory.mktemp("home-assistant")
    broker = Broker(folder / "broker").start()
    # Home Assistant has the real clock.
    server = Server(folder / "data", clock_offset=0, environment=broker.settings()).start()
    watcher = Watcher(broker)
    try:
        core = Core(folder / "core", broker)
        try:
            yield Rooms(server, watcher, core)
        finally:
            core.close()
    finally:
        watcher.close()
        server.kill()
        broker.kill()


def test_entities_appear_answer_and_become_unavailable(rooms: Rooms) -> None:
    watcher, core = rooms.watcher, rooms.core
    assert core.entities() == {}
    shown = show(rooms.server, watcher, names="yes")
    rooms.split(shown)
    watcher.wait(lambda: len(core.entities()) == 10, "the entities")
    watcher.wait(lambda: core.entity("due_now")["state"] == "off", "the state")
    doses = shown.due("Testolol", "Zinc")
    watcher.wait(lambda: core.entity("due_now")["state"] == "on", "the due doses")
    assert core.entity("due_now")["doses"] == 2
    assert sorted(core.entity("due_now")["medicines"]) == ["Testolol", "Zinc"]
    assert core.entity("what_happened")["event_type"] == "due"
    later = shown.api.add_plan(shown.api.events(600))
    watcher.wait(lambda: core.entity("next_dose")["state"] != "unknown", "the next dose")
    button, = [name for name in core.entities() if name.startswith("button.") and name.endswith("_taken")]
    core.ask(f"press {button}")
    watcher.wait(lambda: core.entity("due_now")["state"] == "off", "the press")
    assert shown.states(doses) == ["taken", "taken"]
    assert core.entity("taken_today")["state"] == "2" and core.entity("taken_today")["planned"] >= 2
    shown.api.withdraw(later)
    watcher.wait(lambda: core.entity("next_dose")["state"] == "unknown", "no next dose")
    rooms.server.kill()
    watcher.wait(lambda: {state["state"] for state in core.entities().values()} == {"unavailable"}, "the will")
    rooms.server.start()
    watcher.wait(lambda: core.entity("taken_today")["state"] == "2", "the return")
    # It refuses none of the documents and messages.
    log = core.log.read_text(errors="replace")
    complaints = [line for line in log.splitlines() if "components.mqtt" in line and "ERROR" in line]
    assert complaints == [] and "required key" not in log and "extra keys" not in log
