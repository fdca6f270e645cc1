#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the module table: what each target under Sources may import, and nothing else.

A named package stands for its products and for the packages in its public types.
"""
import re
import sys
from pathlib import Path

from swift_source import split, swift_files

STANDARD_LIBRARY = {
    "Swift", "Synchronization", "Observation", "RegexBuilder", "_Concurrency", "_StringProcessing",
}
# The C library comes with Foundation on every system.
FOUNDATION = {"Foundation", "FoundationEssentials", "Dispatch", "Glibc", "Musl", "Darwin"}
FOR_ALL = {
    "Logging", "Metrics",
    "Collections", "DequeModule", "HeapModule", "OrderedCollections", "HashTreeCollections",
}

NIO = {
    "NIO", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOFoundationCompat", "NIOConcurrencyHelpers",
    "NIOFileSystem", "NIOTLS", "NIOWebSocket", "NIOEmbedded",
}
HTTP_TYPES = {"HTTPTypes", "HTTPTypesFoundation"}
ASN1 = {"SwiftASN1"}
GRDB = {"GRDB", "GRDBSQLite"}
CRYPTO = {"Crypto", "CryptoExtras", "_CryptoExtras"} | ASN1
JWT = {"JWTKit"}
HUMMINGBIRD = {
    "Hummingbird", "HummingbirdCore", "HummingbirdRouter", "HummingbirdTLS", "HummingbirdHTTP2",
} | NIO | HTTP_TYPES
# Certificates take their keys from swift-crypto.
SERVER_TLS = {"NIOSSL", "X509", "Crypto"} | NIO | ASN1
LIFECYCLE = {"ServiceLifecycle", "UnixSignals"}
CONFIGURATION = {"Configuration", "SystemPackage"}
ARGUMENT_PARSER = {"ArgumentParser"}
HTTP_CLIENT = {"AsyncHTTPClient", "NIOSSL"} | NIO

# Target: (may use Foundation and the packages for all, other targets, packages). In this order a
# target may only import targets above it.
TABLE: dict[str, tuple[bool, set[str], set[str]]] = {
    "FHIR": (True, set(), set()),
    "Scheduling": (False, set(), set()),
    "TimeZones": (True, {"Scheduling"}, set()),
    "HeartRateMonitoring": (False, set(), set()),
    "Localization": (True, set(), set()),
    "Instructions": (True, {"FHIR", "Scheduling", "Localization"}, set()),
    "Identifiers": (True, set(), set()),
    "Access": (True, {"Identifiers"}, set()),
    "Secrecy": (True, set(), set()),
    "HTML": (True, set(), set()),
    "SiteMap": (False, set(), set()),
    "Knowledge": (True, {"Localization"}, set()),
    "Media": (True, set(), {"CJPEG", "CPNG", "CQREncode", "CPango"}),
    "Storage": (True, {"Identifiers", "Secrecy"}, GRDB | {"CLibPQ"} | CRYPTO),
    "Records": (True, {"Identifiers", "FHIR", "Storage", "Access"}, set()),
    "Accounts": (
        True, {"Identifiers", "FHIR", "Secrecy", "Records", "Storage", "Access", "Localization"},
        CRYPTO | JWT,
    ),
    "Adherence": (
        True,
        {
            "Identifiers", "FHIR", "Secrecy", "Storage", "Records", "Access", "Accounts", "Scheduling", "TimeZones",
            "HeartRateMonitoring", "Instructions", "Knowledge", "Localization",
        },
        set(),
    ),
    "HealthData": (True, {"FHIR", "HeartRateMonitoring"}, {"CZlib"} | GRDB),
    "Outbound": (True, {"Secrecy"}, HTTP_CLIENT),
    "Channels": (True, {"Secrecy", "Outbound", "Localization"}, CRYPTO),
    "Exchange": (
        True,
        {
            "Identifiers", "FHIR", "Secrecy", "Storage", "Records", "Access", "Accounts", "Adherence",
            "Outbound",
        },
        CRYPTO | JWT,
    ),
    "Server": (
        True,
        {
            "Identifiers", "FHIR", "Scheduling", "TimeZones", "HeartRateMonitoring", "Localization",
            "Instructions", "Access", "HTML", "SiteMap", "Knowledge", "Media", "Secrecy", "Storage", "Records",
            "Accounts", "Adherence", "HealthData", "Outbound", "Channels", "Exchange",
        },
        HUMMINGBIRD | SERVER_TLS | LIFECYCLE | CONFIGURATION | {"CZlib"},
    ),
}
EVERYTHING = (
    set(TABLE) | STANDARD_LIBRARY | FOUNDATION | FOR_ALL
    | set().union(*(packages for _, _, packages in TABLE.values()))
)
# The composition root, what serves tests only, and the build tool that embeds files.
ALLOWED_ELSEWHERE: dict[str, set[str]] = {
    "RegimenCLI": EVERYTHING | ARGUMENT_PARSER | {"CMalloc"},
    "TestSupport": EVERYTHING | {"Testing", "HummingbirdTesting"},
    "embed-resources": STANDARD_LIBRARY | FOUNDATION,
}

# Attributes, an access level and a kind may stand around the word; a submodule follows a dot.
IMPORT = re.compile(
    r"(?:^|;)[ \t]*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var|actor)\s+)?(\w+)",
    re.MULTILINE,
)


def allowed(target: str) -> set[str] | None:
    """What a target may import, nil for one that the table does not know."""
    if target in ALLOWED_ELSEWHERE:
        return ALLOWED_ELSEWHERE[target]
    if target not in TABLE:
        return None
    uses_foundation, targets, packages = TABLE[target]
    basis = STANDARD_LIBRARY | (FOUNDATION | FOR_ALL if uses_foundation else set())
    return basis | targets | packages


def problems(target: str, name: str, source: str) -> list[str]:
    may = allowed(target)
    if may is None:
        return [f"{name}:1: target {target} is not in the module table"]
    code = split(source).code
    found = []
    for match in IMPORT.finditer(code):
        module = match.group(1)
        if module not in may:
            line = code.count("\n", 0, match.start(1)) + 1
            found.append(f"{name}:{line}: {target} may not import {module}")
    return found


SAMPLES: list[tuple[str, str, list[int]]] = [
    ("Scheduling", "public struct A {}\nimport Foundation\n", [2]),
    ("Scheduling", "import Synchronization\n", []),
    ("HTML", "// import GRDB\n/* import GRDB */\nlet a = \"\"\"\nimport GRDB\n\"\"\"\n", []),
    ("Records", "import FHIR\n@testable import Server\nimport struct Hummingbird.Router\n", [2, 3]),
    ("Records", "package import GRDB; import NIOCore\n", [1, 1]),
    ("Access", "#if canImport(Crypto)\n  import Crypto\n#endif\n", [2]),
    ("Adherence", "import HeartRateMonitoring\nimport Logging\n@preconcurrency import HTML\n", [3]),
    ("RegimenCLI", "import ArgumentParser\nimport Hummingbird\nimport Testing\n", [3]),
    ("Helpers", "import Foundation\n", [1]),
]


def check_self() -> None:
    """Each bad line of the samples must be found and no good one: else the check is worthless."""
    for target, source, lines in SAMPLES:
        found = [int(line.split(":")[1]) for line in problems(target, "sample", source)]
        assert found == lines, f"{target}: expected lines {lines}, found {found} in {source!r}"
    above: set[str] = set()
    for target, (_, targets, _) in TABLE.items():
        assert targets <= above | {target}, f"{target} imports one that stands below it: a cycle"
        above.add(target)


def main() -> int:
    check_self()
    found, files = [], swift_files("Sources")
    for path in files:
        found += problems(path.parts[1], str(path), path.read_text(encoding="utf-8"))
    print("\n".join(found), file=sys.stderr) if found else None
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
