# SPDX-License-Identifier: Apache-2.0
"""Two servers on one PostgreSQL database: each sees the other's changes, and either may die."""
import os
import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import requests

from harness.api import Api, instant, new_event
from harness.nodes import Nodes, two_nodes
from harness.postgres import Cluster
from harness.push_receiver import Reply
from harness.ringing import Person, eventually
from harness.server import Server, ServerError
from test_events import Stream
from test_reminder_kill import check, named

LEASE_SECONDS = 35
KILLS = int(os.environ.get("REGIMEN_NODE_KILLS", "3"))
RESTARTS = int(os.environ.get("REGIMEN_DATABASE_RESTARTS", "1"))
SEED = int(os.environ.get("REGIMEN_KILL_SEED", "20260301"))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    made = Cluster().start()
    yield made
    made.close()


@pytest.fixture
def nodes(tmp_path: Path, cluster: Cluster) -> Iterator[Nodes]:
    with two_nodes(tmp_path, cluster) as made:
        yield made


def through(server: Server, person: Person) -> Api:
    api = server.api(person.token)
    api._patient = person.api.patient
    return api


def test_an_answer_on_one_node_silences_the_page_of_the_other(nodes: Nodes) -> None:
    person = nodes.ring.person()
    device = person.subscribe()
    nodes.start_other()
    dose = person.dose_in(6)
    stream = Stream(
        nodes.other.base,
        {"Authorization": f"Bearer {person.token}", "Accept": "text/event-stream"},
    )
    stream.dose(dose, "due")
    eventually(lambda: device.rung(dose), "the push")
    assert person.api.answer(dose, "taken").status_code == 200
    answered = time.monotonic()
    stream.dose(dose, "taken")
    assert time.monotonic() - answered < 5
    stream.close()
    # It rings once, whichever node was first, and not again after the answer.
    assert len(device.rung(dose)) == 1
    # The other way round, and the audit trail of both is one unbroken chain.
    second = person.dose_in(600)
    assert through(nodes.other, person).answer(second, "skipped").status_code == 200
    assert person.api.dose(second)["state"] == "skipped"


def test_a_key_file_of_another_installation_is_refused(nodes: Nodes) -> None:
    person = nodes.ring.person()
    assert person.api.patient
    with pytest.raises(AssertionError, match="keys.json"):
        nodes.other.start()


@pytest.mark.long
def test_a_killed_node_loses_and_doubles_no_reminder(nodes: Nodes) -> None:
    ring, choice = nodes.ring, random.Random(SEED)
    held = ring.person()
    device = held.subscribe()
    device.reply(Reply(hang=True), Reply())
    waiting = held.dose_in(1)
    # It is in progress on the first node, which dies.
    eventually(lambda: device.pushes, "the push that hangs")
    people = [ring.person() for _ in range(8)]
    devices = {p.email: [p.subscribe()] for p in people}
    nodes.start_other()
    nodes.first.kill()
    killed = time.monotonic()
    doses: dict[str, list[str]] = {}
    ring.server = nodes.other
    apart = 2.0 * max(1, KILLS / 3)
    for number, person in enumerate(people):
        doses[person.email] = [person.dose_in(3 + number * apart)]
    last = time.monotonic() + 3 + len(people) * apart
    # One node at a time is down, in turn.
    alive, dead = nodes.other, nodes.first
    for _ in range(KILLS):
        dead.start()
        time.sleep(choice.uniform(0.2, 2.0))
        alive.kill()
        alive, dead = dead, alive
    dead.start()
    ring.server = alive
    eventually(lambda: device.rung(waiting), "what the dead node had", LEASE_SECONDS + 10)
    taken_over = time.monotonic() - killed
    assert taken_over < LEASE_SECONDS, f"taken over after {taken_over:.1f} s"
    eventually(
        lambda: all(named(devices[p.email][0]) >= set(doses[p.email]) for p in people),
        "every reminder", max(last - time.monotonic(), 0) + LEASE_SECONDS,
    )
    for person in people:
        eventually(
            lambda: {d["outcome"] for d in person.deliveries() if d["rung"] == 0} == {"handedOver"},
            f"the completion of all deliveries of {person.email}", LEASE_SECONDS + 5,
        )
    repeated = sum(check(p, devices[p.email], doses[p.email]) for p in people)
    print(f"taken over after {taken_over:.1f} s, {KILLS} more kills, {repeated} pushes repeated")


