// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Localization
import Scheduling
import Storage

/// What planning needs to know of a patient.
struct Person: Sendable, Hashable {
  let displayName: String
  /// An IANA identifier.
  let zone: String
  let language: Language
  let rhythm: DailyRhythm
  var label = PersonLabel()
}

/// The rows of `people` and `daily_rhythm`.
enum PeopleRows {
  /// The events whose times a person sets; the others follow from them or are parts of the day.
  static let settableEvents: [DayEvent] = [.wake, .breakfast, .lunch, .dinner, .bedtime]

  static func load(_ patient: PatientID, in reader: any SQLReader) throws(StorageError) -> Person? {
    let rows = try reader.query(
      """
      SELECT p.display_name, p.zone, p.language, p.label, p.nickname, p.colour, r.event, r.clock_time
      FROM people p LEFT JOIN daily_rhythm r ON r.patient = p.patient WHERE p.patient = $1
      """, [.text(patient)])
    return try person(rows)
  }

  /// The person in the first eight columns of rows, which differ in the event of the daily rhythm; nil for no rows.
  static func person(_ rows: [SQLRow]) throws(StorageError) -> Person? {
    guard let row = rows.first else { return nil }
    return Person(
      displayName: try row.text(0), zone: try row.text(1),
      language: Language(tag: try row.text(2)) ?? .en,
      rhythm: try rhythm(row[6] == .null ? [] : rows, from: 6), label: try label(row, from: 3))
  }

  /// The label in three columns of a row: its kind, the nickname and the colour.
  static func label(_ row: SQLRow, from column: Int) throws(StorageError) -> PersonLabel {
    PersonLabel(
      PersonLabel.Kind(rawValue: try row.text(column)) ?? .initial,
      colour: PersonColour(rawValue: try row.text(column + 2)),
      nickname: try row.text(column + 1))
  }

  static func rhythm(_ patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> DailyRhythm
  {
    let rows = try reader.query(
      "SELECT event, clock_time FROM daily_rhythm WHERE patient = $1", [.text(patient)])
    return try rhythm(rows, from: 0)
  }

  /// The rhythm in two columns of rows: an event and its time.
  private static func rhythm(_ rows: [SQLRow], from column: Int) throws(StorageError)
    -> DailyRhythm
  {
    var rhythm = DailyRhythm()
    for row in rows {
      guard let event = DayEvent(code: try row.text(column)) else {
        throw .unexpectedValue(column: column, expected: .text)
      }
      guard let time = ClockTime(text: try row.text(column + 1)) else {
        throw .unexpectedValue(column: column + 1, expected: .text)
      }
      rhythm.set(time, for: event)
    }
    return rhythm
  }

  /// Deletes a person's row, and with it every row that the foreign keys lead to.
  static func erase(_ patient: PatientID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM people WHERE patient = $1", [.text(patient)])
  }

  static func save(_ person: Person, patient: PatientID, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      INSERT INTO people (patient, display_name, zone, language, label, nickname, colour)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (patient) DO UPDATE SET display_name = excluded.display_name,
        zone = excluded.zone, language = excluded.language, label = excluded.label,
        nickname = excluded.nickname, colour = excluded.colour
      """,
      [
        .text(patient), .text(person.displayName), .text(person.zone),
        .text(person.language.rawValue), .text(person.label.kind.rawValue),
        .text(DraftText.trimmed(person.label.nickname)),
        .text(person.label.colour?.rawValue ?? ""),
      ])
    for event in settableEvents {
      try writer.execute(
        """
        INSERT INTO daily_rhythm (patient, event, clock_time) VALUES ($1, $2, $3)
        ON CONFLICT (patient, event) DO UPDATE SET clock_time = excluded.clock_time
        """, [.text(patient), .text(event.code), .text(person.rhythm[event].text)])
    }
  }
}
