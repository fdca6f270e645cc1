# SPDX-License-Identifier: Apache-2.0
"""A simulated trial through a running server, whose clock is moved day by day: invented people join, are allocated,
take or miss doses and log them over HTTP, and the export gives back the effect that the simulation put in.

`make soak` runs it with 400 people over 12 weeks: REGIMEN_TRIAL_PEOPLE, REGIMEN_TRIAL_DAYS."""
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from harness.api import Api, instant
from harness.passkey import sign_up
from harness.push_receiver import Device, PushReceiver
from harness.ringing import eventually
from harness.server import REPOSITORY, Server, offset_to
from harness.session import Session

PEOPLE = int(os.environ.get("REGIMEN_TRIAL_PEOPLE", "20"))
DAYS = int(os.environ.get("REGIMEN_TRIAL_DAYS", "7"))
DAY = 86_400
# A network may create ten accounts a day.
JOIN_EACH_DAY = 10
# The probability that a dose is taken, and the mean minutes until then.
TRUTH = {"basic": (0.70, 50.0), "escalating": (0.85, 25.0)}
# People differ by at most this much from their arm.
SPREAD = 0.10
TIME = "08:00:00"
# The hour at which the clock stands each day: a resting heart rate of the afternoon is compared with the limit.
HOUR = 15
# On the first days on which everyone takes part, the clock also stands a minute after the dose, when the devices ring,
# and then at these minutes after it: those who take their dose answer at the first one after that, or at the last.
RINGING_DAYS = 2
ANSWERED = (15, 40, 100)
# Resting heart rate in bpm: usual, the noise from day to day, and the rise after a missed dose of a beta-blocker.
USUAL, NOISE, RISE = 62, 1.5, 8
HISTORY = 28
# The first day after joining on which someone is asked.
FIRST_QUESTION = 14


@dataclass
class Today:
    """What someone does on a day, drawn once."""

    is_taken: bool
    minutes: float
    bpm: float
    is_logged: bool = False


@dataclass
class Person:
    api: Api
    plan: str
    arm: str
    # Drawn for the number within the arm, so that a run does not depend on the order of allocation.
    luck: random.Random
    chance: float = 0
    days: int = 0
    missed: list[int] = field(default_factory=list)
    today: Today | None = None
    # Every second person of an arm has a device that rings.
    device: Device | None = None
    rung: list[int] = field(default_factory=list)


def study() -> dict[str, object]:
    """Returns the example with two arms that differ in reminders and questions, for the days of this run."""
    made = json.loads((REPOSITORY / "Examples/study.json").read_text())
    made["days"] = DAYS
    made["allocation"]["blocks"] = [4]
    made["arms"][1]["changes"] = {"moreReminders": [15, 30], "heartRateQuestions": "on"}
    made["consent"].pop("family", None)
    made["questionnaires"] = []
    made["outcomes"] += [{"id": "false-days", "measure": "false-question-days"}]
    made["share"] = ["doses", "answers", "reminders", "heart-rate-questions"]
    return dict(made)


def join(server: Server, number: int) -> Person:
    """Lets an invented person enter what is needed, sign and join, and returns them without their luck."""
    email = f"trial{number}@example.org"
    session = sign_up(server, email, f"Person {number}")
    api = server.api(server.create_token(email))
    address = f"Patient/{api.patient}"
    record = api.fhir("GET", address).json() | {"birthDate": f"19{40 + number % 50}-05-01"}
    assert api.fhir("PUT", address, record).status_code == 200
    plan = api.add_plan({"repeat": {"timeOfDay": [TIME]}}, name="Bisoprolol 5 mg")
    form = session.form("/studies/reminders-2026/join", names=("name",))
    answers = {"condition-phone": "yes", "understanding-leave": "yes", "name": f"Person {number}"}
    joined = session.request("POST", "/studies/reminders-2026/join", data=form.fields | answers)
    assert joined.status_code == 303, joined.text
    return Person(api, str(plan["id"]), arm(session), random.Random(0))


def arm(session: Session) -> str:
    """Returns the arm that the person's page names."""
    page = session.get("/studies/reminders-2026").text
    found = re.search(r"Your group: ([^.<]+)\.", page)
    assert found, page
    return "escalating" if "insist" in found[1] else "basic"


