# SPDX-License-Identifier: Apache-2.0
"""The export of a study: a year of one dose a day of many participants.

One person joins through the server's own interfaces, whose clock stands a year ago, and answers a year of doses; the
others are copies of this person's rows (see copies.py). Environment:

REGIMEN_BENCH_STUDY  participants (1000; the aim is for 10000, which takes about 4 GB of disk)
"""
import json
import os
import subprocess
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from copies import SQLiteCopies
from harness.passkey import sign_up
from harness.server import REPOSITORY, binary
from household import Client, Server, each, instant, plan, span

PARTICIPANTS = int(os.environ.get("REGIMEN_BENCH_STUDY", "1000"))
AIM_PARTICIPANTS, AIM_SECONDS, AIM_MEGABYTES = 10_000, 60, 200
DAYS = 365
STUDY = "reminders-2026"
EMAIL = "participant@example.org"
# All that an export reads.
TABLES = {"people", "plans", "doses", "answers", "reminders", "study_participants", "study_consents"}


def study() -> dict[str, object]:
    """Returns the example without questionnaires, for a year."""
    made = json.loads((REPOSITORY / "Examples/study.json").read_text())
    made["days"], made["questionnaires"] = DAYS + 1, []
    made["share"] = ["doses", "answers", "reminders", "fhir"]
    return dict(made)


def furnish(server: Server, folder: Path) -> str:
    """Lets one person join a year ago and answer doses since; returns the patient."""
    server.clock_offset = -DAYS * 86_400
    server.start()
    server.invite("operator@example.org", is_administrator=True)
    file = folder / "study.json"
    file.write_text(json.dumps(study()))
    server.command("study", "load", str(file))
    session = sign_up(server, EMAIL, "Person")
    client = Client(server, server.create_token(EMAIL))
    patient = str(client.json("GET", "/api/v1/me")["patients"][0]["id"])
    record = client.json("GET", f"/fhir/Patient/{patient}") | {"birthDate": "1961-04-02"}
    client.json("PUT", f"/fhir/Patient/{patient}", record)
    timing = {"repeat": {"timeOfDay": ["08:00:00"]}}
    client.json("POST", "/fhir/MedicationRequest", plan(patient, "Bisoprolol", timing))
    form = session.form(f"/studies/{STUDY}/join", names=("name",))
    answers = {"condition-phone": "yes", "understanding-leave": "yes", "name": "Person"}
    joined = session.request("POST", f"/studies/{STUDY}/join", data=form.fields | answers)
    if joined.status_code != 303:
        raise SystemExit(f"bench: joining gave {joined.status_code}")
    server.restart(later=DAYS * 86_400)
    # The token of that time expired long ago.
    client = Client(server, server.create_token(EMAIL))
    now = datetime.now(timezone.utc).replace(microsecond=0)
    begin = now - timedelta(days=DAYS)
    deadline = time.monotonic() + 120
    doses: list[dict[str, str]] = []
    while len(doses) < DAYS - 1:
        if time.monotonic() > deadline:
            raise SystemExit(f"bench: only {len(doses)} doses of the year were planned in time")
        doses = client.json("GET", f"/api/v1/doses?{span(begin, DAYS)}")["doses"]

    def answer(item: tuple[int, dict[str, str]]) -> None:
        number, dose = item
        at = datetime.fromisoformat(dose["due"]) + timedelta(minutes=number % 90)
        if number % 7 and at < now:
            body = {"action": "taken", "at": instant(at), "confirm": True}
            client.json("POST", f"/api/v1/doses/{dose['id']}/answers", body)

    each("answers of a year", enumerate(doses), answer)
    server.stop()
    return patient


def settle(server: Server) -> None:
    """Waits until the server has summed up the months of the copies, which it does once after they appear, and has
    released the memory that only starting needs."""
    deadline, last = time.monotonic() + 1_800, 0.0
    while True:
        time.sleep(10)
        lines = server.command("metrics").splitlines()
        [line] = [line for line in lines if line.startswith("regimen_database_statements_total ")]
        count = float(line.split()[1])
        if count - last < 500:
            return
        if time.monotonic() > deadline:
            raise SystemExit("bench: the database did not become quiet")
        last = count


def resident(process: int) -> float:
    """Returns the memory of a process in MB."""
    status = Path(f"/proc/{process}/status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1]) / 1000


def measure(folder: Path) -> list[str]:
    """Returns the time and the memory of an export."""
    server = Server(folder / "study", options=("--host", "127.0.0.1", "--sign-up", "open"))
    patient = furnish(server, folder)
    began = time.monotonic()
    copies = SQLiteCopies(server.data / "regimen.sqlite")
    copies.make(patient, set(), PARTICIPANTS - 1, TABLES)
    print(f"  copies of a participant: {PARTICIPANTS - 1} in {time.monotonic() - began:.0f} s", flush=True)
    server.start()
    settle(server)
    assert server.process
    idle = most = resident(server.process.pid)
    target = folder / "export"
    began = time.monotonic()
    command = [str(binary()), "study", "export", STUDY, "--to", str(target), "--data", str(server.data)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as export:
        while export.poll() is None:
            most = max(most, resident(server.process.pid))
            time.sleep(0.02)
    seconds = time.monotonic() - began
    if export.returncode:
        raise SystemExit(f"bench: the export ended with {export.returncode}")
    rows = sum(one.read_bytes().count(b"\n") for one in target.iterdir())
    size = sum(one.stat().st_size for one in target.iterdir()) / 1e6
    exported = (target / "participants.csv").read_bytes().count(b"\n") - 1
    if exported != PARTICIPANTS:
        raise SystemExit(f"bench: {exported} participants were exported, not {PARTICIPANTS}")
    server.stop()
    aim = AIM_SECONDS * PARTICIPANTS / AIM_PARTICIPANTS
    return [
        f"export of a study, {PARTICIPANTS} participants × {DAYS} days: {seconds:.1f} s (aim {aim:.1f}), "
        f"{rows / seconds:,.0f} rows a second, {size:.0f} MB of files",
        f"  resident memory at most {most:.0f} MB (aim {AIM_MEGABYTES}), {idle:.0f} MB before",
    ]
