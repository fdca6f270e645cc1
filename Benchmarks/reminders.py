# SPDX-License-Identifier: Apache-2.0
"""Reminders: how many are sent in a minute, how fast all of them are sent at once, how late one arrives."""
import http.client
import json
import os
import random
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

import escalation
from household import READER, Server, plan
from pipeline import over_connections, request

FOLDER = Path(__file__).resolve().parent
REMINDERS = int(os.environ.get("REGIMEN_BENCH_REMINDERS", "100000"))
SINGLE = 60
MINUTE = 60
# The time between filling and the minute in which everything is due; the server's clock skips it.
HOURS_AHEAD = 6
PAYLOAD_BYTES = 900
# The example of RFC 8291: the receiver decrypts nothing.
PUBLIC_KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"


class Receiver:
    """The push service in C, and the pushes it received."""

    def __init__(self, folder: Path) -> None:
        program = compiled("push_receiver", folder)
        self.process = subprocess.Popen([str(program)], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def arrivals(self) -> list[tuple[int, float]]:
        """Returns number and time of each push since the last call."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", "/arrivals")
        lines = connection.getresponse().read().decode().splitlines()
        connection.close()
        return [(int(n), float(moment)) for n, moment in (line.split() for line in lines)]

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(10)


def compiled(name: str, folder: Path, *libraries: str) -> Path:
    program = folder / name
    source = FOLDER / f"{name}.c"
    subprocess.run(["cc", "-O2", "-o", str(program), str(source), *libraries], check=True)
    return program


@dataclass
class Arrivals:
    """Returns the first push of each number; repeats are counted."""

    first: dict[int, float] = field(default_factory=dict)
    again: int = 0

    def add(self, arrivals: list[tuple[int, float]]) -> None:
        for number, moment in arrivals:
            if number in self.first:
                self.again += 1
            else:
                self.first[number] = moment

    @property
    def seconds(self) -> float:
        return max(self.first.values()) - min(self.first.values())


@dataclass
class People:
    tokens: list[str]
    patients: list[str]


def resident(server: Server) -> float:
    status = Path(f"/proc/{server.process.pid}/status").read_text()  # type: ignore[union-attr]
    line = [l for l in status.splitlines() if l.startswith("VmRSS")][0]
    return int(line.split()[1]) / 1000


def new_server(folder: Path, receiver: Receiver) -> Server:
    hosts = {"REGIMEN_PUSH_HOSTS": f"127.0.0.1:{receiver.port}"}
    server = Server(folder, clock_offset=0, environment=hosts)
    server.create_account(READER)
    return server.start()


def fill(server: Server, receiver: Receiver, count: int) -> People:
    """Creates accounts, each with a token and one device whose address ends with its number."""
    socket = server.data / "control.sock"
    emails = [f"p{number}@example.org" for number in range(count)]

    def command(name: str, **more: object) -> list[bytes]:
        return [
            request("POST", "/administration", {"command": name, "email": email, **more})
            for email in emails
        ]

    over_connections(socket, command("account create", password=None, administrator=False))
    tokens = over_connections(
        socket, command("token create", scope="user/*.cruds"), keep=lambda a: a["line"]
    )
    patients = over_connections(
        server.port, [request("GET", "/api/v1/me", token=token) for token in tokens],
        keep=lambda a: a["patients"][0]["id"],
    )
    keys = {"p256dh": PUBLIC_KEY, "auth": SECRET}
    endpoint = f"http://127.0.0.1:{receiver.port}/push/"
    over_connections(server.port, [
        request(
            "POST", "/api/v1/push-subscriptions",
            {"endpoint": f"{endpoint}{number}", "keys": keys}, token,
        )
        for number, token in enumerate(tokens)
    ])
    return People(tokens, patients)


def add_plans(server: Server, people: People, due: Callable[[int], float]) -> None:
    """Adds one dose for each, at its instant (seconds since 1970)."""

    def text(number: int) -> str:
        moment = datetime.fromtimestamp(due(number), timezone.utc)
        return moment.isoformat(timespec="milliseconds")

    over_connections(server.port, [
        request("POST", "/fhir/MedicationRequest", plan(patient, "Medicine", {"event": [text(n)]}), token)
        for n, (patient, token) in enumerate(zip(people.patients, people.tokens))
    ])


def collect(server: Server, receiver: Receiver, count: int, seconds: float) -> tuple[Arrivals, float]:
    """Waits for a push of every number; returns the peak memory in the meantime."""
    arrivals, memory = Arrivals(), 0.0
    deadline = time.monotonic() + seconds
    while len(arrivals.first) < count and time.monotonic() < deadline:
        time.sleep(1)
        arrivals.add(receiver.arrivals())
        memory = max(memory, resident(server))
    return arrivals, memory


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def lateness(arrivals: Arrivals, due: Callable[[int], float], offset: float) -> list[float]:
    """Returns the milliseconds from due time to arrival, by the server's clock."""
    return [(moment + offset - due(n)) * 1000 for n, moment in arrivals.first.items()]


def bare_timers(receiver: Receiver, moments: list[float]) -> list[float]:
    """Returns the milliseconds that a program achieves that only sleeps until each instant and posts."""
    connection = http.client.HTTPConnection("127.0.0.1", receiver.port, timeout=10)
    receiver.arrivals()
    for number, moment in enumerate(moments):
        time.sleep(max(0, moment - time.time()))
        connection.request("POST", f"/push/{number}", b"x" * PAYLOAD_BYTES)
        connection.getresponse().read()
    arrivals = Arrivals()
    arrivals.add(receiver.arrivals())
    return lateness(arrivals, lambda n: moments[n], 0)


def bare_encryption(folder: Path) -> float:
    program = compiled("encrypt_yardstick", folder, "-lcrypto", "-lpthread")
    cores = str(os.cpu_count() or 1)
    command = [str(program), "5", cores, str(PAYLOAD_BYTES)]
    result = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return result["requests"] / result["seconds"]


def bare_posts(receiver: Receiver) -> float:
    command = [
        "wrk", "-t2", "-c32", "-d5s", "-s", str(FOLDER / "post.lua"),
        f"http://127.0.0.1:{receiver.port}/push/0",
    ]
    output = subprocess.run(
        command, capture_output=True, text=True, check=True,
        env=os.environ | {"BENCH_BYTES": str(PAYLOAD_BYTES)},
    ).stdout
    line = [l for l in output.splitlines() if l.startswith("RESULT ")][0]
    result = json.loads(line.removeprefix("RESULT "))
    receiver.arrivals()
    return result["requests"] / result["seconds"]


def minute_and_burst(folder: Path, receiver: Receiver) -> list[str]:
    """Everyone's dose within one minute, then everyone's second step at one moment."""
    server = new_server(folder / "minute", receiver)
    started = time.monotonic()
    print(f"filling with {REMINDERS} people, each with a device and a dose", flush=True)
    people = fill(server, receiver, REMINDERS)
    first_due = round(time.time() + HOURS_AHEAD * 3600)

    def due(number: int) -> float:
        return first_due + number * MINUTE / REMINDERS

    add_plans(server, people, due)
    print(f"  filled in {time.monotonic() - started:.0f} s", flush=True)
    server.restart(later=int(first_due - time.time()) - 5)
    arrivals, memory = collect(server, receiver, REMINDERS, 5 + MINUTE + 240)
    late = lateness(arrivals, due, server.clock_offset)
    ended = max(arrivals.first.values(), default=0) + server.clock_offset - first_due
    lines = [
        f"{REMINDERS} reminders due in {MINUTE} s: {len(arrivals.first)} handed over in {ended:.1f} s"
        f" (aim {MINUTE}), {arrivals.again} twice",
        f"  lateness p50 {percentile(late, 0.5):.0f} ms, p99 {percentile(late, 0.99):.0f} ms",
        f"  most memory {memory:.0f} MB (aim 250)",
    ]
    missing = REMINDERS - len(arrivals.first)
    # No one answered: five minutes later, the second step of all of them is due at once.
    server.restart(later=5 * 60)
    burst, memory = collect(server, receiver, REMINDERS, 240)
    rate = len(burst.first) / burst.seconds
    encryption, posts = bare_encryption(folder), bare_posts(receiver)
    missing += REMINDERS - len(burst.first)
    lines += [
        f"{len(burst.first)} second steps due at once: {rate:.0f} encrypted pushes per s, {burst.again}"
        f" twice, most memory {memory:.0f} MB",
        f"  beside: bare encryption on all cores {encryption:.0f} per s (ratio {rate / encryption:.2f}),"
        f" bare POSTs {posts:.0f} per s (ratio {rate / posts:.2f})",
    ]
    server.stop()
    lines += escalation.report(server.data, folder, memory)
    if missing:
        raise SystemExit("\n".join([*lines, f"bench: {missing} reminders never came"]))
    return lines


def idle(folder: Path, receiver: Receiver) -> list[str]:
    """An otherwise idle server, with a reminder about every second."""
    server = new_server(folder / "idle", receiver)
    people = fill(server, receiver, SINGLE)
    choice = random.Random(20260301)
    start = time.time() + 5
    moments = [round(start + n + choice.random(), 3) for n in range(SINGLE)]
    add_plans(server, people, lambda n: moments[n])
    receiver.arrivals()
    arrivals, _ = collect(server, receiver, SINGLE, 5 + SINGLE + 30)
    server.stop()
    if len(arrivals.first) < SINGLE:
        raise SystemExit(f"bench: only {len(arrivals.first)} of {SINGLE} single reminders came")
    late = lateness(arrivals, lambda n: moments[n], 0)
    now = time.time() + 0.1
    bare = bare_timers(receiver, [now + n / 10 + choice.random() / 20 for n in range(SINGLE)])
    return [
        f"lateness of a single reminder: p50 {percentile(late, 0.5):.0f} ms, p99"
        f" {percentile(late, 0.99):.0f} ms (aim 1000)",
        f"  beside: a bare timer and POST p50 {percentile(bare, 0.5):.2f} ms, p99"
        f" {percentile(bare, 0.99):.2f} ms",
    ]


def measure(folder: Path) -> list[str]:
    """Returns the lines to print."""
    receiver = Receiver(folder)
    try:
        return idle(folder, receiver) + minute_and_burst(folder, receiver)
    finally:
        receiver.close()
