// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

@testable import Web

/// A practitioner reads the diary of a patient who shares it.
@Suite struct CareTeamDiaryTests {
  @Test func `a practitioner reads the diary if it is shared, by measure and period`() async throws
  {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness, sharing: [.diary])
      let page = "\(practice.address)/diary"
      #expect(try await practice.browser.open(page).text.contains("No entries in this period"))
      let written: [(tracker: String, fields: JSONValue)] = [
        ("pain", ["value": 7, "note": "After a walk"]),
        ("mood", ["value": 4, "at": "2026-01-02T08:00:00Z"]),
      ]
      for (tracker, fields) in written {
        var entry = fields
        entry["patient"] = .string(practice.patient.text)
        entry["tracker"] = .string(tracker)
        let made = try await practice.ann.post("/api/v1/diary/entries", entry)
        #expect(made.status == .created, "\(made.text)")
      }
      let patient = try await practice.browser.open(practice.address).text
      #expect(patient.contains("\(practice.address)/diary"))
      let latest = try await practice.browser.open(page).text
      #expect(latest.contains("7 out of 10") && latest.contains("After a walk"))
      #expect(!latest.contains("4 out of 10"))
      // Doses are not shared, so there is no report to open.
      #expect(!latest.contains("\(practice.address)/report"))
      let all = try await practice.browser.open("\(page)?range=all").text
      let pain = try #require(all.range(of: "7 out of 10"))
      let mood = try #require(all.range(of: "4 out of 10"))
      #expect(pain.lowerBound < mood.lowerBound)
      let moods = try await practice.browser.open("\(page)?range=all&tracker=mood").text
      #expect(moods.contains("4 out of 10") && !moods.contains("7 out of 10"))
      let odd = try await practice.browser.open("\(page)?range=x&tracker=x").text
      #expect(odd.contains("7 out of 10"))
    }
  }

  @Test(arguments: [nil, [.heartRate, .adherence, .medicines]] as [Set<DataCategory>?])
  func `without the diary there is no page and no link`(_ shared: Set<DataCategory>?) async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness, sharing: shared)
      let page = try await practice.browser.open("\(practice.address)/diary")
      #expect(page.status == .notFound)
      let patient = try await practice.browser.open(practice.address).text
      #expect(!patient.contains("\(practice.address)/diary"))
    }
  }
}