def readings(api: Api, values: list[tuple[datetime, float]]) -> None:
    sent = [
        {"type": "resting-heart-rate", "at": instant(at), "value": round(bpm), "source": "Watch"}
        for at, bpm in values
    ]
    answer = api.post("/api/v1/vitals", {"readings": sent})
    assert answer.status_code == 200 and not answer.json()["skipped"], answer.text


def api_of(person: Person, server: Server) -> Api:
    """Returns a client for the server as it runs now."""
    api = server.api(person.api.token)
    api._patient = person.api.patient
    return api


def draw(person: Person) -> Today:
    """Returns what the person does on this day."""
    if person.today is None:
        is_taken = person.luck.random() < person.chance
        minutes = min(200.0, person.luck.expovariate(1 / TRUTH[person.arm][1]))
        person.today = Today(is_taken, minutes, person.luck.gauss(USUAL, NOISE))
    return person.today


def log(api: Api, person: Person, today: Today) -> None:
    """Logs the dose of this day as taken at the drawn time."""
    now = api.now()
    [dose] = api.doses(now - timedelta(hours=HOUR), now, person.plan)
    due = datetime.fromisoformat(dose["due"])
    at = instant((due + timedelta(minutes=today.minutes)).replace(microsecond=0))
    answer = api.answer(dose["id"], "taken", at=at, confirm=True)
    assert answer.status_code == 200, answer.text
    today.is_logged = True


def live(person: Person, server: Server) -> None:
    """Takes the dose of this day, or not, and logs what was taken; then the watch sends the heart rate."""
    api = api_of(person, server)
    now = api.now()
    today = draw(person)
    person.today = None
    person.days += 1
    if not today.is_taken:
        person.missed.append(person.days)
    elif not today.is_logged:
        log(api, person, today)
    if person.arm == "escalating":
        readings(api, [(now, today.bpm if today.is_taken else today.bpm + RISE)])


def subscribe(person: Person, server: Server, device: Device) -> str:
    """Turns the reminders on a person's device on; returns the dose that rings next."""
    api = api_of(person, server)
    made = api.post("/api/v1/push-subscriptions", device.json)
    assert made.status_code == 201, made.text
    device.subscription = made.json()["id"]
    device.server_key = api.ok("/api/v1/push-subscriptions")["vapidPublicKey"]
    [dose] = api.doses(api.now(), api.now() + timedelta(days=1), person.plan)
    return str(dose["id"])


def ring(server: Server, people: list[Person], pool: ThreadPoolExecutor, later: int) -> int:
    """Lets the dose ring, `later` seconds from now, and be answered at some times after that; returns the seconds from
    the dose to the last of them.

    On other days the devices are off: the clock only stands at an hour at which everyone answers at once."""
    awake = [(one, one.device) for one in people if one.device and one.days < DAYS - 1]
    rings = [(device, subscribe(one, server, device)) for one, device in awake]
    server.restart(later=later + 60)
    eventually(lambda: all(device.rung(dose) for device, dose in rings), "the rings of all devices")
    shown, passed = 1, 1

    def answer(person: Person) -> None:
        today = draw(person)
        is_now = today.minutes <= passed or passed == 1 + ANSWERED[-1]
        if today.is_taken and not today.is_logged and is_now:
            # A dose is not logged ahead of its time.
            today.minutes = min(today.minutes, float(passed))
            log(api_of(person, server), person, today)
            person.rung.append(passed - 1)

    for minutes in ANSWERED:
        passed = 1 + minutes
        server.restart(later=(passed - shown) * 60)
        shown = passed
        list(pool.map(answer, [one for one, _ in awake]))
    for one, device in awake:
        off = api_of(one, server).request("DELETE", f"/api/v1/push-subscriptions/{device.subscription}")
        assert off.status_code == 204, off.text
    return shown * 60


def ask(server: Server) -> None:
    """Lets the server ask about the heart rates of this day: it looks at them when it starts."""
    server.restart(later=60)
    deadline, last = time.monotonic() + 120, -1.0
    # The round is over once the database is quiet.
    while (count := statements(server)) - last > 20:
        assert time.monotonic() < deadline, "the heart rates were not looked at"
        last = count
        time.sleep(0.1)


