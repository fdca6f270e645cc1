# SPDX-License-Identifier: Apache-2.0
"""One `regimen serve` process on its own data folder: start, stop, kill, restart."""
import http.client
import json
import os
import queue
import re
import signal
import socket
import subprocess
import threading
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

from harness.api import Api

REPOSITORY = Path(__file__).resolve().parents[3]
START_SECONDS = 60
STOP_SECONDS = 20
# The size of a socket's path in the kernel, with its end.
LONGEST_SOCKET = 108
# On no list of common passwords, and longer than the minimum.
PASSWORD = "violet kettle marches north 41"
LISTENING = re.compile(r"https?://(127\.0\.0\.1|0\.0\.0\.0):\d+")
READY = re.compile(r"Regimen is ready: (https?://127\.0\.0\.1:\d+)")
SETUP_CODE = re.compile(r"Setup code: (\w{4}-\w{4}-\w{4})\b")


def offset_to(hour: int, minute: int = 0) -> int:
    """Returns the seconds from now to a time of the next day in UTC, the time zone of servers under test."""
    now = datetime.now(timezone.utc)
    tomorrow = (now + timedelta(days=1)).replace(hour=hour, minute=minute, second=0, microsecond=0)
    return int((tomorrow - now).total_seconds())


# Servers start a run at this hour, so that no test depends on the time of day.
CLOCK_OFFSET = offset_to(int(os.environ.get("REGIMEN_TEST_HOUR", "10")))


def binary() -> Path:
    return Path(os.environ.get("REGIMEN_BINARY") or REPOSITORY / ".build/debug/regimen")


def _clean_environment() -> dict[str, str]:
    """Our environment, without settings that would reach the program from outside."""
    return {k: v for k, v in os.environ.items() if not k.startswith("REGIMEN_")}


class ServerError(AssertionError):
    """The process broke its contract; carries the end of its log."""


def _address(line: str) -> str | None:
    """The address in the log line that says the server listens."""
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    if not isinstance(entry, dict) or entry.get("message") != "listening":
        return None
    for place in (entry.get("metadata"), entry):
        address = place.get("address") if isinstance(place, dict) else None
        if isinstance(address, str) and LISTENING.fullmatch(address):
            return address.replace("//0.0.0.0:", "//127.0.0.1:")
    return None


class _SocketConnection(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=60)
        self.path = path

    def connect(self) -> None:
        deadline = time.monotonic() + STOP_SECONDS
        while True:
            self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.sock.settimeout(self.timeout)
            try:
                return self.sock.connect(str(self.path))
            except (FileNotFoundError, ConnectionRefusedError):
                # The socket opens a moment after the TCP port.
                self.sock.close()
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)


