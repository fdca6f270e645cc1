// SPDX-License-Identifier: Apache-2.0

import FHIR

/// A site on the body, on the person's own left and right.
package enum BodySite: String, Sendable, Hashable, CaseIterable {
  case chestRight = "chest-right"
  case chestLeft = "chest-left"
  case armRight = "arm-right"
  case armLeft = "arm-left"
  case bellyUpperRight = "belly-upper-right"
  case bellyUpperLeft = "belly-upper-left"
  case bellyLowerRight = "belly-lower-right"
  case bellyLowerLeft = "belly-lower-left"
  case thighRight = "thigh-right"
  case thighLeft = "thigh-left"
  case backUpperLeft = "back-upper-left"
  case backUpperRight = "back-upper-right"
  case buttockLeft = "buttock-left"
  case buttockRight = "buttock-right"
  case eyeRight = "eye-right"
  case eyeLeft = "eye-left"
  case earRight = "ear-right"
  case earLeft = "ear-left"
  case nostrilRight = "nostril-right"
  case nostrilLeft = "nostril-left"

  /// The codes of the project's own sites.
  static let system = "urn:regimen:site"

  /// Returns the site as a CodeableConcept, with its English name.
  var concept: JSONValue {
    [
      "coding": [["system": .string(Self.system), "code": .string(rawValue)]],
      "text": .string(rawValue.split(separator: "-").reversed().joined(separator: " ")),
    ]
  }
}

/// The kind of use that has a site.
package enum SiteKind: String, Sendable, Hashable, CaseIterable {
  case injection, patch, insert
  /// Drops and sprays for one eye, ear or nostril at a time.
  case side

  /// The sites of this kind, in the order in which they are offered.
  package var sites: [BodySite] {
    switch self {
    case .injection:
      [
        .bellyUpperRight, .bellyUpperLeft, .bellyLowerRight, .bellyLowerLeft, .thighRight,
        .thighLeft, .armRight, .armLeft, .buttockLeft, .buttockRight,
      ]
    case .patch:
      [
        .chestRight, .chestLeft, .armRight, .armLeft, .bellyUpperRight, .bellyUpperLeft,
        .bellyLowerRight, .bellyLowerLeft, .thighRight, .thighLeft, .backUpperLeft,
        .backUpperRight, .buttockLeft, .buttockRight,
      ]
    case .insert: [.armRight, .armLeft, .bellyUpperRight, .bellyUpperLeft]
    case .side: [.eyeRight, .eyeLeft, .earRight, .earLeft, .nostrilRight, .nostrilLeft]
    }
  }

  /// True if it stays on or in the body, and can be taken off.
  package var isWorn: Bool { self == .patch || self == .insert }

  /// Returns the kind that a prescription suggests by its form and route; nil if it suggests none.
  package init?(_ request: MedicationRequestView) {
    let forms = request.medication.contained?["form"]?["coding"]?.array ?? []
    let routes = request.dosages.compactMap { $0.json["route"] }
    let codes = Set(
      (forms + routes.flatMap { $0["coding"]?.array ?? [] }).compactMap { $0["code"]?.string })
    let kind = Self.byCode.first { codes.contains($0.code) }?.kind
    guard let kind else { return nil }
    self = kind
  }

  /// The forms of the project's own form, and SNOMED CT codes of routes.
  private static let byCode: [(code: String, kind: SiteKind)] = [
    ("patch", .patch), ("45890007", .patch),
    ("injection", .injection), ("34206005", .injection), ("78421000", .injection),
    ("54485002", .side), ("10547007", .side), ("46713006", .side),
  ]
}

/// A reaction of the skin at a site.
package enum SiteReaction: String, Sendable, Hashable, CaseIterable {
  case redness, itching, pain, swelling, bruise, lump, rash
}
