// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

/// Every page that names a medicine includes its strength.
@Suite struct NamedPlacesTests {
  private static let name = "Metoprolol 47.5 mg"

  @Test func `a medicine is named with its strength wherever it is listed`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      let browser = practice.annBrowser
      let added = try await browser.post(
        "/medicines/new/details",
        pairs: [
          ("name", "Metoprolol"), ("form", "tablet"), ("strength-value", "47.5"),
          ("strength-unit", "mg"), ("dose-value", "1"), ("schedule", "times"),
          ("time", "08:00"), ("start", "2026-03-01"),
        ])
      #expect(added.status == .seeOther, "\(added.text)")
      // Before the hour passes: an idle practitioner is signed out.
      let patient = try await practice.browser.open(practice.address)
      #expect(patient.text.contains(Self.name), "\(patient.text)")
      // A prescription has a strength of 50 mg in a separate field.
      let sent = try await practice.browser.post(
        "\(practice.address)/prescribe/details", pairs: Practice.medicine() + Practice.identity)
      #expect(sent.status == .seeOther, "\(sent.text)")
      harness.clock.advance(minutes: 60)
      await harness.ring()
      for address in ["/", "/ring", "/simple", "/medicines", "/emergency-card"] {
        let page = try await browser.open(address)
        #expect(page.text.contains(Self.name), "\(address) \(page.text)")
      }
      let today = try await browser.open("/")
      #expect(today.text.contains("Testolol 50 mg"), "\(today.text)")
      harness.clock.advance(minutes: 24 * 60)
      for address in ["/report?days=7", "/report.csv?days=7"] {
        let report = try await browser.open(address)
        #expect(report.text.contains(Self.name), "\(address) \(report.text)")
      }
    }
  }
}
