// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage
import TestSupport

@testable import Web

extension ServerHarness {
  /// Opens a person's data to an account that is confirmed for it.
  func openEmergency(_ id: EmergencyID, of patient: PatientID, by account: Account) async throws {
    let (accounts, now) = (environment.accounts, clock.now)
    let actor = Actor(
      accountID: account.id, kind: .session, relationships: [account.patient: .self_],
      scope: .session)
    _ = try await environment.database.write { writer in
      try accounts.confirmPractitioner(account.id, by: "operator", at: now, in: writer)
      return try accounts.openEmergency(
        id, patient: patient, by: actor, name: account.displayName,
        reason: "unconscious at the door", at: now, in: writer)
    }
    environment.sessions.forget()
  }
}
