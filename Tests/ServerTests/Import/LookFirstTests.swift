// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Storage
import Testing
import TestSupport

/// "Your prescription changed: check it before you take anything", wherever a dose of it speaks up.
@Suite struct LookFirstTests {
  private static func request(_ id: String, status: String, time: String, more: String = "")
    -> String
  {
    """
    {"fullUrl":"https://h/fhir/MedicationRequest/\(id)","resource":{"resourceType":"MedicationRequest",
     "id":"\(id)","status":"\(status)","intent":"order",\(more)
     "medicationCodeableConcept":{"text":"Bisoprolol"},"subject":{"reference":"Patient/hospital"},
     "dosageInstruction":[{"timing":{"repeat":{"timeOfDay":["\(time)"]}},
      "doseAndRate":[{"doseQuantity":{"value":1,"unit":"tablet"}}]}]}}
    """
  }

  private static func bundle(_ entries: String...) -> String {
    "{\"resourceType\":\"Bundle\",\"type\":\"collection\",\"entry\":[\(entries.joined(separator: ","))]}"
  }

  private func send(_ text: String, to person: Person, _ query: String = "") async throws {
    let answer = try await person.harness.client.executeRequest(
      uri: "/api/v1/imports\(query)", method: .post,
      headers: person.token.with([.contentType: "application/fhir+json"]),
      body: ByteBuffer(string: text))
    #expect(answer.status == .ok, "\(answer.text)")
    #expect(try answer.json()["problemCount"]?.number?.integer == 0, "\(answer.text)")
  }

  @Test func `until a replacement is answered the old times ring with a note`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      _ = try await ann.subscribe()
      await harness.ring()
      try await send(
        Self.bundle(Self.request("1", status: "active", time: "08:00:00")), to: ann, "?accept=true")
      let prior = "\"priorPrescription\":{\"reference\":\"https://h/fhir/MedicationRequest/1\"},"
      try await send(
        Self.bundle(
          Self.request("1", status: "stopped", time: "08:00:00"),
          Self.request("2", status: "active", time: "10:00:00", more: prior)), to: ann)
      let waiting = try await ann.get("/api/v1/proposals").json()["proposals"]?.array ?? []
      try #require(waiting.count == 1, "the stop is answered together with the replacement")
      #expect(waiting[0]["lookFirst"] == true && waiting[0]["kind"] == "changed")

      harness.clock.advance(minutes: 60)
      await harness.ring()
      let push = try #require(harness.outbox.pushes.last).payload
      #expect(push["title"] == "Your prescription changed")
      #expect(push["body"] == "Check it before you take anything. Due 08:00.")
      #expect(push["actions"]?.array == [] && push["doses"]?.array?.count == 1)
      let subject = try #require(push["subject"]?.string)
      for address in ["/ring", "/ring/\(subject)"] {
        let page = try await browser.open(address).text
        #expect(page.contains("data-state=\"ringing\""))
        #expect(page.contains("Your prescription changed: check it before you take anything"))
        #expect(page.contains("href=\"/#proposals\"") && !page.contains(" checked>"))
      }
      let today = try await browser.open("/").text
      #expect(today.contains("id=\"proposals\""))
      let words = today.matches(of: /Your prescription changed: check it before you take anything/)
      #expect(words.count == 2, "beside the proposal and at the dose")

      let id = try #require(waiting[0]["id"]?.string)
      #expect(try await ann.post("/api/v1/proposals/\(id)/accept", [:]).status == .ok)
      #expect(try await !browser.open("/ring").text.contains("check it before you take"))
      // The next day at the new time: today's would stand too near to the old one.
      harness.clock.advance(minutes: 26 * 60)
      await harness.ring()
      let next = harness.outbox.pushes.map(\.payload).filter {
        $0["title"] == "Time for the 10:00 dose"
      }
      #expect(next.count == 1 && next.allSatisfy { $0["actions"] == nil })
    }
  }
}
