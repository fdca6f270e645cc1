# SPDX-License-Identifier: Apache-2.0
"""Dosage sentences: `regimen instructions` in each language.

The whole program: reading JSON lines, formatting each dosage, writing the answers. Both elapsed seconds,
since waiting lines are answered on all processors, and processor seconds are shown. The start of the
program and of the catalogues is subtracted, measured by a run of one line. The cost of the sentences
alone, of parsed dosages on one processor, is shown next to it. REGIMEN_BENCH_SENTENCES is the number of
lines per language (default 60000).
"""
import json
import os
import resource
import subprocess
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
LANGUAGES = ["en", "de", "nb", "th", "tr", "fr", "es", "it", "pt", "nl"]
STRUCTURES = FOLDER.parent / "Tests/InstructionsTests/Golden/dosages.txt"
LINES = int(os.environ.get("REGIMEN_BENCH_SENTENCES", "60000"))
AIM = 100_000


def program() -> str:
    return os.environ.get("REGIMEN_BINARY") or str(FOLDER.parent / ".build/release/regimen")


def questions(file: Path, count: int) -> None:
    """Yields the golden structures, one dosage per line, repeatedly."""
    dosages = []
    for line in STRUCTURES.read_text().splitlines():
        parsed = json.loads(line.split("\t", 1)[1])
        dosages += parsed if isinstance(parsed, list) else [parsed]
    lines = [json.dumps({"id": i, "dosage": dosages[i % len(dosages)]}, separators=(",", ":")) for i in range(count)]
    file.write_text("\n".join(lines) + "\n")


def timed(file: Path, language: str) -> tuple[float, float]:
    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    begin, processor = time.perf_counter(), used()
    with open(os.devnull, "w") as nowhere:
        subprocess.run([program(), "instructions", "--language", language, str(file)], stdout=nowhere, check=True)
    return time.perf_counter() - begin, used() - processor


def said_alone(file: Path, language: str) -> float:
    """Returns sentences per second of one processor, of parsed dosages."""
    output = subprocess.run(
        [program(), "instructions", "--measure", "--language", language, str(file)], capture_output=True, check=True)
    result = json.loads(output.stdout)
    return result["sentences"] / float(result["seconds"])


def measure(folder: Path) -> list[str]:
    one, few, many = folder / "one.ndjson", folder / "few.ndjson", folder / "many.ndjson"
    questions(one, 1)
    questions(few, 256)
    questions(many, LINES)
    lines = [f"dosage sentences a second for each language (aim {AIM:,}): with JSON in and out on {os.cpu_count()} "
             "processors; the same for a second of one processor; of dosages read already, for a second of one:"]
    for language in LANGUAGES:
        start = min(timed(one, language) for _ in range(2))
        clock, processor = min(timed(many, language) for _ in range(2))
        lines.append(
            f"  {language}: {LINES / (clock - start[0]):>9,.0f} {LINES / (processor - start[1]):>9,.0f} "
            f"{said_alone(few, language):>9,.0f}")
    return lines


if __name__ == "__main__":
    import tempfile
    with tempfile.TemporaryDirectory() as own_folder:
        print("\n".join(measure(Path(own_folder))))
