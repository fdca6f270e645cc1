# SPDX-License-Identifier: Apache-2.0
"""`make audit` checks the program's components for known vulnerabilities."""
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from harness.server import REPOSITORY

BILL = REPOSITORY / "docs" / "bill-of-materials.json"


def version_of(name: str) -> str:
    return next(c["version"] for c in json.loads(BILL.read_text())["components"] if c["name"] == name)


def record(ecosystem: str, name: str, *events: dict[str, str], **more: object) -> dict:
    return {
        "id": "TEST-1", "aliases": ["CVE-0000-0001"], "summary": "A made-up weakness",
        "affected": [{
            "package": {"ecosystem": ecosystem, "name": name},
            "ranges": [{"type": "SEMVER", "events": list(events)}], **more,
        }],
    }


def run(script: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(script), *map(str, arguments)], capture_output=True, text=True)


def audit(folder: Path, *records: dict) -> subprocess.CompletedProcess[str]:
    file = folder / "advisories.json"
    file.write_text(json.dumps({"refreshed": "2026-01-01", "advisories": list(records)}))
    return run(REPOSITORY / "Scripts/audit.py", "--advisories", file)


def test_the_shipped_advisories_affect_nothing() -> None:
    done = run(REPOSITORY / "Scripts/audit.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 affected" in done.stdout


@pytest.mark.parametrize("name", ["https://github.com/apple/swift-nio.git", "github.com/apple/swift-nio"])
def test_a_version_within_a_range_is_found(tmp_path: Path, name: str) -> None:
    nio = version_of("swift-nio")
    major, minor, patch = (int(each) for each in nio.split("."))
    after, before = f"{major}.{minor}.{patch + 1}", f"{major}.{minor}.0-beta.1"
    done = audit(tmp_path, record("SwiftURL", name, {"introduced": "0"}, {"fixed": after}))
    assert done.returncode == 1 and f"swift-nio {nio}: TEST-1 (CVE-0000-0001)" in done.stdout
    fixed = record("SwiftURL", name, {"introduced": "0"}, {"fixed": before})
    assert audit(tmp_path, fixed).returncode == 0
    again = record("SwiftURL", name, {"introduced": "0"}, {"fixed": before}, {"introduced": nio})
    assert audit(tmp_path, again).returncode == 1
    last = record("SwiftURL", name, {"introduced": "0"}, {"last_affected": nio})
    assert audit(tmp_path, last).returncode == 1
    passed = record("SwiftURL", name, {"introduced": "0"}, {"last_affected": before})
    assert audit(tmp_path, passed).returncode == 0
    listed = record("SwiftURL", name, versions=[nio])
    assert audit(tmp_path, listed).returncode == 1


def test_debian_versions_are_compared_as_debian_does(tmp_path: Path) -> None:
    if shutil.which("dpkg") is None:
        pytest.skip("this is not Debian")
    newer = record("Debian:12", "sqlite3", {"introduced": "0"}, {"fixed": "9:1-1~deb12u1"})
    assert audit(tmp_path, newer).returncode == 1
    older = record("Debian:12", "sqlite3", {"introduced": "0"}, {"fixed": "3.0~rc1-1"})
    assert audit(tmp_path, older).returncode == 0
    elsewhere = record("Debian:13", "sqlite3", {"introduced": "0"}, {"fixed": "9:1-1"})
    assert audit(tmp_path, elsewhere).returncode == 0


def test_a_refresh_keeps_what_concerns_a_component(tmp_path: Path) -> None:
    copy = tmp_path / "checkout"
    (copy / "Scripts").mkdir(parents=True)
    (copy / "docs").mkdir()
    script = shutil.copy(REPOSITORY / "Scripts/audit.py", copy / "Scripts")
    shutil.copy(BILL, copy / "docs")
    ours = record("SwiftURL", "github.com/apple/swift-nio", {"introduced": "0"}, {"fixed": "1.0.0"})
    ours["details"] = "Left out: the audit does not read it."
    other = {**record("SwiftURL", "github.com/nobody/nothing", {"introduced": "0"}), "id": "TEST-2"}
    gone = {**ours, "id": "TEST-3", "withdrawn": "2026-01-01T00:00:00Z"}
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for each in (ours, other, gone):
            archive.writestr(f"{each['id']}.json", json.dumps(each))
    done = run(Path(script), "--refresh", tmp_path / "all.zip")
    assert done.returncode == 0, done.stderr
    kept = json.loads((copy / "docs/advisories.json").read_text())["advisories"]
    assert [each["id"] for each in kept] == ["TEST-1"] and "details" not in kept[0]
    assert run(Path(script)).returncode == 0


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    done = run(REPOSITORY / "Scripts/audit.py", "--advisories", broken)
    assert done.returncode == 2 and done.stderr.startswith("audit: ")