@dataclass
class Server:
    data: Path
    clock_offset: int = CLOCK_OFFSET
    environment: dict[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ("--host", "127.0.0.1")
    # The command that starts it, such as ("prlimit", "--nofile=256:256").
    prefix: tuple[str, ...] = ()
    # The destination of the log, a file or "closed"; the harness reads no log then.
    log_to: Path | str | None = None
    # The required port; 0 for any free one.
    wanted_port: int = 0
    # Another program than the one under test, such as an older version.
    program: Path | None = None
    process: subprocess.Popen[str] | None = None
    base: str = ""
    log: list[str] = field(default_factory=list)
    output: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.data.mkdir(parents=True, exist_ok=True)
        # Without this file a clock offset is refused.
        (self.data / "TEST").touch()

    # MARK: the process

    def start(self) -> "Server":
        assert self.process is None, "already started"
        environment = _clean_environment() | {"TZ": "UTC"} | self.environment
        if self.clock_offset:
            environment["REGIMEN_CLOCK_OFFSET"] = str(self.clock_offset)
        command = [str(self.program or binary()), "serve", *self.options, "--port", str(self.wanted_port)]
        prefix = self.prefix
        errors: object = subprocess.PIPE
        if self.log_to == "closed":
            prefix = ("sh", "-c", 'exec "$@" 2>&-', "sh", *prefix)
        elif self.log_to is not None:
            errors = open(self.log_to, "ab")
        process = subprocess.Popen(
            [*prefix, *command, "--data", str(self.data)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
            text=True, encoding="utf-8", errors="replace", env=environment,
        )
        if errors is not subprocess.PIPE:
            errors.close()
        self.process, self.log, self.output = process, [], []
        found: queue.Queue[str | None] = queue.Queue()
        if self.log_to is None:
            threading.Thread(target=self._read_log, args=(process, found), daemon=True).start()
        threading.Thread(target=self._read_output, args=(process, found), daemon=True).start()
        try:
            address = found.get(timeout=START_SECONDS)
        except queue.Empty:
            self.kill()
            raise ServerError(f"no address in {START_SECONDS} s:\n{self.tail()}") from None
        if address is None:
            code = process.wait(STOP_SECONDS)
            self.process = None
            raise ServerError(f"ended with {code} at the start:\n{self.tail()}")
        self.base = address
        return self

    def _read_log(self, process: subprocess.Popen[str], found: "queue.Queue[str | None]") -> None:
        told = False
        for line in process.stderr or ():
            self.log.append(line.rstrip("\n"))
            address = None if told else _address(line)
            if address:
                told = True
                found.put(address)
        if not told:
            found.put(None)

    def _read_output(
        self, process: subprocess.Popen[str], found: "queue.Queue[str | None]"
    ) -> None:
        for line in process.stdout or ():
            self.output.append(line.rstrip("\n"))
            ready = READY.fullmatch(self.output[-1])
            if self.log_to is not None and ready:
                found.put(ready[1])
        if self.log_to is not None:
            found.put(None)

    def kill(self) -> None:
        """Sends SIGKILL: nothing is logged or flushed."""
        if self.process:
            self.process.kill()
            self.process.wait(STOP_SECONDS)
            self.process = None

    def stop(self) -> None:
        """Sends SIGTERM: running requests end and the exit code is 0."""
        if not self.process:
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise ServerError(f"still running {STOP_SECONDS} s after SIGTERM") from None
        self.process = None
        if code != 0:
            raise ServerError(f"exit code {code} after SIGTERM:\n{self.tail()}")

    def restart(self, later: int = 0) -> "Server":
        """Stops and starts again, with the clock a number of seconds later."""
        self.stop()
        self.clock_offset += later
        return self.start()

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def port(self) -> int:
        return int(self.base.rsplit(":", 1)[1])

    def tail(self, lines: int = 30) -> str:
        return "\n".join(self.log[-lines:])

    def api(self, token: str | None = None) -> Api:
        """Returns a client that knows the server's time."""
        return Api(self.base, token, self.clock_offset)

    def setup_code(self) -> str:
        """Returns the one-time code printed on standard output while no account exists."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            for line in self.output:
                if match := SETUP_CODE.search(line):
                    return match.group(1)
            time.sleep(0.02)
        raise ServerError(f"no setup code on standard output: {self.output}")

    # MARK: administration, through the socket or under the lock

    def command(self, *arguments: str, stdin: str = "", check: bool = True) -> str:
        result = subprocess.run(
            [str(self.program or binary()), *arguments, "--data", str(self.data)],
            input=stdin, capture_output=True, text=True, timeout=60,
            env=_clean_environment() | self._place,
        )
        if check and result.returncode != 0:
            raise ServerError(f"{arguments} ended with {result.returncode}: {result.stderr}")
        return result.stdout

    @property
    def _place(self) -> dict[str, str]:
        """Returns the options for the location of the data, if it is not in the folder."""
        return {k: v for k, v in self.environment.items() if k == "REGIMEN_DATABASE"}

    def create_account(self, email: str, *options: str, password: str = PASSWORD) -> None:
        self.command("account", "create", f"--email={email}", *options, stdin=password + "\n")

    def ask(self, command: str, **details: object) -> str:
        """Runs a command through the socket instead of a new process, for many people."""
        connection = _SocketConnection(self.data / "control.sock")
        body = json.dumps({"command": command, **details})
        connection.request("POST", "/administration", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        answer = json.loads(response.read())
        connection.close()
        if response.status != 200:
            raise ServerError(f"{command}: {response.status} {answer}")
        return answer["line"]

    def invite(self, email: str, is_administrator: bool = False) -> str:
        """Creates an account without a password, which is fast: hashing one takes a second or more."""
        if self._answers:
            return self.ask("account create", email=email, password=None, administrator=is_administrator)
        options = ["--administrator"] if is_administrator else []
        return self.command("account", "create", f"--email={email}", *options).strip()

    def create_token(self, email: str, scope: str = "user/*.cruds") -> str:
        if self._answers:
            return self.ask("token create", email=email, scope=scope)
        lines = self.command(
            "token", "create", f"--account={email}", "--scope", scope
        ).splitlines()
        assert len(lines) == 1 and lines[0].strip(), f"the token alone, not {lines}"
        return lines[0].strip()

    @property
    def _answers(self) -> bool:
        """True if a running server takes commands at a path that is short enough for a socket: a process for each
        one takes over a tenth of a second, and tests of the command line start enough of them."""
        return self.alive and len(str(self.data / "control.sock")) < LONGEST_SOCKET
