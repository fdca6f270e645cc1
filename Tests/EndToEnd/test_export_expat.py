# SPDX-License-Identifier: Apache-2.0
"""Randomly changed Apple Health exports, compared with libexpat: input that it accepts must be read the same way."""
import json
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


def records() -> list[str]:
    return [
        health_export.HEAD and (
            f' <Record type="HKQuantityTypeIdentifierRestingHeartRate" sourceName="Watch" unit="count/min" '
            f'creationDate="{DAY.format(day=day, hour=20)}" startDate="{DAY.format(day=day, hour="06")}" '
            f'endDate="{DAY.format(day=day, hour=19)}" value="{50 + day}"/>\n')
        for day in range(1, 10)
    ]


def by_expat(text: bytes) -> list[dict[str, str]] | None:
    """Returns the attributes of the records outside correlations, or None if libexpat rejects the text."""
    found: list[dict[str, str]] = []
    parser = xml.parsers.expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        if name == "Record":
            found.append(attributes)

    parser.StartElementHandler = start
    try:
        parser.Parse(text, True)
    except xml.parsers.expat.ExpatError:
        return None
    return found


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


@pytest.mark.parametrize("seed", [1, 2])
def test_what_libexpat_accepts_is_read_alike(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    server = Server(tmp_path / "data")
    sound = records()
    head, tail = health_export.HEAD, "</HealthData>\n"
    known = by_expat((head + "".join(sound) + tail).encode()) or []
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
        theirs, ours = by_expat(text), read(server, text, tmp_path / "export.xml")
        assert ours is not None, body
        count = ours["values"].get("resting-heart-rate", 0)
        if theirs is None:
            refused += 1
            # The neighbours of a broken element must survive.
            assert count >= 9 - 4, body
            continue
        accepted += 1
        same = sum(1 for record in theirs if record in known)
        assert same <= count <= len(theirs), f"{count} of {same} to {len(theirs)}: {body}"
    assert accepted > 10 and refused > 10, (accepted, refused)
