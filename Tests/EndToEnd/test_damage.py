# SPDX-License-Identifier: Apache-2.0
"""A damaged database is a critical state: reported everywhere, and no incomplete answer is given."""
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import requests

from harness.api import Api, instant, new_event
from harness.postgres import Cluster
from harness.server import Server

PAGE = 4096
COUNT = 60


def fill(server: Server) -> Api:
    """Creates enough administrations to fill many pages."""
    server.start()
    server.invite("ann@example.org")
    api = server.api(server.create_token("ann@example.org"))
    for number in range(COUNT):
        body = {
            "patient": api.patient, "medicine": f"Entry {number}", "at": instant(api.now()),
            "taken": True, "confirm": True,
        }
        assert api.post("/api/v1/administrations", body, new_event()).status_code == 201
    assert total(api) == COUNT
    return api


def total(api: Api) -> int:
    return api.get(f"/fhir/MedicationAdministration?patient={api.patient}").json()["total"]


def ask(api: Api, method: str, path: str, **options: object) -> requests.Response:
    """Sends a request like the API client, but returns 5xx answers too."""
    return api.session.request(method, api.base + path, timeout=30, **options)


def search(api: Api) -> requests.Response:
    return ask(api, "GET", f"/fhir/MedicationAdministration?patient={api.patient}")


def overwrite(file: Path, wanted: Callable[[bytes], bytes | None]) -> int:
    """Replaces the pages that the function changes, and returns their number."""
    content = bytearray(file.read_bytes())
    count = 0
    for start in range(PAGE, len(content), PAGE):
        other = wanted(bytes(content[start:start + PAGE]))
        if other:
            content[start:start + PAGE] = other
            count += 1
    file.write_bytes(content)
    return count


def check_refusals(server: Server, api: Api) -> None:
    health = requests.get(f"{server.base}/health", timeout=10)
    assert (health.status_code, health.json()["part"]) == (503, "damaged database")
    assert "restore" in health.json()["advice"].lower()
    found = search(api)
    assert found.status_code == 503 and found.json()["resourceType"] == "OperationOutcome"
    assert "damaged" in found.text
    entry = {
        "patient": api.patient, "medicine": "Late", "at": instant(api.now()), "taken": True,
        "confirm": True,
    }
    assert ask(api, "POST", "/api/v1/administrations", json=entry).status_code == 503
    page = requests.get(f"{server.base}/sign-in", timeout=10, headers={"Accept-Language": "en"})
    assert page.status_code == 503 and "data on this server is damaged" in page.text
    said = [line for line in server.log if '"critical"' in line and "damaged" in line]
    assert said, server.tail()
    for command in ("verify", "doctor"):
        output = server.command(command, check=False)
        assert "FAIL" in output and "restore" in output.lower(), output
        assert "Something went wrong" not in output
    metrics = server.command("metrics").splitlines()
    assert 'regimen_fault{part="damage"} 1' in metrics
    assert 'regimen_fault{part="log"} 0' in metrics


@pytest.mark.parametrize("kind", ["zeros", "rubbish"])
def test_damaged_pages_are_said_and_hide_nothing(
    own_server: Callable[..., Server], kind: str
) -> None:
    server = own_server()
    api = fill(server)
    server.stop()
    rubbish = bytes(range(256)) * (PAGE // 256) if kind == "rubbish" else bytes(PAGE)
    records = re.compile(rb'"resourceType":"MedicationAdministration"')
    assert overwrite(
        server.data / "regimen.sqlite", lambda page: rubbish if records.search(page) else None
    )
    api.base = server.start().base
    # The first request to meet the damage gets an error, and no one gets a partial answer.
    answer = search(api)
    assert answer.status_code == 503, answer.text[:300]
    check_refusals(server, api)
    # The commands also report it without a server.
    server.kill()
    output = server.command("verify", check=False)
    assert "ok    database" not in output


def test_rows_that_a_damaged_key_hides_are_found_by_a_check(
    own_server: Callable[..., Server],
) -> None:
    server = own_server()
    api = fill(server)
    server.stop()
    key = b"MedicationAdministration" + api.patient.encode()

    def changed(page: bytes) -> bytes | None:
        # A page of an index, not of the rows themselves.
        if page[0] != 10 or key not in page or b'"resourceType"' in page:
            return None
        return page.replace(key, b"MedicationAdministratiom" + api.patient.encode())

    assert overwrite(server.data / "regimen.sqlite", changed)
    api.base = server.start().base
    assert "FAIL  database" in server.command("verify", check=False)
    check_refusals(server, api)


def start_on(cluster: Cluster, own_server: Callable[..., Server]) -> tuple[Server, Api, str]:
    """Starts a server with administrations on a cluster, and returns the name of its database too."""
    server = own_server()
    server.environment["REGIMEN_DATABASE"] = address = cluster.database()
    return server, fill(server), address.split("/")[3].split("?")[0]


def test_a_damaged_table_of_postgresql_is_said(own_server: Callable[..., Server]) -> None:
    cluster = Cluster().start()
    try:
        server, api, database = start_on(cluster, own_server)
        file = cluster.data / cluster.sql("SELECT pg_relation_filepath('resources')", database)
        server.stop()
        cluster.stop("fast")
        content = bytearray(file.read_bytes())
        # The header of the first page.
        content[8:24] = b"\xff" * 16
        file.write_bytes(content)
        cluster.start()
        api.base = server.start().base
        answer = search(api)
        assert answer.status_code == 503, answer.text[:300]
        check_refusals(server, api)
        server.stop()
    finally:
        cluster.close()


@pytest.mark.long
def test_rows_that_a_damaged_index_of_postgresql_hides_are_found_by_a_check(
    own_server: Callable[..., Server],
) -> None:
    cluster = Cluster().start()
    try:
        server, api, database = start_on(cluster, own_server)
        # A database that cannot check its indexes says so.
        assert "indexes were not checked" in server.command("verify")
        assert "warn  database: indexes were not checked" in server.command("doctor", check=False)
        cluster.sql("CREATE EXTENSION amcheck", database)
        output = server.command("verify")
        assert "ok    database" in output and "indexes were not checked" not in output
        key = cluster.sql(
            "SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 'resources'::regclass AND indisprimary",
            database)
        file = cluster.data / cluster.sql(f"SELECT pg_relation_filepath('{key}')", database)
        server.stop()
        cluster.stop("fast")
        content = file.read_bytes()
        assert b"MedicationAdministration" in content
        file.write_bytes(content.replace(b"MedicationAdministration", b"MedicationAdministratiom"))
        cluster.start()
        api.base = server.start().base
        output = server.command("verify", check=False)
        assert "FAIL  database" in output and f"the index {key} " in output, output
        check_refusals(server, api)
        # The rows themselves are intact.
        cluster.sql(f"REINDEX INDEX {key}", database)
        assert "ok    database" in server.command("verify")
        assert total(api) == COUNT
        server.stop()
    finally:
        cluster.close()