@dataclass
class Load:
    """Starts clients that record intakes on both nodes until they are stopped."""

    acknowledged: dict[str, str] = field(default_factory=dict)
    unknown: list[tuple[str, dict]] = field(default_factory=list)
    refused: int = 0
    wrong: list[str] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def post(self, api: Api, key: str, body: dict) -> bool:
        headers = {"Authorization": f"Bearer {api.token}", "Idempotency-Key": key}
        try:
            response = requests.post(
                f"{api.base}/api/v1/administrations", json=body, headers=headers, timeout=15
            )
        except requests.RequestException as error:
            response = None
            with self.lock:
                self.wrong.append(f"no answer: {type(error).__name__}")
        with self.lock:
            if response is not None and response.status_code == 201:
                self.acknowledged[key] = response.json()["id"]
                return True
            self.unknown.append((key, body))
            if response is not None and response.status_code == 503:
                self.refused += 1
                if "Retry-After" not in response.headers:
                    self.wrong.append("503 without Retry-After")
            elif response is not None:
                self.wrong.append(f"{response.status_code} {response.text}")
        return False

    def run(self, api: Api) -> None:
        while not self.ended.is_set():
            body = {
                "patient": api.patient, "medicine": f"Entry {new_event()[:13]}",
                "at": instant(api.now()), "taken": True, "confirm": True,
            }
            if not self.post(api, new_event(), body):
                time.sleep(0.05)

    def begin(self, servers: list[Server], person: Person) -> list[threading.Thread]:
        """Starts six clients, three on each node."""
        threads = [
            threading.Thread(target=self.run, args=(through(servers[n % 2], person),))
            for n in range(6)
        ]
        for thread in threads:
            thread.start()
        return threads

    def end(self, threads: list[threading.Thread]) -> None:
        self.ended.set()
        for thread in threads:
            thread.join(30)
            assert not thread.is_alive(), "a client hangs"


def test_a_restart_of_the_database_loses_nothing_acknowledged(
    nodes: Nodes, cluster: Cluster
) -> None:
    person = nodes.ring.person()
    nodes.start_other()
    servers = [nodes.first, nodes.other]
    load = Load()
    threads = load.begin(servers, person)
    for _ in range(RESTARTS):
        before = len(load.acknowledged)
        eventually(lambda: len(load.acknowledged) > before + 30, "work")
        cluster.stop()
        eventually(lambda: load.refused, "a refusal")
        for server in servers:
            answer = requests.get(f"{server.base}/health", timeout=10)
            assert (answer.status_code, answer.json()["part"]) == (503, "database")
        cluster.start()
        back = time.monotonic()
        before = len(load.acknowledged)
        eventually(lambda: len(load.acknowledged) > before + 30, "work after the restart")
        print(f"work went on {time.monotonic() - back:.1f} s after the database")
    load.end(threads)
    failed = [line for server in servers for line in server.log if '"request failed"' in line]
    assert not load.wrong, (load.wrong[:5], failed[:5])
    # Unacknowledged requests are sent again with their key, and are then stored once.
    unknown, load.unknown = load.unknown, []
    for number, (key, body) in enumerate(unknown):
        # A node may still be waiting to retry the database; it then says so, and the client waits too.
        eventually(lambda: load.post(through(servers[number % 2], person), key, body), "an answer")
    ids = [resource["id"] for resource in person.api.administrations()]
    assert len(ids) == len(set(ids))
    assert set(ids) == set(load.acknowledged.values())
    for server in servers:
        eventually(
            lambda: requests.get(f"{server.base}/health", timeout=10).status_code == 200, "health"
        )
    print(f"{len(load.acknowledged)} intakes, {load.refused} refusals, {len(unknown)} sent again")
    chain = cluster.sql(
        "SELECT count(*), max(sequence), count(DISTINCT node) FROM audit",
        nodes.database.split("/")[3].split("?")[0],
    )
    rows, latest, chains = chain.split("|")
    assert rows == latest and chains == "1", chain


