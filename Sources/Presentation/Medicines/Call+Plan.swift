// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
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
}
