# SPDX-License-Identifier: Apache-2.0
"""The figures in the table of faults in docs/operate.md: the server's behaviour under faults, and its
speed."""
import base64
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import requests

from harness.postgres import Cluster
from harness.raw import exchange
from harness.server import Server, ServerError, binary
from harness.session import Session

HALF = b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf"
HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
FILES, CLIENTS = 1024, 1254
PLANS, TIMES = 30, 20


def _seconds_until(what: Callable[[], bool], most: float = 90) -> str:
    begin = time.monotonic()
    while not what():
        if time.monotonic() - begin > most:
            return f"not within {most:.0f} s"
        time.sleep(0.02)
    return f"{time.monotonic() - begin:.1f} s"


def _faults(server: Server) -> tuple[int, list[str]]:
    answer = requests.get(f"{server.base}/health", timeout=20)
    body = answer.json()
    return answer.status_code, [body.get("part", ""), *body.get("faults", [])]


def _resident(server: Server) -> float:
    assert server.process
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def _refusal(*command: str, environment: dict[str, str] | None = None) -> str:
    begin = time.monotonic()
    done = subprocess.run(command, env=os.environ | (environment or {}), capture_output=True, text=True, timeout=60)
    said = [line for line in done.stderr.splitlines() if line.startswith("regimen: ")]
    return f"exit status {done.returncode} after {time.monotonic() - begin:.1f} s, {len(said)} line"


def _serve(folder: Path) -> list[str]:
    return [str(binary()), "serve", "--data", str(folder), "--port", "0"]


def _log(folder: Path) -> list[str]:
    server = Server(folder / "log", log_to=Path("/dev/full"))
    server.start()
    took = _seconds_until(lambda: "log" in _faults(server)[1])
    server.stop()
    return [f"log to /dev/full: fault log after {took}"]


def _files(folder: Path) -> list[str]:
    server = Server(folder / "files", prefix=("prlimit", f"--nofile={FILES}:{FILES}")).start()
    opened = []
    for _ in range(CLIENTS):
        client = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        opened.append(client)
        try:
            client.sendall(HALF)
        except OSError:
            pass
    refused = 0
    time.sleep(2)
    for client in opened:
        client.setblocking(False)
        try:
            refused += client.recv(12) == b"HTTP/1.1 503"
        except OSError:
            pass
    answer = exchange(server.port, HEALTH)
    status = answer.status if answer else None
    for client in opened:
        client.close()
    took = _seconds_until(lambda: (again := exchange(server.port, HEALTH)) is not None and again.status == 200)
    server.stop()
    return [
        f"{CLIENTS} half-sent requests with {FILES} files: {refused} answered 503, {CLIENTS - refused} held; one more: "
        f"{status}; 200 again {took} after they end",
        "100 files: " + _refusal("prlimit", "--nofile=100:100", *_serve(folder / "few")),
    ]


def _start(folder: Path) -> list[str]:
    server = Server(folder / "start").start()
    server.invite("ann@example.org")
    with socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall(HALF)
        time.sleep(1)
        assert server.process
        begin = time.monotonic()
        server.process.terminate()
        status = server.process.wait(30)
    lines = [f"SIGTERM with half a request: exit status {status} after {time.monotonic() - begin:.1f} s"]
    server.kill()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        lines.append("port in use: " + _refusal(*_serve(server.data)[:-1], port))
    lines.append("no zone files: " + _refusal(
        "unshare", "-m", "sh", "-c", 'mount -t tmpfs none /usr/share/zoneinfo && exec "$@"', "sh",
        *_serve(server.data)))
    for file in server.data.glob("regimen.sqlite*"):
        file.unlink()
    return [*lines, "regimen.sqlite missing: " + _refusal(*_serve(server.data))]


def _clock(folder: Path) -> list[str]:
    server = Server(folder / "clock").start()
    _seconds_until(lambda: "ok    clock" in server.command("doctor", check=False))
    time.sleep(1)
    server.restart(later=-3 * 3600)
    took = _seconds_until(lambda: _faults(server) == (503, ["clock"]))
    server.stop()
    return [f"clock set back by 3 hours: 503 clock {took} after the start"]