def test_both_nodes_killed_together_take_every_write_afterwards(nodes: Nodes) -> None:
    person = nodes.ring.person()
    nodes.start_other()
    servers = [nodes.first, nodes.other]
    acknowledged: dict[str, str] = {}
    for _ in range(KILLS):
        before, after = Load(), Load()
        threads = before.begin(servers, person)
        eventually(lambda load=before: len(load.acknowledged) > 30, "work")
        for server in servers:
            server.process.kill()
        for server in servers:
            server.kill()
        before.end(threads)
        assert not before.refused
        assert all(line.startswith("no answer: ") for line in before.wrong), before.wrong[:5]
        with ThreadPoolExecutor(len(servers)) as pool:
            list(pool.map(Server.start, servers))
        threads = after.begin(servers, person)
        # Unacknowledged writes are sent again with their keys while others write.
        for number, (key, body) in enumerate(before.unknown):
            after.post(through(servers[number % 2], person), key, body)
        eventually(lambda load=after: len(load.acknowledged) > 60, "work after the kill")
        after.end(threads)
        failed = [line for server in servers for line in server.log if '"request failed"' in line]
        assert not after.refused and not after.wrong, (after.wrong[:5], failed[:5])
        acknowledged |= before.acknowledged | after.acknowledged
    ids = [resource["id"] for resource in person.api.administrations()]
    assert len(ids) == len(set(ids))
    assert set(ids) == set(acknowledged.values())


def test_a_household_moves_there_and_back(
    own_server: Callable[..., Server], cluster: Cluster
) -> None:
    server = own_server().start()
    server.invite("ann@example.org")
    token = server.create_token("ann@example.org")
    api = server.api(token)
    api.add_plan(api.events(60, 120, 180))
    assert api.answer(api.doses()[0]["id"], "taken").status_code == 200
    before = api.snapshot()
    address = cluster.database()
    there = ("migrate", "--to", address)
    back = ("migrate", "--database", address, "--to", "sqlite")
    with pytest.raises(ServerError, match="in use"):
        server.command(*there)
    server.stop()
    assert "Checked: counts" in server.command(*there)
    # A forgotten address does not create an empty file.
    with pytest.raises(ServerError, match="REGIMEN_DATABASE"):
        server.start()
    server.environment["REGIMEN_DATABASE"] = address
    assert server.start().api(token).snapshot() == before
    server.stop()
    with pytest.raises(ServerError, match="database is not empty"):
        server.command(*back)
    (server.data / "regimen.sqlite").rename(server.data / "old.sqlite")
    assert "Checked: counts" in server.command(*back)
    del server.environment["REGIMEN_DATABASE"]
    assert server.start().api(token).snapshot() == before


def test_a_move_into_a_new_folder_raises_no_alarm(
    own_server: Callable[..., Server], cluster: Cluster
) -> None:
    server = own_server().start()
    server.invite("ann@example.org")
    token = server.create_token("ann@example.org")
    api = server.api(token)
    api.add_plan(api.events(60, 120))
    before = api.snapshot()
    address = cluster.database()
    server.stop()
    server.command("migrate", "--to", address)
    server.environment["REGIMEN_DATABASE"] = address
    server.start()
    assert not any('"critical"' in line for line in server.log)
    server.stop()
    # A machine that has only the keys.
    fresh = own_server()
    shutil.copy(server.data / "keys.json", fresh.data / "keys.json")
    fresh.command("migrate", "--database", address, "--to", "sqlite")
    assert fresh.start().api(token).snapshot() == before
    assert not any('"critical"' in line for line in fresh.log)
    assert "FAIL" not in fresh.command("verify")
    fresh.stop()
    for name in ("audit-head", "audit-anchors"):
        (fresh.data / name).unlink()
    fresh.start()
    assert any('"critical"' in line and "missing" in line for line in fresh.log)
    assert "FAIL  audit trail" in fresh.command("verify", check=False)
