# SPDX-License-Identifier: Apache-2.0
"""The alert rules with a real Prometheus: what they warn of is brought about, and they fire.

The rules are those of the project, except that a condition need not hold for minutes (`for: 0s`). `promtool` tests all
of them with their times (`test_metrics.py`).
"""
import base64
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import requests

from harness.api import TIMEOUT
from harness.postgres import Cluster
from harness.prometheus import RULES, NodeExporter, Prometheus, alerts, impatient
from harness.push_receiver import Reply, retry_after
from harness.ringing import Ring, eventually
from harness.server import Server
from test_disk_full import disk, fill

# The rules that this file provokes, those that it provokes in `make soak` only, and those whose condition is not
# brought about here: a gigabyte of memory, and reads that wait for each other for minutes.
PROVOKED = {
    "RegimenFault", "RegimenMetricsMissing", "RegimenMetricsOld", "RegimenBackupOverdue", "RegimenBackupFailed",
    "RegimenRemindersMissed", "RegimenRemindersLate", "RegimenDeliveriesFailing", "RegimenPushExpiring",
    "RegimenRequestsFailing", "RegimenSlow", "RegimenDatabaseSlow", "RegimenDatabaseCongested",
    "RegimenSignInsDenied", "RegimenLogLinesDropped", "RegimenRestarting",
}
PROVOKED_IN_SOAK = {"RegimenDeliveriesWaiting", "RegimenAuditBehind"}
BY_PROMTOOL_ONLY = {"RegimenMemory", "RegimenDatabasePoolExhausted"}
LONG = os.environ.get("REGIMEN_LONG_ALERTS")
HOUR = 3_600
# More than the 50 that may wait for the database.
CLIENTS = 64
# The seconds between scrapes of a server whose database stalls: it waits up to five seconds for the database.
SLOW = 6


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    made = Prometheus(tmp_path_factory.mktemp("prometheus"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    made = Cluster().start()
    yield made
    made.close()


@pytest.fixture
def watch(prometheus: Prometheus) -> Iterator[Callable[..., None]]:
    """Scrapes servers until the test ends; each begins without an alert."""
    names: list[str] = []

    def begin(name: str, server: Server, seconds: int = 1) -> None:
        names.append(name)
        prometheus.watch(name, server, seconds)
        prometheus.scrapes(name)
        assert not prometheus.firing(name), "an alert fires before anything is wrong"

    yield begin
    for name in names:
        prometheus.forget(name)


def test_each_rule_is_provoked_or_named_as_an_exception() -> None:
    assert sorted(alerts()) == sorted([*PROVOKED, *PROVOKED_IN_SOAK, *BY_PROMTOOL_ONLY])
    used = set(re.findall(r'\.alerts\(\s*"(\w+)"', Path(__file__).read_text(encoding="utf-8")))
    assert used == PROVOKED | PROVOKED_IN_SOAK


def test_only_the_times_differ_from_the_rules_of_the_project() -> None:
    rules = RULES.read_text(encoding="utf-8")
    differing = [
        (line, other) for line, other in zip(rules.splitlines(), impatient(rules).splitlines(), strict=True)
        if line != other
    ]
    assert differing and all(re.fullmatch(r" *for: \d+[mh]", line) for line, _ in differing)
    assert {other.strip() for _, other in differing} == {"for: 0s"}


def test_a_log_that_cannot_be_written(
    own_server: Callable[..., Server], prometheus: Prometheus
) -> None:
    server = own_server(log_to=Path("/dev/full"), environment={"REGIMEN_LOG_LEVEL": "debug"}).start()
    prometheus.watch("log", server)
    for _ in range(3):
        requests.get(f"{server.base}/health", timeout=10)
        prometheus.scrapes("log")
    prometheus.alerts("RegimenFault", "log")
    prometheus.alerts("RegimenLogLinesDropped", "log")
    (fault,) = prometheus.query('ALERTS{alertname="RegimenFault",instance="log"}')
    assert fault["metric"]["part"] == "log"
    prometheus.forget("log")


def test_a_server_that_is_gone(
    own_server: Callable[..., Server], prometheus: Prometheus, watch: Callable[..., None]
) -> None:
    server = own_server().start()
    watch("gone", server)
    assert "RegimenMetricsMissing" not in prometheus.firing()
    server.kill()
    prometheus.alerts("RegimenMetricsMissing")
    server.start()
    prometheus.scrapes("gone")
    assert "RegimenMetricsMissing" not in prometheus.firing()


def test_metrics_that_are_no_longer_written(
    own_server: Callable[..., Server], prometheus: Prometheus, tmp_path: Path
) -> None:
    server = own_server().start()
    folder = tmp_path / "textfile"
    folder.mkdir()
    file = folder / "regimen.prom"
    file.write_text(server.command("metrics"), encoding="utf-8")
    exporter = NodeExporter(folder)
    try:
        prometheus.target("node", exporter.address)
        prometheus.scrapes("node")
        assert "RegimenMetricsOld" not in prometheus.firing("node")
        # As if the job that writes the file had stopped ten minutes ago.
        os.utime(file, (time.time() - 600, time.time() - 600))
        prometheus.alerts("RegimenMetricsOld", "node")
    finally:
        prometheus.forget("node")
        exporter.close()


@pytest.mark.long
def test_a_server_that_starts_again_and_again(
    own_server: Callable[..., Server], prometheus: Prometheus, watch: Callable[..., None]
) -> None:
    server = own_server().start()
    watch("restarts", server)
    for _ in range(5):
        server.kill()
        server.start()
        # Prometheus sees a start by an uptime below the last one.
        prometheus.scrapes("restarts")
    prometheus.alerts("RegimenRestarting", "restarts")


def test_sign_ins_with_wrong_passwords(
    own_server: Callable[..., Server], prometheus: Prometheus, watch: Callable[..., None]
) -> None:
    server = own_server(options=("--host", "127.0.0.1", "--behind-proxy", "127.0.0.1")).start()
    watch("sign-in", server)
    # Too long to be anyone's, so that the server need not derive a key a hundred times.
    password = "x" * 1_100
    with requests.Session() as session:
        for number in range(130):
            answer = session.post(
                f"{server.base}/sign-in", data={"email": f"guess{number}@example.org", "password": password},
                timeout=30, allow_redirects=False,
                headers={
                    "Sec-Fetch-Site": "same-origin", "Origin": server.base,
                    "X-Forwarded-For": f"198.51.{number}.7"})
            assert answer.status_code < 500
    prometheus.alerts("RegimenSignInsDenied", "sign-in")


@pytest.fixture
def backup_disk(tmp_path: Path) -> Iterator[Path]:
    yield from disk(tmp_path / "backups", "16m")


def test_backups_that_fail_and_grow_old(
    own_server: Callable[..., Server], prometheus: Prometheus, watch: Callable[..., None],
    backup_disk: Path, tmp_path: Path,
) -> None:
    key = tmp_path / "key"
    key.write_text(base64.b64encode(os.urandom(32)).decode() + "\n")
    server = own_server(
        environment={
            "REGIMEN_BACKUP_FOLDER": str(backup_disk), "REGIMEN_BACKUP_EVERY": "24h",
            "REGIMEN_BACKUP_KEY_FILE": str(key),
        }).start()
    eventually(lambda: any("backup made" in line for line in server.log), "a backup")
    watch("backup", server)
    # The disk for backups is full for three days.
    fill(backup_disk / "filler")
    server.restart(later=72 * HOUR)
    prometheus.alerts("RegimenBackupFailed", "backup")
    prometheus.alerts("RegimenBackupOverdue", "backup")


def test_reminders_of_an_outage(
    own_ring: Callable[..., Ring], prometheus: Prometheus, watch: Callable[..., None]
) -> None:
    ring = own_ring()
    person = ring.person()
    device = person.subscribe()
    missed, late = person.plan_in(600, 2 * HOUR + 2_400)
    watch("outage", ring.server)
    ring.restart(3 * HOUR)
    eventually(lambda: device.rung(late) and device.rung(missed), "the reminders")
    prometheus.alerts("RegimenRemindersMissed", "outage")
    prometheus.alerts("RegimenRemindersLate", "outage")


def test_a_push_service_that_refuses(
    own_ring: Callable[..., Ring], prometheus: Prometheus, watch: Callable[..., None]
) -> None:
    ring = own_ring()
    people = [ring.person() for _ in range(3)]
    devices = [person.subscribe() for person in people]
    watch("push", ring.server)
    # The counters of both outcomes begin with the first two; what Prometheus sees is their growth.
    devices[0].reply(Reply(410))
    devices[1].reply(Reply(503))
    for person in people[:2]:
        person.dose_in(0)
    prometheus.holds('regimen_delivery_attempts_total{instance="push",outcome="gone"}')
    prometheus.holds('regimen_delivery_attempts_total{instance="push",outcome="retry"}')
    prometheus.scrapes("push")
    devices[2].reply(Reply(410))
    people[2].dose_in(0)
    prometheus.alerts("RegimenPushExpiring", "push")
    prometheus.alerts("RegimenDeliveriesFailing", "push")


def locked(cluster: Cluster, address: str, seconds: float) -> threading.Thread:
    """Keeps every node from writing for some seconds, as a statement of someone else on the database would."""
    database = address.split("/")[3].split("?")[0]
    text = f"BEGIN; LOCK TABLE audit_heads IN EXCLUSIVE MODE; SELECT pg_sleep({seconds}); COMMIT"
    thread = threading.Thread(target=cluster.sql, args=(text, database), kwargs={"patience": seconds + 60})
    thread.start()
    eventually(
        lambda: cluster.sql("SELECT 1 FROM pg_locks WHERE mode = 'ExclusiveLock' AND relation IS NOT NULL", database),
        "the lock")
    return thread


@pytest.mark.long
def test_a_database_that_stalls_and_fails(
    own_ring: Callable[..., Ring], prometheus: Prometheus, watch: Callable[..., None]
) -> None:
    cluster = Cluster().start()
    try:
        address = cluster.database()
        ring = own_ring(environment={"REGIMEN_DATABASE": address})
        person = ring.person()
        assert person.api.patient
        watch("database", ring.server, SLOW)

        def record(number: int) -> None:
            api = ring.server.api(person.token)
            api._patient = person.api.patient
            assert api.administer(f"Medicine {number}", confirm=True).status_code == 201

        lock = locked(cluster, address, 4 * SLOW)
        clients = [threading.Thread(target=record, args=(number,)) for number in range(CLIENTS)]
        for client in clients:
            client.start()
        prometheus.alerts("RegimenDatabaseCongested", "database")
        for thread in (*clients, lock):
            thread.join(TIMEOUT)
        prometheus.alerts("RegimenDatabaseSlow", "database")
        prometheus.alerts("RegimenSlow", "database")
        cluster.stop()
        # Some before and some after a scrape: what Prometheus sees is growth.
        for _ in range(2):
            for _ in range(20):
                answer = requests.get(
                    f"{ring.server.base}/api/v1/me", headers={"Authorization": f"Bearer {person.token}"},
                    timeout=TIMEOUT)
                assert answer.status_code == 503
            prometheus.scrapes("database")
        prometheus.alerts("RegimenRequestsFailing", "database")
    finally:
        cluster.close()


@pytest.mark.skipif(not LONG, reason="REGIMEN_LONG_ALERTS is not set: takes three minutes")
def test_a_database_that_takes_no_writes_for_minutes(
    own_ring: Callable[..., Ring], prometheus: Prometheus, watch: Callable[..., None], cluster: Cluster
) -> None:
    address = cluster.database()
    ring = own_ring(environment={"REGIMEN_DATABASE": address})
    person = ring.person()
    device = person.subscribe()
    assert person.api.patient
    watch("lock", ring.server, SLOW)
    device.reply(retry_after(503, "10"))
    dose = person.dose_in(0)
    eventually(lambda: [one for one in person.deliveries(dose) if one.get("attempts")], "the result of an attempt")
    lock = locked(cluster, address, 170)
    # Read while no row of the audit trail can be written.
    person.api.doses()
    prometheus.alerts("RegimenAuditBehind", "lock", 100)
    prometheus.alerts("RegimenDeliveriesWaiting", "lock", 160)
    lock.join(200)
    eventually(lambda: not prometheus.firing("lock") & PROVOKED_IN_SOAK, "the end of both")
