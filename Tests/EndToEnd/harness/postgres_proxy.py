# SPDX-License-Identifier: Apache-2.0
"""Sits between a server and PostgreSQL, and cuts the connection at the moment of a commit."""
import socket
import struct
import tempfile
import threading
from pathlib import Path
from shutil import rmtree

WRITES = b"BEGIN ISOLATION LEVEL SERIALIZABLE"


class CommitCutter:
    """`cut` selects where the connection breaks at the next commit of a writing transaction.

    "before": PostgreSQL never receives the commit. "after": it has committed, and its answer is lost.
    """

    def __init__(self, cluster: Path, port: int) -> None:
        # A socket's path is limited in length, so it is not below pytest's folders.
        self.folder = Path(tempfile.mkdtemp(prefix="regimen-proxy-"))
        self.target = str(cluster / f".s.PGSQL.{port}")
        self.cut: str | None = None
        self.cuts = 0
        self._lock = threading.Lock()
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(self.folder / ".s.PGSQL.5432"))
        self._listener.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()
        rmtree(self.folder, ignore_errors=True)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # Set while the answer to a commit must not reach the client.
        withholds = threading.Event()
        try:
            server.connect(self.target)
            back = threading.Thread(target=self._answer, args=(server, client, withholds), daemon=True)
            back.start()
            server.sendall(_first(client))
            is_writing = False
            while message := _message(client):
                sql = _statement(message)
                if sql.startswith(WRITES):
                    is_writing = True
                if is_writing and sql.startswith(b"COMMIT"):
                    is_writing = False
                    match self._take_cut():
                        case "before":
                            return
                        case "after":
                            withholds.set()
                server.sendall(message)
        except OSError:
            pass
        finally:
            for one in (client, server):
                if not withholds.is_set() or one is client:
                    _shut(one)

    def _take_cut(self) -> str | None:
        with self._lock:
            taken, self.cut = self.cut, None
            self.cuts += taken is not None
            return taken

    def _answer(
        self, server: socket.socket, client: socket.socket, withholds: threading.Event
    ) -> None:
        try:
            while data := server.recv(65536):
                if withholds.is_set():
                    # The commit was answered, so it is final, but the client never learns of it.
                    break
                client.sendall(data)
        except OSError:
            pass
        _shut(server)
        _shut(client)


def _shut(one: socket.socket) -> None:
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    one.close()


def _exactly(source: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = source.recv(count - len(data))
        if not more:
            raise OSError("closed")
        data += more
    return data


def _first(client: socket.socket) -> bytes:
    """The message that opens a connection has no type byte."""
    length = _exactly(client, 4)
    return length + _exactly(client, struct.unpack("!I", length)[0] - 4)


def _message(client: socket.socket) -> bytes:
    head = _exactly(client, 5)
    return head + _exactly(client, struct.unpack("!I", head[1:])[0] - 4)


def _statement(message: bytes) -> bytes:
    """Returns the text of a statement, sent whole or prepared with the rest of a batch."""
    match message[:1]:
        case b"Q":
            return message[5:]
        case b"P":
            return message[5:].split(b"\0", 2)[1]
        case _:
            return b""
