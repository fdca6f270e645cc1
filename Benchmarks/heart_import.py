# SPDX-License-Identifier: Apache-2.0
"""How fast an Apple Health export is imported, from its archive to stored values, compared with expat's
bare parse of the same XML and Python's iterparse, in the same run; and how long answers take meanwhile."""
import json
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from household import Client, Server
from harness import health_export
from harness.server import binary

MEGABYTES = int(os.environ.get("REGIMEN_BENCH_EXPORT_MB", "300"))
AIM, MEMORY_AIM, ANSWER_AIM = 170, 48, 100
ROUNDS = 3

# A separate process for each, so that memory is measured separately.
EXPAT = """
import sys, xml.parsers.expat
parser = xml.parsers.expat.ParserCreate()
with open(sys.argv[1], "rb") as file:
    while piece := file.read(1 << 18):
        parser.Parse(piece, False)
parser.Parse(b"", True)
"""
ITERPARSE = """
import sys
from xml.etree.ElementTree import iterparse
events = iterparse(sys.argv[1], events=("start", "end"))
_, root = next(events)
for event, element in events:
    if event == "end" and element.tag == "Record":
        root.clear()
"""


def _timed(*command: str) -> float:
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begin


def _import(server: Server, archive: Path) -> tuple[float, float]:
    """Returns the seconds, and the peak resident memory in MB, of one import under the lock."""
    begin = time.monotonic()
    command = [str(binary()), "import", str(archive), "--data", str(server.data)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        output = process.stdout.read() if process.stdout else ""
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - begin
    report = json.loads(output.splitlines()[-1])
    if process.returncode or report["skipped"] or not report["values"]["resting-heart-rate"]:
        raise SystemExit(f"bench: the import reported {report}")
    return seconds, used.ru_maxrss / 1024


def _answers_meanwhile(server: Server, archive: Path) -> list[float]:
    """Returns the milliseconds of each posted entry, one after the other, while an import runs through the
    socket."""
    server.create_account("ann@example.org")
    server.start()
    client = Client(server, server.create_token("ann@example.org"))
    patient = client.json("GET", "/api/v1/me")["patients"][0]["id"]
    command = [str(binary()), "import", str(archive), "--data", str(server.data)]
    times: list[float] = []
    try:
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            while process.poll() is None:
                body = {
                    "patient": patient, "medicine": "Ibuprofen", "taken": True, "confirm": True,
                    "at": f"2026-01-{1 + len(times) % 28:02}T{len(times) % 24:02}:00:00Z",
                }
                begin = time.monotonic()
                client.json("POST", "/api/v1/administrations", body)
                times.append((time.monotonic() - begin) * 1000)
        if process.returncode or not times:
            raise SystemExit(f"bench: the import through the socket ended with {process.returncode}")
    finally:
        server.stop()
    return sorted(times)


def measure_heart_import(folder: Path) -> list[str]:
    """Returns megabytes of XML per second: medians of alternating rounds, each into an empty data folder."""
    archive, text = folder / "export.zip", folder / "export.xml"
    size = health_export.write(archive, seed=7, megabytes=MEGABYTES) / 1e6
    with zipfile.ZipFile(archive) as packed, text.open("wb") as plain:
        with packed.open("apple_health_export/eksport.xml") as source:
            while piece := source.read(1 << 20):
                plain.write(piece)
    own, expat, iterparse, memory = [], [], [], 0.0
    for number in range(ROUNDS):
        server = Server(folder / f"heart-{number}", clock_offset=0)
        seconds, megabytes = _import(server, archive)
        own.append(seconds)
        memory = max(memory, megabytes)
        expat.append(_timed(sys.executable, "-c", EXPAT, str(text)))
        iterparse.append(_timed(sys.executable, "-c", ITERPARSE, str(text)))

    answers = _answers_meanwhile(Server(folder / "heart-answers", clock_offset=0), archive)

    def rate(times: list[float]) -> float:
        return size / sorted(times)[len(times) // 2]

    return [
        f"import of an export of {size:.0f} MB of XML ({archive.stat().st_size / 1e6:.0f} MB packed), "
        f"medians of {ROUNDS}, MB of XML a second:",
        f"  archive to stored values {rate(own):7.0f}  (aim {AIM})",
        f"  expat, nothing picked    {rate(expat):7.0f}",
        f"  Python's iterparse       {rate(iterparse):7.0f}",
        f"  largest resident memory {memory:6.0f} MB  (aim {MEMORY_AIM})",
        f"  {len(answers)} answers posted meanwhile, all acknowledged: median {answers[len(answers) // 2]:.1f} ms, "
        f"p99 {answers[len(answers) * 99 // 100]:.1f} ms, slowest {answers[-1]:.1f} ms (aim p99 {ANSWER_AIM} ms)",
    ]
