// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers

/// The scopes that a token can have.
package enum TokenScope: String, Sendable, Hashable, CaseIterable {
  /// Every patient; created only on the host.
  case system = "system/*.cruds"
  /// The account's own rights, in the two spellings of SMART App Launch 2.
  case user = "user/*.cruds"
  case patient = "patient/*.cruds"
  /// The same scopes, limited to reading and searching.
  case userReading = "user/*.rs"
  case patientReading = "patient/*.rs"
  /// Only sending one patient's measurements; for phones.
  case vitals = "patient/Observation.c"

  /// Creates a scope from its text.
  ///
  /// Throws ``AccountError/unknownScope(_:)`` for any other text.
  package init(parsing text: String) throws(AccountError) {
    guard let scope = TokenScope(rawValue: text) else { throw .unknownScope(text) }
    self = scope
  }

  var accessScope: Scope {
    switch self {
    case .system: .system
    case .user, .patient: .own
    case .userReading, .patientReading: .reading
    case .vitals: .vitals
    }
  }

  private static let naming = "?patient="

  /// Returns the stored form of the scope, with the patient to whom it is limited.
  func text(for patient: PatientID?) -> String {
    self == .vitals ? rawValue + Self.naming + (patient?.text ?? "") : rawValue
  }

  /// Reads the form of ``text(for:)``; nil for anything else.
  static func read(_ text: String) -> (scope: TokenScope, patient: PatientID?)? {
    guard let place = text.firstRange(of: naming) else {
      // Without its patient it would have no effect.
      guard let scope = TokenScope(rawValue: text), scope != .vitals else { return nil }
      return (scope, nil)
    }
    let patient = String(text[place.upperBound...])
    guard text[..<place.lowerBound] == TokenScope.vitals.rawValue, !patient.isEmpty else {
      return nil
    }
    return (.vitals, PatientID(patient))
  }
}
