# SPDX-License-Identifier: Apache-2.0
"""Devices in the home: accepted events a second next to dose answers, and the delay from an event to open pages.

Events of compartments that are only noted are posted alone and in reports of 20, by 600 devices, so that none
comes near its limit of 600 events a minute. The yardstick is dose answers in the same minute. Then devices log
doses while event streams are open, as in the part `live`.
"""
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import live_updates
from household import READER, Client, Server, plan
from live_updates import EACH, PER_SECOND, Listener, figures, people, stream, wait_for
from load import wrk
from pipeline import over_connections, request

DEVICES_EACH = 20
PEOPLE = 30
SECONDS = 5
# The doses that devices log while streams are open.
LOGGED = 10


def _devices(server: Server, tokens: list[str], patients: list[str], meaning: str) -> list[str]:
    bodies = [
        (token, {"patient": patient, "kind": "pill-box", "name": f"Box {number}",
                 "compartments": [{"meaning": meaning}]})
        for token, patient in zip(tokens, patients) for number in range(DEVICES_EACH)
    ]
    return over_connections(
        server.port, [request("POST", "/api/v1/home-devices", body, token) for token, body in bodies],
        keep=lambda answer: answer["token"])


def _accepting(server: Server, folder: Path, tokens: list[str], patients: list[str]) -> list[str]:
    (folder / "device-tokens").write_text("\n".join(_devices(server, tokens, patients, "note")) + "\n")
    # Enough for the whole yardstick: each round adds a medicine to everyone.
    for _ in range(12):
        listed = live_updates.doses(server, tokens, patients)
    (folder / "device-doses").write_text("\n".join(dose for dose, _ in listed) + "\n")
    system = server.create_token(READER, "system/*.cruds")
    answers = wrk(
        server, "/", "answers.lua", seconds=2, authorization=f"Bearer {system}", doses=str(folder / "device-doses"))
    lines = [f"events of {len(tokens) * DEVICES_EACH} devices (aim 1667 a second, 100,000 a minute):"]
    for name, batch in [("one event a request", 1), ("20 events a request", 20)]:
        figure = wrk(
            server, "/", "device_events.lua", seconds=SECONDS, tokens=str(folder / "device-tokens"),
            batch=str(batch), boot=f"bench-{batch}-")
        if figure.errors:
            raise SystemExit(f"bench: {figure.errors} reports failed")
        lines.append(
            f"  {name:22} {figure.rate * batch:8.0f} events/s  p50 {figure.p50:6.2f} ms  p99 {figure.p99:6.2f} ms  "
            f"({figure.rate / answers.rate:.2f} of dose answers as requests)")
    lines.append(f"  {'yardstick: answers':22} {answers.rate:8.0f} a second  p50 {answers.p50:6.2f} ms  "
                 f"p99 {answers.p99:6.2f} ms")
    return lines


def _logged(server: Server, tokens: list[str], patients: list[str]) -> list[tuple[str, str]]:
    """Returns doses that are due, each with the token of a device that logs it."""
    due = (datetime.now(timezone.utc) + timedelta(minutes=5)).isoformat(timespec="milliseconds")
    found: list[tuple[str, str]] = []
    for token, patient in zip(tokens, patients):
        client = Client(server, token)
        for number in range(LOGGED):
            made = client.json(
                "POST", "/fhir/MedicationRequest", plan(patient, f"Logged {number}", {"event": [due]}))
            box = client.json("POST", "/api/v1/home-devices", {
                "patient": patient, "kind": "button", "name": f"Button {number}",
                "compartments": [{"meaning": "log", "plan": made["id"]}]})
            found.append((f"{made['id']}", box["token"]))
    return found


def measure(folder: Path) -> list[str]:
    server = Server(folder / "devices", clock_offset=0)
    server.create_account(READER)
    server.start()
    tokens, patients = people(server, PEOPLE)
    lines = _accepting(server, folder, tokens, patients)
    ready = _logged(server, tokens, patients)
    plans = dict.fromkeys(name for name, _ in ready)
    by_plan: dict[str, str] = {}
    begin = datetime.now(timezone.utc) - timedelta(hours=1)
    window = f"from={begin:%Y-%m-%dT%H:%M:%SZ}&to={begin + timedelta(hours=2):%Y-%m-%dT%H:%M:%SZ}"
    for token in tokens:
        for dose in Client(server, token).json("GET", f"/api/v1/doses?{window}")["doses"]:
            if dose["plan"] in plans:
                by_plan[dose["plan"]] = dose["id"]
    listener = Listener()
    connections = [stream(server.port, token) for token in tokens for _ in range(EACH)]
    for connection in connections:
        listener.add(connection)
    listener.thread.start()
    wait_for("the greeting of every stream", lambda: len(listener.greeted) == len(connections))
    sent: dict[str, float] = {}
    start = time.monotonic()
    for number, (name, token) in enumerate(ready):
        time.sleep(max(0.0, start + number / PER_SECOND - time.monotonic()))
        sent[by_plan[name]] = time.monotonic()
        Client(server, token).json(
            "POST", "/api/v1/home-devices/events", {"events": [{"sequence": 1, "event": "pressed"}]})
    lines += [
        f"{len(connections)} open event streams, {PER_SECOND} events a second, each told on {EACH} streams:",
        "  " + figures("from event to open page", sent, listener, EACH) + "  (aim p99 200)",
    ]
    listener.close()
    for connection in connections:
        connection.close()
    server.stop()
    return lines
