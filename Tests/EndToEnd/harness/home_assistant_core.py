# SPDX-License-Identifier: Apache-2.0
"""A headless Home Assistant core with its MQTT integration. Runs with a Python that has Home Assistant, and answers
commands on its input, one JSON value a line: `states`, `press ENTITY`, `stop`."""
import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from homeassistant import bootstrap, const, runner  # type: ignore[import-not-found]
from homeassistant.components.mqtt import discovery  # type: ignore[import-not-found]

CONFIGURATION = """
homeassistant:
  name: Test
  time_zone: UTC
logger:
  default: warning
"""


def prepare(folder: Path, port: int, user: str, password: str) -> None:
    """Writes what a person does when Home Assistant is set up: the address of the broker, nothing about Regimen."""
    (folder / ".storage").mkdir(parents=True)
    (folder / "configuration.yaml").write_text(CONFIGURATION)
    entry = {
        "entry_id": "broker", "version": 1, "minor_version": 1, "domain": "mqtt", "title": "broker", "source": "user",
        "data": {"broker": "127.0.0.1", "port": port, "username": user, "password": password, "discovery": True},
        "options": {}, "pref_disable_new_entities": False, "pref_disable_polling": False, "unique_id": None,
        "disabled_by": None,
    }
    document = {"version": 1, "minor_version": 1, "key": "core.config_entries", "data": {"entries": [entry]}}
    (folder / ".storage" / "core.config_entries").write_text(json.dumps(document))


def say(value: Any) -> None:
    print(json.dumps(value, default=str), flush=True)


async def main(folder: Path) -> None:
    home = await bootstrap.async_setup_hass(
        runner.RuntimeConfig(config_dir=str(folder), skip_pip=True, recovery_mode=False))
    assert home and "mqtt" in home.config.components, "no MQTT integration"
    await home.async_start()
    say({"version": const.__version__, "knows_devices": hasattr(discovery, "_parse_device_payload")})
    loop = asyncio.get_running_loop()
    while True:
        words = (await loop.run_in_executor(None, sys.stdin.readline)).split()
        if words == ["states"]:
            say({state.entity_id: {"state": state.state, **state.attributes} for state in home.states.async_all()})
        elif words[:1] == ["press"]:
            await home.services.async_call("button", "press", {"entity_id": words[1]}, blocking=True)
            say({})
        else:
            break
    await home.async_stop(force=True)


if __name__ == "__main__":
    where, port_text, user_name, secret = sys.argv[1:]
    prepare(Path(where), int(port_text), user_name, secret)
    asyncio.run(main(Path(where)))
