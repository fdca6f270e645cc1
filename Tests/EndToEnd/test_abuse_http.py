# SPDX-License-Identifier: Apache-2.0
"""Requests that no honest client sends: only 4xx or a closed connection, and the server survives."""
import random
import socket
from collections.abc import Callable

import pytest

from harness.api import Api
from harness.raw import SECONDS, exchange, request, until_closed
from harness.ringing import eventually
from harness.server import Server
from harness.sign_up import new_email

TRAVERSALS = [
    "/../../../../etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/../../../../etc/passwd", "/assets/..%2f..%2f..%2fetc/passwd", "/assets/%2e%2e%2fkeys.json",
    "/static/..%5c..%5ckeys.json", "//etc/passwd", "/assets//etc/passwd", "/keys.json",
    "/regimen.sqlite", "/assets/regimen.sqlite%00.css", "/%00", "/fhir/../keys.json",
    "/fhir/MedicationRequest/..%2f..%2fkeys.json", "/api/v1/doses/..%2f..%2fkeys.json/answers",
    "/%c0%ae%c0%ae/etc/passwd", "/%ff%fe", "/%zz", "/" + "a/" * 2000, "/" + "a" * 20_000,
]
MALFORMED: dict[str, bytes] = {
    "no host": request("GET", "/", host=None),
    "two hosts": request("GET", "/", "Host: other"),
    "two equal hosts": request("GET", "/", "Host: localhost"),
    "no version": b"GET /\r\n\r\n",
    "unknown version": b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    "noise": bytes(random.Random(7).randrange(256) for _ in range(4000)) + b"\r\n\r\n",
    "tls to a plain port": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 400 + b"\r\n\r\n",
    "space before colon": request("GET", "/", "X-A : b"),
    "folded header": request("GET", "/", "X-A: b\r\n c"),
    "header without colon": request("GET", "/", "nonsense"),
    "control in header": request("GET", "/", "X-A: a\x00b"),
    "negative length": request("POST", "/api/v1/administrations", "Content-Length: -1"),
    "length is no number": request("POST", "/api/v1/administrations", "Content-Length: ten"),
    "two lengths": request(
        "POST", "/api/v1/administrations", "Content-Length: 2", "Content-Length: 3", body=b"{}"
    ),
    "length and chunked": request(
        "POST", "/api/v1/administrations", "Content-Length: 2", "Transfer-Encoding: chunked",
        body=b"0\r\n\r\n",
    ),
    "bad chunk": request(
        "POST", "/api/v1/administrations", "Transfer-Encoding: chunked", body=b"zz\r\n{}\r\n0\r\n\r\n"
    ),
    "huge length": request(
        "POST", "/api/v1/administrations", "Content-Length: 99999999999", body=b"{}"
    ),
    "length beyond integers": request(
        "POST", "/api/v1/administrations", "Content-Length: 99999999999999999999999", body=b"{}"
    ),
    "huge header": request("GET", "/", "X-A: " + "a" * 200_000),
    "many headers": request("GET", "/", *(f"X-{i}: a" for i in range(1000))),
    "huge cookie": request("GET", "/", "Cookie: " + "a=b; " * 20_000),
    "huge token": request("GET", "/api/v1/me", "Authorization: Bearer " + "a" * 70_000),
    "unknown method": request("BREW", "/"),
    "connect": request("CONNECT", "example.org:443"),
    "trace": request("TRACE", "/"),
    "odd target": request("GET", "nonsense"),
}
# Closing the connection is also a valid answer if no request is readable.
MAY_ONLY_CLOSE = {
    "no version", "unknown version", "noise", "tls to a plain port", "connect", "odd target",
    "huge header", "many headers", "huge cookie", "huge token", "length beyond integers",
    "negative length", "length is no number", "two lengths", "length and chunked", "bad chunk",
    "control in header", "header without colon", "folded header", "space before colon",
    "unknown method",
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_request_gets_4xx(server: Server, module_api: Api, name: str) -> None:
    response = exchange(server.port, MALFORMED[name], close_sending=name == "noise")
    if response is None:
        assert name in MAY_ONLY_CLOSE, "no answer"
    else:
        assert 400 <= response.status < 500, f"{response.status}: {response.body[:200]!r}"
    assert server.alive and module_api.get("/health").json()["status"] == "ok"


@pytest.mark.parametrize("first", [
    "HTTP/1.1\r\nConnection: close", "HTTP/1.1\r\nConnection: Close", "HTTP/1.1\r\nConnection: keep-alive, close",
    "HTTP/1.0",
])
def test_nothing_is_served_behind_the_last_request(server: Server, first: str) -> None:
    last = f"GET /health {first}\r\nHost: localhost\r\n\r\n"
    behind = "GET /sign-in HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3
    answer = until_closed(server.port, (last + behind).encode())
    assert answer.startswith(b"HTTP/1.1 200") and answer.count(b"HTTP/1.1 ") == 1, answer[:500]
    assert b'"status":"ok"' in answer


@pytest.mark.parametrize("target", TRAVERSALS, ids=lambda t: t[:40])
def test_no_path_leads_out(server: Server, module_api: Api, target: str) -> None:
    for headers in ([], [f"Authorization: Bearer {module_api.token}"]):
        response = exchange(server.port, request("GET", target, *headers))
        if response is None:
            continue  # refused unread
        # A page may redirect a stranger to the sign-in page; no file of the disk is ever shown.
        assert 300 <= response.status < 500, response.body[:200]
        assert b"root:" not in response.body and b"SQLite format" not in response.body
    assert server.alive


def test_a_hundred_silent_connections_do_not_keep_others_out(
    server: Server, module_api: Api
) -> None:
    silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(100)]
    try:
        for connection in silent[::2]:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: local")
        assert server.api(module_api.token).get("/api/v1/me").status_code == 200
    finally:
        for connection in silent:
            connection.close()


