# SPDX-License-Identifier: Apache-2.0
"""A power cut: the programs are killed, and only synced data in their files survives, with some of the rest.

A shim (power_cut.c) preloaded into a program keeps a copy of a folder that follows each sync. After the kill, every
block that was written but not synced is kept or lost at random, as on a disk that reorders writes.
"""
import os
import random
import shutil
import subprocess
import tempfile
from pathlib import Path

# The unit that a disk writes as a whole, in bytes.
SECTOR = 512


class PowerCut:
    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.choice = random.Random(seed)
        # Below /tmp, since the user that runs PostgreSQL must reach it.
        self.place = Path(tempfile.mkdtemp(prefix="regimen-power-cut-"))
        self.place.chmod(0o777)
        self.disk = self.place / "disk"
        self.disk.mkdir()
        self.disk.chmod(0o777)
        self.library = self.place / "power_cut.so"
        source = Path(__file__).with_suffix(".c")
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        assert compiler, "a C compiler is missing: the Swift toolchain brings clang"
        subprocess.run(
            [compiler, "-O1", "-shared", "-fPIC", "-o", str(self.library), str(source), "-ldl"],
            check=True, capture_output=True, text=True,
        )
        self.lost = 0
        self.kept = 0

    @property
    def environment(self) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(self.library), "POWER_CUT_FOLDER": str(self.folder),
            "POWER_CUT_DISK": str(self.disk),
        }

    def begin(self) -> None:
        """Copies the current content to the disk."""
        shutil.rmtree(self.disk)
        shutil.copytree(self.folder, self.disk, ignore=_sockets)
        for path in [self.disk, *self.disk.rglob("*")]:
            owner = (self.folder / path.relative_to(self.disk)).stat()
            os.chown(path, owner.st_uid, owner.st_gid)

    def cut(self) -> None:
        """Restores the folder from the disk after the kill."""
        for path in sorted(self.folder.rglob("*")):
            if path.is_file() and not path.name.endswith("-shm"):
                self._lose(path, self.disk / path.relative_to(self.folder))
            elif path.is_socket() or path.name.endswith("-shm"):
                path.unlink()

    def _lose(self, path: Path, copy: Path) -> None:
        owner = path.stat()
        written = path.read_bytes()
        # A file without synced data may be gone, empty or partly there.
        synced = copy.read_bytes() if copy.exists() else b""
        size = self.choice.choice([len(written), len(synced)])
        result = bytearray(size)
        for start in range(0, size, SECTOR):
            new, old = written[start:start + SECTOR], synced[start:start + SECTOR]
            chosen = new
            if new != old:
                chosen = self.choice.choice([new, old])
                self.lost += chosen == old
                self.kept += chosen == new
            part = chosen[:size - start]
            result[start:start + len(part)] = part
        path.write_bytes(result)
        os.chown(path, owner.st_uid, owner.st_gid)

    def close(self) -> None:
        shutil.rmtree(self.place, ignore_errors=True)


def _sockets(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if (Path(folder) / name).is_socket()]
