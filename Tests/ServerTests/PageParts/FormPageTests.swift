// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdTesting
import SiteMap
import Testing
import TestSupport

@testable import Web

/// A page of a form says the same in its title, its summary and its status.
@Suite struct FormPageTests {
  private func isMistaken(_ page: TestResponse) -> [Bool] {
    [
      page.status == .unprocessableContent, page.text.contains("<title>Error: "),
      page.text.contains("id=\"error-summary\""),
    ]
  }

  @Test func `errors change title, summary and status together`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      let forms: [(path: String, fields: KeyValuePairs<String, String>)] = [
        (Address.heartRate, ["value": "many", "day": ""]),
        (Address.hospitals, ["address": "not an address", "access": "open"]),
      ]
      for form in forms {
        let sent = try await browser.post(form.path, form.fields)
        #expect(isMistaken(sent) == [true, true, true], "\(form.path): \(sent.text)")
      }
      for path in [Address.heartRate, "/hospitals/new"] {
        let opened = try await browser.open(path)
        #expect(opened.status == .ok)
        #expect(isMistaken(opened) == [false, false, false], "\(path): \(opened.text)")
      }
    }
  }
}
