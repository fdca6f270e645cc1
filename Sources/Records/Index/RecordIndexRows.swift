// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Storage

/// A kind of table of the search index; each exists for the records of patients and for shared resources.
enum RecordIndexTable: CaseIterable, Sendable {
  case tokens, strings, dates, quantities, references
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

/// The rows of one resource in the search index.
///
/// A row is the values after the resource's own, in the order of the statements of ``RecordIndex``.
struct RecordIndexRows: Sendable, Hashable {
  private(set) var byTable: [RecordIndexTable: Set<[SQLValue]>] = [:]

  /// Creates no rows.
  init() {}

  /// Creates the rows of a resource.
  init(_ index: SearchIndex) {
    var texts: [[String]: Set<String>] = [:]
    for entry in index.entries {
      let parameter = entry.parameter
      switch entry.value {
      case .string(let text):
        let folded = RecordIndexText.string(SearchFolding.fold(text))
        texts[[parameter, folded], default: []].insert(RecordIndexText.string(text))
      default:
        guard let row = Self.row(entry) else { continue }
        byTable[row.table, default: []].insert([.text(parameter)] + row.values)
      }
    }
    for (key, exact) in texts {
      for (place, text) in exact.sorted().enumerated() {
        byTable[.strings, default: []].insert(
          [.text(key[0]), .text(key[1]), .text(text), SQLValue(place)])
      }
    }
  }

  private static func row(
    _ entry: SearchIndexEntry
  ) -> (table: RecordIndexTable, values: [SQLValue])? {
    switch entry.value {
    case .token(let system, let code):
      return (.tokens, [token(code), token(system)])
    case .uri(let address):
      return (.tokens, [token(address), .text("")])
    case .string:
      return nil
    case .date(let lower, let upper):
      return (.dates, [.integer(lower), .integer(upper)])
    case .number(let lower, let upper):
      guard let ends = Self.ends(lower, upper) else { return nil }
      return (.quantities, ends + [.text(""), .text(""), .text("")])
    case .quantity(let lower, let upper, let system, let code, let unit):
      guard let ends = Self.ends(lower, upper) else { return nil }
      return (.quantities, ends + [system, code, unit].map(Self.unit))
    case .reference(let type, let id):
      return (.references, [token(id), token(type)])
    }
  }

  private static func token(_ text: String) -> SQLValue { .text(RecordIndexText.token(text)) }

  private static func unit(_ text: String) -> SQLValue {
    .text(RecordIndexText.token(text, longest: RecordIndexText.longestUnit))
  }

  /// Returns the ends of a range as the engines store them; nil for what is no number.
  private static func ends(_ lower: Double, _ upper: Double) -> [SQLValue]? {
    guard !lower.isNaN, !upper.isNaN else { return nil }
    return [lower, upper].map { .real(RecordIndexNumber.finite($0)) }
  }

  /// Returns the rows that these have and others do not.
  func subtracting(_ other: RecordIndexRows) -> RecordIndexRows {
    var rest = RecordIndexRows()
    for (table, rows) in byTable {
      let missing = rows.subtracting(other.byTable[table] ?? [])
      if !missing.isEmpty { rest.byTable[table] = missing }
    }
    return rest
  }
}

/// Numbers as the index stores them.
enum RecordIndexNumber {
  private static let largest = Double.greatestFiniteMagnitude / 4
  private static let smallest = 1e-300

  /// Returns a number with which every engine can compute: one without meaning for health is brought into range.
  static func finite(_ number: Double) -> Double {
    if abs(number) < smallest { return 0 }
    return min(max(number, -largest), largest)
  }
}
