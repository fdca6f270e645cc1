# SPDX-License-Identifier: Apache-2.0
"""Processor time of the Apple Health reader and of libexpat on the same XML.

libexpat only finds the attributes. A dry run also converts and groups the values; a second copy of the export, with
kinds of records that the server ignores, shows the time of reading alone.
"""
import os
import subprocess
import zipfile
from pathlib import Path

from harness import health_export
from harness.server import binary
from reminders import compiled

MEGABYTES = int(os.environ.get("REGIMEN_BENCH_READER_MB", "100"))
ROUNDS = 3


def _seconds(*command: str) -> float:
    """Returns the processor time that a command spends in its own code."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"bench: {command[0]} ended with {process.returncode}")
    return used.ru_utime


def _export(folder: Path, name: str, megabytes: float) -> Path:
    archive = folder / f"{name}.zip"
    health_export.write(archive, seed=7, megabytes=megabytes)
    with zipfile.ZipFile(archive) as packed:
        return Path(packed.extract("apple_health_export/eksport.xml", folder / name))


def measure_heart_reader(folder: Path) -> list[str]:
    """Returns medians of alternating rounds."""
    export, small = _export(folder, "export", MEGABYTES), _export(folder, "small", 0.01)
    ignored = folder / "ignored.xml"
    with export.open("rb") as source, ignored.open("wb") as copy:
        for line in source:
            copy.write(line.replace(b"HKQuantityType", b"HKUnlistedType"))
    yardstick = str(compiled("expat_yardstick", folder, "-lexpat"))
    expat: list[float] = []
    reading: list[float] = []
    whole: list[float] = []
    start: list[float] = []
    for number in range(ROUNDS):
        dry_run = [str(binary()), "import", "--dry-run", "--data", str(folder / f"data-{number}")]
        start.append(_seconds(*dry_run, str(small)))
        expat.append(_seconds(yardstick, str(export)))
        whole.append(_seconds(*dry_run, str(export)))
        reading.append(_seconds(*dry_run, str(ignored)))

    def shown(times: list[float]) -> str:
        return f"{sorted(times)[ROUNDS // 2]:5.2f} s ({', '.join(f'{time:.2f}' for time in times)})"

    return [
        f"Apple Health's XML, {export.stat().st_size / 1e6:.0f} MB, processor time, median of {ROUNDS}:",
        f"  libexpat, attributes found      {shown(expat)}",
        f"  dry run, no kind that is used   {shown(reading)}",
        f"  dry run, values grouped         {shown(whole)}",
        f"  dry run of a file of 0.2 MB     {shown(start)}",
    ]
