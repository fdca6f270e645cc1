// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// Checks that apply to every Timing.
enum TimingChecks {
  /// Throws for numbers that are not above zero, and for a maximum below its minimum.
  static func check(_ timing: TimingView?) throws(DosageRefusal) {
    guard let recurrence = timing?.repeatObject,
      isSuspect(recurrence) || timing?.hasBoundsPeriod == true
    else { return }
    for name in [
      "frequency", "frequencyMax", "period", "periodMax", "duration", "durationMax", "count",
      "countMax",
    ] {
      if let number = recurrence.exact(name), !number.isPositive {
        throw DosageRefusal("timing.repeat." + name, .notPositive)
      }
    }
    for name in ["frequency", "period", "duration", "count"] {
      guard let high = recurrence.exact(name + "Max") else { continue }
      if let low = recurrence.exact(name), high.isLess(than: low) {
        throw DosageRefusal("timing.repeat.\(name)Max", .belowMinimum)
      }
    }
    if let offset = recurrence.exact("offset"), offset.isLess(than: PlainNumber(0)) {
      throw DosageRefusal("timing.repeat.offset", .notPositive)
    }
    // Texts of equal length have the same precision and can be compared as written.
    if let start = timing?.boundsPeriodStart, let end = timing?.boundsPeriodEnd,
      start.utf8.count == end.utf8.count, start.utf8.count <= 10, end < start
    {
      throw DosageRefusal("timing.repeat.boundsPeriod.end", .endsBeforeStart)
    }
  }

  /// Returns true if a number could be wrong: one without a digit above zero, one below zero, or a maximum.
  private static func isSuspect(_ recurrence: JSONValue) -> Bool {
    guard case .object(let object) = recurrence else { return false }
    for (key, value) in object {
      guard case .number(let number) = value else { continue }
      if key.utf8.last == UInt8(ascii: "x") || number.text.utf8.first == UInt8(ascii: "-") {
        return true
      }
      var isPositive = false
      for byte in number.text.utf8 {
        if byte | 0x20 == UInt8(ascii: "e") { return true }
        if (0x31...0x39).contains(byte) { isPositive = true }
      }
      if !isPositive { return true }
    }
    return false
  }
}
