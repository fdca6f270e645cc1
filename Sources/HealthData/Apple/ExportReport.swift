// SPDX-License-Identifier: Apache-2.0

/// A fault in an export, by which a record is repaired or left out.
package enum ExportFault: String, Sendable, Hashable, CaseIterable {
  // Repaired: the record counts.
  case documentType = "document-type"
  case controlCharacter = "control-character"
  case invalidUTF8 = "invalid-utf8"
  case bareAmpersand = "bare-ampersand"
  case bareBracket = "bare-bracket"
  case spacedName = "spaced-name"
  case doubledAttribute = "doubled-attribute"
  case strayQuote = "stray-quote"
  // Left out: the record does not count.
  case broken
  case missing
  case unit
  case value
  case date
  case future
  case source
  case zone
  // A fault of the whole file: everything before it counts.
  case cutOff = "cut-off"
  case damagedArchive = "damaged-archive"
  case unsafeNames = "unsafe-names"

  /// True if the record, or the file, was read in spite of the fault.
  package var isRepaired: Bool {
    switch self {
    case .documentType, .controlCharacter, .invalidUTF8, .bareAmpersand, .bareBracket,
      .spacedName, .doubledAttribute, .strayQuote:
      true
    case .broken, .missing, .unit, .value, .date, .future, .source, .zone, .cutOff, .damagedArchive,
      .unsafeNames:
      false
    }
  }
}

/// An entry that was left out.
package struct LeftOut: Sendable, Hashable {
  /// The position of the entry, such as `line 12`.
  package let place: String
  /// The line of an entry of a table, from 1; nil in other files.
  package let line: Int?
  /// The fault for which the entry was left out.
  package let fault: ExportFault
}

extension ExportFault {
  init(_ problem: VitalProblem) {
    self =
      switch problem {
      case .structure, .kind: .missing
      case .unit: .unit
      case .value: .value
      case .date: .date
      case .future: .future
      case .source: .source
      }
  }
}

/// The counts of everything that was read from an export.
package struct ExportReport: Sendable, Hashable {
  /// The number of bytes read.
  package internal(set) var bytes: Int64 = 0
  /// The number of records, including those of kinds that are not kept.
  package internal(set) var records = 0
  /// The number of values taken, by kind.
  package internal(set) var values: [VitalKind: Int] = [:]
  /// The number of records of kinds that are not used.
  package internal(set) var otherKinds = 0
  /// The number of records within a correlation, which the file also lists outside it.
  package internal(set) var correlated = 0
  /// The number of times that each fault occurred.
  package internal(set) var faults: [ExportFault: Int] = [:]
  /// The number of FHIR resources found in the archive.
  package internal(set) var clinicalRecords = 0
  /// The first 20 entries that were left out, for forms that people can read.
  package internal(set) var leftOut: [LeftOut] = []

  /// Creates a report of nothing read.
  package init() {}

  /// Counts an entry that is left out.
  mutating func leaveOut(_ fault: ExportFault, place: String, line: Int? = nil) {
    note(fault)
    guard leftOut.count < Self.mostLeftOut else { return }
    leftOut.append(LeftOut(place: place, line: line, fault: fault))
  }

  private static let mostLeftOut = 20

  mutating func note(_ fault: ExportFault, _ count: Int = 1) { faults[fault, default: 0] += count }
}
