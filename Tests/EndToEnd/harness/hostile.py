# SPDX-License-Identifier: Apache-2.0
"""Hostile clients: they dribble, flood, reset, and send requests that two readers parse differently."""
import random
import socket
import struct
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from harness.raw import request

# If the server hasn't dropped a dribbling client by then, it never will.
LONGEST_SECONDS = 120


@dataclass
class Dribbler:
    """Sends the beginning of a request, then a byte each second, until it is cut off."""

    name: str
    beginning: bytes
    drop: bytes = b"a"
    reads: bool = True
    ended: bool = False
    received: bytes = b""
    thread: threading.Thread = field(default_factory=threading.Thread)

    def start(self, port: int) -> "Dribbler":
        self.thread = threading.Thread(target=self._run, args=(port,), daemon=True)
        self.thread.start()
        return self

    def _run(self, port: int) -> None:
        began = time.monotonic()
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            try:
                connection.sendall(self.beginning)
                while time.monotonic() - began < LONGEST_SECONDS:
                    try:
                        chunk = connection.recv(65536) if self.reads else self._wait(connection)
                        if not chunk:
                            self.ended = True
                            return
                        self.received += chunk
                    except TimeoutError:
                        connection.sendall(self.drop)
            except ConnectionError:
                self.ended = True

    @staticmethod
    def _wait(connection: socket.socket) -> bytes:
        """Reads nothing; notices only that the connection is closed."""
        time.sleep(1)
        error = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if error:
            raise ConnectionResetError
        # TCP_INFO begins with the state; 1 is ESTABLISHED.
        state = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
        if state != 1:
            raise ConnectionResetError
        raise TimeoutError


def dribblers(token: str) -> list[Dribbler]:
    """All kinds of slow requests that end within the time limit of a body."""
    bearer = f"Authorization: Bearer {token}"
    post = request(
        "POST", "/api/v1/administrations", bearer, "Content-Type: application/json",
        "Content-Length: 1000",
    ).replace(b"Connection: close\r\n", b"")
    return [
        Dribbler("request line", b"GET /"),
        Dribbler("header", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: "),
        Dribbler("headers", b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"A:\r\n"),
        Dribbler("blank lines", b"\r\n", b"\r\n"),
        Dribbler("body", post, b" "),
        Dribbler(
            "chunks",
            post.replace(b"Content-Length: 1000", b"Transfer-Encoding: chunked"), b"1\r\n \r\n",
        ),
        Dribbler(
            "body that nobody reads",
            b"POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n",
        ),
        Dribbler(
            "body of a GET",
            b"GET /robots.txt HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n",
        ),
        Dribbler("second head", b"GET /robots.txt HTTP/1.1\r\nHost: localhost\r\n\r\nGET /"),
    ]


def silent_reader(port: int) -> Dribbler:
    """Requests megabytes and reads none of them."""
    many = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 400
    return Dribbler("reader", many, b"", reads=False).start(port)


def flood(port: int, seed: int, count: int = 200) -> None:
    """Opens many connections: some silent, some with half a request, some reset in the middle of one."""
    choice = random.Random(seed)
    open_ones = []
    for _ in range(count):
        try:
            connection = socket.create_connection(("127.0.0.1", port), timeout=10)
            whole = request("GET", "/sign-in")
            match choice.randrange(4):
                case 0: pass
                case 1: connection.sendall(whole[: choice.randrange(1, len(whole))])
                case 2: connection.sendall(whole.replace(b"Connection: close\r\n", b"") * 20)
                case 3:
                    connection.sendall(request("POST", "/sign-in", "Content-Length: 99") + b"a")
                    # A linger time of zero discards the data in flight.
                    connection.setsockopt(
                        socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    connection.close()
            open_ones.append(connection)
        except OSError:
            continue
    for connection in open_ones:
        connection.close()


SMUGGLED = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


def _post(*headers: str, body: bytes, version: str = "HTTP/1.1") -> bytes:
    head = "\r\n".join([f"POST /nowhere {version}", "Host: localhost", *headers])
    return head.encode("latin-1") + b"\r\n\r\n" + body


# A proxy might see one request and the server two: the second must never be answered.
SMUGGLING: dict[str, bytes] = {
    "length and chunked": _post("Content-Length: 5", "Transfer-Encoding: chunked", body=b"0\r\n\r\n" + SMUGGLED),
    "chunked and length": _post("Transfer-Encoding: chunked", "Content-Length: 5", body=b"0\r\n\r\n" + SMUGGLED),
    "two lengths": _post("Content-Length: 0", "Content-Length: 44", body=SMUGGLED),
    "two lengths in one": _post("Content-Length: 0, 44", body=SMUGGLED),
    "signed length": _post("Content-Length: +0", body=SMUGGLED),
    "hexadecimal length": _post("Content-Length: 0x0", body=SMUGGLED),
    "blank in the length": _post("Content-Length: 0 0", body=SMUGGLED),
    "unknown coding": _post("Transfer-Encoding: xchunked", body=b"0\r\n\r\n" + SMUGGLED),
    "chunked is not last": _post("Transfer-Encoding: chunked, identity", body=b"0\r\n\r\n" + SMUGGLED),
    "coding with a tab": _post("Transfer-Encoding:\x0bchunked", body=b"0\r\n\r\n" + SMUGGLED),
    "blank before the colon": _post("Transfer-Encoding : chunked", body=b"0\r\n\r\n" + SMUGGLED),
    "folded coding": _post("Transfer-Encoding:\r\n chunked", body=b"0\r\n\r\n" + SMUGGLED),
    "name with a blank": _post("X: y", " Transfer-Encoding: chunked", body=b"0\r\n\r\n" + SMUGGLED),
    "bare return": b"POST /nowhere HTTP/1.1\r\nHost: localhost\rContent-Length: 0\r\n\r\n" + SMUGGLED,
    "chunk size beyond integers": _post(
        "Transfer-Encoding: chunked", body=b"10000000000000000\r\n\r\n0\r\n\r\n" + SMUGGLED),
    "chunk size with a prefix": _post("Transfer-Encoding: chunked", body=b"0x0\r\n\r\n" + SMUGGLED),
    "negative chunk size": _post("Transfer-Encoding: chunked", body=b"-0\r\n\r\n" + SMUGGLED),
    "chunk without its end": _post("Transfer-Encoding: chunked", body=b"1\r\nZZ0\r\n\r\n" + SMUGGLED),
    "coding in HTTP/1.0": _post(
        "Transfer-Encoding: chunked", "Content-Length: 44", body=SMUGGLED, version="HTTP/1.0"),
}


def answers(port: int, data: bytes) -> list[int]:
    """Returns the statuses of all answers, until the server closes or falls silent."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=3) as connection:
        try:
            connection.sendall(data)
            while chunk := connection.recv(65536):
                received += chunk
        except (TimeoutError, ConnectionError):
            pass
    statuses = []
    for part in received.split(b"HTTP/1.")[1:]:
        words = part[:40].split(b" ")
        if len(words) > 1 and words[1][:3].isdigit():
            statuses.append(int(words[1][:3]))
    return statuses


def open_sockets(process: int) -> int:
    """Returns the sockets of a process."""
    count = 0
    for entry in Path(f"/proc/{process}/fd").iterdir():
        try:
            count += str(entry.readlink()).startswith("socket:")
        except OSError:
            continue
    return count


def resident_bytes(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096
