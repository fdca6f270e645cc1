# SPDX-License-Identifier: Apache-2.0
"""One-time codes as an authenticator app shows them."""
import base64
import hmac
import struct


def code(seed: str, seconds: float) -> str:
    """RFC 6238, implemented independently of the program."""
    key = base64.b32decode(seed)
    digest = hmac.digest(key, struct.pack(">Q", int(seconds) // 30), "sha1")
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start:start + 4])[0] & 0x7FFFFFFF) % 10**6:06}"
