// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Storage

/// A code of Observations or of a part of them.
package struct ObservationCode: Sendable, Hashable {
  /// The code system; empty without one.
  package let system: String
  /// The code.
  package let code: String

  /// Creates a code.
  package init(system: String, code: String) {
    self.system = system
    self.code = code
  }

  /// Creates the first code of a CodeableConcept; nil if it has none.
  package init?(_ concept: JSONValue?) {
    guard let coding = concept?["coding"]?[0], let code = coding["code"]?.string else {
      return nil
    }
    self.init(system: coding["system"]?.string ?? "", code: code)
  }
}

/// A number that an Observation states, with its time.
package struct ObservationNumber: Sendable, Hashable {
  /// The beginning of the time of measurement; of a bare date, its midnight in UTC.
  package let at: Timestamp
  /// True if only the date is known.
  package let isDate: Bool
  /// The number.
  package let value: Double
  /// The code of its unit, or else the unit's name; empty without one.
  package let unit: String
}

/// The numbers in a person's stored Observations, whatever they measure; the caller has decided access.
package enum NumericObservations {
  /// The greatest number in either direction: anything beyond it is no measurement.
  package static let largest = 1_000_000_000.0
  /// The greatest number of codes that are listed.
  private static let mostCodes = 60
  /// Beyond this number the values come from the index, because parsing every body would take too long.
  private static let fewBodies = 250

  // MARK: Codes

  /// Returns an Observation of each code that a person has, by code.
  ///
  /// One with several codes is returned for its first.
  ///
  /// - Parameter part: The Observations that may be seen.
  package static func samples(
    of patient: PatientID, part: ObservationPart = .either, in reader: any SQLReader
  ) throws(StorageError) -> [(code: ObservationCode, resource: JSONValue)] {
    let diary = try diary(of: patient, besides: part, in: reader)
    let rows: [ObservationCodeRow] = try reader.query(
      codesStatement, [.text(patient), SQLValue(mostCodes)]
    ).decode()
    var samples: [(code: ObservationCode, resource: JSONValue)] = []
    for row in rows where Self.isVisible(row.newest, part, diary) {
      let body = try reader.first(bodyStatement, [.text(patient), .text(row.newest)])?
        .value(as: String.self)
      guard let body, let resource = try? JSONValue(parsing: Array(body.utf8)),
        ObservationCode(resource["code"]) == row.code
      else { continue }
      samples.append((row.code, resource))
    }
    return samples
  }

  private static let codesStatement = SQLStatement(
    """
    SELECT \(ObservationCodeRow.columns) FROM record_index
    WHERE patient = $1 AND type = 'Observation' AND parameter = 'code'
    GROUP BY value, detail ORDER BY value, detail LIMIT $2
    """)

  // MARK: The diary

  /// Returns the Observations of the diary; nothing if all Observations may be seen.
  private static func diary(
    of patient: PatientID, besides part: ObservationPart, in reader: any SQLReader
  ) throws(StorageError) -> Set<String> {
    guard part != .either else { return [] }
    let ids: [String] = try reader.query(
      diaryStatement, [.text(patient), .text(ObservationPart.diarySystem)]
    ).values()
    return Set(ids)
  }

  // The same as the search parameters of ``ObservationPart``.
  private static let diaryStatement = SQLStatement(
    """
    SELECT DISTINCT id FROM record_index WHERE patient = $1 AND type = 'Observation'
      AND ((parameter = 'code' AND detail = $2) OR (parameter = 'category' AND value = 'survey'))
    """)

  private static func isVisible(
    _ id: String, _ part: ObservationPart, _ diary: Set<String>
  ) -> Bool {
    switch part {
    case .either: true
    case .diary: diary.contains(id)
    case .measurements: !diary.contains(id)
    }
  }

  private static let bodyStatement = SQLStatement(
    "SELECT body FROM resources WHERE type = 'Observation' AND patient = $1 AND id = $2")

  // MARK: Numbers

  /// Returns the numbers of the Observations with a code that began in an interval, by time.
  ///
  /// Values entered in error, longer than a day or without a time are left out.
  ///
  /// - Parameters:
  ///   - component: The code of the part that has the number; nil for the value itself.
  ///   - part: The Observations that may be seen.
  package static func numbers(
    _ code: ObservationCode, component: ObservationCode? = nil, of patient: PatientID,
    part: ObservationPart = .either, from: Timestamp, until: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [ObservationNumber] {
    let arguments: [SQLValue] = [
      .text(patient), .real(Double(from.milliseconds)), .real(Double(until.milliseconds)),
      .text(code.code), .text(code.system),
    ]
    let diary = try diary(of: patient, besides: part, in: reader)
    if let component {
      let rows: [TimedObservationRow] = try reader.query(timedStatement, arguments).decode()
      return rows.compactMap { row in
        guard row.time.isWithinDay, isVisible(row.time.id, part, diary),
          let (value, unit) = number(inBody: row.body, component)
        else { return nil }
        return row.time.number(value, unit)
      }
    }
    let times: [ObservationTimeRow] = try reader.query(timesStatement, arguments).decode()
    let days = times.filter { $0.isWithinDay && isVisible($0.id, part, diary) }
    guard !days.isEmpty else { return [] }
    if days.count > fewBodies,
      let indexed = try indexedNumbers(code, at: days, of: patient, in: reader)
    {
      return indexed
    }
    var bodies: [String: String] = [:]
    for row in try reader.query(bodiesStatement, arguments) {
      let row = row.read(ObservationTextRow.self)
      bodies[try row.text(.id)] = try row.text(.body)
    }
    return days.compactMap { time in
      guard let body = bodies[time.id], let resource = try? JSONValue(parsing: Array(body.utf8)),
        let (value, unit) = number(in: resource)
      else { return nil }
      return time.number(value, unit)
    }
  }

  // The ids of a code are read once: looking up each date in the index takes SQLite twice as long.
  private static let timesStatement = SQLStatement(
    """
    SELECT \(ObservationTimeRow.columns)
    FROM record_index d JOIN resources r
      ON r.type = 'Observation' AND r.patient = d.patient AND r.id = d.id
    WHERE d.patient = $1 AND d.type = 'Observation' AND d.parameter = 'date'
      AND d.value = '' AND d.detail = '' AND d.lower >= $2 AND d.lower < $3
      AND (r.status IS NULL OR r.status <> 'entered-in-error')
      AND d.id IN (SELECT c.id FROM record_index c WHERE c.patient = $1 AND c.type = 'Observation'
        AND c.parameter = 'code' AND c.value = $4 AND c.detail = $5)
    ORDER BY d.lower, d.upper, d.id
    """)

  // The values of parts are only in the bodies, so that one query reads both.
  private static let timedStatement = SQLStatement(
    """
    SELECT \(TimedObservationRow.columns)
    FROM record_index d JOIN resources r
      ON r.type = 'Observation' AND r.patient = d.patient AND r.id = d.id
    WHERE d.patient = $1 AND d.type = 'Observation' AND d.parameter = 'date'
      AND d.value = '' AND d.detail = '' AND d.lower >= $2 AND d.lower < $3
      AND (r.status IS NULL OR r.status <> 'entered-in-error')
      AND d.id IN (SELECT c.id FROM record_index c WHERE c.patient = $1 AND c.type = 'Observation'
        AND c.parameter = 'code' AND c.value = $4 AND c.detail = $5)
    ORDER BY d.lower, d.upper, d.id
    """)

  /// Returns the number of a part of a stored Observation, of which little else is parsed.
  private static func number(
    inBody body: String, _ component: ObservationCode
  ) -> (value: Double, unit: String)? {
    if let bytes = JSONMember.value("component", of: body),
      let parts = try? JSONValue(parsing: bytes)
    {
      return number(in: ["component": parts], component)
    }
    return (try? JSONValue(parsing: Array(body.utf8))).flatMap { number(in: $0, component) }
  }

  private static let bodiesStatement = SQLStatement(
    """
    SELECT \(ObservationTextRow.columns)
    FROM record_index d JOIN resources r
      ON r.type = 'Observation' AND r.patient = d.patient AND r.id = d.id
    WHERE d.patient = $1 AND d.type = 'Observation' AND d.parameter = 'date'
      AND d.value = '' AND d.detail = '' AND d.lower >= $2 AND d.lower < $3
      AND d.id IN (SELECT c.id FROM record_index c WHERE c.patient = $1 AND c.type = 'Observation'
        AND c.parameter = 'code' AND c.value = $4 AND c.detail = $5)
    """)

  /// Returns the numbers of Observations from the index; nil if it does not have all of them.
  private static func indexedNumbers(
    _ code: ObservationCode, at times: [ObservationTimeRow], of patient: PatientID,
    in reader: any SQLReader
  ) throws(StorageError) -> [ObservationNumber]? {
    var known: [String: ObservationQuantityRow] = [:]
    known.reserveCapacity(times.count)
    let rows: [ObservationQuantityRow] = try reader.query(
      quantitiesStatement, [.text(patient), .text(code.code), .text(code.system)]
    ).decode()
    // A unit with a name other than its code has two rows, of which only that of the code has a system.
    for row in rows where known[row.id] == nil || !row.system.isEmpty { known[row.id] = row }
    var numbers: [ObservationNumber] = []
    for time in times {
      guard let row = known[time.id], let value = row.number else { return nil }
      if abs(value) <= largest { numbers.append(time.number(value, row.unit)) }
    }
    return numbers
  }

  private static let quantitiesStatement = SQLStatement(
    """
    SELECT \(ObservationQuantityRow.columns) FROM record_index q
    WHERE q.patient = $1 AND q.type = 'Observation' AND q.parameter = 'value-quantity'
      AND q.id IN (SELECT c.id FROM record_index c WHERE c.patient = $1 AND c.type = 'Observation'
        AND c.parameter = 'code' AND c.value = $2 AND c.detail = $3)
    """)

  /// Returns the number of an Observation, or of its part with a code, and its unit; nil if it states none.
  package static func number(
    in resource: JSONValue, _ component: ObservationCode? = nil
  ) -> (value: Double, unit: String)? {
    var place: JSONValue? = resource
    if let component {
      place = resource["component"]?.array?.first { ObservationCode($0["code"]) == component }
    }
    guard let place else { return nil }
    let quantity = place["valueQuantity"]
    // "Less than 5" is not a number to average.
    guard quantity?["comparator"] == nil else { return nil }
    let text = (quantity?["value"] ?? place["valueInteger"])?.number?.text
    guard let value = text.flatMap({ Double($0) }), abs(value) <= largest else { return nil }
    return (value, quantity?["code"]?.string ?? quantity?["unit"]?.string ?? "")
  }
}

/// A code of a person's Observations with the last of their ids.
struct ObservationCodeRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case value, detail, newest }

  static let columns = SQLColumns<Column>([.newest: "MAX(id)"])

  let code: ObservationCode
  let newest: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    code = ObservationCode(system: try row.text(.detail), code: try row.text(.value))
    newest = try row.text(.newest)
  }
}

