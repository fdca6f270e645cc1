# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server for one test, on a socket in a folder, never run as root."""
import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PATIENCE = 60
# A machine that stalls for a while must not fail a test.
PATIENTLY = f"connect_timeout={PATIENCE}"
# Killing the server loses no data even without syncs; only a power cut would.
FAST = ("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "listen_addresses=")
SAFE = ("-c", "listen_addresses=")


def _tree(pid: int) -> list[int]:
    """Returns a process and all its descendants."""
    found = [pid]
    for parent in found:
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                found += [int(child) for child in task.read_text().split()]
    return found


class Cluster:
    def __init__(self, settings: tuple[str, ...] = FAST) -> None:
        self.settings = settings
        self.port = 5432
        # A socket's path is limited in length, so it is not below pytest's folders.
        self.folder = Path(tempfile.mkdtemp(prefix="regimen-postgres-"))
        self.user: list[str] = []
        if os.geteuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            name = "postgres" if "postgres" in names else "nobody"
            owner = pwd.getpwnam(name)
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self.user = ["runuser", "-u", name, "--"]
        programs = self.installed()
        assert programs, "PostgreSQL is not installed: make test-tools"
        self.programs = programs
        self._run("initdb", "--no-sync", "-A", "trust", "-E", "UTF8", "--locale=C", "-U", "regimen",
                  "-D", str(self.data))
        self.process: subprocess.Popen[bytes] | None = None
        # Additional environment variables of the server's processes.
        self.environment: dict[str, str] = {}
        self._databases = 0

    @staticmethod
    def installed() -> Path | None:
        """Returns the programs of the newest version."""
        found = Path("/usr/lib/postgresql").glob("[0-9]*/bin")
        return max(found, key=lambda path: int(path.parent.name), default=None)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def _run(self, program: str, *arguments: str, patience: float = PATIENCE) -> str:
        result = subprocess.run(
            [*self.user, str(self.programs / program), *arguments],
            capture_output=True, text=True, cwd="/tmp", timeout=patience,
        )
        assert result.returncode == 0, f"{program}: {result.stderr}"
        return result.stdout

    def start(self) -> "Cluster":
        log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            [*self.user, str(self.programs / "postgres"), "-D", str(self.data), "-k",
             str(self.folder), "-p", str(self.port), *self.settings],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/tmp",
            env=os.environ | self.environment,
            # Its own process group, so that all processes can be killed at once.
            start_new_session=True,
        )
        log.close()
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self.sql("SELECT 1")
                return self
            except AssertionError:
                assert time.monotonic() < deadline, (self.folder / "log").read_text()[-2000:]
                time.sleep(0.05)

    def listen_with_tls(self) -> None:
        """Listens on a free port of this machine, with a certificate for `localhost`; call it before the
        start.

        `localhost.pem` in the folder is for clients to trust, `stranger.pem` for clients that must reject
        it.
        """
        for name in ("localhost", "stranger"):
            file = self.folder / f"{name}.pem"
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                 "-nodes", "-days", "2", "-subj", f"/CN={name}",
                 "-addext", f"subjectAltName=DNS:{name}",
                 "-keyout", str(file.with_suffix(".key")), "-out", str(file)],
                check=True, capture_output=True, timeout=PATIENCE,
            )
            owner = self.folder.stat()
            os.chown(file.with_suffix(".key"), owner.st_uid, owner.st_gid)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.settings = (
            *self.settings, "-c", "listen_addresses=127.0.0.1", "-c", "ssl=on",
            "-c", f"ssl_cert_file={self.folder}/localhost.pem",
            "-c", f"ssl_key_file={self.folder}/localhost.key",
        )

    def stop(self, mode: str = "immediate") -> None:
        """Stops at once, as in a crash."""
        if self.process:
            self._run("pg_ctl", "stop", "-D", str(self.data), "-m", mode)
            self.process.wait(PATIENCE)
            self.process = None

    def kill(self) -> None:
        """Sends SIGKILL to all processes of the server at once."""
        if self.process:
            members = _tree(self.process.pid)
            for pid in members:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.process.wait(PATIENCE)
            self.process = None
            deadline = time.monotonic() + PATIENCE
            while any(Path(f"/proc/{pid}").exists() for pid in members):
                assert time.monotonic() < deadline, "a process of PostgreSQL does not end"
                time.sleep(0.01)

    def sql(self, text: str, database: str = "postgres", patience: float = PATIENCE) -> str:
        return self._run(
            "psql", "-h", str(self.folder), "-p", str(self.port), "-U", "regimen", "-d", database, "-Atqc", text,
            patience=patience,
        ).strip()

    def database(self) -> str:
        """The address of an empty database."""
        self._databases += 1
        name = f"test{self._databases}"
        self.sql(f"CREATE DATABASE {name}")
        return f"postgresql://regimen@/{name}?host={self.folder}&port={self.port}&{PATIENTLY}"

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
