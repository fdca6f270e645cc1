# SPDX-License-Identifier: Apache-2.0
"""All hostile clients at once, seeded: slow clients, floods, smuggling, mutated requests.

One round in CI; `make soak` runs many (REGIMEN_HOSTILE_ROUNDS). A round lasts as long as a body may take.
"""
import os
import random
import threading
import time
from collections.abc import Callable

import pytest

from harness.api import Api, instant
from harness.hostile import (
    SMUGGLING, answers, dribblers, flood, open_sockets, resident_bytes, silent_reader,
)
from harness.raw import exchange, request
from harness.server import Server

ROUNDS = int(os.environ.get("REGIMEN_HOSTILE_ROUNDS", "1"))
# The allocator's overhead; a leak of connections or bodies over the rounds is larger.
MEMORY_SLACK = 150 * 1024 * 1024


@pytest.fixture
def victim(own_server: Callable[..., Server]) -> Server:
    return own_server().start()


@pytest.fixture
def owner(victim: Server) -> Api:
    victim.invite("owner@example.org")
    return victim.api(victim.create_token("owner@example.org"))


def honest_requests(api: Api, dose: str) -> list[bytes]:
    token = f"Authorization: Bearer {api.token}"
    kind = "Content-Type: application/json"
    form = "Content-Type: application/x-www-form-urlencoded"
    body = b'{"action":"later","minutes":-5,"event":"x","at":"%b"}' % instant(api.now()).encode()
    return [
        request("GET", f"/fhir/MedicationRequest?patient={api.patient}&_count=5", token),
        request("GET", "/api/v1/doses?patient=x&from=2026-03-01T00:00:00Z&to=x", token),
        request("POST", f"/api/v1/doses/{dose}/answers", token, kind, body=body),
        request("GET", "/sign-in", "Accept-Language: th, en;q=0.5", "Cookie: session=abc"),
        request("POST", "/sign-in", form, "Origin: http://localhost", body=b"email=a%40b&password=c&next=/"),
        request("GET", "/assets", "Range: bytes=0-1,5-9", "If-None-Match: W/\"x\""),
    ]


def mutate(port: int, seed: int, honest: list[bytes], count: int, wrong: list[str]) -> None:
    """Generates seeded mutations of honest requests."""
    choice = random.Random(seed)
    for number in range(count):
        data = bytearray(choice.choice(honest))
        for _ in range(choice.randrange(1, 6)):
            place = choice.randrange(len(data))
            data[place : place + choice.randrange(3)] = choice.randbytes(choice.randrange(4))
        response = exchange(port, bytes(data), close_sending=True)
        if response and response.status >= 500:
            wrong.append(f"seed {seed}, request {number}: {response.status} {bytes(data)!r}")


def smuggle(port: int, wrong: list[str]) -> None:
    for name, data in SMUGGLING.items():
        statuses = answers(port, data)
        if any(status >= 500 or status < 400 for status in statuses):
            wrong.append(f"{name}: {statuses}")


@pytest.mark.long
def test_everything_hostile_at_once(victim: Server, owner: Api) -> None:
    plan = owner.add_plan(owner.events(900))
    dose = owner.doses(plan=plan["id"])[0]["id"]
    before = owner.snapshot()
    honest = honest_requests(owner, dose)
    process = victim.process.pid
    wrong: list[str] = []

    def attack(seed: int) -> None:
        slow = [one.start(victim.port) for one in dribblers(owner.token)]
        slow += [silent_reader(victim.port)] if ROUNDS > 1 else []
        others = [
            threading.Thread(target=mutate, args=(victim.port, seed * 4 + i, honest, 100, wrong))
            for i in range(3)
        ]
        others.append(threading.Thread(target=smuggle, args=(victim.port, wrong)))
        others.append(threading.Thread(target=flood, args=(victim.port, seed)))
        for thread in others:
            thread.start()
        while any(thread.is_alive() for thread in others):
            # Honest clients are served in the meantime.
            assert owner.get("/health").status_code == 200
            assert owner.get("/api/v1/me").status_code == 200
            time.sleep(0.5)
        for one in slow:
            one.thread.join()
            assert one.ended, f"{one.name}: still there"
            assert b" 500 " not in one.received[:20]

    sockets = open_sockets(process)
    attack(0)
    memory = resident_bytes(process)
    for seed in range(1, ROUNDS):
        attack(seed)
    assert not wrong, "\n".join(wrong)
    assert victim.alive and owner.snapshot() == before
    assert owner.dose(dose)["state"] == "scheduled"
    # Idle connections are closed in time, so the number of connections returns to what it was.
    deadline = time.monotonic() + 60
    while open_sockets(process) > sockets and time.monotonic() < deadline:
        time.sleep(1)
    assert open_sockets(process) <= sockets
    assert resident_bytes(process) <= memory + MEMORY_SLACK
    assert not [line for line in victim.log if "Fatal error" in line]
