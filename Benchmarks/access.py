# SPDX-License-Identifier: Apache-2.0
"""The time of one decision of the access policy, compared with a look-up in a Python dictionary."""
import shutil
import subprocess
import time
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "policy"


def _bare(rounds: int = 1_000_000) -> float:
    table = {f"1d96f6a2-0000-4000-8000-0000000000{n}": n for n in range(10, 60)}
    keys = list(table)
    begin = time.monotonic()
    for round_ in range(rounds):
        table.get(keys[round_ % len(keys)])
    return (time.monotonic() - begin) / rounds * 1e9


def measure_access(folder: Path) -> list[str]:
    """Returns the lines to print."""
    # A separate package with the policy's sources, which builds in seconds.
    package = folder / "policy"
    shutil.copytree(PACKAGE, package)
    shutil.copytree(PACKAGE.parent.parent / "Sources" / "Access", package / "Sources" / "Access")
    output = subprocess.run(
        ["swift", "run", "-c", "release", "--package-path", str(package), "policy-bench"],
        capture_output=True, text=True, check=True,
    ).stdout
    nanoseconds, allowed = output.split()[-2:]
    return [
        f"access policy, someone with 50 persons (a look into a dictionary in Python: {_bare():.0f} ns):",
        f"  one decision   {float(nanoseconds):8.0f} ns  ({int(allowed)} of a million allowed)",
    ]
