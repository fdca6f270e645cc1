# SPDX-License-Identifier: Apache-2.0
"""Sends many requests over few connections with pipelining: fills a server quickly."""
import json
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

AT_ONCE = 16


class Connection:
    def __init__(self, place: int | Path) -> None:
        if isinstance(place, Path):
            self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.socket.connect(str(place))
        else:
            self.socket = socket.create_connection(("127.0.0.1", place))
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.reader = self.socket.makefile("rb", 65536)

    def send(self, request: bytes) -> None:
        self.socket.sendall(request)

    def receive(self) -> Any:
        """Returns the JSON of the next answer; ends the run if it is a refusal."""
        status = int(self.reader.readline().split()[1])
        length = 0
        while line := self.reader.readline().rstrip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        body = self.reader.read(length)
        if status not in (200, 201):
            raise SystemExit(f"bench: an answer {status}: {body[:400]!r}")
        return json.loads(body)


def request(method: str, path: str, body: Any = None, token: str | None = None) -> bytes:
    content = b"" if body is None else json.dumps(body, separators=(",", ":")).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(content)}"]
    if content:
        lines.append("Content-Type: application/json")
    if token:
        lines.append(f"Authorization: Bearer {token}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def pipelined(connection: Connection, requests: Iterable[bytes]) -> Iterator[Any]:
    """Yields the answers in order, with a window of pending requests."""
    waiting: deque[None] = deque()
    source = iter(requests)
    while batch := list(islice(source, AT_ONCE - len(waiting))):
        connection.send(b"".join(batch))
        waiting.extend([None] * len(batch))
        while len(waiting) > AT_ONCE // 2:
            waiting.popleft()
            yield connection.receive()
    for _ in waiting:
        yield connection.receive()


def over_connections(
    place: int | Path, requests: list[bytes], connections: int = 32,
    keep: Callable[[Any], Any] = lambda answer: None,
) -> list[Any]:
    """Returns a value from each answer, in the order of the requests."""
    results: list[Any] = [None] * len(requests)

    def share(number: int) -> None:
        mine = range(number, len(requests), connections)
        answers = pipelined(Connection(place), (requests[i] for i in mine))
        for index, answer in zip(mine, answers):
            results[index] = keep(answer)

    with ThreadPoolExecutor(connections) as pool:
        list(pool.map(share, range(connections)))
    return results
