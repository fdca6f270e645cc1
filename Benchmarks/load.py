# SPDX-License-Identifier: Apache-2.0
"""Load by wrk, and its results."""
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from household import Server

FOLDER = Path(__file__).resolve().parent
CONNECTIONS, THREADS = 8, 2
SECONDS = int(os.environ.get("REGIMEN_BENCH_SECONDS", "10"))


@dataclass
class Figure:
    rate: float
    p50: float
    p99: float
    errors: int
    requests: int

    @classmethod
    def of(cls, result: dict[str, float]) -> "Figure":
        rate = result["requests"] / result["seconds"]
        return cls(rate, result["p50"], result["p99"], int(result["errors"]), int(result["requests"]))


def wrk(
    server: Server, path: str, script: str = "get.lua", seconds: int = SECONDS,
    connections: int = CONNECTIONS, **environment: str,
) -> Figure:
    settings = {f"BENCH_{name.upper()}": value for name, value in environment.items()}
    result = subprocess.run(
        [
            "wrk", f"-t{min(THREADS, connections)}", f"-c{connections}", f"-d{seconds}s", "-s", str(FOLDER / script),
            server.base + path,
        ],
        capture_output=True, text=True, check=False,
        env=os.environ | settings | {"BENCH_THREADS": str(THREADS)},
    )
    if result.returncode:
        raise SystemExit(f"bench: wrk {path} with {script}: {result.stderr or result.stdout}")
    line = [l for l in result.stdout.splitlines() if l.startswith("RESULT ")][0]
    return Figure.of(json.loads(line.removeprefix("RESULT ")))
