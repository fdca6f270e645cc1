# SPDX-License-Identifier: Apache-2.0
"""Starts that are refused with one line before anything is created."""
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.server import Server, binary
from test_faults import refused


def test_a_clock_that_was_never_set_begins_nothing(own_server: Callable[..., Server]) -> None:
    # Ten minutes after the first second of 1970.
    server = own_server(clock_offset=600 - int(time.time()))
    assert "before 2010" in refused(server)
    assert sorted(file.name for file in server.data.iterdir()) == ["TEST"]
    server.clock_offset = 0
    server.start()


@pytest.mark.parametrize(("library", "setting", "said", "status"), [
    ("libpq.so.5", {"REGIMEN_DATABASE": "postgresql://ann@/regimen"}, "libpq5", 1),
    ("libmosquitto.so.1", {"REGIMEN_MQTT_URL": "mqtt://127.0.0.1:1"}, "libmosquitto1", 2),
    # The system's loader refuses a start without a library that every start needs.
    ("libqrencode.so.4", {}, "libqrencode.so.4", 127),
])
def test_a_library_that_is_missing_is_named(
    tmp_path: Path, library: str, setting: dict[str, str], said: str, status: int
) -> None:
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
        pytest.skip("no view of the files of its own can be made here")
    listed = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    places = [line.split(" => ")[1] for line in listed.splitlines() if line.split()[:1] == [library]]
    assert places, f"{library} is not installed"
    result = subprocess.run(
        ["unshare", "-m", "sh", "-c", 'mount --bind /dev/null "$0" && exec "$@"', str(Path(places[0]).resolve()),
         str(binary()), "serve", "--port", "0", "--data", str(tmp_path / "data")],
        env={"PATH": os.environ["PATH"], **setting}, capture_output=True, text=True, timeout=60)
    assert result.returncode == status
    assert len(result.stderr.splitlines()) == 1 and said in result.stderr
    assert not (tmp_path / "data").exists()
