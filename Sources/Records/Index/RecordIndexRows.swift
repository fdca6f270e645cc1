// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Storage

/// A kind of values in the search index, which decides what the columns of a row mean.
///
/// The migration `m0011-search.sql` describes them.
enum RecordIndexKind: Sendable {
  case tokens, strings, dates, quantities, references

  /// The kind of a parameter's values.
  init(of parameter: String, in type: ResourceType) {
    switch SearchParameterTables.definition(parameter, of: type)?.kind {
    case .string: self = .strings
    case .date: self = .dates
    case .number, .quantity: self = .quantities
    case .reference: self = .references
    case .token, .uri, .composite, .special, nil: self = .tokens
    }
  }
}

/// The resource that rows of the index belong to.
struct IndexedResource: Sendable, Hashable {
  /// The patient; nil for a shared resource.
  let patient: PatientID?
  let type: String
  let id: String

  /// The first values of its rows.
  var values: [SQLValue] {
    let own: [SQLValue] = [.text(type), .text(id)]
    guard let patient else { return own }
    return [.text(patient)] + own
  }
}

/// A row of the search index, without the resource that it belongs to.
struct RecordIndexRow: Sendable, Hashable {
  let parameter: String
  let value: String
  let detail: String
  let lower: Double
  let upper: Double

  /// Creates a row; one of a text has no range.
  init(
    _ parameter: String, value: String = "", detail: String = "", lower: Double = 0,
    upper: Double = 0
  ) {
    self.parameter = parameter
    self.value = value
    self.detail = detail
    self.lower = lower
    self.upper = upper
  }

  /// Returns true if two rows have the same bytes: texts that Swift takes for equal differ in a database.
  static func == (left: RecordIndexRow, right: RecordIndexRow) -> Bool {
    left.lower == right.lower && left.upper == right.upper && left.parameter == right.parameter
      && left.value.utf8.elementsEqual(right.value.utf8)
      && left.detail.utf8.elementsEqual(right.detail.utf8)
  }

  /// The number of ``values``.
  static let width = 5

  /// The values after the resource's own, in the order of the statements of ``RecordIndex``.
  var values: [SQLValue] {
    [.text(parameter), .text(value), .text(detail), .real(lower), .real(upper)]
  }
}

extension RecordIndexRow: Comparable {
  /// Returns true if a row comes first in the order of the key, so that a write goes through it in one direction.
  static func < (left: RecordIndexRow, right: RecordIndexRow) -> Bool {
    if left.parameter != right.parameter { return left.parameter < right.parameter }
    if left.value != right.value { return left.value < right.value }
    if left.detail != right.detail { return left.detail < right.detail }
    return (left.lower, left.upper) < (right.lower, right.upper)
  }
}

/// The rows of one resource in the search index.
struct RecordIndexRows: Sendable, Hashable {
  private var rows: Set<RecordIndexRow> = []

  /// Creates no rows.
  init() {}

  /// Creates the rows of a resource.
  init(_ index: SearchIndex) {
    for entry in index.entries { add(entry) }
  }

  /// The rows in the order of the key.
  var sorted: [RecordIndexRow] { rows.sorted() }

  /// Returns the rows that these have and others do not.
  func subtracting(_ other: RecordIndexRows) -> RecordIndexRows {
    var rest = RecordIndexRows()
    rest.rows = rows.subtracting(other.rows)
    return rest
  }

  private mutating func add(_ entry: SearchIndexEntry) {
    let parameter = entry.parameter
    switch entry.value {
    case .token(let system, let code):
      rows.insert(
        RecordIndexRow(
          parameter, value: RecordIndexText.token(code), detail: RecordIndexText.token(system)))
    case .uri(let address):
      rows.insert(RecordIndexRow(parameter, value: RecordIndexText.token(address)))
    case .reference(let type, let id):
      rows.insert(
        RecordIndexRow(
          parameter, value: RecordIndexText.token(id), detail: RecordIndexText.token(type)))
    case .string(let text):
      rows.insert(
        RecordIndexRow(
          parameter, value: RecordIndexText.string(SearchFolding.fold(text)),
          detail: RecordIndexText.exact(text)))
    case .date(let lower, let upper):
      rows.insert(
        RecordIndexRow(
          parameter, lower: RecordIndexNumber.time(lower), upper: RecordIndexNumber.time(upper)))
    case .number(let lower, let upper):
      addRange(RecordIndexRow(parameter, lower: lower, upper: upper))
    case .quantity(let lower, let upper, let system, let code, let unit):
      if !code.isEmpty || !system.isEmpty || unit.isEmpty {
        addRange(
          RecordIndexRow(
            parameter, value: RecordIndexText.unit(code), detail: RecordIndexText.unit(system),
            lower: lower, upper: upper))
      }
      if !unit.isEmpty, unit != code {
        addRange(
          RecordIndexRow(parameter, value: RecordIndexText.unit(unit), lower: lower, upper: upper))
      }
    }
  }

  /// Adds a row with the ends of its range as the engines store them; not one that is no number.
  private mutating func addRange(_ row: RecordIndexRow) {
    guard !row.lower.isNaN, !row.upper.isNaN else { return }
    rows.insert(
      RecordIndexRow(
        row.parameter, value: row.value, detail: row.detail,
        lower: RecordIndexNumber.finite(row.lower), upper: RecordIndexNumber.finite(row.upper)))
  }
}

/// Numbers as the index stores them.
enum RecordIndexNumber {
  private static let largest = Double.greatestFiniteMagnitude / 4
  private static let smallest = 1e-300
  private static let latest: Int64 = 1 << 53

  /// Returns a number with which every engine can compute: one without meaning for health is brought into range.
  static func finite(_ number: Double) -> Double {
    if abs(number) < smallest { return 0 }
    return min(max(number, -largest), largest)
  }

  /// Returns a time in milliseconds since 1970, brought into the range of whole numbers that a `Double` holds.
  static func time(_ milliseconds: Int64) -> Double {
    Double(min(max(milliseconds, -latest), latest))
  }
}
