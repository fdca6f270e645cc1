# SPDX-License-Identifier: Apache-2.0
"""A check of 20 medicines against each other, and the import of a table of 10,000 rows over the pages.

The check is `regimen interactions --measure`: names looked up, 190 pairs, illnesses and allergies,
repeated on one processor, compared with Python's own loop over the rows of the same list. The table is
uploaded, reviewed and accepted as in a browser, with SQLite and synchronous=FULL, compared with Python's
CSV reader.
"""
import csv
import json
import re
import subprocess
import time
import urllib.parse
from pathlib import Path

from household import READER, Client, Server, binary, sign_in

ROWS = 10_000
FOLDER = Path(__file__).resolve().parent
TABLE = FOLDER.parent / "Sources/Knowledge/Catalogues/interactions.table"
MEDICINES = [
    "Warfarin", "Bisoprolol", "Ramipril", "Spironolactone", "Ibuprofen", "Paracetamol", "Simvastatin", "Digoxin",
    "Amiodarone", "Furosemide", "Omeprazole", "Clopidogrel", "Levothyroxine", "Ferrous sulfate", "Metformin",
    "Citalopram", "Tramadol", "Clarithromycin", "Salbutamol", "Prednisolone",
]


def _check(folder: Path) -> list[str]:
    line = folder / "twenty.ndjson"
    line.write_text(json.dumps({
        "id": 1, "medicines": MEDICINES, "conditions": ["cond:heart_failure"], "allergies": ["penicillin"]}) + "\n")
    output = subprocess.run(
        [binary(), "interactions", "--measure", str(line)], capture_output=True, check=True).stdout
    result = json.loads(output)
    each = float(result["seconds"]) / result["checks"] * 1000
    rows = [cells for text in TABLE.read_text().splitlines() if not text.startswith("#")
            if len(cells := text.split("\t")) > 5]
    begin, rounds = time.process_time(), 20
    for _ in range(rounds):
        for one in MEDICINES:
            for other in MEDICINES:
                sum(1 for row in rows if row[2].startswith(one) and row[4].startswith(other))
    yardstick = (time.process_time() - begin) / rounds * 1000
    return [
        f"check of {len(MEDICINES)} medicines, {result['warnings']} warnings "
        f"(Python's loop over the rows takes {yardstick:.1f} ms):",
        f"  {each:8.3f} ms  (aim under 1 ms)",
    ]


def _rows(file: Path) -> None:
    lines = ["Medicine,Taken at,Amount,Status"]
    for number in range(ROWS):
        day, hour, minute, second = number // 28 % 12 + 1, number % 24, number % 60, number // 60 % 60
        lines.append(f"Bisoprolol 5 mg,2025-{day:02}-{number % 28 + 1:02} {hour:02}:{minute:02}:{second:02},1 tablet,taken")
    file.write_text("\n".join(lines) + "\n")


def _table(folder: Path) -> list[str]:
    file = folder / "taken.csv"
    _rows(file)
    begin = time.monotonic()
    with file.open() as opened:
        read = len(list(csv.DictReader(opened)))
    yardstick = time.monotonic() - begin
    server = Server(folder / "table", clock_offset=0)
    server.create_account(READER)
    server.start()
    try:
        cookie, client = sign_in(server, READER), Client(server)

        def press(path: str, fields: list[tuple[str, str]]) -> str:
            body, kind = _form(client, cookie, fields)
            answer = client.send("POST", path, body, _headers(server, cookie, kind))
            if answer.status != 303:
                raise SystemExit(f"bench: {path} gave {answer.status}")
            return answer.headers["Location"]

        begin = time.monotonic()
        body, kind = _upload(client, cookie, file)
        answer = client.send("POST", "/import", body, _headers(server, cookie, kind))
        columns = answer.headers["Location"]
        sent = time.monotonic()
        mapped = [("column-name", "1"), ("column-taken", "2"), ("column-amount", "3"), ("column-status", "4")]
        review = press(columns, [*mapped, ("action", "take")])
        read_by = time.monotonic()
        press(review, [("action", "accept-all")])
        end = time.monotonic()
    finally:
        server.stop()
    return [
        f"table of {read} rows (Python's csv reads it in {yardstick:.2f} s):",
        f"  sent {sent - begin:5.2f} s, read {read_by - sent:5.2f} s, taken over {end - read_by:5.2f} s, "
        f"together {end - begin:5.2f} s  (aim under 3 s)",
    ]


def _token(client: Client, cookie: str) -> tuple[str, str]:
    """Returns the name and value of the hidden field of every form."""
    page = client.send("GET", "/import", headers={"Cookie": cookie}).content.decode()  # type: ignore[attr-defined]
    found = re.search(r'<input type="hidden" name="(form-token)" value="([^"]+)"', page)
    if not found:
        raise SystemExit("bench: the import page has no form")
    return found[1], found[2]


def _form(client: Client, cookie: str, fields: list[tuple[str, str]]) -> tuple[bytes, str]:
    return urllib.parse.urlencode([*fields, _token(client, cookie)]).encode(), "application/x-www-form-urlencoded"


def _upload(client: Client, cookie: str, file: Path) -> tuple[bytes, str]:
    name, value = _token(client, cookie)
    head = (
        f'--B\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        f'--B\r\nContent-Disposition: form-data; name="file"; filename="{file.name}"\r\n'
        "Content-Type: text/csv\r\n\r\n")
    return head.encode() + file.read_bytes() + b"\r\n--B--\r\n", "multipart/form-data; boundary=B"


def _headers(server: Server, cookie: str, kind: str) -> dict[str, str]:
    return {"Cookie": cookie, "Content-Type": kind, "Origin": server.base, "Sec-Fetch-Site": "same-origin"}


def measure_interactions(folder: Path) -> list[str]:
    return _check(folder) + _table(folder)
