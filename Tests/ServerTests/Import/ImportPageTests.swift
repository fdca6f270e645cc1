// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Prescriptions
@testable import Web

/// A file is uploaded, reviewed and decided on, with forms only.
@Suite struct ImportPageTests {
  static let bundle = """
    {"resourceType":"Bundle","type":"collection","entry":[
     {"fullUrl":"urn:uuid:11111111-1111-4111-8111-111111111111","resource":{"resourceType":"Patient","name":[{"text":"Ann Example"}]}},
     {"fullUrl":"https://h/fhir/MedicationRequest/1","resource":{"resourceType":"MedicationRequest","id":"1","status":"active","intent":"order",
      "requester":{"display":"Dr. Berg"},"medicationCodeableConcept":{"text":"Bisoprolol 2.5 mg"},
      "subject":{"reference":"urn:uuid:11111111-1111-4111-8111-111111111111"},
      "dosageInstruction":[{"text":"morning & evening","timing":{"repeat":{"timeOfDay":["08:00:00","20:00:00"]}},"doseAndRate":[{"doseQuantity":{"value":1,"unit":"tablet"}}]}]}},
     {"fullUrl":"https://h/fhir/MedicationRequest/2","resource":{"resourceType":"MedicationRequest","id":"2","status":"active","intent":"order",
      "medicationCodeableConcept":{"text":"Ramipril"},"subject":{"reference":"urn:uuid:11111111-1111-4111-8111-111111111111"},
      "dosageInstruction":[{"text":"1-0-1 <b>"}]}},
     {"resource":{"resourceType":"MedicationAdministration","id":"a","status":"completed","medicationCodeableConcept":{"text":"Bisoprolol 2.5 mg"},
      "subject":{"reference":"urn:uuid:11111111-1111-4111-8111-111111111111"},"request":{"reference":"https://h/fhir/MedicationRequest/1"},"effectiveDateTime":"2026-02-28T08:00:00Z"}},
     {"resource":{"resourceType":"MedicationRequest"}},
     {"resource":{"resourceType":"Observation"}}]}
    """

  /// Uploads a file as a browser does; returns the answer.
  static func upload(
    _ browser: Browser, _ content: [UInt8], name: String = "file.json", token: String? = nil
  ) async throws -> TestResponse {
    var body = Array(
      "--B\r\nContent-Disposition: form-data; name=\"form-token\"\r\n\r\n\(token ?? browser.formToken)\r\n--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\nContent-Type: application/json\r\n\r\n"
        .utf8)
    body += content
    body += Array("\r\n--B--\r\n".utf8)
    var headers = browser.headers
    headers[.contentType] = "multipart/form-data; boundary=B"
    return try await browser.harness.client.executeRequest(
      uri: "/import", method: .post, headers: headers, body: ByteBuffer(bytes: body))
  }

  private static func rows(_ harness: ServerHarness, _ table: StaticString) async throws -> Int64 {
    try await harness.environment.database.read { reader in
      var sql: SQLText = "SELECT count(*) FROM "
      sql.append(table)
      return try reader.first(dynamic: sql)?.integer(0) ?? -1
    }
  }

  private static func plans(_ harness: ServerHarness, _ account: Account) async throws -> [Plan] {
    try await harness.environment.database.read {
      try PlanQueries.all(patient: account.patient, in: $0)
    }
  }

