// SPDX-License-Identifier: Apache-2.0
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
}

/// The rows of `people` and `daily_rhythm`.
enum PeopleRows {
  /// The events whose times a person sets; the others follow from them or are parts of the day.
  static let settableEvents: [DayEvent] = [.wake, .breakfast, .lunch, .dinner, .bedtime]

  static func load(_ patient: String, in reader: any SQLReader) throws(StorageError) -> Person? {
    let row = try reader.first(
      "SELECT display_name, zone, language FROM people WHERE patient = $1", [.text(patient)])
    guard let row else { return nil }
    return Person(
      displayName: try row.text(0), zone: try row.text(1),
      language: Language(tag: try row.text(2)) ?? .en, rhythm: try rhythm(patient, in: reader))
  }

  static func rhythm(_ patient: String, in reader: any SQLReader) throws(StorageError)
    -> DailyRhythm
  {
    var rhythm = DailyRhythm()
    let rows = try reader.query(
      "SELECT event, clock_time FROM daily_rhythm WHERE patient = $1", [.text(patient)])
    for row in rows {
      guard let event = DayEvent(code: try row.text(0)) else {
        throw .unexpectedValue(column: 0, expected: .text)
      }
      guard let time = ClockTime(text: try row.text(1)) else {
        throw .unexpectedValue(column: 1, expected: .text)
      }
      rhythm.set(time, for: event)
    }
    return rhythm
  }

  static func save(_ person: Person, patient: String, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      INSERT INTO people (patient, display_name, zone, language) VALUES ($1, $2, $3, $4)
      ON CONFLICT (patient) DO UPDATE SET display_name = excluded.display_name,
        zone = excluded.zone, language = excluded.language
      """,
      [
        .text(patient), .text(person.displayName), .text(person.zone),
        .text(person.language.rawValue),
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
