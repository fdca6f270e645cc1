# SPDX-License-Identifier: Apache-2.0
"""Randomly changed Apple Health exports, compared with libexpat.

Accepted text is read the same way. Of rejected text, everything before the error and every record outside
of the change is read, and nothing is made up.
"""
import json
import os
import random
import xml.parsers.expat
from pathlib import Path
from typing import Any

import pytest

from harness import health_export
from harness.server import Server, ServerError

DAY = "2026-10-{day:02d} {hour}:00:00 +0100"
# Fragments that change the text but not the meaning, or that XML forbids.
PIECES = (
    " ", "\n", "\t", "<!-- <Record/> -->", "<?x <Record?>", "<a b='\"'/>", "<a b=\"'\">'</a>", "&#54;", "&lt;", "&amp;",
    "&", "<", ">", '"', "'", "=", "/", "</", "/>", "<!--", "]]>", "\x0b", '<1"a',
)
ROUNDS = 60
SEEDS = int(os.environ.get("REGIMEN_EXPORT_SEEDS", "1"))


def records() -> list[str]:
    return [
        health_export.HEAD and (
            f' <Record type="HKQuantityTypeIdentifierRestingHeartRate" sourceName="Watch" unit="count/min" '
            f'creationDate="{DAY.format(day=day, hour=20)}" startDate="{DAY.format(day=day, hour="06")}" '
            f'endDate="{DAY.format(day=day, hour=19)}" value="{50 + day}"/>\n')
        for day in range(1, 10)
    ]


Reading = tuple[float, str, str]


def by_expat(text: bytes) -> tuple[list[dict[str, str]], bool]:
    """Returns the attributes of the records up to the first error, and whether libexpat accepts the text."""
    found: list[dict[str, str]] = []
    parser = xml.parsers.expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        if name == "Record":
            found.append(attributes)

    parser.StartElementHandler = start
    try:
        parser.Parse(text, True)
    except xml.parsers.expat.ExpatError:
        return found, False
    return found, True


def reading(record: dict[str, str]) -> Reading | None:
    """Returns the value, the source and the day of a record's attributes."""
    try:
        value = float(record["value"])
        return value, record["sourceName"].strip(), record["startDate"].strip()[:10]
    except (KeyError, ValueError):
        return None


def readings(result: dict[str, Any]) -> list[Reading]:
    return [(float(entry["value"]), entry["source"], entry["at"][:10]) for entry in result["examples"]]


def is_part(some: list[Reading], others: list[Reading | None]) -> bool:
    """Returns true if the others contain all of these, in the same order."""
    rest = iter(others)
    return all(one in rest for one in some)


def may_swallow(body: str) -> bool:
    """Returns true if a comment or a quote that is never closed may hide the records after it, up to 64 KB of them."""
    quote = min("\"'", key=body.count)
    return body.count("<!--") > body.count("-->") or body.count(quote) % 2 == 1


def read(server: Server, text: bytes, file: Path) -> dict[str, Any] | None:
    file.write_bytes(text)
    try:
        lines = server.command("import", "--dry-run", str(file)).splitlines()
    except ServerError as error:
        # It was rejected with a clear message that shows nothing of the program's internals.
        assert "no known form" in str(error) or "export" in str(error), error
        return None
    result: dict[str, Any] = json.loads(lines[-1])
    return result


@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
def test_nothing_is_read_otherwise_than_by_libexpat_or_lost_after_an_error(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    server = Server(tmp_path / "data")
    sound = records()
    head, tail = health_export.HEAD, "</HealthData>\n"
    attributes, _ = by_expat((head + "".join(sound) + tail).encode())
    known = [one for one in map(reading, attributes) if one]
    assert len(known) == 9
    accepted = refused = 0
    for number in range(ROUNDS):
        body = "".join(sound)
        for _ in range(chance.randint(1, 3)):
            place = chance.randrange(len(body))
            match chance.randrange(4):
                case 0: body = body[:place] + chance.choice(PIECES) + body[place:]
                case 1: body = body[:place] + body[place + 1:]
                case 2: body = body[:place] + "\n" + body[place:]
                case _: body = body.replace('"', "'") if number % 7 == 0 else body[:place] + " " + body[place:]
        text = (head + body + tail).encode()
        (theirs, is_accepted), ours = by_expat(text), read(server, text, tmp_path / "export.xml")
        assert ours is not None, body
        found = readings(ours)
        assert len(found) == ours["values"]["resting-heart-rate"], body
        lines = body.replace("'", '"').split("\n")
        untouched = [one for one, record in zip(known, sound, strict=True) if record[:-1] in lines]
        changed = [one for one in found if one not in untouched]
        assert len(changed) <= len(known) - len(untouched), f"{changed}: {body}"
        lost = [one for one in untouched if one not in found]
        if is_accepted:
            accepted += 1
            assert not lost, f"{lost}: {body}"
            assert is_part(found, [reading(record) for record in theirs]), f"{found}: {body}"
            continue
        refused += 1
        before = [one for one in map(reading, theirs) if one in untouched]
        assert all(one in found for one in before), f"{before}: {body}"
        if lost:
            assert may_swallow(body), f"{lost}: {body}"
            # Only what follows the open comment or quote is lost.
            assert lost == untouched[-len(lost):], f"{lost}: {body}"
    assert accepted > 10 and refused > 10, (accepted, refused)
