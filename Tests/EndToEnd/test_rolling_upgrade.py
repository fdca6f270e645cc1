# SPDX-License-Identifier: Apache-2.0
"""Two nodes are replaced one after the other while reminders fall due: none is missed, none is doubled.

`REGIMEN_OLDER_BINARY` names an older version for the test of an upgrade; without it, both nodes run the same program.
"""
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from harness.nodes import Nodes, two_nodes
from harness.postgres import Cluster
from harness.push_receiver import Device
from harness.ringing import Person, eventually
from harness.server import Server, binary
from test_reminder_kill import check, named

OLDER = os.environ.get("REGIMEN_OLDER_BINARY")
PEOPLE = int(os.environ.get("REGIMEN_ROLLING_PEOPLE", "16"))
# A node that stops hands over what it was sending, and the other looks every second.
LATEST_SECONDS = 5.0


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    made = Cluster().start()
    yield made
    made.close()


@dataclass
class Watched:
    """People whose doses fall due one after the other, each with a device."""

    people: list[Person]
    devices: dict[str, Device]
    doses: dict[str, list[str]] = field(default_factory=dict)
    # When each dose rings, by this machine's monotonic clock, at the earliest.
    due: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, nodes: Nodes, count: int) -> "Watched":
        people = [nodes.ring.person() for _ in range(count)]
        return cls(people, {person.email: person.subscribe() for person in people})

    def plan(self, ahead: float, apart: float) -> None:
        """Gives everyone a dose, the first after some seconds."""
        began = time.monotonic()
        for number, person in enumerate(self.people):
            seconds = max(ahead + number * apart - (time.monotonic() - began), 0)
            before = time.monotonic()
            dose = person.dose_in(seconds)
            self.doses[person.email], self.due[dose] = [dose], before + seconds

    def arrived(self) -> int:
        return sum(named(self.devices[p.email]) >= set(self.doses[p.email]) for p in self.people)

    def all_arrived(self) -> None:
        """Waits for every reminder, and checks that none was late or came twice."""
        eventually(lambda: self.arrived() == len(self.people), "every reminder", 60)
        repeated = sum(check(p, [self.devices[p.email]], self.doses[p.email]) for p in self.people)
        assert repeated == 0, f"{repeated} reminders came twice"
        late = {
            dose: device.rung(dose)[0].received - self.due[dose]
            for person in self.people for device in [self.devices[person.email]] for dose in self.doses[person.email]
        }
        print(f"{len(late)} reminders, the latest {max(late.values()):.1f} s after it was planned")
        assert max(late.values()) < LATEST_SECONDS, late


def apart(nodes: Nodes) -> float:
    """Starts the second node, and returns the seconds between doses with which some fall into each restart."""
    began = time.monotonic()
    nodes.start_other()
    return max(0.5, (time.monotonic() - began) * 6 / PEOPLE)


def replace(node: Server, program: Path) -> None:
    """Stops a node, and starts it again with another program."""
    node.stop()
    node.program = program
    node.start()
    assert node.command("health").startswith("ok")


def roll(nodes: Nodes, watched: Watched, program: Path, between: Callable[[], None] = lambda: None) -> None:
    """Replaces one node after the other; some reminders fall due before, between and after."""
    for node in (nodes.first, nodes.other):
        before = watched.arrived()
        eventually(lambda: watched.arrived() >= min(before + 2, len(watched.people)), "a reminder")
        nodes.ring.server = nodes.other if node is nodes.first else nodes.first
        replace(node, program)
        if node is nodes.first:
            between()
        assert watched.arrived() < len(watched.people), "all reminders came before the nodes were replaced"


def test_a_restart_of_one_node_after_the_other_misses_and_doubles_nothing(tmp_path: Path, cluster: Cluster) -> None:
    with two_nodes(tmp_path, cluster) as nodes:
        watched = Watched.of(nodes, PEOPLE)
        watched.plan(ahead=2, apart=apart(nodes))
        roll(nodes, watched, binary())
        watched.all_arrived()


@pytest.mark.skipif(not OLDER, reason="REGIMEN_OLDER_BINARY names no older program")
def test_an_upgrade_of_one_node_after_the_other_misses_and_doubles_nothing(tmp_path: Path, cluster: Cluster) -> None:
    older = Path(OLDER or "")
    with two_nodes(tmp_path, cluster, program=older) as nodes:
        watched = Watched.of(nodes, PEOPLE)
        writer = nodes.ring.person()
        watched.plan(ahead=3, apart=max(1.0, apart(nodes)))
        patient = writer.api.patient

        def write() -> None:
            """Records an intake through the older node, next to the newer one."""
            api = nodes.other.api(writer.token)
            api._patient = patient
            assert api.administer("From the older node", confirm=True).status_code == 201

        roll(nodes, watched, binary(), write)
        watched.all_arrived()
        # The older program did not know the newer one's search index.
        nodes.first.command("rebuild")
        found = nodes.first.api(writer.token).ok(
            "/fhir/MedicationAdministration", patient=patient, **{"effective-time": "ge2000-01-01"})
        assert len(found["entry"]) == 1
        for node in (nodes.first, nodes.other):
            assert "FAIL" not in node.command("verify")
            assert not [line for line in node.log if '"error"' in line or '"critical"' in line], node.tail()
