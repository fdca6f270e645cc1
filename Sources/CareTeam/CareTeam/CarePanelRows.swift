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

/// The numbers of a patient's recently missed and refused doses.
struct CareDosesRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case patient, missed, refused }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let missed: Int
  let refused: Int

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    missed = Int(clamping: try row.integer(.missed))
    refused = Int(clamping: try row.integer(.refused))
  }
}

/// The numbers of a patient's heart rate warnings, and of those without an answer.
struct CareWarningsRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case patient, days, unanswered }

  static let columns = SQLColumns<Column>(
    of: "g",
    [.days: "COUNT(*)", .unanswered: "COUNT(*) FILTER (WHERE h.answer IS NULL)"])

  let patient: PatientID
  let days: Int
  let unanswered: Int

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    days = Int(clamping: try row.integer(.days))
    unanswered = Int(clamping: try row.integer(.unanswered))
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

  /// The time since when nothing was shown; nil for a device that works.
  func silentSince(at now: Timestamp) -> Timestamp? {
    device.isBroken(at: now) ? firstUnshown : nil
  }
}

/// A stock that runs low or is out.
struct CareStockRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case patient, stock, mark, runsOutDay }

  static let columns = SQLColumns<Column>(of: "m", [.patient: "g.patient"])

  let patient: PatientID
  let stock: StockID
  let kind: StockMark.Kind
  /// Nil for a stock that is out, and for a text that is no day.
  let runsOut: CivilDate?

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    stock = try row.id(.stock)
    kind = try row.named(.mark)
    runsOut = try kind == .low ? CivilDate(text: row.text(.runsOutDay)) : nil
  }
}

/// The prescriptions that wait for a patient's answer.
struct CareWaitingRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case patient, count }

  static let columns = SQLColumns<Column>(of: "g", [.count: "COUNT(*)"])

  let patient: PatientID
  let count: Int

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    count = Int(clamping: try row.integer(.count))
  }
}
