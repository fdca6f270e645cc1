// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import TestSupport

@testable import Web

/// The server's answers about an unfinished plan.
@Suite struct LivePreviewAnswerTests {
  private static let cycle: [(String, String)] = [
    ("form", "tablet"), ("dose-value", "1"), ("schedule", "cycle"), ("cycle-on", "2"),
    ("cycle-off", "1"), ("cycle-time", "20:00"), ("cycle-time-slot", ""), ("cycle-break", "none"),
    ("start", "2026-03-01"), ("policy", "follow"),
  ]

  @Test(arguments: ["en", "th"])
  func `the live preview matches the button and stores nothing`(language: String) async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: [])
      let live = try await house.browser.post(
        "/medicines/new/details", Self.cycle + [("preview", "live")], speaking: language)
      #expect(live.status == .ok && live.text.contains("data-answer="))
      #expect(live.text.contains("plan-calendar") && live.text.contains("20:00"))
      // Small: no form, no page around it, and no script.
      #expect(live.text.utf8.count < 12_000 && !live.text.contains("<form"))
      #expect(!live.text.contains("<script"))
      let button = try await house.browser.post(
        "/medicines/new/details", Self.cycle + [("name", "Pill"), ("preview", "yes")],
        speaking: language)
      let calendar = try #require(
        live.text.firstMatch(of: /(?s)<table class="table plan-calendar">.*?<\/table>/)?.output)
      #expect(button.text.contains(calendar))
      #expect(try await house.listed().isEmpty)
    }
  }

  @Test func `incomplete or contradictory input has no preview`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try #require(try await house.listed().first?["plan"]?.string)
      for change in [
        ("cycle-on", ""), ("cycle-on", "400"), ("cycle-time", ""), ("dose-value", "x"),
        ("start", "soon"), ("end", "2020-01-01"), ("schedule", "as-needed"),
      ] {
        let fields = Self.cycle.map { $0.0 == change.0 ? change : $0 }
        let live = try await house.browser.post(
          "/medicines/new/details",
          fields + (change.0 == "end" ? [change] : []) + [("preview", "live")])
        #expect(live.status == .noContent && live.text.isEmpty, "\(change)")
      }
      // An outdated version is reported on saving.
      let old = try await house.browser.post(
        "/medicines/\(plan)/edit", Self.cycle + [("version", "99"), ("preview", "live")])
      #expect(old.status == .noContent)
      let own = try await house.browser.post(
        "/medicines/\(plan)/edit", Self.cycle + [("preview", "live")])
      #expect(own.status == .ok)
      let foreign = try await house.browser.post(
        "/medicines/nobody/edit", Self.cycle + [("preview", "live")])
      #expect(foreign.status == .notFound)
    }
  }

  @Test(arguments: [TooOftenTests.name, "Methotrexete 2.5 mg", "MTX 2.5 mg"])
  func `input that can't be saved gets the error text`(name: String) async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: [])
      let daily = TooOftenTests.medicine().map { $0.0 == "name" ? ("name", name) : $0 }
      let refused = try await house.browser.post("/medicines/new/details", daily)
      #expect(refused.status == .unprocessableContent)
      let sentence = try #require(
        refused.text.firstMatch(of: /notice-title">([^<]*at most once in 7 days[^<]*)</)?.1)
      for preview in ["live", "check"] {
        let answer = try await house.browser.post(
          "/medicines/new/details", daily + [("preview", preview)])
        #expect(answer.status == .ok && answer.text.contains("data-answer="))
        #expect(answer.text.contains(sentence), "\(answer.text)")
        #expect(!answer.text.contains("08:00") && !answer.text.contains("<form"))
      }
      // Once the word is typed, saving works, and so does the preview.
      let confirmed = daily + [("bar-word", "more often")]
      let live = try await house.browser.post(
        "/medicines/new/details", confirmed + [("preview", "live")])
      #expect(live.status == .ok && live.text.contains("08:00"), "\(live.text)")
      let check = try await house.browser.post(
        "/medicines/new/details", confirmed + [("preview", "check")])
      #expect(check.status == .noContent)
      #expect(try await house.listed().isEmpty)
    }
  }

  @Test func `valid input gets no error`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: [])
      let weekly = TooOftenTests.medicine(
        schedule: [("schedule", "weekdays"), ("weekday", "mon")])
      let daily = TooOftenTests.medicine().map { $0.0 == "name" ? ("name", "Bisoprolol") : $0 }
      for fields in [weekly, daily, Self.cycle] {
        let answer = try await house.browser.post(
          "/medicines/new/details", fields + [("preview", "check")])
        #expect(answer.status == .noContent && answer.text.isEmpty)
      }
      #expect(try await house.listed().isEmpty)
      let page = try await house.browser.open("/medicines/new/details").text
      #expect(page.contains("&quot;checked&quot;:true"), "the script is told that it may ask")
    }
  }
}

extension Browser {
  /// Posts a form with fields that are built at run time, in a language of the device.
  fileprivate func post(
    _ address: String, _ fields: [(String, String)], speaking language: String = "en"
  ) async throws -> TestResponse {
    let body = (fields + [(ForgeryGuard.field, formToken)])
      .map { "\(QueryText.encode($0.0))=\(QueryText.encode($0.1))" }.joined(separator: "&")
    var headers = headers
    headers[.cookie] = "\(headers[.cookie] ?? ""); regimen-language=\(language)"
    headers[.contentType] = "application/x-www-form-urlencoded"
    return try await harness.client.executeRequest(
      uri: address, method: .post, headers: headers, body: ByteBuffer(string: body))
  }
}
