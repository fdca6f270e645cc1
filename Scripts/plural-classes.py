#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the plural class of numbers in each language of sentences, by ICU.

The tests compare `PluralCategory` with its output, kept in Tests/LocalizationTests/plural-classes.txt:

    python3 Scripts/plural-classes.py > Tests/LocalizationTests/plural-classes.txt

ICU's C library is used directly; Debian has it as libicu72 or newer.
"""
import ctypes
import ctypes.util
import re
import sys

LANGUAGES = ["en", "de", "nb", "th", "tr", "fr", "es", "it", "pt", "nl"]
NUMBERS = ["0", "0.1", "0.25", "0.5", "0.75", "1", "1.1", "1.5", "1.75", "2", "2.5", "3", "5", "10", "11",
           "21", "100", "101", "1000", "1000.5", "12500", "100000", "1000000", "1500000", "2000000"]


def main() -> None:
    name = ctypes.util.find_library("icui18n")
    version = re.search(r"\.so\.(\d+)", name or "")
    if not version:
        sys.exit("plural-classes: ICU is not installed")
    library = ctypes.CDLL(name)
    suffix = version.group(1)

    def function(name: str):
        return getattr(library, f"{name}_{suffix}")

    function("uplrules_open").restype = ctypes.c_void_p
    for language in LANGUAGES:
        status = ctypes.c_int(0)
        rules = function("uplrules_open")(language.encode(), ctypes.byref(status))
        if status.value > 0:
            sys.exit(f"plural-classes: ICU has no rules for {language}")
        for number in NUMBERS:
            text = ctypes.create_string_buffer(64)
            length = function("uplrules_select")(
                ctypes.c_void_p(rules), ctypes.c_double(float(number)), text, 32, ctypes.byref(status))
            print(language, number, text.raw[:length * 2].decode("utf-16-le"))


if __name__ == "__main__":
    main()
