# SPDX-License-Identifier: Apache-2.0
"""Page sizes and times for a person with 30 medicines before and after mixed traffic, and memory under it.

REGIMEN_BENCH_MIXED_SECONDS is the duration of the mixed traffic in seconds (default 120), REGIMEN_BENCH_MIXED_RATE
its rate in requests per second (default 100).
"""
import os
import threading
import time
import urllib.parse
from datetime import datetime, timedelta, timezone
from pathlib import Path

from household import READER, Client, Server, each, instant, invite, patients, plan, sign_in, span

MEDICINES = 30
OTHERS = 100
SECONDS = int(os.environ.get("REGIMEN_BENCH_MIXED_SECONDS", "120"))
RATE = int(os.environ.get("REGIMEN_BENCH_MIXED_RATE", "100"))
WORKERS = 8
PAGES = ["/", "/?show=missed", "/medicines", "/history", "/missed", "/entry", "/medicines/simplify", "/report", "/ring"]


def resident(server: Server) -> str:
    """Returns the server's resident memory in MB, with the part that the kernel could not simply drop."""
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()  # type: ignore[union-attr]
    values = {line.split(":")[0]: int(line.split()[1]) / 1000 for line in lines if line.endswith(" kB")}
    return f"{values['VmRSS']:.0f} MB ({values['RssAnon']:.0f} anonymous)"


def percentile(sorted_values: list[float], share: float) -> float:
    return sorted_values[min(len(sorted_values) - 1, int(len(sorted_values) * share))]


def timed(client: Client, path: str, cookie: str, times: int) -> tuple[list[float], int]:
    """Returns the milliseconds of each request, sorted, and the size of the last answer in bytes."""
    found, size = [], 0
    for _ in range(times):
        begin = time.monotonic()
        response = client.send("GET", path, headers={"Cookie": cookie})
        found.append((time.monotonic() - begin) * 1000)
        if response.status != 200:
            raise SystemExit(f"bench: {path} answered {response.status}")
        size = len(response.content)  # type: ignore[attr-defined]
    return sorted(found), size


def table(pages: Client, cookie: str) -> list[str]:
    """Returns a line for each page with its size and times, one request at a time."""
    lines = []
    for path in PAGES:
        found, size = timed(pages, path, cookie, 60)
        lines.append(
            f"  {path:20} {size / 1000:7.1f} KB  p50 {percentile(found, 0.5):6.2f} ms  "
            f"p99 {percentile(found, 0.99):6.2f} ms")
    return lines


class MixedTraffic:
    """Sends requests of many kinds at a steady rate: reading, answering, adding medicines."""

    def __init__(self, server: Server, cookie: str, token: str, patient: str, others: list[str]) -> None:
        self.server, self.cookie, self.patient, self.others = server, cookie, patient, others
        self.pages, self.own = Client(server), Client(server, token)
        self.numbers = iter(range(SECONDS * RATE))
        self.lock = threading.Lock()
        self.begin = time.monotonic()
        self.latencies: list[tuple[float, float]] = []
        self.errors = 0

    def run(self) -> None:
        workers = [threading.Thread(target=self.work) for _ in range(WORKERS)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def work(self) -> None:
        while True:
            with self.lock:
                number = next(self.numbers, None)
            if number is None:
                return
            time.sleep(max(0.0, self.begin + number / RATE - time.monotonic()))
            started = time.monotonic()
            status = self.send(number)
            with self.lock:
                self.errors += status >= 500
                self.latencies.append((started - self.begin, (time.monotonic() - started) * 1000))

    def send(self, number: int) -> int:
        now = datetime.now(timezone.utc)
        if number % 200 == 0:
            other = self.others[number // 200 % len(self.others)]
            timing = {"repeat": {"timeOfDay": ["08:00:00", "20:00:00"]}}
            return self.own.send("POST", "/fhir/MedicationRequest", plan(other, f"Medicine {number}", timing)).status
        if number % 10 == 1:
            body = {
                "medicine": "Paracetamol", "taken": True, "confirm": True, "at": instant(now),
                "patient": self.patient, "amount": {"value": 1, "unit": "tablet"},
            }
            return self.own.send("POST", "/api/v1/administrations", body).status
        if number % 10 == 3:
            other = self.others[number % len(self.others)]
            return self.own.send("GET", f"/fhir/MedicationRequest?patient={other}").status
        if number % 10 == 7:
            query = urllib.parse.urlencode({"patient": self.others[number % len(self.others)]})
            return self.own.send("GET", f"/api/v1/doses?{query}&{span(now - timedelta(days=1), 2)}").status
        return self.pages.send("GET", PAGES[number % len(PAGES)], headers={"Cookie": self.cookie}).status

    def minute(self, first: float, last: float) -> list[float]:
        return sorted(latency for at, latency in self.latencies if first <= at < last)


def measure(folder: Path) -> list[str]:
    server = Server(folder / "growth", clock_offset=-86_400)
    server.create_account(READER)
    server.start()
    token = server.create_token(READER)
    client = Client(server, token)
    patient = client.json("GET", "/api/v1/me")["patients"][0]["id"]
    times = {"repeat": {"timeOfDay": ["06:00:00", "11:00:00", "16:00:00", "21:00:00"]}}
    for number in range(MEDICINES):
        client.json("POST", "/fhir/MedicationRequest", plan(patient, f"Medicine {number}", times))
    each("accounts", range(OTHERS), lambda n: invite(server, f"g{n}@example.org"), at_once=4)
    server.restart(later=86_400)
    system = server.create_token(READER, "system/*.cruds")
    others = [one for one in patients(Client(server, system)) if one != patient]
    cookie = sign_in(server, READER)
    pages = Client(server)
    timed(pages, "/", cookie, 20)
    bare, _ = timed(pages, "/robots.txt", cookie, 300)
    lines = [
        f"pages of a person with {MEDICINES} medicines, {MEDICINES * 4} doses a day, one request at a time "
        f"(bare route p50 {percentile(bare, 0.5):.2f} ms)"
    ]
    lines += table(pages, cookie)
    before = resident(server)
    traffic = MixedTraffic(server, cookie, system, patient, others)
    traffic.run()
    loaded = resident(server)
    time.sleep(65)
    rested = resident(server)
    lines.append(f"mixed traffic, {RATE} requests a second for {SECONDS} s, {traffic.errors} errors")
    for first in range(0, SECONDS, 60):
        found = traffic.minute(first, first + 60)
        if found:
            lines.append(
                f"  minute {first // 60 + 1:2}  p50 {percentile(found, 0.5):6.2f} ms  "
                f"p99 {percentile(found, 0.99):6.2f} ms  ({len(found)} requests)")
    lines.append(
        f"  resident memory {before} before, {loaded} after, {rested} a minute later (aim 90)")
    lines.append(f"the same pages after the mixed traffic, with {SECONDS * RATE // 10} more intakes today")
    lines += table(pages, cookie)
    server.stop()
    return lines
