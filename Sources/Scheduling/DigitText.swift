// SPDX-License-Identifier: Apache-2.0

// Digits are parsed and formatted as bytes: comparing Strings would pull Unicode tables into WebAssembly.

/// Returns the decimal text of a non-negative number, padded with zeros to the width.
func zeroPadded(_ number: Int, width: Int) -> String {
  let digits = String(number)
  var text = ""
  for _ in 0..<max(0, width - digits.utf8.count) { text += "0" }
  text += digits
  return text
}

/// Returns the value of one to eighteen ASCII digits; nil for anything else.
func digitsValue(_ bytes: some Collection<UInt8>) -> Int64? {
  guard !bytes.isEmpty, bytes.count <= 18 else { return nil }
  var value: Int64 = 0
  for byte in bytes {
    guard isDigit(byte) else { return nil }
    value = value * 10 + Int64(byte - 0x30)
  }
  return value
}

/// Returns the value of the digits in part of the bytes; nil if the part contains anything else or is out of bounds.
func digitsValue(_ bytes: [UInt8], _ part: Range<Int>) -> Int64? {
  guard part.upperBound <= bytes.count, !part.isEmpty, part.count <= 18 else { return nil }
  var value: Int64 = 0
  for index in part {
    guard isDigit(bytes[index]) else { return nil }
    value = value * 10 + Int64(bytes[index] - 0x30)
  }
  return value
}

func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

/// Returns the value of a number in canonical form (no plus sign, no leading zeros, no "-0"); nil for anything else.
func canonicalInteger(_ bytes: some Collection<UInt8>) -> Int64? {
  guard let value = Int64(String(decoding: bytes, as: UTF8.self)),
    String(value).utf8.elementsEqual(bytes)
  else { return nil }
  return value
}