def statements(server: Server) -> float:
    """Returns the number of statements that the database has run."""
    name = "regimen_database_statements_total "
    [line] = [line for line in server.command("metrics").splitlines() if line.startswith(name)]
    return float(line.split()[1])


# Over the usual limit of a test with hundreds of people.
@pytest.mark.timeout(3_600)
def test_the_export_gives_back_the_simulated_effect(
    own_server: Callable[..., Server], tmp_path: Path
) -> None:
    receiver = PushReceiver(lambda: server.clock_offset)
    server = own_server(
        clock_offset=offset_to(HOUR), options=("--host", "127.0.0.1", "--sign-up", "open"),
        environment={
            "REGIMEN_PUSH_HOSTS": receiver.host, "REGIMEN_VAPID_SUBJECT": "mailto:operator@example.org",
        },
    ).start()
    server.invite("operator@example.org", is_administrator=True)
    file = tmp_path / "study.json"
    file.write_text(json.dumps(study()))
    server.command("study", "load", str(file))
    people: list[Person] = []
    moved = 0
    # The last people join on the last of these days, and then live through the study.
    last = (PEOPLE - 1) // JOIN_EACH_DAY
    with ThreadPoolExecutor(4) as pool:
        for day in range(last + DAYS + 1):
            if last < day <= last + RINGING_DAYS:
                rest = (HOUR - int(TIME[:2])) * 3_600
                server.restart(later=rest - ring(server, people, pool, DAY - moved - rest))
            elif day > 0:
                server.restart(later=DAY - moved)
            list(pool.map(lambda one: live(one, server), [p for p in people if p.days < DAYS]))
            moved = 0
            numbers = range(len(people), min(PEOPLE, len(people) + JOIN_EACH_DAY))
            for person in pool.map(lambda number: join(server, number), numbers):
                own = sum(one.arm == person.arm for one in people)
                person.luck = random.Random(f"{person.arm} {own}")
                person.chance = TRUTH[person.arm][0] + person.luck.uniform(-SPREAD, SPREAD)
                if own % 2 == 0:
                    person.device = receiver.device()
                people.append(person)
                if person.arm == "escalating":
                    now = person.api.now()
                    readings(person.api, [
                        (now - timedelta(days=n), person.luck.gauss(USUAL, NOISE))
                        for n in range(HISTORY, 0, -1)
                    ])
            if day >= FIRST_QUESTION:
                ask(server)
                moved = 60
    assert [p.days for p in people] == [DAYS] * PEOPLE
    assert abs(sum(1 if p.arm == "basic" else -1 for p in people)) <= 2
    # On the next day the last dose counts as missed if it was not taken.
    server.restart(later=DAY)
    server.command("study", "close", "reminders-2026")
    folder = tmp_path / "export"
    server.command("study", "export", "reminders-2026", "--to", str(folder))
    analysis = subprocess.run(
        [sys.executable, str(REPOSITORY / "Benchmarks/trial/analyse.py"), str(folder),
         "--expect", "covered=0.15"],
        capture_output=True, text=True, timeout=120, check=False)
    print(analysis.stdout)
    assert analysis.returncode == 0, analysis.stdout + analysis.stderr
    if found := re.search(r"sensitivity ([0-9.]+)", analysis.stdout):
        assert float(found[1]) > 0.5
    assert found or DAYS <= FIRST_QUESTION + 7, "no question was asked"
    # Only what rang has a time to the answer, and that is the one of the simulation.
    receiver.verify()
    receiver.close()
    times = sorted(
        int(line.rsplit(",", 1)[1]) for line in (folder / "ring-to-answer.csv").read_text().splitlines()[1:])
    rung = sorted(minutes for p in people for minutes in p.rung)
    assert len(times) == len(rung) > 0
    assert all(0 <= time_ - put_in <= 2 for time_, put_in in zip(times, rung, strict=True))
    assert re.search(r"^answer escalating - basic: [+-][0-9.]+ \(95 % interval", analysis.stdout, re.MULTILINE)
    # The export is what happened. The window of the last dose goes beyond the study, so that it does not count.
    doses = (folder / "doses.csv").read_text().splitlines()[1:]
    assert len(doses) == PEOPLE * (DAYS - 1)
    missed = sum(",missed," in line for line in doses)
    assert missed == sum(day < DAYS for p in people for day in p.missed)
