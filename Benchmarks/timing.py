# SPDX-License-Identifier: Apache-2.0
"""Dose instants: `regimen schedule` compared with libical and dateutil, in the same minute.

Ours is the whole program: reading JSON lines, expanding, writing every instant as text. libical and
dateutil only expand, and convert each occurrence to an instant of the zone. All seconds are processor
time, so that other load on the machine does not count.
"""
import gzip
import json
import os
import resource
import shutil
import subprocess
import time
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

FOLDER = Path(__file__).resolve().parent
FIRST, LAST = datetime(2016, 3, 1), datetime(2026, 3, 1)
ZONE = "Europe/Oslo"

# The content of a Timing, and the same in RFC 5545.
THREE_A_DAY = ({"frequency": 3, "period": 1, "periodUnit": "d"}, "FREQ=DAILY;BYHOUR=8,14,20")
MIXED = [
    ({"timeOfDay": ["08:00:00"]}, "FREQ=DAILY;BYHOUR=8"),
    THREE_A_DAY,
    ({"period": 2, "periodUnit": "d"}, "FREQ=DAILY;INTERVAL=2;BYHOUR=8"),
    ({"period": 1, "periodUnit": "wk", "dayOfWeek": ["mon", "wed", "fri"]},
     "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYHOUR=8"),
    ({"period": 2, "periodUnit": "wk", "dayOfWeek": ["tue"]}, "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=8"),
    ({"period": 1, "periodUnit": "mo"}, "FREQ=MONTHLY;BYHOUR=8"),
    ({"period": 8, "periodUnit": "h"}, "UTC;FREQ=HOURLY;INTERVAL=8"),
    ({"period": 1, "periodUnit": "a"}, "FREQ=YEARLY;BYHOUR=8"),
    ({"timeOfDay": ["08:00:00", "20:00:00"], "count": 1000}, "FREQ=DAILY;BYHOUR=8,20;COUNT=1000"),
]


def program() -> str:
    return os.environ.get("REGIMEN_BINARY") or str(FOLDER.parent / ".build/release/regimen")


def question(repeat: dict, start: datetime = FIRST, end: datetime = LAST) -> str:
    return json.dumps({
        "id": 0, "timing": {"repeat": repeat}, "tz": ZONE, "anchor": FIRST.isoformat(),
        "start": start.isoformat(), "end": end.isoformat()})


def children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def ours(folder: Path, lines: list[str], rounds: int) -> tuple[float, int]:
    """Returns the seconds of a round, without the start of the program, and its number of instants."""
    file = folder / "questions.ndjson"

    def timed(count: int) -> tuple[float, bytes]:
        file.write_text("\n".join(lines * count) + "\n")
        begin = children()
        output = subprocess.run([program(), "schedule", str(file)], capture_output=True, check=True).stdout
        return children() - begin, output

    short, output = timed(1)
    instants = sum(len(json.loads(line)["instants"]) for line in output.splitlines())
    long = min(timed(rounds + 1)[0] for _ in range(2))
    return (long - short) / rounds, instants


def libical(folder: Path, rules: list[str], rounds: int) -> tuple[float, int]:
    yardstick = folder / "recurrence_yardstick"
    if not yardstick.exists():
        source = FOLDER / "recurrence_yardstick.c"
        subprocess.run(["cc", "-O2", "-o", str(yardstick), str(source), "-lical"], check=True)
    ends = [moment.strftime("%Y%m%dT%H%M%S") for moment in (FIRST, LAST)]
    result = json.loads(subprocess.run(
        [str(yardstick), str(rounds), *ends, *rules], capture_output=True, check=True).stdout)
    return result["seconds"] / rounds, result["instants"]


