// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Identifiers
import Records
import Web

/// The position in everything of a patient: a type, and the last resource of it that was sent.
struct EverythingPlace: Sendable {
  let part: OperationResources.Part
  let after: RecordCursor?

  init(part: OperationResources.Part, after: RecordCursor?) {
    self.part = part
    self.after = after
  }

  /// Returns the position as a cursor, whose first key is the part and whose id is empty at a part's start.
  func cursor(_ patient: String) -> RecordCursor {
    RecordCursor(
      keys: [.text(part.name)] + (after?.keys ?? []), patient: PatientID(patient),
      id: after?.id ?? "")
  }

  /// Reads a position that ``cursor(_:)`` wrote; nil for any other cursor.
  init?(_ cursor: RecordCursor, in parts: [OperationResources.Part]) {
    guard case .text(let name)? = cursor.keys.first,
      let part = parts.first(where: { $0.name == name })
    else { return nil }
    self.part = part
    after =
      cursor.id.isEmpty
      ? nil
      : RecordCursor(
        keys: Array(cursor.keys.dropFirst()), patient: cursor.patient, id: cursor.id)
  }
}

/// The arguments of `$everything`.
struct EverythingRequest: Sendable {
  let count: Int
  let place: EverythingPlace?
  /// The parts to read, in order.
  let parts: [OperationResources.Part]
  private let types: Set<FHIRType>?
  private let since: DateSearchValue?
  private let start: DateSearchValue?
  private let end: DateSearchValue?

  init(
    _ arguments: OperationArguments, largestCount: Int, standardCount: Int, _ signedIn: SignedIn
  ) throws {
    let asked = try arguments.count("_count") ?? standardCount
    guard asked > 0 else {
      throw OperationFault.bad("_count", .value, "_count must be 1 or more.")
    }
    count = min(asked, largestCount)
    types = try Self.types(arguments)
    since = try arguments.date("_since", prefix: .ge)
    start = try arguments.date("start", prefix: .ge)
    end = try arguments.date("end", prefix: .le)
    let shown = types
    parts = OperationResources.Part.all(
      of: OperationResources.ofPatients.filter { shown?.contains($0) ?? true })
    guard let text = try arguments.text("_cursor") else {
      place = nil
      return
    }
    guard let cursor = SearchCursor(credential: signedIn.credential).open(text),
      let place = EverythingPlace(cursor, in: parts)
    else {
      throw OperationFault.bad("_cursor", .value, "This page link is not valid. Ask again.")
    }
    self.place = place
  }

  /// Returns the types in `_type`; nil for all.
  static func types(_ arguments: OperationArguments) throws -> Set<FHIRType>? {
    let names = try arguments.texts("_type")
    guard !names.isEmpty else { return nil }
    return Set(
      try names.map { name in
        guard let type = FHIRType(rawValue: name) else {
          throw OperationFault.bad("_type", .value, "This server has no resources of this type.")
        }
        return type
      })
  }

  /// Returns true if shared resources of a type may be included.
  func includes(_ type: FHIRType) -> Bool { types?.contains(type) ?? true }

  /// Returns the conditions for resources of a type.
  func criteria(for type: FHIRType) -> [SearchCriterion] {
    var criteria: [SearchCriterion] = []
    if let since {
      criteria.append(SearchCriterion(parameter: "_lastUpdated", test: .lastUpdated([since])))
    }
    if let parameter = Self.careDate(of: type) {
      for date in [start, end].compactMap(\.self) {
        criteria.append(SearchCriterion(parameter: parameter, test: .date([date])))
      }
    }
    return criteria
  }

  /// The search parameter with the time of care; nil for types that hold whatever the time is, such as prescriptions
  /// and allergies.
  private static func careDate(of type: FHIRType) -> String? {
    switch type {
    case .observation, .composition: "date"
    case .medicationAdministration: "effective-time"
    case .medicationStatement: "effective"
    case .medicationDispense: "whenhandedover"
    case .communication: "sent"
    case .questionnaireResponse: "authored"
    default: nil
    }
  }
}
