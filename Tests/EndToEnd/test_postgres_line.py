# SPDX-License-Identifier: Apache-2.0
"""The connection to PostgreSQL: cut in the middle of a commit, and encrypted with TLS."""
from collections.abc import Callable, Iterator

import pytest
import requests

from harness.api import instant, new_event
from harness.postgres import PATIENTLY, Cluster
from harness.postgres_proxy import CommitCutter
from harness.server import Server, ServerError

ROUNDS = 6


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    made = Cluster()
    made.listen_with_tls()
    yield made.start()
    made.close()


@pytest.mark.parametrize("cut", ["before", "after"])
def test_a_line_cut_at_a_commit_loses_and_doubles_nothing(
    own_server: Callable[..., Server], cluster: Cluster, cut: str
) -> None:
    cutter = CommitCutter(cluster.folder, cluster.port)
    address = cluster.database().split("?")[0] + f"?host={cutter.folder}&{PATIENTLY}"
    server = own_server(environment={"REGIMEN_DATABASE": address}).start()
    email = "ann@example.org"
    server.invite(email)
    api = server.api(server.create_token(email))
    patient = api.patient
    said: dict[str, int] = {}
    bodies: dict[str, dict] = {}
    for _ in range(ROUNDS):
        key = new_event()
        bodies[key] = {
            "patient": patient, "medicine": f"Entry {key[:13]}", "at": instant(api.now()),
            "taken": True, "confirm": True,
        }
        cuts = cutter.cuts
        cutter.cut = cut
        said[key] = requests.post(
            f"{server.base}/api/v1/administrations", json=bodies[key], timeout=30,
            headers={"Authorization": f"Bearer {api.token}", "Idempotency-Key": key},
        ).status_code
        assert cutter.cuts == cuts + 1, "nothing was cut"
    cutter.cut = None
    recorded = len(api.administrations())
    if cut == "after":
        # The server checks the outcome of its commit, and reports it.
        assert set(said.values()) == {201} and recorded == ROUNDS
    else:
        assert set(said.values()) <= {201, 503} and 503 in said.values()
        assert recorded == list(said.values()).count(201)
    for key, body in bodies.items():
        assert api.post("/api/v1/administrations", body, key).status_code == 201
    assert len(api.administrations()) == ROUNDS
    server.stop()
    assert "FAIL" not in server.command("verify")
    cutter.close()


def test_the_line_may_be_sealed_and_a_stranger_is_refused(
    own_server: Callable[..., Server], cluster: Cluster
) -> None:
    name = cluster.database().split("/")[3].split("?")[0]
    trusted, stranger = (cluster.folder / f"{n}.pem" for n in ("localhost", "stranger"))

    def address(root: object) -> str:
        return (
            f"postgresql://regimen@localhost:{cluster.port}/{name}"
            f"?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert={root}"
        )

    server = own_server(environment={"REGIMEN_DATABASE": address(stranger)})
    with pytest.raises(ServerError, match="certificate verify failed"):
        server.start()
    server.environment["REGIMEN_DATABASE"] = address(trusted)
    server.start()
    server.invite("ann@example.org")
    lines = cluster.sql(
        "SELECT DISTINCT s.ssl FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)"
        f" WHERE a.datname = '{name}'"
    )
    assert lines == "t"
