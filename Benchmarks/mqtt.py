# SPDX-License-Identifier: Apache-2.0
"""MQTT: how fast the days of many people reach a broker over one connection, and what that takes of memory.

REGIMEN_BENCH_DEVICES is the number of people (default 10000), each a device of Home Assistant. The time runs from
the start of the server until the broker has passed on the state of each. The yardstick publishes as many messages
of the same size over one bare connection of libmosquitto.
"""
import os
import shutil
import socket
import sqlite3
import subprocess
import time
import uuid
from pathlib import Path

from household import READER, Server, plan
from live_updates import people
from pipeline import over_connections, request
from reminders import compiled, resident

DEVICES = int(os.environ.get("REGIMEN_BENCH_DEVICES", "10000"))
STATE_BYTES, DISCOVERY_BYTES = 200, 4_500
PATIENCE = 600


def broker(folder: Path) -> tuple[subprocess.Popen[bytes], int]:
    """Starts Mosquitto, which keeps everything in memory."""
    found = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    settings = folder / "mosquitto.conf"
    settings.write_text(
        f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\nuser root\nmax_queued_messages 0\n")
    process = subprocess.Popen([found, "-c", str(settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return process, port
        except OSError:
            time.sleep(0.05)
    raise SystemExit("bench: Mosquitto does not start")


def turn_on(database: Path) -> int:
    """Turns every person on for their own account, as the page does, and returns their number."""
    now = int(time.time() * 1000)
    with sqlite3.connect(database) as connection:
        found = connection.execute("SELECT patient, account FROM grants WHERE relationship = 'self'").fetchall()
        for patient, account in found:
            place = str(uuid.uuid4())
            connection.execute("INSERT INTO home_places (place, created) VALUES (?, ?)", (place, now))
            connection.execute(
                "INSERT INTO home_links (patient, account, place, names_medicine, created) VALUES (?, ?, ?, 0, ?)",
                (patient, account, place, now))
    connection.close()
    return len(found)


def measure(folder: Path) -> list[str]:
    program = compiled("mqtt_yardstick", folder, "-lmosquitto")
    server = Server(folder / "mqtt", clock_offset=0)
    server.create_account(READER)
    server.start()
    tokens, patients = people(server, DEVICES)
    timing = {"repeat": {"frequency": 2, "period": 1, "periodUnit": "d", "timeOfDay": ["08:00:00", "20:00:00"]}}
    over_connections(server.port, [
        request("POST", "/fhir/MedicationRequest", plan(patient, "Medicine", timing), token)
        for patient, token in zip(patients, tokens)
    ])
    server.restart()
    before = resident(server)
    server.stop()
    count = turn_on(server.data / "regimen.sqlite")
    process, port = broker(folder)
    try:
        waiting = subprocess.Popen(
            [str(program), str(port), "wait", str(count), "regimen/+/state"], stdout=subprocess.PIPE, text=True)
        assert waiting.stdout is not None
        waiting.stdout.readline()
        server.environment["REGIMEN_MQTT_URL"] = f"mqtt://127.0.0.1:{port}"
        server.start()
        seconds = float(waiting.communicate(timeout=PATIENCE)[0])
        after = resident(server)
        server.stop()
        bare = 0.0
        for size in (STATE_BYTES, DISCOVERY_BYTES):
            told = subprocess.run(
                [str(program), str(port), "publish", str(count), str(size)], capture_output=True, text=True, check=True)
            bare += float(told.stdout)
    finally:
        process.kill()
        process.wait(10)
    messages = 2 * count
    return [
        f"MQTT, {count} people on one connection, each described and shown:",
        f"  from the start of the server       {seconds:6.1f} s  {messages / seconds:8.0f} messages a second",
        f"  bare publisher (libmosquitto)      {bare:6.1f} s  {messages / bare:8.0f} messages a second",
        f"  resident memory                    {after:6.0f} MB, {before:.0f} MB without a broker",
    ]