def _damage(folder: Path) -> list[str]:
    server = Server(folder / "damage").start()
    server.invite("ann@example.org")
    api = server.api(server.create_token("ann@example.org"))
    for number in range(60):
        assert api.administer(f"Entry {number}", f"entry-{number}", taken=True).status_code == 201
    server.stop()
    file = server.data / "regimen.sqlite"
    content = bytearray(file.read_bytes())
    key = b"MedicationAdministration" + api.patient.encode()
    other = b"MedicationAdministratiom" + api.patient.encode()
    for start in range(4096, len(content), 4096):
        page = bytes(content[start:start + 4096])
        if page[0] == 10 and key in page and b'"resourceType"' not in page:
            content[start:start + 4096] = page.replace(key, other)
    file.write_bytes(content)
    server.start()
    took = _seconds_until(lambda: _faults(server) == (503, ["damaged database"]))
    server.kill()
    return [f"damaged key that no one reads: 503 damaged database {took} after the start"]


def _today(folder: Path) -> list[str]:
    server = Server(folder / "today").start()
    ann = Session.by_invitation(server, "ann@example.org")
    api = server.api(server.create_token("ann@example.org"))
    for _ in range(PLANS):
        api.add_plan(api.events(*[1 + number for number in range(TIMES)]))
    # All of them are due now.
    server.restart(later=(TIMES + 1) * 60)
    sizes, times = [], []
    for _ in range(21):
        begin = time.monotonic()
        page = ann.get("/")
        times.append((time.monotonic() - begin) * 1000)
        assert page.status_code == 200
        sizes.append(len(page.content))
    rest = _resident(server)
    server.stop()
    assert b"600" in page.content
    return [
        f"Today with {PLANS} plans of {TIMES} doses each: {sizes[-1] / 1000:.0f} KB, median {sorted(times)[10]:.1f} ms",
        f"resident memory then: {rest:.0f} MB",
    ]


def _memory(folder: Path) -> list[str]:
    server = Server(folder / "memory").start()
    time.sleep(15)
    rest = _resident(server)
    server.stop()
    stripped = folder / "regimen"
    shutil.copy(binary(), stripped)
    subprocess.run(["strip", str(stripped)], check=True)
    return [f"resident memory 15 s after the start: {rest:.0f} MB; program {stripped.stat().st_size / 1e6:.0f} MB stripped"]


def _backups(folder: Path) -> list[str]:
    made, key = folder / "backups", folder / "key"
    made.mkdir()
    key.write_text(base64.b64encode(os.urandom(32)).decode() + "\n")
    lines = []
    cluster = Cluster().start()
    try:
        environment = {
            "REGIMEN_DATABASE": cluster.database(), "REGIMEN_BACKUP_FOLDER": str(made), "REGIMEN_BACKUP_EVERY": "1m",
            "REGIMEN_BACKUP_KEY_FILE": str(key),
        }
        server = Server(folder / "backup", environment=environment).start()
        took = _seconds_until(lambda: any(made.glob("*.backup")))
        lines.append(f"PostgreSQL: first scheduled backup {took} after the start")
        _seconds_until(lambda: any("backup made" in line for line in server.log))
        assert "backup" not in _faults(server)[1]
        shutil.rmtree(made)
        took = _seconds_until(lambda: "backup" in _faults(server)[1], 200)
        lines.append(f"its folder removed, a backup every minute: fault backup after {took}")
        server.stop()
    finally:
        cluster.close()
    return lines


def measure(folder: Path) -> list[str]:
    """Runs each fault in turn; takes about a minute."""
    lines = ["faults:"]
    for part in (_log, _files, _start, _clock, _damage, _today, _memory, _backups):
        try:
            found = part(folder)
        except (AssertionError, ServerError, OSError, subprocess.SubprocessError) as error:
            found = [f"{part.__name__[1:]}: not measured, {error}"]
        lines += [f"  {line}" for line in found]
        print("\n".join(found), flush=True)
    return lines
