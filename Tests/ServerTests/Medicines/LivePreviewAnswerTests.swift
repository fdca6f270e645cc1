// SPDX-License-Identifier: Apache-2.0

import Adherence
import FHIR
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import Server

/// What the server says of a plan while it is typed.
@Suite struct LivePreviewAnswerTests {
  private static let cycle: [(String, String)] = [
    ("form", "tablet"), ("dose-value", "1"), ("schedule", "cycle"), ("cycle-on", "2"),
    ("cycle-off", "1"), ("cycle-time", "20:00"), ("cycle-time-slot", ""), ("cycle-break", "none"),
    ("start", "2026-03-01"), ("policy", "follow"),
  ]

  @Test(arguments: ["en", "th"])
  func `it shows the days as the button does and keeps nothing`(language: String) async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: [])
      let live = try await house.browser.post(
        "/medicines/new", Self.cycle + [("preview", "live")], speaking: language)
      #expect(live.status == .ok && live.text.contains("data-answer="))
      #expect(live.text.contains("plan-calendar") && live.text.contains("20:00"))
      // Small: no form, no page around it, and nothing that could run.
      #expect(live.text.utf8.count < 12_000 && !live.text.contains("<form"))
      #expect(!live.text.contains("<script"))
      let button = try await house.browser.post(
        "/medicines/new", Self.cycle + [("name", "Pill"), ("preview", "yes")], speaking: language)
      let calendar = try #require(
        live.text.firstMatch(of: /(?s)<table class="table plan-calendar">.*?<\/table>/)?.output)
      #expect(button.text.contains(calendar))
      #expect(try await house.listed().isEmpty)
    }
  }

  @Test func `too little, or what clashes, is answered with nothing`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try #require(try await house.listed().first?["plan"]?.string)
      for change in [
        ("cycle-on", ""), ("cycle-on", "400"), ("cycle-time", ""), ("dose-value", "x"),
        ("start", "soon"), ("end", "2020-01-01"), ("schedule", "as-needed"),
      ] {
        let fields = Self.cycle.map { $0.0 == change.0 ? change : $0 }
        let live = try await house.browser.post(
          "/medicines/new",
          fields + (change.0 == "end" ? [change] : []) + [("preview", "live")])
        #expect(live.status == .noContent && live.text.isEmpty, "\(change)")
      }
      // A version that is out of date is told when saving.
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
}

extension Browser {
  /// Posts a form whose fields are put together while the test runs, in a language of the device.
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
