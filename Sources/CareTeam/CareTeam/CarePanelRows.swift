// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Reminders
import Scheduling
import Storage
import Supply

/// A patient of a practitioner, with the shared categories.
struct CarePersonRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case patient, displayName, categories }

  static let columns = SQLColumns<Column>(of: "g", [.displayName: "p.display_name"])

  let patient: PatientID
  let name: String
  let categories: Set<DataCategory>

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    name = try row.text(.displayName)
    categories = Set(
      try row.text(.categories).split(separator: " ").compactMap {
        DataCategory(rawValue: String($0))
      })
  }
}

/// The numbers of a patient's recently missed and refused doses, with the times of the first ones.
struct CareDosesRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case patient, missed, refused, missedSince, refusedSince }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let missed: Int
  let refused: Int
  let missedSince: Timestamp?
  let refusedSince: Timestamp?

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    missed = Int(clamping: try row.integer(.missed))
    refused = Int(clamping: try row.integer(.refused))
    missedSince = try row.optionalTimestamp(.missedSince)
    refusedSince = try row.optionalTimestamp(.refusedSince)
  }
}

/// The numbers of a patient's heart rate warnings, and of those without an answer.
struct CareWarningsRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case patient, days, unanswered, since, unansweredSince }

  static let columns = SQLColumns<Column>(
    of: "g",
    [
      .days: "COUNT(*)", .unanswered: "COUNT(*) FILTER (WHERE h.answer IS NULL)",
      .since: "MIN(h.created)",
      .unansweredSince: "MIN(h.created) FILTER (WHERE h.answer IS NULL)",
    ])

  let patient: PatientID
  let days: Int
  let unanswered: Int
  let since: Timestamp?
  let unansweredSince: Timestamp?

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    days = Int(clamping: try row.integer(.days))
    unanswered = Int(clamping: try row.integer(.unanswered))
    since = try row.optionalTimestamp(.since)
    unansweredSince = try row.optionalTimestamp(.unansweredSince)
  }
}

/// A device of someone who acts for a patient.
struct CareDeviceRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case patient, unshown, firstUnshown }

  static let columns = SQLColumns<Column>(of: "s", [.patient: "o.patient"])

  let patient: PatientID
  let firstUnshown: Timestamp?
  private let device: ReminderRecipient.Device

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    firstUnshown = try row.optionalTimestamp(.firstUnshown)
    device = ReminderRecipient.Device(
      subscription: "", unshown: try row.integer(.unshown), firstUnshown: firstUnshown)
  }

  /// Returns the time since which the device has shown nothing; nil for a device that works.
  func silentSince(at now: Timestamp) -> Timestamp? {
    device.isBroken(at: now) ? firstUnshown : nil
  }
}

/// A stock that runs low or is out.
struct CareStockRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case patient, stock, mark, runsOutDay, since }

  static let columns = SQLColumns<Column>(of: "m", [.patient: "g.patient"])

  let patient: PatientID
  let stock: StockID
  let kind: StockMark.Kind
  /// The day; nil for a stock that is out, and for an invalid text.
  let runsOut: CivilDate?
  let since: Timestamp

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    stock = try row.id(.stock)
    kind = try row.named(.mark)
    runsOut = try kind == .low ? CivilDate(text: row.text(.runsOutDay)) : nil
    since = try row.timestamp(.since)
  }
}

/// The prescriptions that wait for a patient's answer.
struct CareWaitingRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case patient, count, since }

  static let columns = SQLColumns<Column>(
    of: "g", [.count: "COUNT(*)", .since: "MIN(p.created)"])

  let patient: PatientID
  let count: Int
  let since: Timestamp?

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    count = Int(clamping: try row.integer(.count))
    since = try row.optionalTimestamp(.since)
  }
}