def dateutil(rules: list[str]) -> tuple[float, int] | None:
    try:
        from dateutil.rrule import rrulestr
    except ImportError:
        return None
    instants = 0
    begin = time.process_time()
    for rule in rules:
        zone = ZoneInfo("UTC" if rule.startswith("UTC;") else ZONE)
        for moment in rrulestr(rule.removeprefix("UTC;"), dtstart=FIRST):
            if moment >= LAST:
                break
            moment.replace(tzinfo=zone).timestamp()
            instants += 1
    return time.process_time() - begin, instants


def compare(folder: Path, name: str, pairs: list[tuple[dict, str]], rounds: int, aim: int) -> list[str]:
    own, count = ours(folder, [question(repeat) for repeat, _ in pairs], rounds)
    rules = [rule for _, rule in pairs]
    other, other_count = libical(folder, rules, max(1, rounds // 10))
    third = dateutil(rules)
    lines = [f"{name}: {count} instants in {own * 1e3:.2f} ms ({own / count * 1e9:.0f} ns each); "
             f"libical {other_count} in {other * 1e3:.2f} ms, ratio {other / own:.1f} (aim {aim})"]
    if third:
        lines.append(f"  dateutil {third[1]} in {third[0] * 1e3:.0f} ms, ratio {third[0] / own:.0f}")
    return lines


IN_BROWSER = """
const { readFileSync } = await import('node:fs');
const { gunzipSync } = await import('node:zlib');
const [loader, module, question, rounds] = process.argv.slice(1);
const { ask } = await import(`data:text/javascript,${encodeURIComponent(readFileSync(loader, 'utf8'))}`);
const compiled = await WebAssembly.compile(gunzipSync(readFileSync(module)));
let instants = 0;
const begin = performance.now();
for (let round = 0; round < rounds; round += 1) instants = (await ask(compiled, JSON.parse(question))).instants.length;
console.log(JSON.stringify({ milliseconds: (performance.now() - begin) / rounds, instants }));
"""


def in_browser() -> list[str]:
    """The module for browsers: its size, and the same questions in node if it is installed."""
    planning = FOLDER.parent / "Sources/Web/Assets/planning"
    module = planning / "scheduling.wasm.gz"
    packed = module.read_bytes()
    lines = [f"  module for browsers: {len(gzip.decompress(packed))} bytes, {len(packed)} as it is sent"]
    if not shutil.which("node"):
        return lines
    # The zone's changes do not affect the time; these two are Oslo's of 2026.
    zone = {"offset": 3600, "changes": [[1774746000, 7200], [1792890000, 3600]]}
    for name, start, rounds in [("3 a day for 10 years", FIRST, 100), ("next 24 hours", datetime(2026, 2, 28), 1000)]:
        asked = json.dumps(json.loads(question(THREE_A_DAY[0], start)) | {"zone": zone})
        result = json.loads(subprocess.run(
            ["node", "--input-type=module", "-e", IN_BROWSER, str(planning / "10-module.mjs"), str(module), asked,
             str(rounds)], capture_output=True, check=True, text=True).stdout)
        lines.append(f"  in node: {name}: {result['instants']} instants in {result['milliseconds']:.2f} ms, "
                     "instance and JSON included")
    return lines


def measure(folder: Path) -> list[str]:
    lines = ["dose instants, the whole of `regimen schedule` with JSON in and out:"]
    lines += compare(folder, "  3 a day for 10 years", [THREE_A_DAY], 200, 20)
    lines += compare(folder, "  9 rules for 10 years", MIXED, 60, 10)
    day = question(THREE_A_DAY[0], datetime(2026, 3, 1), datetime(2026, 3, 2))
    own, _ = ours(folder, [day], 20_000)
    new = question(THREE_A_DAY[0], FIRST, datetime(2016, 3, 2))
    young, _ = ours(folder, [new], 20_000)
    lines.append(f"  next 24 hours of a ten-year-old plan: {own * 1e6:.1f} us, of a new one {young * 1e6:.1f} us "
                 "(aim 20)")
    return lines + in_browser()


if __name__ == "__main__":
    import tempfile
    with tempfile.TemporaryDirectory() as own_folder:
        print("\n".join(measure(Path(own_folder))))
