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
    guard type.ownership != .shared else {
      return decideSharedSearch(actor: actor, resource: type.rawValue, purpose: .care)
    }
    return decideSearch(
      actor: actor, resource: type.rawValue, patient: patient,
      purpose: patient.map(actor.purpose) ?? .care)
  }

  /// Returns the patients whose resources of a type the caller may search.
  func patients(_ type: FHIRType) -> SearchAuthorization.Patients {
    guard case .allow(let authorization) = search(type) else { return .only([]) }
    return authorization.patients
  }

  /// Returns the permission to read the shared resources of a type, or throws the reason for its denial.
  func readShared(_ type: FHIRType) throws -> Authorization {
    let decision = decideShared(
      actor: actor, action: .read, resource: type.rawValue, purpose: .care)
    switch decision {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason
    }
  }
}
