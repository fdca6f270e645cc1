// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// The choices for putting a dose off.
package enum LaterChoices {
  /// The number of times that a dose may be put off before a page asks for the reason.
  package static let timesWithoutReason = 3

  /// Returns true if a dose was put off so often that a page asks for the reason.
  package static func asksWhy(_ dose: DoseID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Bool
  {
    let times = try reader.first(
      """
      SELECT COUNT(*) FROM answers
      WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4 AND action = 'later'
      """,
      [
        .text(patient), .text(dose.plan), .integer(dose.era), .text(dose.occurrence.text),
      ])?.value(as: Int.self)
    return times ?? 0 >= timesWithoutReason
  }

  static let offered = [10, 30, 60, 120, 180, 240]

  /// Returns the choices in minutes that fit the dose now; none once it is answered or cancelled.
  ///
  /// - Parameter minimumGap: the least time between two intakes in milliseconds; nil for none.
  package static func minutes(for dose: Dose, minimumGap: Int64?, now: Timestamp) -> [Int] {
    switch dose.state {
    case .taken, .skipped, .refused, .cancelled: return []
    case .scheduled, .due, .later, .missed, .withheld: break
    }
    let maximum = maximumMinutes(
      from: now, due: dose.due, lateUntil: dose.lateUntil, nextDue: dose.nextDue,
      minimumGap: minimumGap)
    return offered.filter { $0 <= maximum }
  }

  /// Returns the longest whole number of minutes that ends before the late window does, and one
  /// minimum gap before the next dose.
  ///
  /// The minutes count from `start`, or from `due` if that is later.
  ///
  /// - Parameter minimumGap: in milliseconds; nil for none.
  package static func maximumMinutes(
    from start: Timestamp,
    due: Timestamp,
    lateUntil: Timestamp,
    nextDue: Timestamp?,
    minimumGap: Int64?
  ) -> Int {
    var latest = lateUntil.milliseconds - 1
    if let nextDue {
      // Without a minimum gap, it still ends before the next dose rings.
      latest = min(latest, nextDue.milliseconds.subtractingClamped(max(minimumGap ?? 1, 1)))
    }
    let room = latest.subtractingClamped(max(start, due).milliseconds)
    return room < 60_000 ? 0 : Int(clamping: room / 60_000)
  }
}

extension Int64 {
  /// Returns the difference, clamped to the ends of the range instead of trapping.
  package func subtractingClamped(_ other: Int64) -> Int64 {
    let (value, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other > 0 ? .min : .max) : value
  }

  /// Returns the sum, clamped to the ends of the range instead of trapping.
  package func addingClamped(_ other: Int64) -> Int64 {
    let (value, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : value
  }
}
