#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clock, zone, randomness and identifiers come only from the composition root; nothing traps.

Also: no unfinished marks in Swift sources, and no path of someone's machine in any tracked file.
"""
import re
import subprocess
import sys
from pathlib import Path

from swift_source import split, swift_files

COMPOSITION_ROOT = "Sources/RegimenCLI/"

# Exceptions for true edges only: (path, name of the rule). An unused one is reported.
EXCEPTIONS: set[tuple[str, str]] = {
    # Runs only during the build, and may fail if its output does.
    ("Sources/embed-resources/main.swift", "FileHandle.write"),
}

EDGE_RULES: dict[str, re.Pattern[str]] = {
    "clock": re.compile(
        r"\bDate\(\s*\)|\bDate\(timeIntervalSinceNow|\bDate\.init\(\s*\)"
        r"|\b(?:Date|Instant|ContinuousClock|SuspendingClock|NIODeadline|DispatchTime"
        r"|DispatchWallTime)(?:\(\))?\.now\b"
        # Where a value goes in or out: a case of our own may be called .now in a pattern.
        r"|(?:\w:|[^=!<>]=|\breturn|\?\?|,)\s*\.now\b|\bclock_gettime\b|\bgettimeofday\b|\btime\(nil\)|\bsystemUptime\b"
    ),
    "identifier": re.compile(r"\bUUID(?:\.init)?\(\s*\)"),
    "local calendar or zone": re.compile(
        r"\b(?:Calendar|TimeZone|Locale)\.(?:current|autoupdatingCurrent)\b|\bTimeZone\.system\b"
    ),
    "randomness": re.compile(
        r"\bSystemRandomNumberGenerator\b|\.random\(\s*(?:\)|in:(?![^\n]*\busing:))"
        r"|\.(?:shuffled|shuffle|randomElement)\(\s*\)|\barc4random\w*|\bgetrandom\("
        r"|\bSymmetricKey\(\s*size:"
    ),
}
TRAP_RULES: dict[str, re.Pattern[str]] = {
    "try!": re.compile(r"\btry!"),
    "as!": re.compile(r"\bas!"),
    "fatalError": re.compile(r"\b(?:fatalError|preconditionFailure|assertionFailure)\("),
    # Ends the program if the stream cannot be written; StandardStream does not.
    "FileHandle.write": re.compile(r"\bFileHandle\.standard(?:Error|Output)\.write\((?!\s*contentsOf)"),
}
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|root|Users|home/\w+|opt/swift)/[\w.]")


def lines_of(pattern: re.Pattern[str], text: str) -> list[int]:
    return [text.count("\n", 0, match.start()) + 1 for match in pattern.finditer(text)]


def swift_problems(name: str, source: str, used: set[tuple[str, str]]) -> list[str]:
    code = split(source).code
    rules = dict(TRAP_RULES)
    if not name.startswith(COMPOSITION_ROOT):
        rules |= EDGE_RULES
    found = []
    for rule, pattern in rules.items():
        lines = lines_of(pattern, code)
        if lines and (name, rule) in EXCEPTIONS:
            used.add((name, rule))
            continue
        found += [f"{name}:{line}: {rule}: pass it in from the edge, or throw" for line in lines]
    found += [f"{name}:{line}: unfinished" for line in lines_of(UNFINISHED, source)]
    return found


def machine_paths(name: str, text: str) -> list[str]:
    return [f"{name}:{line}: a path of one machine" for line in lines_of(MACHINE_PATH, text)]


BAD = {
    "clock": [
        "let a = Date()", "let a = Date.now", "f(at: .now)", "let a: Date = .now", "a ?? .now", "f(1, .now)", "return .now",
        "ContinuousClock().now", "ContinuousClock.now", "NIODeadline.now()", "clock_gettime(0, &a)",
        'let a = "\\(Date())"',
    ],
    "identifier": ["let a = UUID()", 'let a = "\\(UUID().uuidString)"'],
    "local calendar or zone": ["Calendar.current", "TimeZone.current", "Locale.current"],
    "randomness": [
        "var g = SystemRandomNumberGenerator()", "Int.random(in: 0..<3)", "Bool.random()",
        "list.shuffled()",
        "SymmetricKey(size: .bits256)",
    ],
    "try!": ["let a = try! f()"],
    "as!": ["let a = b as! C"],
    "fatalError": ["fatalError()"],
    "FileHandle.write": ["FileHandle.standardError.write(data)", "FileHandle.standardOutput.write(Data(a))"],
}
GOOD = [
    "// Date() is not called here", "let a = context.now", "let a = clock().now", 'let a = "Date()"',
    "Int.random(in: 0..<3, using: &generator)", "struct A { let now: Int }", "Date(timeIntervalSince1970: 0)",
    "/* UUID() */", 'let a = #"try! "quoted""#', "let a = UUID(uuidString: text)", "self.now", "case .now: 1",
    "try FileHandle.standardOutput.write(contentsOf: a)", "emphasis == .now", "DoseCard(.now)", "a ? .later : .now", "environment.random(16)",
]


def check_self() -> None:
    """Every bad sample must be reported under its own rule, and no good one."""
    for rule, samples in BAD.items():
        for sample in samples:
            found = swift_problems("Sources/Sample/A.swift", f"\n{sample}\n", set())
            assert any(f"A.swift:2: {rule}:" in line for line in found), f"not found: {sample}"
    for sample in GOOD:
        found = swift_problems("Sources/Sample/A.swift", sample, set())
        assert not found, f"wrongly found: {found} in {sample}"
    assert not swift_problems(COMPOSITION_ROOT + "A.swift", "let a = Date()", set())
    assert swift_problems(COMPOSITION_ROOT + "A.swift", "let a = try! f()", set())
    assert swift_problems("Sources/Sample/A.swift", "// TO" + "DO: later", set())
    assert machine_paths("a", "see /wo" + "rk/main") and not machine_paths("a", "a/wo" + "rk/b")


def main() -> int:
    check_self()
    found: list[str] = []
    used: set[tuple[str, str]] = set()
    for path in swift_files("Sources", "Plugins"):
        found += swift_problems(str(path), path.read_text(encoding="utf-8"), used)
    found += [f"{name}: the exception {rule!r} is not needed" for name, rule in EXCEPTIONS - used]
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], check=True, capture_output=True, text=True
    ).stdout.split("\0")
    for name in filter(None, tracked):
        try:
            found += machine_paths(name, Path(name).read_text(encoding="utf-8"))
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            continue  # an image, or removed from the tree
    print("\n".join(found), file=sys.stderr) if found else None
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
