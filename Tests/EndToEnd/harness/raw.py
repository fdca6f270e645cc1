# SPDX-License-Identifier: Apache-2.0
"""Raw bytes on a socket and the answer: for requests that no HTTP client would send."""
import socket
from dataclasses import dataclass

SECONDS = 45


@dataclass(frozen=True)
class RawResponse:
    status: int
    headers: dict[str, str]
    body: bytes


def parse_response(data: bytes) -> RawResponse | None:
    head, separator, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    parts = lines[0].split(" ", 2)
    if not separator or len(parts) < 2 or not parts[0].startswith("HTTP/1."):
        return None
    headers = dict(line.split(":", 1) for line in lines[1:] if ":" in line)
    return RawResponse(int(parts[1]), {k.lower(): v.strip() for k, v in headers.items()}, body)


def exchange(port: int, *pieces: bytes, close_sending: bool = False) -> RawResponse | None:
    """Sends the pieces and reads one response; none if the server only closes the connection."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
        try:
            for piece in pieces:
                connection.sendall(piece)
            if close_sending:
                connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # refused while still sending: there may be an answer anyway
        try:
            while chunk := connection.recv(65536):
                received += chunk
                if _complete(received):
                    break
        except ConnectionError:
            pass
    return parse_response(received)


def _complete(received: bytes) -> bool:
    response = parse_response(received)
    if response is None:
        return False
    length = response.headers.get("content-length")
    if length is not None:
        return len(response.body) >= int(length)
    if response.headers.get("transfer-encoding", "").lower() == "chunked":
        return response.body.endswith(b"0\r\n\r\n")
    return response.status in (204, 304)


def request(
    method: str, target: str, *headers: str, body: bytes = b"", host: str | None = "localhost"
) -> bytes:
    lines = [f"{method} {target} HTTP/1.1", *([f"Host: {host}"] if host is not None else [])]
    lines += [*headers, "Connection: close"]
    if body and not any(h.lower().startswith(("content-length", "transfer")) for h in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body


def until_closed(port: int, data: bytes) -> bytes:
    """Returns everything received until the server closes its side."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
        connection.sendall(data)
        while chunk := connection.recv(65536):
            received += chunk
    return received
