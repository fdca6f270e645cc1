# SPDX-License-Identifier: Apache-2.0
"""Live updates: the delay from an answer to the event on open streams, compared with bare sockets.

REGIMEN_BENCH_STREAMS is the number of open streams (default 500). The time starts when the answer is sent,
so that it includes the commit; the yardstick is a process that sends a line to as many bare sockets as
soon as it is asked.
"""
import asyncio
import json
import os
import random
import selectors
import socket
import subprocess
import sys
import threading
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from household import READER, Client, Server, plan
from pipeline import over_connections, request

STREAMS = int(os.environ.get("REGIMEN_BENCH_STREAMS", "500"))
# The most streams that an account may have open.
EACH = 6
DOSES = 24
PER_SECOND = 20
SECONDS = int(os.environ.get("REGIMEN_BENCH_SECONDS", "10"))
PATIENCE = 30


class Listener:
    """Reads many sockets in one thread; records when each was first read."""

    def __init__(self) -> None:
        self.selector, self.isOver = selectors.DefaultSelector(), False
        self.heard: dict[str, list[float]] = {}
        self.greeted: set[int] = set()
        self.rest: dict[int, bytes] = {}
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def add(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self.selector.register(connection, selectors.EVENT_READ)

    def run(self) -> None:
        while not self.isOver:
            for key, _ in self.selector.select(0.2):
                connection = key.fileobj
                assert isinstance(connection, socket.socket)
                data = connection.recv(65536)
                now = time.monotonic()
                if not data:
                    self.selector.unregister(connection)
                    continue
                self.take(connection.fileno(), data, now)

    def take(self, number: int, data: bytes, now: float) -> None:
        lines = (self.rest.pop(number, b"") + data).split(b"\n")
        self.rest[number] = lines.pop()
        with self.lock:
            self.greeted.add(number)
            for line in lines:
                if line.startswith(b"data: {"):
                    told = json.loads(line[6:])
                    if told.get("state") == "taken":
                        self.heard.setdefault(told["id"], []).append(now)

    def close(self) -> None:
        self.isOver = True
        self.thread.join()


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def wait_for(what: str, done: object) -> None:
    end = time.monotonic() + PATIENCE
    while not done():  # type: ignore[operator]
        if time.monotonic() > end:
            raise SystemExit(f"bench: {what} did not come within {PATIENCE} s")
        time.sleep(0.02)


def figures(name: str, sent: dict[str, float], listener: Listener, expected: int) -> str:
    """Waits until every socket was read, and returns the duration."""
    total = len(sent) * expected
    wait_for("every update", lambda: sum(len(listener.heard.get(i, [])) for i in sent) >= total)
    with listener.lock:
        delays = [(m - sent[i]) * 1000 for i in sent for m in listener.heard[i]]
        again = sum(len(listener.heard[i]) - expected for i in sent)
    return (
        f"{name:30} {len(delays):6} updates  p50 {percentile(delays, 0.5):7.1f} ms  "
        f"p99 {percentile(delays, 0.99):7.1f} ms  longest {max(delays):7.1f} ms  twice {again}"
    )


def people(server: Server, count: int) -> tuple[list[str], list[str]]:
    socket_path = server.data / "control.sock"
    emails = [f"p{number}@example.org" for number in range(count)]

    def command(name: str, **more: object) -> list[bytes]:
        return [
            request("POST", "/administration", {"command": name, "email": email, **more})
            for email in emails
        ]

    over_connections(socket_path, command("account create", password=None, administrator=False))
    tokens = over_connections(
        socket_path, command("token create", scope="user/*.cruds"), keep=lambda a: a["line"])
    patients = over_connections(
        server.port, [request("GET", "/api/v1/me", token=token) for token in tokens],
        keep=lambda a: a["patients"][0]["id"])
    return tokens, patients


def stream(port: int, token: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(
        f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    return connection


def doses(server: Server, tokens: list[str], patients: list[str]) -> list[tuple[str, str]]:
    """Returns the doses of the next hours, each with the token that answers it."""
    begin = datetime.now(timezone.utc) + timedelta(hours=1)
    moments = [
        (begin + timedelta(minutes=30 * n)).isoformat(timespec="milliseconds") for n in range(DOSES)]
    over_connections(server.port, [
        request("POST", "/fhir/MedicationRequest", plan(patient, "Medicine", {"event": moments}), token)
        for patient, token in zip(patients, tokens)
    ])
    found: list[tuple[str, str]] = []
    window = {"from": moments[0], "to": (begin + timedelta(days=1)).isoformat(timespec="seconds")}
    for token in tokens:
        query = "&".join(f"{n}={v.replace('+', '%2B')}" for n, v in window.items())
        listed = Client(server, token).json("GET", f"/api/v1/doses?{query}")
        found += [(dose["id"], token) for dose in listed["doses"]]
    random.Random(13).shuffle(found)
    return found


def measure(folder: Path) -> list[str]:
    accounts = -(-STREAMS // EACH)
    server = Server(folder / "live", clock_offset=0)
    server.create_account(READER)
    server.start()
    tokens, patients = people(server, accounts)
    ready = doses(server, tokens, patients)
    listener = Listener()
    connections = [stream(server.port, token) for token in tokens for _ in range(EACH)]
    for connection in connections:
        listener.add(connection)
    listener.thread.start()
    wait_for("the greeting of every stream", lambda: len(listener.greeted) == len(connections))
    sent: dict[str, float] = {}
    client = {token: Client(server, token) for token in tokens}
    begin = time.monotonic()
    for number, (dose, token) in enumerate(ready[: PER_SECOND * SECONDS]):
        time.sleep(max(0.0, begin + number / PER_SECOND - time.monotonic()))
        sent[dose] = time.monotonic()
        client[token].json("POST", f"/api/v1/doses/{dose}/answers", {"action": "taken", "confirm": True})
    lines = [
        f"live updates, {len(connections)} open event streams, {PER_SECOND} answers a second, each told "
        f"on {EACH} streams:",
        "  " + figures("from answer to event", sent, listener, EACH) + "  (aim p99 1000)",
    ]
    listener.close()
    for connection in connections:
        connection.close()
    server.stop()
    return lines + ["  " + bare(len(connections))]


# The yardstick: sends a line to six of the bare sockets as soon as it is asked.


async def _serve() -> None:
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.readline()
        if first == b"listen\n":
            writers.append(writer)
            writer.write(b"hello\n")
            await reader.read()
            return
        while line := await reader.readline():
            word, start = line.split()
            for index in range(EACH):
                target = writers[(int(start) + index) % len(writers)]
                target.write(b'data: {"state":"taken","id":"' + word + b'"}\n')

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


def bare(count: int) -> str:
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).resolve())], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    port = int(process.stdout.readline())
    listener = Listener()
    connections = []
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(b"listen\n")
        connections.append(connection)
        listener.add(connection)
    listener.thread.start()
    wait_for("the greeting of every socket", lambda: len(listener.greeted) == count)
    asker = socket.create_connection(("127.0.0.1", port))
    asker.sendall(b"ask\n")
    sent: dict[str, float] = {}
    begin = time.monotonic()
    for number in range(PER_SECOND * SECONDS):
        time.sleep(max(0.0, begin + number / PER_SECOND - time.monotonic()))
        sent[f"n{number}"] = time.monotonic()
        asker.sendall(f"n{number} {number * EACH % count}\n".encode())
    line = figures("yardstick: bare sockets", sent, listener, EACH)
    listener.close()
    for connection in [*connections, asker]:
        connection.close()
    process.terminate()
    process.wait(10)
    return line


if __name__ == "__main__":
    asyncio.run(_serve())
