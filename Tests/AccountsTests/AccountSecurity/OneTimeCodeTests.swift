// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Accounts

@Suite struct OneTimeCodeTests {
  private static let seed = Array("12345678901234567890".utf8)

  /// The last six digits of RFC 6238 appendix B, whose table has eight.
  @Test(
    arguments: [
      (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"),
      (1_234_567_890, "005924"), (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ] as [(Int64, String)])
  func `the codes match the standard's examples`(seconds: Int64, code: String) {
    let app = OneTimeCode(seed: Self.seed)
    #expect(app.code(at: Timestamp(milliseconds: seconds * 1000)) == code)
  }

  @Test(
    arguments: [
      // The distance from the current step, the last used step, and the expected result.
      (0, -1, true), (-1, -1, true), (1, -1, true), (2, -1, false), (-2, -1, false),
      (0, 100, false), (1, 100, true), (-1, 100, false), (0, 99, true), (0, 101, false),
    ] as [(Int64, Int64, Bool)])
  func `a code works once, in its time step or an adjacent one`(
    away: Int64, last: Int64, isTaken: Bool
  ) {
    let app = OneTimeCode(seed: Self.seed)
    let now = Timestamp(milliseconds: 100 * OneTimeCode.stepLength + 7)
    let step = app.step(of: app.code(at: 100 + away), at: now, after: last)
    #expect(step == (isTaken ? 100 + away : nil))
  }

  @Test(arguments: ["", "12345", "1234567", "abcdef", "２８７０８２", "287082\n", "-87082"])
  func `malformed codes are refused`(typed: String) {
    let now = Timestamp(milliseconds: 59_000)
    #expect(OneTimeCode(seed: Self.seed).step(of: typed, at: now, after: -1) == nil)
  }

  @Test func `spaces between the digits are ignored`() {
    let now = Timestamp(milliseconds: 59_000)
    #expect(OneTimeCode(seed: Self.seed).step(of: " 287 082", at: now, after: -1) == 1)
  }

  @Test func `the QR code's address names issuer, account and seed`() {
    let address = OneTimeCode(seed: Self.seed).address(
      issuer: "Regimen", account: "ann+pills@example.org")
    #expect(
      address == """
        otpauth://totp/Regimen:ann%2Bpills%40example.org?secret=\
        GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Regimen
        """)
  }

  /// RFC 4648 section 10, without the padding.
  @Test(arguments: [
    ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"),
    ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI"),
  ])
  func `base32 matches the standard's examples`(text: String, encoded: String) {
    #expect(Base32.encode(Array(text.utf8)) == encoded)
  }
}
