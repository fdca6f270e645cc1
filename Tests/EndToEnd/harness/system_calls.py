# SPDX-License-Identifier: Apache-2.0
"""Runs a program under the system call filter of a systemd unit, as `python system_calls.py UNIT PROGRAM …`.

It needs libseccomp, which systemd uses too, and systemd-analyze, which lists the calls of each group.
"""
import ctypes
import os
import subprocess
import sys
from pathlib import Path

ALLOW, REFUSE = 0x7FFF0000, 0x00050000
EPERM = 1
NO_NEW_PRIVILEGES = 38


def calls(name: str) -> set[str]:
    """Returns the system calls of a group such as @system-service, or the single one of that name."""
    if not name.startswith("@"):
        return {name}
    listed = subprocess.run(
        ["systemd-analyze", "--no-pager", "syscall-filter", name], capture_output=True, text=True, check=True).stdout
    found: set[str] = set()
    for line in listed.splitlines()[1:]:
        if (word := line.strip()) and not word.startswith("#"):
            found |= calls(word)
    return found


def allowed(unit: str) -> set[str]:
    """Returns the calls that a unit allows, as systemd combines its lines, with those that start any program."""
    found = calls("@default")
    for line in unit.splitlines():
        if line.startswith("SystemCallFilter="):
            words = line.removeprefix("SystemCallFilter=")
            named = {call for word in words.removeprefix("~").split() for call in calls(word)}
            found = found - named if words.startswith("~") else found | named
    return found | {"execve"}


def confine(names: set[str]) -> None:
    """Refuses every other call of this process and its children with EPERM."""
    library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_rule_add.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint]
    library.seccomp_load.argtypes = [ctypes.c_void_p]
    context = library.seccomp_init(REFUSE | EPERM)
    for name in sorted(names):
        number = library.seccomp_syscall_resolve_name(name.encode())
        # A negative number belongs to another architecture.
        if number >= 0 and library.seccomp_rule_add(context, ALLOW, number, 0):
            raise SystemExit(f"no rule for {name}")
    ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if library.seccomp_load(context):
        raise SystemExit("the filter cannot be loaded")


if __name__ == "__main__":
    confine(allowed(Path(sys.argv[1]).read_text(encoding="utf-8")))
    os.execv(sys.argv[2], sys.argv[2:])
