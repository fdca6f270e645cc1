#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the list of the most common passwords, as the first bytes of their digests.

The words are from zxcvbn (PyPI, MIT), the most common first, from the minimum length of a password on.
Digests, since nobody wants to read the words in a source:

    Scripts/common-passwords.py > Sources/Secrecy/CommonPasswords.swift
"""
import base64
import hashlib

from zxcvbn.frequency_lists import FREQUENCY_LISTS

COUNT, LEAST, BYTES, LINE = 5000, 8, 4, 88

words = [word for word in FREQUENCY_LISTS["passwords"] if len(word) >= LEAST][:COUNT]
digests = sorted(hashlib.sha256(word.encode()).digest()[:BYTES] for word in words)
text = base64.urlsafe_b64encode(b"".join(digests)).decode().rstrip("=")
print(f"""// SPDX-License-Identifier: Apache-2.0

import Encodings

/// The {COUNT} most common passwords of at least {LEAST} characters, as the first {BYTES} bytes of their SHA-256 digests in
/// ascending order; written by Scripts/common-passwords.py.
package enum CommonPasswords {{
  private static let digests: [UInt32] = {{
    let bytes = Base64URL.decode(text) ?? []
    return stride(from: 0, to: bytes.count - 3, by: {BYTES}).map {{ place in
      bytes[place..<place + {BYTES}].reduce(0) {{ $0 << 8 | UInt32($1) }}
    }}
  }}()

  /// Returns true if the SHA-256 digest of a password in lower case is listed; one in a million others
  /// is taken for one.
  package static func contains(digest: [UInt8]) -> Bool {{
    let wanted = digest.prefix({BYTES}).reduce(UInt32(0)) {{ $0 << 8 | UInt32($1) }}
    var (low, high) = (0, digests.count)
    while low < high {{
      let middle = (low + high) / 2
      if digests[middle] < wanted {{ low = middle + 1 }} else {{ high = middle }}
    }}
    return low < digests.count && digests[low] == wanted
  }}

  private static let text = \"\"\"""")
lines = [text[place:place + LINE] for place in range(0, len(text), LINE)]
print("\\\n".join(f"    {line}" for line in lines))
print('    """\n}')
