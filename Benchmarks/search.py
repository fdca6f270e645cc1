# SPDX-License-Identifier: Apache-2.0
"""The time of a search among 100,000 generated medicines, compared with a scan of every name."""
import shutil
import subprocess
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "search"
AIM = 5


def measure_search(folder: Path) -> list[str]:
    """Returns the lines to print."""
    # A separate package with the index's sources, which builds in seconds.
    package = folder / "search"
    shutil.copytree(PACKAGE, package)
    sources = PACKAGE.parent.parent / "Sources" / "Knowledge" / "Search"
    target = package / "Sources" / "Knowledge"
    target.mkdir()
    for file in sources.glob("*.swift"):
        # The code that joins it with the handbook's medicines is left out.
        if file.name != "MedicineSearch.swift":
            shutil.copy(file, target)
    output = subprocess.run(
        ["swift", "run", "-c", "release", "--package-path", str(package), "search-bench"],
        capture_output=True, text=True, check=True,
    ).stdout
    lines: list[str] = []
    built = scan = 0.0
    for line in output.splitlines():
        if line.startswith("built "):
            built = float(line.split()[1])
        elif line.startswith("scan "):
            scan = float(line.split()[1])
        elif ": " in line:
            kind, figures = line.split(": ")
            p50, p99, longest = (float(figure) for figure in figures.split())
            lines.append(
                f"  {kind:16} p50 {p50:6.2f} ms  p99 {p99:6.2f} ms  longest {longest:6.2f} ms  (aim p99 {AIM})")
    head = (f"search among 100,000 generated medicines, 200,000 names (index built in {built:.0f} ms; a look at "
            f"every name {scan:.1f} ms):")
    return [head, *lines]
