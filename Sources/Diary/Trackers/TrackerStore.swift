// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The table `diary_trackers`: own trackers, and the standard ones that a person uses.
package enum TrackerStore {
  /// The maximum number of own trackers, including the ones put away.
  package static let most = 100
  /// The longest name of a tracker and of its unit, in characters.
  package static let longestName = 60

  /// Returns the trackers of a patient: the ones in use first, in the order of their first use, then the others.
  package static func all(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [Tracker] {
    var mine: [Tracker] = []
    var others: [Tracker] = []
    var known: Set<TrackerID> = []
    for row in try rows(of: patient, in: reader) {
      guard let tracker = row.tracker else { continue }
      known.insert(tracker.id)
      if tracker.isMine { mine.append(tracker) } else { others.append(tracker) }
    }
    let unused = StandardTracker.allCases.filter { !known.contains($0.id) }.map { Tracker($0) }
    let order = StandardTracker.allCases
    others = (others + unused).filter { $0.standard != nil }.sorted { left, right in
      let places = [left, right].map { tracker in
        order.firstIndex { $0.id == tracker.id } ?? order.count
      }
      return places[0] < places[1]
    }
    return mine + others
  }

  /// Returns a tracker, even one that was put away; nil if the patient has none of that id.
  package static func tracker(
    _ id: TrackerID, of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Tracker? {
    let stored = try reader.first(oneStatement, [.text(patient), .text(id)])?
      .decode(as: TrackerRow.self)
    return stored?.tracker ?? StandardTracker(rawValue: id.text).map { Tracker($0) }
  }

  private static let oneStatement = SQLStatement(
    """
    SELECT \(TrackerRow.columns) FROM diary_trackers WHERE patient = $1 AND tracker = $2
    """)

  /// Returns the own trackers that were put away, whose entries stay readable.
  package static func ended(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [Tracker] {
    try rows(of: patient, in: reader).compactMap(\.tracker)
      .filter { !$0.isMine && $0.standard == nil }
  }

  static func rows(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [TrackerRow] {
    try reader.query(allStatement, [.text(patient)]).decode(as: TrackerRow.self)
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(TrackerRow.columns) FROM diary_trackers WHERE patient = $1 ORDER BY created, tracker
    """)

  /// Adds a tracker, or replaces its name and unit and takes it back into use.
  static func save(_ row: NewTrackerRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(saveStatement, row.values)
  }

  private static let saveStatement = SQLStatement(
    """
    INSERT INTO diary_trackers (\(NewTrackerRow.columns)) VALUES (\(NewTrackerRow.placeholders))
    ON CONFLICT (patient, tracker) DO UPDATE SET name = excluded.name, unit = excluded.unit,
      ended = NULL
    """)

  /// Puts a tracker away; returns false if it is not in use.
  static func end(
    _ id: TrackerID, of patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      UPDATE diary_trackers SET ended = $1 WHERE patient = $2 AND tracker = $3 AND ended IS NULL
      """, [SQLValue(now), .text(patient), .text(id)]) == 1
  }
}

/// A row of `diary_trackers` as it is read.
struct TrackerRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case tracker, scale, name, unit, ended }

  static let columns = SQLColumns<Column>()

  let id: TrackerID
  let scale: String
  let name: String
  let unit: String
  let isEnded: Bool

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    id = try row.id(.tracker)
    scale = try row.text(.scale)
    name = try row.text(.name)
    unit = try row.text(.unit)
    isEnded = try row.optionalInteger(.ended) != nil
  }

  /// The tracker; nil for a scale or a standard tracker of a newer program.
  var tracker: Tracker? {
    if scale == "standard" {
      return StandardTracker(rawValue: id.text).map {
        Tracker($0, unit: DiaryUnit(rawValue: unit), isMine: !isEnded)
      }
    }
    guard let scale = OwnScale(rawValue: scale) else { return nil }
    var tracker = Tracker(own: id, name: name, scale: scale, unit: unit)
    tracker.isMine = !isEnded
    return tracker
  }
}

/// A row of `diary_trackers` as it is written.
struct NewTrackerRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case patient, tracker, scale, name, unit, created }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let tracker: TrackerID
  let scale: String
  let name: String
  let unit: String
  let created: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .tracker: .text(tracker)
    case .scale: .text(scale)
    case .name: .text(name)
    case .unit: .text(unit)
    case .created: SQLValue(created)
    }
  }
}
