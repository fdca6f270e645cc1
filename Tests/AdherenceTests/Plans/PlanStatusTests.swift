// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Plans

@Suite struct PlanStatusTests {
  /// The codes of MedicationRequest.status, FHIR R4.
  @Test(arguments: [
    ("active", false), ("on-hold", false), ("draft", false), ("unknown", false),
    ("stopped", true), ("completed", true), ("cancelled", true), ("entered-in-error", true),
  ])
  func `a plan has ended by its own status`(_ status: String, _ hasEnded: Bool) {
    #expect(PlanCommands.hasEnded(status) == hasEnded)
    #expect(UnplannedReason.status(status).standsOnToday == !hasEnded)
  }

  @Test func `a plan that gives no doses for another reason has not ended`() {
    #expect(UnplannedReason.textOnly.standsOnToday)
    #expect(UnplannedReason.unknownZone.standsOnToday)
  }
}
