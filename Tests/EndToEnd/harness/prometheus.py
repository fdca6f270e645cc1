# SPDX-License-Identifier: Apache-2.0
"""A real Prometheus that scrapes servers under test and evaluates the rules of the project."""
import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests

from harness.server import REPOSITORY, Server

RULES = REPOSITORY / "deploy" / "prometheus" / "regimen.rules.yml"
PATIENCE = 60.0


def program(name: str) -> str:
    """Returns the path of one of Debian's programs; skips the test outside of `make soak`, since it takes minutes."""
    if not os.environ.get("REGIMEN_PROMTOOL"):
        pytest.skip("REGIMEN_PROMTOOL is not set")
    found = shutil.which(name)
    assert found, f"{name} is not installed"
    return found


def alerts() -> list[str]:
    """Returns the names of the rules, in the order of the file."""
    return re.findall(r"^ *- alert: (\w+)$", RULES.read_text(encoding="utf-8"), re.MULTILINE)


def impatient(rules: str) -> str:
    """Returns the rules with no time for which a condition must hold; limits and ranges stay."""
    return re.sub(r"^( *for:) \w+$", r"\1 0s", rules, flags=re.MULTILINE)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


class _SocketConnection(HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=10)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self.path))


class Exporter:
    """Passes scrapes of `/metrics/NAME` on to the Unix sockets of servers; 502 if one does not answer."""

    def __init__(self) -> None:
        servers: dict[str, Server] = {}
        self.servers = servers

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server = servers.get(self.path.rsplit("/", 1)[-1])
                status, body = 502, b""
                try:
                    if server:
                        connection = _SocketConnection(server.data / "control.sock")
                        connection.request("GET", "/administration/metrics")
                        answer = connection.getresponse()
                        status, body = answer.status, answer.read()
                        connection.close()
                except OSError:
                    pass
                with contextlib.suppress(BrokenPipeError):
                    self.send_response(status)
                    self.send_header("Content-Type", "text/plain; version=0.0.4")
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self.listener.server_address[1]}"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.listener.shutdown()
        self.listener.server_close()


class Prometheus:
    """Evaluates every second, and scrapes as often unless a target says otherwise."""

    def __init__(self, folder: Path) -> None:
        executable = program("prometheus")
        self.folder = folder
        self.exporter = Exporter()
        self.base = f"http://127.0.0.1:{free_port()}"
        self.targets = folder / "targets"
        self.targets.mkdir()
        (folder / "rules.yml").write_text(impatient(RULES.read_text(encoding="utf-8")), encoding="utf-8")
        (folder / "prometheus.yml").write_text(
            "global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}\n"
            "rule_files: [rules.yml]\n"
            "scrape_configs:\n"
            "  - job_name: regimen\n"
            f"    file_sd_configs: [{{files: ['{self.targets}/*.json'], refresh_interval: 1s}}]\n",
            encoding="utf-8")
        log = open(folder / "log", "ab")
        self.process = subprocess.Popen(
            [executable, f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address={urlsplit(self.base).netloc}"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        log.close()
        self._wait(self._is_ready, "Prometheus")

    def _is_ready(self) -> bool:
        assert self.process.poll() is None, (self.folder / "log").read_text()[-2000:]
        try:
            return requests.get(f"{self.base}/-/ready", timeout=5).status_code == 200
        except requests.ConnectionError:
            return False

    def watch(self, name: str, server: Server, seconds: int = 1) -> None:
        """Scrapes a server under this name of an instance, and waits for its first metrics."""
        self.exporter.servers[name] = server
        self.target(name, self.exporter.address, f"/metrics/{name}", seconds)
        self.holds(f'regimen_uptime_seconds{{instance="{name}"}}')

    def target(self, name: str, address: str, path: str = "/metrics", seconds: int = 1) -> None:
        labels = {
            "instance": name, "__metrics_path__": path,
            "__scrape_interval__": f"{seconds}s", "__scrape_timeout__": f"{seconds}s",
        }
        made = self.targets / f"{name}.new"
        made.write_text(json.dumps([{"targets": [address], "labels": labels}]), encoding="utf-8")
        made.rename(made.with_suffix(".json"))

    def forget(self, name: str) -> None:
        self.exporter.servers.pop(name, None)
        (self.targets / f"{name}.json").unlink(missing_ok=True)

    def query(self, expression: str) -> list[dict]:
        answer = requests.get(f"{self.base}/api/v1/query", params={"query": expression}, timeout=10).json()
        assert answer["status"] == "success", answer
        return answer["data"]["result"]

    def firing(self, name: str | None = None) -> set[str]:
        """Returns the alerts that fire now, of one instance if it is given."""
        instance = f',instance="{name}"' if name else ""
        return {one["metric"]["alertname"] for one in self.query(f'ALERTS{{alertstate="firing"{instance}}}')}

    def alerts(self, alert: str, name: str | None = None, seconds: float = PATIENCE) -> None:
        """Waits until an alert fires."""
        self._wait(lambda: alert in self.firing(name), alert, seconds)

    def holds(self, expression: str, seconds: float = PATIENCE) -> None:
        """Waits until a query has a result."""
        self._wait(lambda: bool(self.query(expression)), expression, seconds)

    def scrapes(self, name: str, count: int = 2) -> None:
        """Waits for further scrapes, the last of which began after this call, and for the evaluation of the rules."""
        began = time.time()
        self.holds(f'timestamp(regimen_uptime_seconds{{instance="{name}"}}) > {began + count}')

    def _wait(self, look, what: str, seconds: float = PATIENCE) -> None:
        deadline = time.monotonic() + seconds
        while not look():
            assert time.monotonic() < deadline, f"no {what} in {seconds:.0f} s; {self.query('ALERTS')}"
            time.sleep(0.1)

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(30)
        self.exporter.close()


class NodeExporter:
    """A real node_exporter that publishes only the files of a folder."""

    def __init__(self, folder: Path) -> None:
        self.address = f"127.0.0.1:{free_port()}"
        self.process = subprocess.Popen(
            [program("prometheus-node-exporter"), f"--web.listen-address={self.address}",
             "--collector.disable-defaults", "--collector.textfile",
             f"--collector.textfile.directory={folder}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(30)