def test_a_client_that_leaves_in_the_middle_harms_nobody(server: Server, module_api: Api) -> None:
    before = module_api.snapshot()
    body = b'{"patient":"%b","medicine":"A",' % module_api.patient.encode()
    head = request(
        "POST", "/api/v1/administrations", f"Authorization: Bearer {module_api.token}",
        "Content-Type: application/json", "Content-Length: 500",
    )
    for _ in range(50):
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(head + body)
    assert server.alive and module_api.snapshot() == before


UNENDED = {
    "nothing of a promised body": (b"Content-Length: 10", b""),
    "a part of it": (b"Content-Length: 10", b"abc"),
    "no chunk": (b"Transfer-Encoding: chunked", b""),
    "chunks without a last one": (b"Transfer-Encoding: chunked", b"5\r\nhello\r\n" * 2000),
}


def test_streams_whose_request_never_ends_are_given_back_and_keep_nobody_from_stopping(
    own_server: Callable[..., Server]
) -> None:
    server = own_server().start()
    email = new_email()
    server.create_account(email)
    token = server.create_token(email)

    def opened(header: bytes, body: bytes) -> socket.socket | None:
        """Opens an event stream; returns none if the account has reached its limit."""
        connection = socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS)
        connection.sendall(
            b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
            + token.encode() + b"\r\n" + header + b"\r\n\r\n" + body)
        status = connection.recv(12)
        if status == b"HTTP/1.1 200":
            return connection
        assert status == b"HTTP/1.1 503"
        connection.close()
        return None

    # More streams than an account may have, all abandoned: every slot is released.
    for _ in range(5):
        for header, body in UNENDED.values():
            stream = eventually(lambda: opened(header, body))
            stream.close()
    left = [eventually(lambda: opened(header, body)) for header, body in UNENDED.values()]
    # Open streams don't keep the server from stopping in time, with exit code 0.
    server.stop()
    for stream in left:
        stream.close()
