// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Plans
import Scheduling
import Testing
import TestSupport

@testable import MedicinePages
@testable import Web

/// The list of medicines by time of day, and the same rows on a child's page.
@Suite struct MedicineListTests {
  /// Returns the section with an id; nil if the page has none.
  private static func section(_ id: String, of page: String) -> String? {
    guard let start = page.range(of: "<section class=\"section\" id=\"\(id)\">") else { return nil }
    let rest = page[start.upperBound...]
    return String(rest[..<(rest.range(of: "</section>")?.lowerBound ?? rest.endIndex)])
  }

  private static func rows(_ section: String) -> Int {
    section.components(separatedBy: "<li class=\"medicine-row\">").count - 1
  }

  private static func daily(_ times: String...) -> JSONValue {
    ["timing": ["repeat": ["timeOfDay": .array(times.map { .string("\($0):00") })]]]
  }

  @Test func `medicines are listed in each part of the day in which they are taken`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      try await house.add("Levothyroxine", dosage: Self.daily("06:30"))
      try await house.add("Eye drops", dosage: Self.daily("09:00", "11:00", "13:00", "23:30"))
      try await house.add(
        "Weekly vitamin",
        dosage: [
          "timing": [
            "repeat": [
              "frequency": 1, "period": 1, "periodUnit": "wk", "dayOfWeek": ["mon"],
              "timeOfDay": ["08:00:00"],
            ]
          ]
        ])
      try await house.add("Ibuprofen", dosage: ["asNeededBoolean": true])
      try await house.add("Prednisolone", dosage: ["text": "Taper <slowly>"])
      let page = try await house.browser.open("/medicines").text
      let morning = try #require(Self.section("part-morning", of: page))
      #expect(morning.contains("<h2>Morning</h2>") && Self.rows(morning) == 3)
      // It is 07:00: today's first dose of Levothyroxine has passed.
      #expect(morning.contains("Next dose: </span>Tomorrow, 06:30"))
      #expect(morning.contains("Next dose: </span>Today, 08:00"))
      // Two times within one part of the day are in one row.
      #expect(morning.contains("1 tablet · 09:00 and 11:00"))
      #expect(morning.contains("Next dose: </span>Today, 09:00"))
      let order = ["Levothyroxine", "Metoprolol", "Eye drops"].compactMap {
        morning.range(of: $0)?.lowerBound
      }
      #expect(order.count == 3 && order == order.sorted())
      let noon = try #require(Self.section("part-noon", of: page))
      #expect(Self.rows(noon) == 1 && noon.contains("Eye drops") && noon.contains("Today, 13:00"))
      let evening = try #require(Self.section("part-evening", of: page))
      #expect(Self.rows(evening) == 1 && evening.contains("Metoprolol"))
      let night = try #require(Self.section("part-night", of: page))
      #expect(Self.rows(night) == 1 && night.contains("Today, 23:30"))
      // Once a week, although its dose is tomorrow.
      let other = try #require(Self.section("other-days", of: page))
      #expect(Self.rows(other) == 1 && other.contains("Weekly vitamin"))
      #expect(other.contains("Next dose: </span>Tomorrow, 08:00"))
      let needed = try #require(Self.section("as-needed", of: page))
      #expect(Self.rows(needed) == 1 && needed.contains("Ibuprofen") && needed.contains("1 tablet"))
      let unplanned = try #require(Self.section("unplanned", of: page))
      #expect(unplanned.contains("No reminders:"))
      // The full sentence and the prescriber's text are on the medicine's own page.
      #expect(!page.contains("Taper") && !page.contains("twice a day"))
      #expect(Self.section("paused", of: page) == nil && Self.section("ended", of: page) == nil)
      for address in [
        "/medicines/new", "/import", "/stock", "/interactions", "/knowledge", "/medicines/simplify",
        "/hospitals",
      ] {
        #expect(page.contains("href=\"\(address)\""), "\(address)")
      }
      // After the doses of the day, the same parts show those of tomorrow.
      harness.clock.advance(minutes: 16 * 60 + 45)
      let late = try await harness.session(of: house.account).open("/medicines").text
      let next = try #require(Self.section("part-evening", of: late))
      #expect(next.contains("Next dose: </span>Tomorrow, 20:00"))
    }
  }

  @Test func `more than three ended medicines are folded`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      for (count, name) in ["One", "Two", "Three", "Four"].enumerated() {
        let plan = try await house.add(name, dosage: Self.daily("08:00"))
        let stopped = try await house.browser.post(
          "/medicines/\(plan)/stop", ["reason": "No longer needed"])
        #expect(stopped.status == .seeOther, "\(stopped.text)")
        let page = try await house.browser.open("/medicines").text
        let ended = try #require(Self.section("ended", of: page))
        #expect(Self.rows(ended) == count + 1)
        #expect(ended.contains("Stopped on 1 March 2026: No longer needed"))
        #expect(ended.contains("<details") == (count == 3))
        #expect(ended.contains("Past medicines (4)") == (count == 3))
      }
    }
  }

  @Test func `viewers are offered no changes`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      _ = try await house.dose(of: house.child, medicine: "Childolol")
      let bob = try await harness.makeAccount("Bob")
      let looking = try await house.connect(bob, .family, categories: [.medicines])
      let page = try await looking.open("/medicines").text
      #expect(page.contains("Childolol") && page.contains("class=\"medicine-row\""))
      #expect(page.contains("href=\"/interactions\"") && page.contains("href=\"/knowledge\""))
      for address in ["/medicines/new", "/import", "/medicines/simplify"] {
        #expect(!page.contains("href=\"\(address)\""), "\(address)")
      }
    }
  }

  @Test func `a child's schedule has the same rows with buttons one tap away`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, approves: false)
      _ = try await nursery.browser.post("\(nursery.home)/new", pairs: nursery.syrup())
      let plan = try #require(try await nursery.plans().first)
      let page = try await nursery.open(nursery.home).text
      for part in ["part-morning", "part-noon", "part-evening"] {
        let section = try #require(Self.section(part, of: page), "\(part)")
        #expect(section.contains("7.5 mL") && section.contains("180 mg each time"))
        #expect(section.contains("<details class=\"intake-menu\">"))
        for address in ["edit", "remove"] {
          #expect(section.contains("\(nursery.home)/plans/\(plan.id)/\(address)\""), "\(address)")
        }
      }
      // Medicines off the schedule are not on the page.
      _ = try await nursery.browser.post("\(nursery.home)/plans/\(plan.id)/remove", [:])
      let after = try await nursery.open(nursery.home).text
      #expect(Self.section("part-morning", of: after) == nil)
      #expect(Self.section("ended", of: after) == nil)
    }
  }

  static let patterns: [(PlanPattern, Bool)] = [
    (.calendar(.daily, []), true),
    (.calendar(.every(days: 2), []), false),
    (.calendar(.runs(on: 21, off: 7), []), true),
    (.calendar(.runs(on: 5, off: 23), []), false),
    (.calendar(.daysOfCycle([1, 8], length: 28), []), false),
    (.calendar(.weekdays([.monday], everyWeeks: 1), []), false),
    (.calendar(.weekdays(Set(Weekday.allCases), everyWeeks: 1), []), true),
    (.calendar(.weekdays(Set(Weekday.allCases), everyWeeks: 2), []), false),
    (.calendar(.everyDaysOn(days: 1, Set(Weekday.allCases)), []), true),
    (.calendar(.months(every: 1), []), false),
    (.elapsed(everyMilliseconds: 6 * 3_600_000, times: 1), true),
    (.elapsed(everyMilliseconds: 72 * 3_600_000, times: 1), false),
    (.instants([]), false),
  ]

  @Test(arguments: patterns)
  func `patterns are classified as daily or not`(pattern: PlanPattern, isDaily: Bool) {
    #expect(DailyRecurrence.isDaily([pattern]) == isDaily)
  }

  @Test func `weekdays with different amounts are daily in total`() {
    let weekend: Set<Weekday> = [.saturday, .sunday]
    let week = Set(Weekday.allCases).subtracting(weekend)
    let patterns = [week, weekend].map {
      PlanPattern.calendar(.weekdays($0, everyWeeks: 1), [])
    }
    #expect(DailyRecurrence.isDaily(patterns))
    #expect(!DailyRecurrence.isDaily(Array(patterns.prefix(1))))
  }

  @Test func `the night begins before midnight`() throws {
    let times = try [23, 2, 5].map { try #require(ClockTime(secondsOfDay: $0 * 3_600)) }
    let positions = times.map(MedicinesByTime.position)
    #expect(positions[2] < positions[0] && positions[0] < positions[1])
  }
}
