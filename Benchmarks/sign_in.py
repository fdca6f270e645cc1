# SPDX-License-Identifier: Apache-2.0
"""How many people can sign in per second, and how long others wait meanwhile."""
import hashlib
import statistics
import threading
import time
from pathlib import Path

import requests

from household import PASSWORD, Server

PEOPLE = 20
SECONDS = 20


def _bare(count: int) -> float:
    """Returns the seconds for as many passwords by OpenSSL's scrypt at the same cost, two at a time."""
    def one() -> None:
        hashlib.scrypt(b"x" * 20, salt=b"y" * 16, n=2**17, r=8, p=1, maxmem=300 * 2**20, dklen=32)

    begin = time.monotonic()
    for _ in range(count // 2):
        pair = [threading.Thread(target=one) for _ in range(2)]
        for thread in pair:
            thread.start()
        for thread in pair:
            thread.join()
    return time.monotonic() - begin


def _percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1000


def _probe(base: str, until: float) -> list[float]:
    """Returns the time of the sign-in page, requested repeatedly by one client."""
    session, times = requests.Session(), []
    while time.monotonic() < until:
        begin = time.monotonic()
        assert session.get(f"{base}/sign-in", timeout=60).status_code == 200
        times.append(time.monotonic() - begin)
    return times


def measure_sign_in(folder: Path) -> list[str]:
    server = Server(folder / "sign-in", clock_offset=0)
    server.start()
    # Each has an account: many attempts on one at the same time look like guesses and are delayed.
    emails = [f"person{number}@example.org" for number in range(PEOPLE)]
    for email in emails:
        server.ask("account create", email=email, password=PASSWORD, administrator=False)
    quiet = _probe(server.base, time.monotonic() + 5)
    until = time.monotonic() + SECONDS
    done: list[float] = []
    refused: list[float] = []

    def person(email: str) -> None:
        while time.monotonic() < until:
            begin = time.monotonic()
            answer = requests.post(
                f"{server.base}/sign-in", data={"email": email, "password": PASSWORD},
                allow_redirects=False, timeout=120,
            )
            (done if answer.status_code == 303 else refused).append(time.monotonic() - begin)

    people = [threading.Thread(target=person, args=[email]) for email in emails]
    begin = time.monotonic()
    for one in people:
        one.start()
    busy = _probe(server.base, until)
    for one in people:
        one.join()
    took = time.monotonic() - begin
    status = Path(f"/proc/{server.process.pid}/status").read_text()  # type: ignore[union-attr]
    peak = int([l for l in status.splitlines() if l.startswith("VmHWM")][0].split()[1]) / 1000
    server.stop()
    bare = 8 / _bare(8)
    rate = len(done) / took
    return [
        f"{PEOPLE} people sign in at once for {SECONDS} s:",
        f"  {rate:.1f} sign-ins/s, median {statistics.median(done):.1f} s, {len(refused)} refused "
        f"(bare scrypt, two at a time: {bare:.1f}/s, ratio {rate / bare:.2f})",
        f"  others' page p50 {_percentile(busy, 0.5):.1f} ms, p99 {_percentile(busy, 0.99):.1f} ms "
        f"(nobody signing in: p50 {_percentile(quiet, 0.5):.1f} ms, p99 {_percentile(quiet, 0.99):.1f} ms)",
        f"  peak memory {peak:.0f} MB (aim 700)",
    ]
