// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Storage
import Web

/// The sender of a FHIR request, for whom resources are read.
final class FHIRCaller: Sendable {
  let signedIn: SignedIn
  let environment: ServerEnvironment
  let now: Timestamp
  /// The address under which the sender reaches the server.
  let baseURL: String
  /// The header fields of the request; none for work that goes on after it.
  let headers: HTTPFields
  /// The query of the request.
  let query: String
  /// The request; nil for work that goes on after it, such as an export.
  private let call: Call?

  /// Creates the sender of a request.
  init(call: Call, signedIn: SignedIn) {
    self.signedIn = signedIn
    environment = call.environment
    now = call.now
    baseURL = call.baseURL
    headers = call.request.headers
    query = call.request.uri.query ?? ""
    self.call = call
  }

  /// Creates the sender of an earlier request, whose work goes on.
  init(environment: ServerEnvironment, signedIn: SignedIn, now: Timestamp, baseURL: String) {
    self.signedIn = signedIn
    self.environment = environment
    self.now = now
    self.baseURL = baseURL
    headers = [:]
    query = ""
    call = nil
  }

  var actor: Actor { signedIn.actor }

  /// The address of the FHIR API, without a slash at the end.
  var base: String { "\(baseURL)/fhir" }

  /// Returns the permission for one access to a patient's data, or throws the reason for its denial.
  ///
  /// Whoever reads Observations leaves out the part that the patient does not share: see ``AccessFilter``.
  func authorize(
    _ action: Action, _ resource: String, of patient: PatientID
  ) throws -> Authorization {
    if let call { return try call.authorize(action, resource, of: patient, part: .either) }
    let decision = decide(
      actor: actor, action: action, patient: patient, resource: resource,
      purpose: actor.purpose(with: patient), part: .either)
    switch decision {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason
    }
  }

  /// Decides a search; without a patient it covers everyone whom the caller may search.
  ///
  /// Whoever searches Observations leaves out the part that a patient does not share: see ``AccessFilter``.
  func search(_ type: FHIRType, of patient: PatientID? = nil) -> SearchDecision {
    guard type.ownership != .shared else {
      return decideSharedSearch(actor: actor, resource: type.rawValue, purpose: .care)
    }
    return decideSearch(
      actor: actor, resource: type.rawValue, patient: patient,
      purpose: patient.map(actor.purpose) ?? .care, part: .either)
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
