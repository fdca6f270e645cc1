// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Plans
import Storage
import Testing
import TestSupport

@testable import Web

/// The sentence at the end of a day on which every dose was taken.
@Suite struct StreakOnTodayTests {
  /// Answers every dose of a day of March at 09:30 and 20:30.
  private static func live(
    _ house: DoseHouse, day: Int, action: String = "taken"
  ) async throws {
    let harness = house.harness
    let (now, zones) = (harness.clock.now, harness.environment.zones)
    try await harness.environment.database.write { writer in
      _ = try PlanCommands.extendHorizon(now: now, limit: 10, zones: zones, in: writer)
    }
    let window = "from=2026-03-0\(day)T00:00:00Z&to=2026-03-0\(day + 1)T00:00:00Z"
    let listed = try await harness.send(.get, "/api/v1/doses?\(window)", house.token)
    let doses = try #require(try listed.json()["doses"]?.array).compactMap { $0["id"]?.string }
    #expect(doses.count == 2)
    harness.clock.advance(minutes: 65)
    for (place, dose) in doses.enumerated() {
      if place == 1 { harness.clock.advance(minutes: 12 * 60) }
      let answer = try await house.browser.post(
        "/doses/\(dose)/answers", ["action": place == 1 ? action : "taken"])
      #expect(answer.status == .seeOther, "\(answer.text)")
    }
  }

  private static func nextMorning(_ house: DoseHouse) {
    house.harness.clock.advance(minutes: 24 * 60 - 13 * 60 - 5)
  }

  @Test func `a streak is shown from three days`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      for day in 1...3 {
        try await Self.live(house, day: day)
        let page = try await house.browser.open("/").text
        #expect(page.contains("All done for today."))
        #expect(page.contains("All done for today. 3 days in a row.") == (day == 3))
        #expect(page.contains("in a row") == (day == 3))
        Self.nextMorning(house)
        #expect(!(try await house.browser.open("/").text.contains("in a row")))
      }
    }
  }

  @Test func `a skipped dose restarts the streak`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      for day in 1...4 {
        try await Self.live(house, day: day, action: day == 2 ? "skipped" : "taken")
        #expect(!(try await house.browser.open("/").text.contains("in a row")))
        Self.nextMorning(house)
      }
    }
  }
}
