// SPDX-License-Identifier: Apache-2.0

import Encodings
import Testing

@testable import Accounts

@Suite struct CBORReaderTests {
  /// Examples from RFC 8949 appendix A.
  @Test(
    arguments: [
      ("00", .integer(0)), ("17", .integer(23)), ("1818", .integer(24)),
      ("1903e8", .integer(1000)), ("1a000f4240", .integer(1_000_000)),
      ("1b000000e8d4a51000", .integer(1_000_000_000_000)), ("20", .integer(-1)),
      ("3903e7", .integer(-1000)), ("3b7fffffffffffffff", .integer(.min)),
      ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("6161", .text("a")),
      ("62c3bc", .text("ü")), ("80", .array([])),
      ("83010203", .array([.integer(1), .integer(2), .integer(3)])),
      ("a0", .map([:])),
      ("a201020304", .map([.integer(1): .integer(2), .integer(3): .integer(4)])),
      (
        "a26161016162820203",
        .map([.text("a"): .integer(1), .text("b"): .array([.integer(2), .integer(3)])])
      ),
      ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null),
    ] as [(String, CBORValue)])
  func `values are read`(hexadecimal: String, value: CBORValue) throws {
    let bytes = try #require(Hexadecimal.decode(hexadecimal))
    #expect(try CBORReader.value(of: bytes) == value)
  }

  @Test(
    arguments: [
      ("", .endsEarly), ("18", .endsEarly), ("4401", .endsEarly), ("8201", .endsEarly),
      ("a1", .endsEarly), ("a101", .endsEarly), ("5affffffff00", .endsEarly),
      ("5bffffffffffffffff00", .endsEarly), ("1817", .notShortest), ("190001", .notShortest),
      ("1a0000ffff", .notShortest), ("1b00000000ffffffff", .notShortest),
      ("5f42010243030405ff", .unsupported(initial: 0x5F)), ("9fff", .unsupported(initial: 0x9F)),
      ("bfff", .unsupported(initial: 0xBF)), ("c000", .unsupported(initial: 0xC0)),
      ("f7", .unsupported(initial: 0xF7)), ("f90000", .unsupported(initial: 0xF9)),
      ("1b8000000000000000", .unsupported(initial: 0x1B)), ("1c", .unsupported(initial: 0x1C)),
      ("a14000", .unsupported(initial: 0x40)), ("a201020103", .repeatedKey), ("61ff", .notText),
      ("9901010000", .tooLong), ("b90101", .tooLong), ("0000", .trailingBytes),
      ("818181818181818181", .tooDeep),
    ] as [(String, CBORError)])
  func `everything else is refused`(hexadecimal: String, error: CBORError) throws {
    let bytes = try #require(Hexadecimal.decode(hexadecimal))
    #expect(throws: error) { try CBORReader.value(of: bytes) }
  }

  @Test func `changed bytes and truncation never crash the reader`() throws {
    let bytes = try #require(
      Hexadecimal.decode("a363666d74646e6f6e656761747453746d74a068617574684461746143010203"))
    for index in bytes.indices {
      _ = try? CBORReader.value(of: Array(bytes[..<index]))
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        _ = try? CBORReader.value(of: changed)
      }
    }
    #expect(try CBORReader.value(of: bytes)["fmt"]?.text == "none")
  }
}
