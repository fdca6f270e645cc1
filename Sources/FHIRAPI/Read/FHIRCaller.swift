// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Identifiers
import Storage
import Web

/// The sender of a FHIR request, for whom resources are read.
struct FHIRCaller: Sendable {
  let call: Call
  let signedIn: SignedIn

  var environment: ServerEnvironment { call.environment }
  var actor: Actor { signedIn.actor }
  var now: Timestamp { call.now }

  /// The address of the FHIR API, without a slash at the end.
  var base: String { "\(call.baseURL)/fhir" }

  /// Decides a search; without a patient it covers everyone whom the caller may search.
  func search(_ type: FHIRType, of patient: PatientID? = nil) -> SearchDecision {
    decideSearch(
      actor: actor, resource: type.rawValue, patient: patient,
      purpose: patient.map(actor.purpose) ?? .care)
  }

  /// Returns the patients whose resources of a type the caller may search; shared types are open to all callers.
  func patients(_ type: FHIRType) -> SearchAuthorization.Patients {
    guard type.ownership != .shared else { return .all }
    guard case .allow(let authorization) = search(type) else { return .only([]) }
    return authorization.patients
  }

  /// Returns the permission to search a patient's resources of a type; nil if they must not be shown.
  func permission(_ type: FHIRType, of patient: PatientID) -> SearchAuthorization? {
    guard case .allow(let authorization) = search(type, of: patient) else { return nil }
    return authorization
  }
}
