// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Localization
import Scheduling
import Storage

/// The data of a patient that planning and display need.
package struct Person: Sendable, Hashable {
  /// The full name as shown.
  package let displayName: String
  /// The time zone, an IANA identifier.
  package let zone: String
  /// The person's language.
  package let language: Language
  /// The times of waking, meals and sleep.
  package let rhythm: DailyRhythm
  /// The label by which notifications and buttons tell the person apart.
  package var label = PersonLabel()

  /// Creates a person.
  package init(
    displayName: String, zone: String, language: Language, rhythm: DailyRhythm,
    label: PersonLabel = PersonLabel()
  ) {
    self.displayName = displayName
    self.zone = zone
    self.language = language
    self.rhythm = rhythm
    self.label = label
  }
}

/// The rows of `people` and `daily_rhythm`.
package enum PeopleRows {
  /// The events whose times a person sets; the others are derived from them or are parts of the day.
  static let settableEvents: [DayEvent] = [.wake, .breakfast, .lunch, .dinner, .bedtime]

  /// Returns a person; nil if there is no such patient.
  package static func load(_ patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> Person?
  {
    try person(reader.query(personStatement, [.text(patient)]))
  }

  private static let personStatement = SQLStatement(
    """
    SELECT \(PersonRow.columns)
    FROM people p LEFT JOIN daily_rhythm r ON r.patient = p.patient WHERE p.patient = $1
    """)

  /// Returns the person whose columns the rows begin with, one row for each event of the daily rhythm; nil
  /// for no rows.
  package static func person(_ rows: [SQLRow]) throws(StorageError) -> Person? {
    let rows = rows.map { $0.read(PersonRow.self) }
    guard let row = rows.first else { return nil }
    var rhythm = DailyRhythm()
    for row in rows where row[.event] != .null {
      try set(in: &rhythm, row, event: .event, time: .clockTime)
    }
    return Person(
      displayName: try row.text(.displayName), zone: try row.text(.zone),
      language: Language(tag: try row.text(.language)) ?? .en, rhythm: rhythm,
      label: try PersonLabel(row, kind: .label, nickname: .nickname, colour: .colour))
  }

  /// Returns a patient's daily rhythm, with the standard time for each event that was not set.
  package static func rhythm(_ patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> DailyRhythm
  {
    var rhythm = DailyRhythm()
    for row in try reader.query(rhythmStatement, [.text(patient)]) {
      try set(in: &rhythm, row.read(RhythmRow.self), event: .event, time: .clockTime)
    }
    return rhythm
  }

  private static let rhythmStatement = SQLStatement(
    "SELECT \(RhythmRow.columns) FROM daily_rhythm WHERE patient = $1")

  /// Sets the time of an event from two columns of a row.
  private static func set<Column>(
    in rhythm: inout DailyRhythm, _ row: ColumnReader<Column>, event: Column, time: Column
  ) throws(StorageError) {
    guard let found = DayEvent(code: try row.text(event)) else { throw row.unexpected(event) }
    guard let at = ClockTime(text: try row.text(time)) else { throw row.unexpected(time) }
    rhythm.set(at, for: found)
  }

  /// Deletes a person's row, and with it every row that the foreign keys reach.
  package static func erase(_ patient: PatientID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM people WHERE patient = $1", [.text(patient)])
  }

  /// Stores a person, replacing what was stored.
  package static func save(_ person: Person, patient: PatientID, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(saveStatement, WrittenPersonRow(patient: patient, person: person).values)
    for event in settableEvents {
      let row = WrittenRhythmRow(patient: patient, event: event, time: person.rhythm[event])
      try writer.execute(saveRhythmStatement, row.values)
    }
  }

  private static let saveStatement = SQLStatement(
    """
    INSERT INTO people (\(WrittenPersonRow.columns)) VALUES (\(WrittenPersonRow.placeholders))
    ON CONFLICT (patient) DO UPDATE SET display_name = excluded.display_name,
      zone = excluded.zone, language = excluded.language, label = excluded.label,
      nickname = excluded.nickname, colour = excluded.colour
    """)

  private static let saveRhythmStatement = SQLStatement(
    """
    INSERT INTO daily_rhythm (\(WrittenRhythmRow.columns)) VALUES (\(WrittenRhythmRow.placeholders))
    ON CONFLICT (patient, event) DO UPDATE SET clock_time = excluded.clock_time
    """)
}

/// The columns of a ``Person``: one row for each event of the daily rhythm whose time was set.
package enum PersonRow: SQLRowType {
  /// The columns of a person and of one event.
  package enum Column: Int, SQLColumn {
    case displayName, zone, language, label, nickname, colour, event, clockTime
  }

  /// The columns of `people p` and `daily_rhythm r`.
  package static let columns = SQLColumns<Column>(
    of: "p", [.event: "r.event", .clockTime: "r.clock_time"])
}

/// A row of `daily_rhythm` without its patient.
enum RhythmRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case event, clockTime
  }

  static let columns = SQLColumns<Column>()
}

/// A row of `people`.
struct WrittenPersonRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, displayName, zone, language, label, nickname, colour
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let person: Person

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .displayName: .text(person.displayName)
    case .zone: .text(person.zone)
    case .language: .text(person.language.rawValue)
    case .label: .text(person.label.kind.rawValue)
    case .nickname: .text(DraftText.trimmed(person.label.nickname))
    case .colour: .text(person.label.colour?.rawValue ?? "")
    }
  }
}

/// A row of `daily_rhythm`.
struct WrittenRhythmRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, event, clockTime
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let event: DayEvent
  let time: ClockTime

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .event: .text(event.code)
    case .clockTime: .text(time.text)
    }
  }
}

extension PersonLabel {
  /// Reads the label from its three columns.
  init<Column>(
    _ row: ColumnReader<Column>, kind: Column, nickname: Column, colour: Column
  ) throws(StorageError) {
    self.init(
      Kind(rawValue: try row.text(kind)) ?? .initial,
      colour: PersonColour(rawValue: try row.text(colour)), nickname: try row.text(nickname))
  }
}
