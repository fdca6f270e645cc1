// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Identifiers
import Records
import Web

/// The position in everything of a patient: a type, and the last resource of it that was sent.
struct EverythingPlace: Sendable {
  let type: FHIRType
  /// The end of the previous page; nil at the start of the type.
  let after: RecordCursor?

  init(type: FHIRType, after: RecordCursor?) {
    self.type = type
    self.after = after
  }

  /// Reads a position that ``cursor(of:)`` wrote; nil for any other cursor.
  init?(_ cursor: RecordCursor) {
    guard case .text(let name)? = cursor.keys.first, let type = FHIRType(rawValue: name) else {
      return nil
    }
    self.type = type
    after =
      cursor.id.isEmpty
      ? nil
      : RecordCursor(
        keys: Array(cursor.keys.dropFirst()), patient: cursor.patient, id: cursor.id)
  }

  /// Returns the position as a cursor, whose first key is the type; its id is empty at the start of the type.
  func cursor(of patient: PatientID) -> RecordCursor {
    RecordCursor(
      keys: [.text(type.rawValue)] + (after?.keys ?? []), patient: patient, id: after?.id ?? "")
  }
}

/// The arguments of `$everything`.
struct EverythingRequest: Sendable {
  private static let standardCount = 50
  private static let largestCount = 500

  /// The address of the operation.
  let address: String
  /// The arguments for the links, without the place.
  let used: [(String, String)]
  let count: Int
  /// The start of the page; nil for the first one.
  let place: EverythingPlace?
  private let types: Set<FHIRType>?
  private let since: DateSearchValue?
  private let start: DateSearchValue?
  private let end: DateSearchValue?
  private let sealing: SearchCursor

  init(_ arguments: OperationArguments, address: String, _ signedIn: SignedIn) throws {
    let asked = try arguments.count("_count") ?? Self.standardCount
    guard asked > 0 else {
      throw OperationFault.bad("_count", .value, "_count must be 1 or more.")
    }
    self.address = address
    used = arguments.arguments.compactMap { argument -> (String, String)? in
      guard argument.name != "_cursor" else { return nil }
      return (argument.name, argument.value?.string ?? argument.value?.text ?? "")
    }
    count = min(asked, Self.largestCount)
    types = try Self.types(arguments)
    since = try arguments.date("_since", prefix: .ge)
    start = try arguments.date("start", prefix: .ge)
    end = try arguments.date("end", prefix: .le)
    if let start, let end, start.lowerMilliseconds >= end.upperMilliseconds {
      throw OperationFault.bad("start", .value, "start must not be after end.")
    }
    // Pages may have different sizes, but must belong to one request.
    sealing = SearchCursor(
      credential: signedIn.credential,
      context: "\(address)?\(QueryText.encode(used.filter { $0.0 != "_count" }))")
    guard let text = try arguments.text("_cursor") else {
      place = nil
      return
    }
    guard let place = sealing.open(text).flatMap({ EverythingPlace($0) }) else {
      throw OperationFault.bad("_cursor", .value, "This page link is not valid. Ask again.")
    }
    self.place = place
  }

  /// Returns a place as text, for the link to the next page.
  func seal(_ place: EverythingPlace, of patient: PatientID) -> String {
    sealing.seal(place.cursor(of: patient))
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

  /// Returns true if resources of a type are wanted.
  func includes(_ type: FHIRType) -> Bool { types?.contains(type) ?? true }

  /// The wanted types with resources that belong to patients, in order.
  var patientTypes: [FHIRType] { OperationResources.ofPatients.filter(includes) }

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

  /// The search parameter with the time of care; nil for types that apply whatever the time is, such as prescriptions
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
