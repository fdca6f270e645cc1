// SPDX-License-Identifier: Apache-2.0

/// What an export had that no well-formed one has.
package enum ExportFault: String, Sendable, Hashable, CaseIterable {
  // Put right: the record counts.
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
  // Of the file as a whole: what came before it counts.
  case cutOff = "cut-off"
  case damagedArchive = "damaged-archive"
  case unsafeNames = "unsafe-names"

  /// Whether the record, or the file, was read in spite of it.
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
  /// Such as `line 12`.
  package let place: String
  /// Of a table: its line, from 1.
  package let line: Int?
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

/// What was read of an export.
package struct ExportReport: Sendable, Hashable {
  package internal(set) var bytes: Int64 = 0
  /// All elements that are records, also of kinds that are not kept.
  package internal(set) var records = 0
  package internal(set) var values: [VitalKind: Int] = [:]
  /// Records of kinds that nothing here is made of.
  package internal(set) var otherKinds = 0
  /// Records within a correlation, which stand by themselves too.
  package internal(set) var correlated = 0
  package internal(set) var faults: [ExportFault: Int] = [:]
  package internal(set) var clinicalRecords = 0
  /// The first entries that were left out, with where they stand; of forms that people can read.
  package internal(set) var leftOut: [LeftOut] = []

  package init() {}

  /// Notes an entry that does not count.
  mutating func leaveOut(_ fault: ExportFault, place: String, line: Int? = nil) {
    note(fault)
    guard leftOut.count < Self.mostLeftOut else { return }
    leftOut.append(LeftOut(place: place, line: line, fault: fault))
  }

  private static let mostLeftOut = 20

  mutating func note(_ fault: ExportFault, _ count: Int = 1) { faults[fault, default: 0] += count }
}
