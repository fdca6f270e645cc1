# SPDX-License-Identifier: Apache-2.0
"""Sections of CHANGELOG.md, as release notes and as Debian's changelog."""
import re
import textwrap
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import format_datetime
from pathlib import Path

from distribution.common import NAME, ROOT, Failure

HEADING = re.compile(r"^## (?P<version>\d\S*)(?: \((?P<when>[^)]*)\))?\s*$")
LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


@dataclass(frozen=True)
class Section:
    """The changes of one version; the date is nil if it isn't released."""

    version: str
    date: datetime | None
    text: str


def sections(file: Path = ROOT / "CHANGELOG.md") -> list[Section]:
    """Returns all sections, the newest first."""
    found: list[tuple[re.Match[str], list[str]]] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if heading := HEADING.match(line):
            found.append((heading, []))
        elif found:
            found[-1][1].append(line)
    return [Section(one["version"], date(one["when"]), "\n".join(lines).strip()) for one, lines in found]


def date(text: str | None) -> datetime | None:
    try:
        return datetime.strptime(text or "", "%Y-%m-%d").replace(tzinfo=timezone.utc)
    except ValueError:
        return None


def release_notes(version: str, file: Path = ROOT / "CHANGELOG.md") -> str:
    """Returns the section of a version to release, which must have a date and content."""
    for section in sections(file):
        if section.version == version:
            if section.date is None:
                raise Failure(f"CHANGELOG.md: give the section {version} its date: ## {version} (2026-12-31)")
            if not section.text:
                raise Failure(f"CHANGELOG.md: the section {version} is empty.")
            return section.text + "\n"
    raise Failure(f"CHANGELOG.md has no section for {version}. Add one: ## {version} (2026-12-31)")


def points(text: str) -> list[str]:
    """Returns the items of all lists in a section, without marks of Markdown."""
    found: list[str] = []
    for line in text.splitlines():
        if line.startswith("- "):
            found.append(line[2:])
        elif line.startswith("  ") and found:
            found[-1] += " " + line.strip()
    return [LINK.sub(r"\1", each).replace("`", "").replace("**", "").replace("*", "") for each in found]


def debian(version: str, maintainer: str, now: int, file: Path = ROOT / "CHANGELOG.md") -> str:
    """Returns Debian's changelog: the given version first, then released ones before it."""
    all_sections = sections(file)
    own = next((each for each in all_sections if each.version == version), None)
    older = [each for each in all_sections if each.date and each.version != version]
    entries = [entry(version, own.text if own else "", datetime.fromtimestamp(now, timezone.utc), maintainer)]
    entries += [entry(each.version, each.text, each.date, maintainer) for each in older if each.date]
    return "\n".join(entries)


def entry(version: str, text: str, when: datetime, maintainer: str) -> str:
    lines = [f"{NAME} ({version}) unstable; urgency=medium", ""]
    for point in points(text) or ["A build between releases."]:
        lines += textwrap.wrap(
            point, 78, initial_indent="  * ", subsequent_indent="    ", break_on_hyphens=False)
    lines += ["", f" -- {maintainer}  {format_datetime(when)}", ""]
    return "\n".join(lines)
