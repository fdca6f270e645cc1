// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import Plans
import Storage
import Web

extension Call {
  /// Returns the plan named in the address if it belongs to the chosen person, and audits a read.
  ///
  /// - Throws: `notFound` if there is no such plan, or the refusal of the access check.
  package func plan(of signedIn: SignedIn, to action: Access.Action) async throws -> Plan {
    let patient = patient(of: signedIn)
    let authorization = try authorize(action, "MedicationRequest", of: patient)
    let id = try parameter("plan")
    let plan = try await environment.database.read { reader in
      try PlanQueries.plan(PlanID(id), patient: patient, in: reader)
    }
    guard let plan else { throw Failure.notFound }
    if action == .read {
      try await environment.audit(authorization, count: 1, at: now)
    }
    return plan
  }

  /// Returns the call on the pages of the person who takes the medicine named in the address.
  ///
  /// The device keeps its chosen person. A plan outside the account's reach changes nothing, and
  /// those of a practitioner's patients are not looked up: they have their own pages.
  package func visitingPlan(_ signedIn: SignedIn) async throws -> Call {
    guard people.count > 1 else { return self }
    let id = PlanID(try parameter("plan"))
    let chosen = patient(of: signedIn)
    let others = people.filter {
      $0.patient != chosen && [.self_, .guardian, .family].contains($0.right.relationship)
    }
    guard !others.isEmpty else { return self }
    let found = try await environment.database.read { reader -> PatientID? in
      if try PlanQueries.plan(id, patient: chosen, in: reader) != nil { return nil }
      return try others.first { other in
        try PlanQueries.plan(id, patient: other.patient, in: reader) != nil
      }?.patient
    }
    return found.map { visiting($0) } ?? self
  }
}

extension Route {
  /// Returns the route of a page about a medicine, shown for the person who takes it, whoever is
  /// chosen on the device.
  package static func medicinePage(
    _ path: String,
    _ show: @escaping @Sendable (Call, SignedIn) async throws -> Response
  ) -> Route {
    .page(.get, path) { call, signedIn in
      try await show(try await call.visitingPlan(signedIn), signedIn)
    }
  }
}
