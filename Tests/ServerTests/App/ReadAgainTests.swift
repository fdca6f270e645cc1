// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Server
@testable import Web

/// Prescriptions are read again once after an update.
@Suite struct ReadAgainTests {
  @Test func `an unreadable plan doesn't stop the planning round`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      _ = try await house.dose(of: house.child, medicine: "Testolol")
      let service = HorizonService(environment: harness.environment)
      let before = await service.hasReadAgain()
      #expect(before)
      try await harness.environment.database.write { writer in
        try writer.execute("DELETE FROM readers", [])
        try writer.execute(
          "UPDATE resources SET body = '{' WHERE type = 'MedicationRequest'", [])
      }
      let after = await service.hasReadAgain()
      #expect(!after)
    }
  }
}