  @Test func `a file is previewed before anything is stored`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let form = try await browser.open("/import")
      #expect(form.text.contains("multipart/form-data") && form.text.contains("type=\"file\""))
      let sent = try await Self.upload(browser, Array(Self.bundle.utf8))
      #expect(sent.status == .seeOther)
      let address = try #require(sent.headers[.location])
      let page = try await browser.open(address)
      #expect(page.status == .ok, "\(page.text)")
      #expect(page.text.contains("Bisoprolol 2.5 mg") && page.text.contains("08:00"))
      #expect(page.text.contains("1-0-1 &lt;b&gt;"))
      #expect(page.text.contains("2 prescriptions, 1 dose given"))
      #expect(page.text.contains("1 entry couldn’t be read or used"))
      #expect(page.text.contains("Observation (1)"))
      #expect(try await Self.rows(harness, "proposals") == 0)
      #expect(try await Self.rows(harness, "intakes") == 0)
      #expect(try await Self.plans(harness, ann).isEmpty)
    }
  }

  @Test func `proposals are accepted or declined, and the file shows it`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let sent = try await Self.upload(browser, Array(Self.bundle.utf8))
      let address = try #require(sent.headers[.location])
      let accepted = try await browser.post(address, ["action": "accept", "entry": "2"])
      #expect(accepted.status == .seeOther)
      let plan = try #require(try await Self.plans(harness, ann).first)
      #expect(plan.medicineName == "Bisoprolol 2.5 mg" && plan.unplanned == nil)
      #expect(try await Self.rows(harness, "intakes") == 1)
      _ = try await browser.post(address, ["action": "decline", "entry": "3"])
      let page = try await browser.open("\(address)?done=declined")
      #expect(page.text.contains("/medicines/\(plan.id)"))
      #expect(page.text.contains("You declined this."))
      let unknown = try await browser.post(address, ["action": "accept", "entry": "99"])
      #expect(unknown.status == .notFound)
      let today = try await browser.open("/")
      #expect(!today.text.contains("/proposals/"))
    }
  }

  @Test func `accepting all removes the file`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let sent = try await Self.upload(browser, Array(Self.bundle.utf8))
      let address = try #require(sent.headers[.location])
      _ = try await browser.post(address, ["action": "accept-all"])
      #expect(try await Self.plans(harness, ann).count == 2)
      #expect(try await Self.rows(harness, "import_uploads") == 0)
      #expect(try await browser.open(address).status == .notFound)
      let today = try await browser.open("/")
      #expect(today.text.contains("1-0-1 &lt;b&gt;") && today.text.contains("Enter times"))
    }
  }

  @Test func `postponed proposals come first on Today`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let bob = try await harness.makeAccount("Bob")
      let browser = try await harness.session(of: ann)
      let sent = try await Self.upload(browser, Array(Self.bundle.utf8))
      let address = try #require(sent.headers[.location])
      _ = try await browser.post(address, ["action": "keep"])
      let today = try await browser.open("/")
      #expect(today.text.contains("From Dr. Berg"))
      let proposals = try await harness.environment.database.read {
        try ProposalQueries.open(patient: ann.patient, in: $0)
      }
      #expect(proposals.count == 2)
      let first = try #require(proposals.first)
      #expect(today.text.contains("/proposals/\(first.id)"))
      let stranger = try await harness.session(of: bob)
      let refused = try await stranger.post("/proposals/\(first.id)", ["action": "accept"])
      #expect(refused.status == .notFound)
      let nonsense = try await browser.post("/proposals/\(first.id)", ["action": "x"])
      #expect(nonsense.status == .unprocessableContent)
      for _ in 0..<2 {
        let pressed = try await browser.post("/proposals/\(first.id)", ["action": "accept"])
        #expect(pressed.status == .seeOther)
      }
      #expect(try await Self.plans(harness, ann).count == 1)
      let last = try #require(proposals.last)
      for _ in 0..<2 {
        _ = try await browser.post("/proposals/\(last.id)", ["action": "decline"])
      }
      #expect(
        try await browser.post("/proposals/\(last.id)", ["action": "accept"]).status == .seeOther)
      #expect(try await Self.plans(harness, ann).count == 1)
    }
  }

  @Test func `a change shows the old and new sentences`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let first = try await Self.upload(browser, Array(Self.bundle.utf8))
      _ = try await browser.post(
        try #require(first.headers[.location]), ["action": "accept-all"])
      let changed = Self.bundle.replacing("\"20:00:00\"", with: "\"21:00:00\"")
      let second = try await Self.upload(browser, Array(changed.utf8))
      let address = try #require(second.headers[.location])
      let page = try await browser.open(address)
      #expect(page.text.contains("This changes a medicine you already have here."))
      #expect(page.text.contains("20:00") && page.text.contains("21:00"))
      _ = try await browser.post(address, ["action": "keep"])
      let today = try await browser.open("/")
      #expect(today.text.contains("Before") && today.text.contains("21:00"))
      #expect(try await Self.plans(harness, ann).count == 2)
    }
  }

  @Test func `a stop from the source is announced once`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let first = try await Self.upload(browser, Array(Self.bundle.utf8))
      _ = try await browser.post(
        try #require(first.headers[.location]), ["action": "accept-all"])
      let ended = Self.bundle.replacing(
        "\"id\":\"1\",\"status\":\"active\"", with: "\"id\":\"1\",\"status\":\"stopped\"")
      let second = try await Self.upload(browser, Array(ended.utf8))
      _ = try await browser.post(try #require(second.headers[.location]), ["action": "keep"])
      let today = try await browser.open("/")
      #expect(today.text.contains("Bisoprolol 2.5 mg was ended by the sender."))
      let stop = try #require(
        try await harness.environment.database.read {
          try ProposalQueries.waiting(patient: ann.patient, in: $0).stops
        }.first)
      _ = try await browser.post("/proposals/\(stop.id)", ["action": "seen"])
      #expect(!(try await browser.open("/")).text.contains("was ended by the sender"))
    }
  }

  @Test func `other kinds of file are refused with a message`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      for content in ["<Bundle/>", "PK\u{3}\u{4}", "name;dose", "[1]"] {
        let answer = try await Self.upload(browser, Array(content.utf8))
        #expect(answer.status == .unprocessableContent, "\(content)")
        #expect(answer.text.contains("This file is neither"))
      }
      let none = try await Self.upload(browser, [])
      #expect(none.status == .unprocessableContent && none.text.contains("Choose a file."))
      #expect(try await browser.post("/import", [:]).status == .unprocessableContent)
      #expect(try await Self.rows(harness, "import_uploads") == 0)
      let forged = try await Self.upload(browser, Array(Self.bundle.utf8), token: "wrong")
      #expect(forged.status == .forbidden)
      #expect(try await Self.rows(harness, "import_uploads") == 0)
    }
  }

  @Test func `a file can be larger than a form`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let padding = String(repeating: " ", count: 3 * 1024 * 1024)
      let large = try await Self.upload(browser, Array((padding + Self.bundle).utf8))
      #expect(large.status == .seeOther)
      let page = try await browser.open(try #require(large.headers[.location]))
      #expect(page.text.contains("Bisoprolol 2.5 mg"))
    }
  }

  @Test func `a file that is too large is refused and leaves nothing behind`() async throws {
    try await ServerHarness.run(maximumUpload: 600 * 1024) { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let fits = [UInt8](repeating: 0x20, count: 600 * 1024 - Self.bundle.utf8.count)
      let sent = try await Self.upload(browser, fits + Array(Self.bundle.utf8))
      #expect(sent.status == .seeOther)
      let kept = try await Self.rows(harness, "import_uploads")
      #expect(kept > 1)
      // Some pieces are stored before the end of it is read.
      let large = try await Self.upload(browser, fits + Array((Self.bundle + " ").utf8))
      #expect(large.status == .contentTooLarge && large.text.contains("larger than 50 MB"))
      #expect(try await Self.rows(harness, "import_uploads") == 0)
      let huge = try await Self.upload(browser, fits + fits)
      #expect(huge.status == .contentTooLarge)
      var headers = try await harness.token(of: ann)
      headers[.contentType] = "application/fhir+json"
      for (bytes, status) in [(fits + Array(Self.bundle.utf8), 200), (fits + fits, 413)] {
        let answer = try await harness.client.executeRequest(
          uri: "/api/v1/imports?dryRun=true", method: .post, headers: headers,
          body: ByteBuffer(bytes: bytes))
        #expect(answer.status.code == status, "\(answer.text)")
      }
    }
  }

  @Test(arguments: ["{", "{\"resourceType\":\"Bundle\",\"entry\":[{\"resource\":{\"reso"])
  func `a truncated file says so and offers its valid entries`(end: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let whole = end == "{" ? String(Self.bundle.dropLast(2)) + "," + end : end
      let sent = try await Self.upload(browser, Array(whole.utf8))
      let page = try await browser.open(try #require(sent.headers[.location]))
      #expect(page.status == .ok && page.text.contains("in the middle of this entry."))
      #expect(page.text.contains("2 prescriptions, 1 dose given") == (end == "{"))
      #expect(try await Self.rows(harness, "proposals") == 0)
    }
  }

  @Test func `a new upload replaces the previous, and old ones are deleted`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let first = try await Self.upload(browser, Array(Self.bundle.utf8))
      let second = try await Self.upload(browser, Array(Self.bundle.utf8))
      #expect(try await browser.open(try #require(first.headers[.location])).status == .notFound)
      #expect(try await browser.open(try #require(second.headers[.location])).status == .ok)
      harness.clock.advance(minutes: 25 * 60)
      let now = harness.clock.now
      try await harness.environment.database.write { writer in
        try ImportUploads.forgetOld(at: now, in: writer)
      }
      #expect(try await Self.rows(harness, "import_uploads") == 0)
    }
  }
}
