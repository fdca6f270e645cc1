// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identifiers
import Testing
import TestSupport

@testable import Scheduling

/// Numbers and moments as text, as sent by both the medicine form and hospitals.
@Suite struct ExactNumberTests {
  @Test(
    arguments: [
      ("0", 0, 0), ("-0", 0, 0), ("0.000", 0, 0), ("007", 7, 0), ("1.50", 15, 1), ("-2.5", -25, 1),
      ("1e3", 1000, 0), ("1E+3", 1000, 0), ("15e-1", 15, 1), ("100e-2", 1, 0), ("1e-1000", 0, 0),
      ("0e999999999", 0, 0), ("999999999999999999", 999_999_999_999_999_999, 0),
      ("0.1234567890123456789", 123_456_789_012_345_678, 18),
      ("0.1234567890123456789e1", 123_456_789_012_345_678, 17),
      ("1234567890123456789012e-10", 123_456_789_012_345_678, 6),
      ("1000000000000000000e-1", 100_000_000_000_000_000, 0),
      ("1.0000000000000000000000", 1, 0),
    ] as [(String, Int64, Int)])
  func isReadAsWritten(_ text: String, digits: Int64, decimals: Int) throws {
    let number = try #require(ExactNumber(text))
    #expect(number.digits == digits && number.decimals == decimals, "\(number)")
  }

  @Test(arguments: [
    "", "-", ".", ".5", "5.", "-.5", "1.2.3", "1e", "1e+", "1e1.5", "1x", " 1", "1 ", "+1", "--1",
    "0x10",
    "1000000000000000000", "1e18", "1e999", "12345678901234567890", "1e1234567890123456789",
  ])
  func isRefused(_ text: String) {
    #expect(ExactNumber(text) == nil)
  }

  @Test func agreesWithDecimalArithmetic() throws {
    var generator = SeededGenerator(seed: 26)
    for _ in 0..<20_000 {
      let digits = Int64.random(in: -99_999_999...99_999_999, using: &generator)
      let point = Int.random(in: 0...8, using: &generator)
      let exponent = Int.random(in: -9...9, using: &generator)
      let padded = String(digits.magnitude)
      let whole = String(padded.dropLast(point))
      let fraction = String(padded.suffix(point))
      let text =
        (digits < 0 ? "-" : "") + (whole.isEmpty ? "0" : whole)
        + (fraction.isEmpty ? "" : "." + fraction) + "e\(exponent)"
      let number = try #require(ExactNumber(text), "\(text)")
      let read = Decimal(
        sign: .plus, exponent: -number.decimals, significand: Decimal(number.digits))
      #expect(read == Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), "\(text)")
      #expect(number.decimals == 0 || number.digits % 10 != 0, "\(text)")
    }
  }

  @Test(
    arguments: [
      ("2026-03-01T08:00:00Z", 1_772_352_000_000), ("2026-03-01T08:00:00.5Z", 1_772_352_000_500),
      ("2026-03-01T08:00:00.1239Z", 1_772_352_000_123),
      ("2026-03-01T09:30:00+01:30", 1_772_352_000_000),
      ("2026-02-28T18:00:00-14:00", 1_772_352_000_000), ("2026-03-01T07:59:60Z", 1_772_352_000_000),
    ] as [(String, Int64)])
  func instantsAreRead(_ text: String, milliseconds: Int64) {
    #expect(TimingMoment(text) == .instant(Instant(milliseconds: milliseconds)))
  }

  @Test(arguments: [
    "", "202", "2026-", "2026-3", "2026-13", "2026-02-30", "2026-03-01T", "2026-03-01T0",
    "2026-03-01T08",
    "2026-03-01T08:0", "2026-03-01T08-00:00Z", "2026-03-01T24:00:00Z", "2026-03-01T08:60:00Z",
    "2026-03-01T08:00:", "2026-03-01T08:00:0", "2026-03-01T08:00:61Z", "2026-03-01T08:00:00.Z",
    "2026-03-01T08:00:00z", "2026-03-01T08:00:00ZZ", "2026-03-01T08:00:00+1:00",
    "2026-03-01T08:00:00+15:00",
    "2026-03-01T08:00:00+01:60", "2026-03-01T08:00:00+0100", "2026-03-01T08:00:00+01:00Z",
    "2026-03-01 08:00:00Z",
  ])
  func otherMomentsAreRefused(_ text: String) {
    #expect(TimingMoment(text) == nil)
    #expect(TimingMoment(text, allowsLocal: true) == nil)
  }

  @Test func localTimesAreReadWhereTheyAreAllowed() {
    #expect(TimingMoment("2026-03-01T08:00") == nil)
    #expect(TimingMoment("2026-03-01T08:00:00") == nil)
    for text in ["2026-03-01T08:00", "2026-03-01T08:00:00", "2026-03-01T08:00:00.000"] {
      guard case .local(let local, 0) = TimingMoment(text, allowsLocal: true) else {
        Issue.record("\(text) was not read")
        continue
      }
      #expect(local.date.text == "2026-03-01" && local.time.text == "08:00:00")
    }
    #expect(TimingMoment("2026-03-01T08:00:60", allowsLocal: true) == nil)
  }
}
