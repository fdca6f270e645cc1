# SPDX-License-Identifier: Apache-2.0
"""SIGKILL while eight clients post: every acknowledged answer is stored afterwards, exactly once.

Half of the clients answer doses (one event each), half record intakes (one Idempotency-Key each). Requests
in progress when the process died are sent again with the same event or key, as an offline queue would, and
must then count once, whether or not the first attempt was committed.
"""
import os
import random
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
import requests

from harness.api import Api, instant, new_event
from harness.server import Server

ROUNDS = int(os.environ.get("REGIMEN_KILL_ROUNDS", "20"))
SEED = int(os.environ.get("REGIMEN_KILL_SEED", "20260301"))
CLIENTS = 8
PLANS = 4
# The maximum number of doses and entries per client and round; more would only take longer.
DOSES_A_ROUND = 60
ENTRIES_A_CLIENT = 30


@dataclass(frozen=True, eq=False)
class Write:
    """One request, with the same bytes each time; compared by identity."""

    path: str
    body: dict[str, Any]
    key: str | None

    @property
    def dose(self) -> str | None:
        return self.path.split("/")[4] if self.path.startswith("/api/v1/doses/") else None


@dataclass
class Ledger:
    """The acknowledged requests, and those without an answer."""

    acknowledged: dict[Write, dict[str, Any]] = field(default_factory=dict)
    unknown: list[Write] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    # True if answers are allowed to report a database outage.
    allows_outage: bool = False

    def post(self, api: Api, write: Write) -> bool:
        """Posts once; false if the connection broke before the answer was read."""
        try:
            response = api.post(write.path, write.body, write.key)
            body = response.json()
        except (requests.RequestException, ValueError):
            with self.lock:
                self.unknown.append(write)
            return False
        except AssertionError as error:
            # The server lost its database connection, and reports that nothing was saved.
            if not self.allows_outage or '"code":"transient"' not in str(error):
                raise
            with self.lock:
                self.unknown.append(write)
            return False
        with self.lock:
            if response.status_code == (200 if write.dose else 201):
                self.acknowledged[write] = body
            else:
                self.wrong.append(f"{write}: {response.status_code} {response.text}")
        return True


def answers(doses: list[dict[str, Any]], choice: random.Random) -> list[Write]:
    made = []
    for dose in doses:
        action = choice.choice(["taken", "taken", "skipped", "refused"])
        body = {"action": action, "event": new_event(), "confirm": True}
        made.append(Write(f"/api/v1/doses/{dose['id']}/answers", body, None))
    return made


def entries(api: Api) -> list[Write]:
    at = instant(api.now())
    return [
        Write(
            "/api/v1/administrations",
            {
                "patient": api.patient, "medicine": f"Entry {new_event()[:13]}", "at": at,
                "taken": True, "confirm": True,
            },
            new_event(),
        )
        for _ in range(ENTRIES_A_CLIENT)
    ]


def attack(server: Server, token: str, ledger: Ledger, choice: random.Random) -> None:
    """Eight clients post until the process is killed or they have nothing left."""
    api = server.api(token)
    still_open = [d for d in api.doses() if d["state"] in ("scheduled", "due")][:DOSES_A_ROUND]
    for_answers = answers(still_open, choice)
    half = CLIENTS // 2
    work = [for_answers[i::half] for i in range(half)] + [entries(api) for _ in range(half)]

    def post_all(writes: list[Write]) -> None:
        client = server.api(token)
        for write in writes:
            if not ledger.post(client, write):
                return

    threads = [threading.Thread(target=post_all, args=(writes,)) for writes in work]
    before = len(ledger.acknowledged)
    limit = before + choice.randrange(1, 120)
    for thread in threads:
        thread.start()
    # Killed after a number of acknowledgements rather than seconds, so that it also hits a slow machine.
    while any(t.is_alive() for t in threads) and len(ledger.acknowledged) < limit:
        threads[0].join(0.001)
    server.kill()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive(), "a client hangs on a dead server"


def check(api: Api, ledger: Ledger) -> None:
    """Checks that every acknowledged write is stored once, as acknowledged, and nothing else."""
    doses = {dose["id"]: dose for dose in api.doses()}
    administrations = api.administrations()
    ids = [resource["id"] for resource in administrations]
    assert len(ids) == len(set(ids)), "an administration is listed twice"
    answered = 0
    for write, told in ledger.acknowledged.items():
        if write.dose:
            answered += 1
            kept = doses[write.dose]
            assert kept["state"] == write.body["action"], f"lost: {write}"
            assert kept["version"] == told["version"], f"counted again: {write}"
            assert kept["answer"] == told["answer"]
        else:
            assert told["id"] in ids, f"lost: {write}"
    in_state = sum(dose["state"] in ("taken", "skipped", "refused") for dose in doses.values())
    assert in_state == answered, "doses with an answer that nobody gave"
    entries_told = [told["id"] for write, told in ledger.acknowledged.items() if not write.dose]
    assert len(entries_told) == len(set(entries_told)), "two entries share one administration"
    assert len(ids) == answered + len(entries_told), "an answer stands twice or not at all"


def add_plans(api: Api, round_number: int) -> None:
    """Returns instants within the window that is read; every round has its own doses."""
    for plan in range(PLANS):
        start = 60 + round_number % 40 * 60 + plan
        api.add_plan(api.events(*(start + 4 * i for i in range(DOSES_A_ROUND // PLANS))))


@pytest.mark.long
@pytest.mark.parametrize("rounds", [ROUNDS])
def test_kill_while_answers_are_posted(own_server: Callable[..., Server], rounds: int) -> None:
    choice = random.Random(SEED)
    server = own_server().start()
    server.invite("ann@example.org")
    token = server.create_token("ann@example.org")
    ledger = Ledger()
    interrupted = 0
    for round_number in range(rounds):
        add_plans(server.api(token), round_number)
        attack(server, token, ledger, choice)
        server.start()
        api = server.api(token)
        assert api.get("/health").status_code == 200
        unknown, ledger.unknown = ledger.unknown, []
        interrupted += len(unknown)
        for write in unknown:
            assert ledger.post(api, write), f"the server died again on {write}"
        assert not ledger.wrong, ledger.wrong
        check(api, ledger)
    server.stop()
    print(f"{rounds} kills, {len(ledger.acknowledged)} answers, {interrupted} sent again")
    assert len(ledger.acknowledged) > rounds * 5, "too few answers to show anything"
    assert interrupted > 0, "no kill fell into a running request"
    with sqlite3.connect(server.data / "regimen.sqlite") as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []


def test_sigterm_lets_running_requests_end(own_server: Callable[..., Server]) -> None:
    server = own_server().start()
    server.invite("ann@example.org")
    token = server.create_token("ann@example.org")
    api, ledger = server.api(token), Ledger()
    writes = entries(api)

    def post_all() -> None:
        client = server.api(token)
        for write in writes:
            if not ledger.post(client, write):
                return

    poster = threading.Thread(target=post_all)
    poster.start()
    while poster.is_alive() and len(ledger.acknowledged) < 5:
        poster.join(0.001)
    server.stop()
    poster.join(60)
    server.start()
    api = server.api(token)
    for write in ledger.unknown:
        assert ledger.post(api, write)
    assert not ledger.wrong, ledger.wrong
    check(api, ledger)