/// An Observation with the time that it covers, in milliseconds since 1970.
struct ObservationTimeRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case id, lower, upper }

  static let columns = SQLColumns<Column>(of: "d")

  let id: String
  let lower: Double
  let upper: Double

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    self.init(
      id: try row.text(.id), lower: try row.real(.lower), upper: try row.real(.upper))
  }

  init(id: String, lower: Double, upper: Double) {
    self.id = id
    self.lower = lower
    self.upper = upper
  }

  private static let day = 86_400_000.0

  /// True if it covers at most a day.
  var isWithinDay: Bool { upper - lower <= Self.day }

  func number(_ value: Double, _ unit: String) -> ObservationNumber {
    ObservationNumber(
      at: Timestamp(milliseconds: Int64(lower)), isDate: upper - lower == Self.day, value: value,
      unit: unit)
  }
}

/// The body of an Observation with the time that it covers.
struct TimedObservationRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case id, lower, upper, body }

  static let columns = SQLColumns<Column>(of: "d", [.body: "r.body"])

  let time: ObservationTimeRow
  let body: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    time = ObservationTimeRow(
      id: try row.text(.id), lower: try row.real(.lower), upper: try row.real(.upper))
    body = try row.text(.body)
  }
}

/// The body of an Observation.
enum ObservationTextRow: SQLRowType {
  enum Column: Int, SQLColumn { case id, body }

  static let columns = SQLColumns<Column>(of: "r")
}

/// A quantity of an Observation as the index has it.
struct ObservationQuantityRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case id, value, detail, lower, upper }

  static let columns = SQLColumns<Column>(of: "q")

  let id: String
  let unit: String
  let system: String
  let lower: Double
  let upper: Double

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    id = try row.text(.id)
    unit = try row.text(.value)
    system = try row.text(.detail)
    lower = try row.real(.lower)
    upper = try row.real(.upper)
  }

  /// The number in the middle of the range that its digits cover; nil for an open range.
  var number: Double? {
    guard upper >= lower, upper - lower < NumericObservations.largest else { return nil }
    return (lower + upper) / 2
  }
}
