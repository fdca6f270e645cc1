// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import MedicinePages
@testable import Web

/// The links on the page of a medicine: one button, and lists grouped by purpose.
@Suite struct MedicineActionsTests {
  /// Returns the lists of a page by their headings; nil if the page has none.
  private static func lists(_ page: String) throws -> [String: [String]]? {
    guard let start = page.range(of: "<section class=\"section\" id=\"more\">") else { return nil }
    let rest = page[start.upperBound...]
    let end = try #require(rest.range(of: "</section>"))
    let groups = rest[..<end.lowerBound].components(separatedBy: "<h3>").dropFirst()
    return try Dictionary(
      uniqueKeysWithValues: groups.map { group -> (String, [String]) in
        let title = try #require(group.range(of: "</h3>"))
        let addresses = group.matches(of: /href="([^"]*)"/).map { String($0.output.1) }
        return (String(group[..<title.lowerBound]), addresses)
      })
  }

  @Test func `one button stays visible and every other link is listed by purpose`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try #require(try await house.dose(0)["plan"]?.string)
      let address = "/medicines/\(plan)"
      let page = try await house.browser.open(address).text
      let lists = try #require(try Self.lists(page))
      #expect(
        lists["Change"] == [
          "\(address)/change", "\(address)/change/often", "\(address)/edit", "\(address)/pause",
          "\(address)/stop",
        ])
      #expect(lists["When you take it"]?.first == "\(address)/reminders")
      #expect(
        lists["At home"] == [
          "/stock/new?plan=\(plan)", "\(address)/appearance", "/stickers?plan=\(plan)",
        ])
      // The button and the link to the lists come before them.
      let before = try #require(page.components(separatedBy: "id=\"more\"").first)
      #expect(before.contains("href=\"\(address)/change/times\""))
      #expect(before.contains("href=\"#more\""))
      #expect(!before.contains("\(address)/pause") && !before.contains("/stickers"))
      // A screen reader hears which medicine is meant.
      #expect(page.contains("Pause<span class=\"visually-hidden\"> Metoprolol</span>"))
    }
  }

  @Test func `an as-needed medicine has no reminders but the question whether it helped`()
    async throws
  {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let plan = try await house.add("Ibuprofen", dosage: ["asNeededBoolean": true])
      let lists = try #require(
        try Self.lists(try await house.browser.open("/medicines/\(plan)").text))
      let use = try #require(lists["When you take it"])
      #expect(use.contains("/medicines/\(plan)/follow-up"))
      #expect(!use.contains("/medicines/\(plan)/reminders"))
      #expect(lists["Look back"] == nil)
    }
  }

  @Test func `a paused medicine can be stopped and not changed, and a past one neither`()
    async throws
  {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try #require(try await house.dose(0)["plan"]?.string)
      let address = "/medicines/\(plan)"
      _ = try await house.browser.post("\(address)/pause", ["reason": "Rest"])
      let paused = try await house.browser.open(address).text
      #expect(try Self.lists(paused)?["Change"] == ["\(address)/stop"])
      #expect(!paused.contains("\(address)/change/times"))
      _ = try await house.browser.post("\(address)/stop", ["reason": "Dry cough"])
      let past = try await house.browser.open(address).text
      #expect(try Self.lists(past)?["Change"] == nil && !past.contains("href=\"#more\""))
    }
  }
}
