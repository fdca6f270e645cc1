# SPDX-License-Identifier: Apache-2.0
"""Two servers on one PostgreSQL database."""
import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from harness.postgres import Cluster
from harness.ringing import Ring
from harness.server import Server


@dataclass
class Nodes:
    """Two nodes; the first is the server of the ring."""

    ring: Ring
    other: Server
    database: str
    first: Server = field(init=False)

    def __post_init__(self) -> None:
        self.first = self.ring.server

    def start_other(self) -> Server:
        self.other.data.mkdir(parents=True, exist_ok=True)
        # Nodes share the key file.
        shutil.copy2(self.first.data / "keys.json", self.other.data / "keys.json")
        return self.other.start()


@contextlib.contextmanager
def two_nodes(folder: Path, cluster: Cluster, program: Path | None = None) -> Iterator[Nodes]:
    """Starts the first of two nodes on a new database; the pushes they sent are verified at the end.

    `program` is another one than the tests otherwise run.
    """
    address = cluster.database()
    ring = Ring(folder / "ring", environment={"REGIMEN_DATABASE": address}, program=program)
    ring.server.start()
    other = Server(folder / "other" / "data", environment=dict(ring.server.environment), program=program)
    made = Nodes(ring, other, address)
    try:
        yield made
    finally:
        made.other.kill()
        made.first.kill()
        ring.close()
    ring.verify()
