# SPDX-License-Identifier: Apache-2.0
"""SIGTERM under load: the server ends within its grace period, and keeps what it acknowledged."""
import random
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from harness.exposition import parse
from harness.postgres import Cluster
from harness.server import Server
from test_events import Stream
from test_kill import Ledger, add_plans, answers, check, entries

# The five seconds that requests in progress have, and the rest on a busy machine.
GRACE_SECONDS = 15.0
STREAMS = 4
CLIENTS = 8
# The check of all data begins ten seconds after the start.
CHECK_SECONDS = 10.0
HALF = b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    made = Cluster().start()
    yield made
    made.close()


def uptime(server: Server) -> float:
    return parse(server.command("metrics"))["regimen_uptime_seconds"].value()


def greedy(server: Server, token: str) -> socket.socket:
    """A client that asks for much and reads nothing."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.connect(("127.0.0.1", server.port))
    request = f"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
    made.sendall(request.encode() * 50)
    return made


@pytest.mark.parametrize("engine", ["file", "postgres"])
def test_a_busy_server_ends_in_time_and_loses_nothing(
    own_server: Callable[..., Server], request: pytest.FixtureRequest, engine: str
) -> None:
    environment = {}
    if engine == "postgres":
        environment["REGIMEN_DATABASE"] = request.getfixturevalue("cluster").database()
    server = own_server(environment=environment).start()
    server.invite("ann@example.org")
    token = server.create_token("ann@example.org")
    api, ledger = server.api(token), Ledger()
    add_plans(api, 0)
    for_answers = answers([d for d in api.doses() if d["state"] in ("scheduled", "due")], choice=random.Random(7))
    headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
    streams = [Stream(server.base, headers) for _ in range(STREAMS)]
    stopping = threading.Event()

    def post_all(number: int) -> None:
        client = server.api(token)
        client._patient = api.patient
        mine = for_answers[number::CLIENTS]
        while not stopping.is_set():
            for write in mine or entries(client):
                if not ledger.post(client, write):
                    return
            mine = []

    posters = [threading.Thread(target=post_all, args=(number,)) for number in range(CLIENTS)]
    for poster in posters:
        poster.start()
    while uptime(server) < CHECK_SECONDS:
        assert any(poster.is_alive() for poster in posters)
    half = socket.create_connection(("127.0.0.1", server.port))
    half.sendall(HALF)
    greedy_clients = [greedy(server, token) for _ in range(3)]
    began = time.monotonic()
    assert server.process
    server.process.send_signal(signal.SIGTERM)
    code = server.process.wait(60)
    took = time.monotonic() - began
    stopping.set()
    server.process = None
    assert code == 0, server.tail()
    print(f"{engine}: ended after {took:.1f} s, {len(ledger.acknowledged)} acknowledged")
    assert took < GRACE_SECONDS, f"ended after {took:.1f} s"
    for one in (half, *greedy_clients):
        one.close()
    for thread in posters:
        thread.join(60)
    for stream in streams:
        assert stream.ended.wait(10), "an event stream is still open"
    assert not [line for line in server.log if '"critical"' in line], server.tail()
    server.start()
    again = server.api(token)
    for write in ledger.unknown:
        assert ledger.post(again, write)
    assert not ledger.wrong, ledger.wrong
    check(again, ledger)
