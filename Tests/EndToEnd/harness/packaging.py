# SPDX-License-Identifier: Apache-2.0
"""Runs the scripts that package, and makes small programs for them."""
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from harness.server import REPOSITORY, binary

sys.path.insert(0, str(REPOSITORY / "Scripts"))

COMPLETIONS = {"bash": "#!/bin/bash\n_regimen() { :; }\n", "zsh": "#compdef regimen\n", "fish": "complete -c regimen\n"}
# It answers as the program does, from files next to it, and is linked with a library of Debian.
SOURCE = """\
#include <stdio.h>
#include <string.h>
#include <zlib.h>
static int show(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", FOLDER, name);
  FILE *file = fopen(path, "r");
  if (!file) return 1;
  for (int c; (c = fgetc(file)) != EOF;) putchar(c);
  return fclose(file);
}
int main(int count, char **words) {
  if (count > 1 && !strcmp(words[1], "--version")) return show("version");
  if (count > 1 && !strcmp(words[1], "--experimental-dump-help")) return show("help");
  if (count > 2 && !strcmp(words[1], "--generate-completion-script")) return show(words[2]);
  return zlibVersion()[0] == 0;
}
"""


def tree_version() -> str:
    return (REPOSITORY / "VERSION").read_text().splitlines()[0].strip()


def c_compiler() -> str:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    assert compiler, "a C compiler is missing: the Swift toolchain brings clang"
    return compiler


def described() -> str:
    """Returns the program's own description of its commands."""
    return subprocess.run(
        [str(binary()), "--experimental-dump-help"], capture_output=True, text=True, check=True, timeout=60).stdout


@dataclass
class SmallProgram:
    """A program of a few kilobytes that describes itself like the real one, with debug symbols."""

    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / "program"

    def make(self) -> "SmallProgram":
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, text in COMPLETIONS.items():
            (self.folder / name).write_text(text)
        (self.folder / "help").write_text(described())
        self.say(tree_version())
        (self.folder / "program.c").write_text(SOURCE)
        subprocess.run(
            [c_compiler(), "-g", "-Wl,--build-id=sha1", f'-DFOLDER="{self.folder}"', "-o", self.path,
             self.folder / "program.c", "-lz"], check=True)
        return self

    def say(self, version: str) -> None:
        (self.folder / "version").write_text(f"regimen {version}\n")


def script(name: str, *options: str | Path, **variables: str | Path) -> "subprocess.CompletedProcess[str]":
    """Runs a script of the repository with additional variables."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("REGIMEN_") or k == "REGIMEN_CHECKOUTS"}
    return subprocess.run(
        [str(REPOSITORY / "Scripts" / name), *map(str, options)], capture_output=True, text=True, timeout=300,
        env=kept | {key: str(value) for key, value in variables.items()})


def fields(package: Path) -> dict[str, str]:
    """Returns the control fields of a Debian package."""
    text = subprocess.run(["dpkg-deb", "--field", str(package)], capture_output=True, text=True, check=True).stdout
    lines = text.replace("\n ", "\\n ").splitlines()
    return {name: value for name, _, value in (line.partition(": ") for line in lines)}


def refused(result: "subprocess.CompletedProcess[str]", name: str) -> str:
    """Returns the line with which a script refused its work."""
    assert result.returncode == 1, result.stdout + result.stderr
    lines = [line for line in result.stderr.splitlines() if line.startswith(f"{name}: ")]
    assert len(lines) == 1 and "Traceback" not in result.stderr, result.stderr
    return lines[0]
