# SPDX-License-Identifier: Apache-2.0
"""Machine faults that the server survives, or reports before harm is done."""
import re
import base64
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import requests

from harness.api import parse
from harness.postgres import PATIENTLY, Cluster
from harness.raw import exchange
from harness.ringing import Ring, eventually
from harness.server import Server, ServerError, binary
from test_disk_full import disk, fill

HALF = b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf"


def rings(ring: Ring, seconds: float = 4) -> None:
    """Checks that a new person's dose rings."""
    person = ring.person()
    device = person.subscribe()
    dose = person.dose_in(seconds)
    eventually(lambda: device.rung(dose), "the reminder", 40)


def health(server: Server) -> requests.Response:
    return requests.get(f"{server.base}/health", timeout=10)


def refused(server: Server) -> str:
    """Returns the single line of a refused start."""
    with pytest.raises(ServerError, match="ended with 1 at the start"):
        server.start()
    assert server.log[-1].startswith("regimen: "), server.log
    return server.log[-1]


# MARK: a log that cannot be written


@pytest.mark.parametrize("log_to", ["closed", Path("/dev/full")], ids=["closed", "full"])
def test_without_a_log_everything_rings(tmp_path: Path, log_to: Path | str) -> None:
    ring = Ring(tmp_path, log_to=log_to)
    ring.server.start()
    try:
        rings(ring)
        assert health(ring.server).json() == {"status": "ok", "faults": ["log"]}
        doctor = ring.server.command("doctor", check=False)
        assert re.search(r"FAIL  log: \d+ lines could not be written", doctor), doctor
        # If the log had taken a closed descriptor's number, it could have overwritten the database.
        assert "FAIL" not in ring.server.command("verify")
        ring.server.restart()
        rings(ring)
        ring.server.stop()
    finally:
        ring.close()


