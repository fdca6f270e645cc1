// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// A row of `reminder_choices`.
struct ReminderChoicesRow: SQLReadableRow, SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, sound, weekendMinute, holidayMinute, holidayStarts, holidayEnds
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let choices: ReminderChoices

  init(_ choices: ReminderChoices, patient: PatientID) {
    self.patient = patient
    self.choices = choices
  }

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    patient = try columns.id(.patient)
    var choices = ReminderChoices()
    choices.sound = try columns.text(.sound)
    choices.weekendMinute = try columns.optionalInteger(.weekendMinute).map { Int(clamping: $0) }
    if let minute = try columns.optionalInteger(.holidayMinute),
      let starts = try columns.optionalText(.holidayStarts).flatMap({ CivilDate(text: $0) }),
      let ends = try columns.optionalText(.holidayEnds).flatMap({ CivilDate(text: $0) })
    {
      choices.holiday = ReminderChoices.Holiday(
        minute: Int(clamping: minute), starts: starts, ends: ends)
    }
    self.choices = choices
  }

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .sound: .text(choices.sound)
    case .weekendMinute: SQLValue(choices.weekendMinute)
    case .holidayMinute: SQLValue(choices.holiday?.minute)
    case .holidayStarts: SQLValue(choices.holiday?.starts.text)
    case .holidayEnds: SQLValue(choices.holiday?.ends.text)
    }
  }
}

/// The table `reminder_choices`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum ReminderChoiceStore {
  /// Returns the rows of patients; patients without choices of their own have none.
  static func rows(of patients: [PatientID], in reader: any SQLReader)
    throws(StorageError) -> [ReminderChoicesRow]
  {
    try reader.query(
      "SELECT \(ReminderChoicesRow.columns) FROM reminder_choices WHERE patient IN (", [],
      in: patients.map { .text($0) }
    ).decode()
  }

  static func set(_ row: ReminderChoicesRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(setStatement, row.values)
  }

  private static let setStatement = SQLStatement(
    """
    INSERT INTO reminder_choices (\(ReminderChoicesRow.columns))
    VALUES (\(ReminderChoicesRow.placeholders))
    ON CONFLICT (patient) DO UPDATE SET sound = excluded.sound,
      weekend_minute = excluded.weekend_minute, holiday_minute = excluded.holiday_minute,
      holiday_starts = excluded.holiday_starts, holiday_ends = excluded.holiday_ends
    """)

  /// Replaces a removed sound with the standard one.
  static func replace(
    sound: String, with other: String, of patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE reminder_choices SET sound = $1 WHERE patient = $2 AND sound = $3",
      [.text(other), .text(patient), .text(sound)])
  }
}
