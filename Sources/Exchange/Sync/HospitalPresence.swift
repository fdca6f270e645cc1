// SPDX-License-Identifier: Apache-2.0

import FHIR
import Plans
import Prescriptions

/// The prescriptions that a server returned, and the types of which it returned all.
struct HospitalPresence: Sendable {
  /// The types whose whole list was read and had entries.
  private var whole: Set<String> = []
  /// The types whose whole list was read and was empty, which may be an error of the server.
  private var empty: Set<String> = []
  /// True if only a part of the list of some type was read.
  private var hasGaps = false
  /// The addresses and identifiers of all returned prescriptions.
  private(set) var keys: Set<String> = []

  mutating func add(_ harvest: HospitalHarvest, of type: String, base: HospitalAddress) {
    for (id, resource) in harvest.matches {
      keys.insert(base.url("\(type)/\(id)"))
      keys.formUnion(SourceKeys.identifiers(resource))
    }
    guard harvest.isComplete else {
      hasGaps = true
      return
    }
    if harvest.matches.isEmpty { empty.insert(type) } else { whole.insert(type) }
  }

  /// True if the whole list of every type was read.
  var isWhole: Bool { !hasGaps && !isPartial }

  /// True if the whole list of no type was read.
  var isPartial: Bool { whole.isEmpty && empty.isEmpty }

  /// Returns true if the whole list of a type was read.
  func covers(_ type: String) -> Bool { whole.contains(type) || empty.contains(type) }

  /// Returns true if the whole list of a type was read and was empty.
  func isEmpty(_ type: String) -> Bool { empty.contains(type) }
}

/// A known prescription with its places on the server.
struct HospitalKnown: Sendable {
  let prescription: ForeignPrescription
  /// The resources there that it came from.
  let places: [(type: String, id: String)]

  /// The types that stand for prescriptions of their own.
  private static let types: Set<String> = [
    "MedicationRequest", "MedicationOrder", "MedicationStatement",
  ]

  /// Creates it; nil if it has no place on the server.
  init?(_ prescription: ForeignPrescription, base: HospitalAddress) {
    self.prescription = prescription
    places = prescription.keys.filter { $0.contains("://") }.sorted().compactMap { base.local($0) }
      .filter { Self.types.contains($0.type) }
    if places.isEmpty { return nil }
  }
}