@pytest.mark.parametrize("reader", ["gone", "still"])
def test_a_log_reader_that_went_away_or_stands_still(tmp_path: Path, reader: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    ring = Ring(tmp_path, log_to=pipe, environment={"REGIMEN_LOG_LEVEL": "debug"})
    ring.server.start()
    try:
        if reader == "gone":
            os.close(read)

        def losing() -> bool:
            # Each request writes a log line.
            return "log" in health(ring.server).json().get("faults", [])

        eventually(losing, "lost lines", 60)
        rings(ring)
        if reader == "still":
            got = b""

            def told() -> bool:
                nonlocal got
                try:
                    got += os.read(read, 1 << 20)
                except BlockingIOError:
                    pass
                health(ring.server)
                return b"log lines could not be written" in got

            eventually(told, "the count of lost lines")
    finally:
        ring.close()
        if reader == "still":
            os.close(read)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    yield from disk(tmp_path / "small", "24m")


def test_a_log_on_the_full_disk_of_the_data(small_disk: Path) -> None:
    log = small_disk / "log"
    # At this level, each request writes a log line, so that the log is always busy.
    ring = Ring(small_disk, log_to=log, environment={"REGIMEN_LOG_LEVEL": "debug"})
    ring.server.start()
    try:
        person = ring.person()
        device = person.subscribe()
        first, second = person.plan_in(9, 40)
        fill(small_disk / "filler")
        eventually(lambda: device.rung(first), "the reminder on a full disk", 30)
        fill(small_disk / "filler-of-the-reserve")
        assert health(ring.server).status_code in (200, 503)
        assert ring.server.alive
        (small_disk / "filler-of-the-reserve").unlink()
        # The disk is as full as the server left it.
        ring.server.restart()
        eventually(lambda: device.rung(second), "the reminder after a restart on a full disk", 60)
        (small_disk / "filler").unlink()
        eventually(lambda: "log" not in health(ring.server).json().get("faults", []), "a log")
        assert "FAIL" not in ring.server.command("verify")
    finally:
        ring.close()


def test_a_command_that_fails_with_nowhere_to_say_so(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [str(binary()), "serve", "--data", str(tmp_path), "--host", "0.0.0.0"], stderr=full,
            timeout=60)
    assert result.returncode == 2


# MARK: files


def limited(files: int) -> tuple[str, ...]:
    if not shutil.which("prlimit"):
        pytest.skip("prlimit is not installed")
    return ("prlimit", f"--nofile={files}:{files}")


@pytest.mark.parametrize(("files", "clients"), [(256, 400), (1024, 1254)])
def test_more_half_sent_requests_than_files(tmp_path: Path, files: int, clients: int) -> None:
    ring = Ring(tmp_path, prefix=limited(files))
    ring.server.start()
    opened: list[socket.socket] = []
    try:
        person = ring.person()
        device = person.subscribe()
        dose = person.dose_in(6)
        for _ in range(3):
            for _ in range(clients):
                one = socket.create_connection(("127.0.0.1", ring.server.port), timeout=10)
                opened.append(one)
                try:
                    one.sendall(HALF)
                except OSError:
                    pass  # refused before it was sent
            assert ring.server.alive, ring.server.tail()
            for one in opened[clients // 2:]:
                one.close()
            del opened[clients // 2:]
        eventually(lambda: device.rung(dose), "the reminder meanwhile", 40)
        while len(opened) < clients:
            opened.append(socket.create_connection(("127.0.0.1", ring.server.port), timeout=10))
        answer = exchange(ring.server.port, b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert answer is not None and answer.status == 503
        assert answer.headers["connection"] == "close"
        for one in opened:
            one.close()
        eventually(lambda: health_or_none(ring.server) == 200, "an answer afterwards", 30)
        assert ring.server.alive
        ring.server.stop()
    finally:
        for one in opened:
            one.close()
        ring.close()


def health_or_none(server: Server) -> int | None:
    try:
        return health(server).status_code
    except requests.RequestException:
        return None


def test_too_few_files_are_refused_at_the_start(own_server: Callable[..., Server]) -> None:
    assert "LimitNOFILE" in refused(own_server(prefix=limited(100)))


def test_the_soft_limit_of_files_is_raised(own_server: Callable[..., Server]) -> None:
    if not shutil.which("prlimit"):
        pytest.skip("prlimit is not installed")
    server = own_server(prefix=("prlimit", "--nofile=64:2048")).start()
    limits = Path(f"/proc/{server.process.pid}/limits").read_text()
    line = next(line for line in limits.splitlines() if line.startswith("Max open files"))
    assert line.split()[3:5] == ["2048", "2048"]


# MARK: zone files


def without_zones(command: str) -> tuple[str, ...]:
    """Starts a server on a machine whose zone files are in the state that the command leaves them in."""
    probe = subprocess.run(["unshare", "-m", "true"], capture_output=True)
    if probe.returncode != 0:
        pytest.skip("no view of the files of its own can be made here")
    return (
        "unshare", "-m", "sh", "-c",
        f'mkdir -p "$0"/zones && cp -rL /usr/share/zoneinfo/. "$0"/zones && cd "$0"/zones && {command}'
        ' && mount --bind "$0"/zones /usr/share/zoneinfo && cd / && exec "$@"',
    )


@pytest.mark.parametrize("command", ["rm Europe/Oslo", "echo x > Europe/Oslo"])
def test_a_zone_without_its_file_is_refused_at_the_start(
    own_server: Callable[..., Server], tmp_path: Path, command: str
) -> None:
    server = own_server(environment={"REGIMEN_ZONE": "Europe/Oslo"}).start()
    server.invite("ann@example.org")
    server.stop()
    server.environment = {}
    server.prefix = (*without_zones(command), str(tmp_path))
    said = refused(server)
    assert "Europe/Oslo" in said and "tzdata" in said
    server.prefix = ()
    server.start()
    assert health(server).status_code == 200


def test_no_zone_files_at_all_are_refused_at_the_start(
    own_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = own_server(prefix=(*without_zones("rm -r ./*"), str(tmp_path)))
    assert "tzdata" in refused(server)


@pytest.mark.long
def test_zone_files_that_vanish_are_told_and_times_stay_right(
    tmp_path: Path,
) -> None:
    zones = tmp_path / "zones"
    ring = Ring(
        tmp_path / "ring", prefix=(*without_zones("true"), str(tmp_path)),
        environment={"REGIMEN_ZONE": "Europe/Oslo"})
    ring.server.start()
    try:
        person = ring.person()
        device = person.subscribe()
        doses = [person.dose_in(4)]
        (zones / "Europe/Oslo").unlink()
        # A plan can be created without the file, and its times are correct too.
        doses.append(person.dose_in(4))
        for dose in doses:
            push = eventually(lambda: device.rung(dose), "the reminder", 40)[0]
            due = parse(push.payload["due"])
            assert timedelta(0) <= push.clock - due < timedelta(seconds=40)
            oslo = due.astimezone(ZoneInfo("Europe/Oslo"))
            assert due.utcoffset() == oslo.utcoffset()
            assert oslo.strftime("%H:%M") in push.payload["title"] + push.payload["body"]
        eventually(lambda: "zones" in health(ring.server).json().get("faults", []), "the fault", 90)
        assert "FAIL  zones: the files of Europe/Oslo" in ring.server.command("doctor", check=False)
    finally:
        ring.close()


# MARK: an installation that lost its database


@pytest.mark.parametrize("is_empty", [False, True])
def test_keys_without_a_database_begin_nothing(
    own_server: Callable[..., Server], is_empty: bool
) -> None:
    server = own_server().start()
    server.invite("ann@example.org")
    server.stop()
    database = server.data / "regimen.sqlite"
    for ending in ("", "-wal", "-shm"):
        Path(f"{database}{ending}").unlink(missing_ok=True)
    if is_empty:
        database.touch()
    for _ in range(2):
        said = refused(server)
        assert "regimen.sqlite is missing or empty" in said and "--new" in said
    assert not any("Setup code" in line for line in server.output)
    result = subprocess.run(
        [str(binary()), "account", "create", "--email=eve@example.org", "--data", str(server.data)],
        input="", capture_output=True, text=True, timeout=60)
    assert result.returncode == 1 and "missing or empty" in result.stderr
    server.options = (*server.options, "--new")
    server.start()
    server.setup_code()
    server.stop()
    # It applies to one start only, since a service that always passes --new would be unprotected.
    assert "Leave out --new" in refused(server)


# MARK: start and stop


def test_half_a_body_does_not_spoil_the_exit_status(own_server: Callable[..., Server]) -> None:
    server = own_server().start()
    with socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall(HALF)
        # The request was accepted before the next one was answered.
        assert health(server).status_code == 200
        server.stop()
    assert not any("CancellationError" in line for line in server.log)


def test_a_port_in_use_is_one_plain_line(own_server: Callable[..., Server]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        server = own_server(wanted_port=port)
        with pytest.raises(ServerError, match="ended with 1"):
            server.start()
    said = server.log[-1]
    assert said.startswith(f"regimen: Port {port} on 127.0.0.1 is in use"), server.log
    assert "bind(" not in said
    server.start()


def test_health_says_when_the_clock_is_held(own_server: Callable[..., Server]) -> None:
    server = own_server().start()

    def ticked() -> bool:
        return health(server).status_code == 200 and "ok    clock" in server.command("doctor", check=False)

    eventually(ticked, "the clock")
    time.sleep(1)
    server.restart(later=-3 * 3600)
    answer = health(server)
    assert answer.status_code == 503 and answer.json()["part"] == "clock"
    said = subprocess.run(
        [str(binary()), "health", "--data", str(server.data)], capture_output=True, text=True, timeout=60)
    assert said.returncode == 1 and said.stdout == ""
    assert said.stderr == "regimen: The server is not healthy: clock. See docs/operate.md, Health.\n"


# MARK: backups on PostgreSQL


def test_scheduled_backups_on_postgresql(
    own_server: Callable[..., Server], tmp_path: Path
) -> None:
    cluster = Cluster().start()
    try:
        folder = tmp_path / "backups"
        folder.mkdir()
        key = tmp_path / "key"
        key.write_text(base64.b64encode(os.urandom(32)).decode() + "\n")
        server = own_server(
            environment={
                "REGIMEN_DATABASE": cluster.database(), "REGIMEN_BACKUP_FOLDER": str(folder),
                "REGIMEN_BACKUP_EVERY": "24h", "REGIMEN_BACKUP_KEY_FILE": str(key),
            }).start()
        eventually(lambda: any("backup made" in line for line in server.log), "a backup")
        assert len(list(folder.glob("*.backup"))) == 1
        assert "ok    backup: the last one was made" in server.command("doctor")
        assert health(server).json() == {"status": "ok"}
        metrics = values(server.command("metrics"))
        parts = {name: value for name, value in metrics.items() if name.startswith("regimen_fault{")}
        assert len(parts) == 10 and set(parts.values()) == {0}, parts
        assert metrics["regimen_backup_interval_seconds"] == 24 * 3600
        assert 0 <= metrics['regimen_backup_age_seconds{kind="schedule"}'] < 300
        assert metrics['regimen_backup_failures_total{kind="schedule"}'] == 0
        assert metrics["regimen_audit_rows_total"] > 0
        assert metrics["regimen_uptime_seconds"] > 0
        assert metrics["regimen_resident_memory_bytes"] > 10 << 20
        for path in ("/metrics", "/administration/metrics"):
            assert requests.get(f"{server.base}{path}", timeout=10).status_code == 404
        server.stop()
        assert server.command("metrics", check=False) == ""
    finally:
        cluster.close()


def values(metrics: str) -> dict[str, float]:
    """Returns the values in the Prometheus text format by name and labels."""
    lines = (line.rsplit(" ", 1) for line in metrics.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in lines}
