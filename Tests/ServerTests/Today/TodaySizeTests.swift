// SPDX-License-Identifier: Apache-2.0

import Accounts
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import Plans
@testable import Presentation
@testable import Web

/// Today of a person with many medicines and a long history.
@Suite struct TodaySizeTests {
  private static let medicines = (1...32).map { "Medicine \($0)" }

  @Test func `the page stays small with 30 medicines and thousands of doses`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: Self.medicines)
      harness.clock.advance(minutes: 65)
      let young = try await house.browser.open("/").text
      try await Self.addPast(house)
      let page = try await house.browser.open("/").text
      #expect(page.utf8.count < 250_000)
      #expect(page.utf8.count < young.utf8.count + 30_000)
      #expect(page.contains("show=now#now"))
      #expect(page.contains("Show all 32"))
      #expect(page.contains("show=done#done"))
      #expect(page.contains("Show all 2000"), "intakes without a dose are counted")
      let listed = house.doses.filter { page.contains("/doses/\($0)/answers") }
      #expect(listed.count == 30)

      let full = try await house.browser.open("/?show=now").text
      #expect(house.doses.allSatisfy { full.contains("/doses/\($0)/answers") })
      #expect(!full.contains("show=now#now"))
    }
  }

  @Test func `a limited read lists the same as a full read`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: Self.medicines)
      harness.clock.advance(minutes: 65)
      for place in 0..<12 { _ = try await house.answer(place, ["action": "taken"]) }
      for place in 12..<14 {
        _ = try await house.answer(place, ["action": "skipped", "reason": "unwell"])
      }
      // 08:05, 13:05, 20:35, 00:30 and 07:00 of the next morning.
      for minutes: Int64 in [0, 300, 450, 235, 390] {
        harness.clock.advance(minutes: minutes)
        for part: TodayPart? in [nil, .due, .later, .done, .missed, .tomorrow] {
          let (full, limited) = try await Self.models(house, TodayLimits(full: part))
          #expect(full == limited)
        }
      }
    }
  }

  /// Returns the same page from all data and from the data that is read for it.
  private static func models(
    _ house: DoseHouse, _ limits: TodayLimits
  ) async throws -> (full: TodayModel, limited: TodayModel) {
    let (now, zones) = (house.harness.clock.now, house.harness.environment.zones)
    let patient = house.account.patient
    return try await house.harness.environment.database.read { reader in
      let all = try DoseQueries.listing(
        patient: patient, from: now.adding(milliseconds: -TodayModel.reach),
        until: now.adding(milliseconds: TodayModel.reach), now: now, zones: zones, in: reader)
      let read = try DoseQueries.today(
        patient: patient, limits: limits, now: now, zones: zones, in: reader)
      return (
        TodayModel(
          doses: all.doses, unplanned: [], intakes: [], limits: limits, zone: all.zone, now: now),
        TodayModel(
          doses: read.doses, unplanned: [], intakes: [], limits: limits, unread: read.unread,
          zone: read.zone, now: now)
      )
    }
  }

  /// Adds 3,200 taken doses of earlier days, and 2,000 intakes of this morning that answered no
  /// dose.
  private static func addPast(_ house: DoseHouse) async throws {
    let (patient, now) = (house.account.patient, house.harness.clock.now)
    let plans = house.doses.compactMap { DoseID(text: $0)?.plan }
    try await house.harness.environment.database.write { writer in
      for plan in plans {
        for step in Int64(0)..<100 {
          let due = now.adding(milliseconds: -(2 * 24 + step * 6) * 3_600_000)
          try writer.execute(
            """
            INSERT INTO doses (patient, plan, era, occurrence, due, on_time_until, late_until,
              state, version)
            VALUES ($1, $2, 1, $3, $4, $5, $6, 'taken', 1)
            """,
            [
              .text(patient), .text(plan), .text(OccurrenceID.running(10_000 + step).text),
              SQLValue(due), SQLValue(due.adding(milliseconds: 3_600_000)),
              SQLValue(due.adding(milliseconds: 4 * 3_600_000)),
            ])
        }
      }
      for number in Int64(0)..<2_000 {
        try writer.execute(
          """
          INSERT INTO intakes (patient, administration, medicine_name, ingredients, taken,
            recorded, by_name)
          VALUES ($1, $2, 'Tea', 'name:tea', $3, $4, 'Ann')
          """,
          [
            .text(patient), .text("extra-\(number)"),
            SQLValue(now.adding(milliseconds: -(number + 1) * 1_000)), SQLValue(now),
          ])
      }
    }
  }
}
