# SPDX-License-Identifier: Apache-2.0
"""Checks that shared libraries take memory only in servers that use them."""
from collections.abc import Callable
from pathlib import Path

from harness.server import Server
from harness.session import Session
from harness.sign_up import new_email

POSTGRESQL = "libpq.so"
MOSQUITTO = "libmosquitto.so"
DRAWING = ("libpango-1.0.so", "libpangocairo-1.0.so", "libcairo.so")


def mapped(server: Server) -> set[str]:
    """Returns the names of the files mapped into the server's process."""
    assert server.process
    lines = Path(f"/proc/{server.process.pid}/maps").read_text().splitlines()
    return {Path(line.split()[5]).name for line in lines if "/" in line}


def loaded(server: Server, *libraries: str) -> list[str]:
    """Returns the given libraries that the server has loaded, in any version."""
    files = mapped(server)
    assert any(name.startswith("libc.so") for name in files), files
    return [name for name in libraries if any(file.startswith(name) for file in files)]


def test_a_server_on_sqlite_loads_pango_for_a_pdf_and_libpq_and_mosquitto_never(
    own_server: Callable[..., Server],
) -> None:
    server = own_server().start()
    assert loaded(server, POSTGRESQL, MOSQUITTO, *DRAWING) == []
    ann = Session.by_invitation(server, new_email())
    # Pages need neither.
    assert ann.get("/report").status_code == 200
    assert loaded(server, POSTGRESQL, MOSQUITTO, *DRAWING) == []
    report = ann.get("/report.pdf")
    assert report.status_code == 200 and report.content.startswith(b"%PDF-")
    assert loaded(server, POSTGRESQL, MOSQUITTO, *DRAWING) == list(DRAWING)
