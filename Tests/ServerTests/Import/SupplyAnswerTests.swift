// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Prescriptions
@testable import Web

/// The question if a prescription ends with its supply, on pages and in the APIs.
@Suite struct SupplyAnswerTests {
  private static let file = ImportPageTests.bundle.replacing(
    #""requester":{"display":"Dr. Berg"},"#,
    with:
      #""requester":{"display":"Dr. Berg"},"dispenseRequest":{"expectedSupplyDuration":{"value":10,"unit":"days","system":"http://unitsofmeasure.org","code":"d"}},"#
  )
  private static let question =
    "The supply is for 10 days. Stop then, or go on until someone stops it?"
  private static let answers = ["Stop after 10 March 2026", "Go on until someone stops it"]

  /// Returns the end that the plan of Bisoprolol states.
  private static func end(_ harness: ServerHarness, _ account: Account) async throws -> String? {
    let plans = try await harness.environment.database.read {
      try PlanQueries.all(patient: account.patient, in: $0)
    }
    let plan = try #require(plans.first { $0.medicineName == "Bisoprolol 2.5 mg" })
    let dosage = plan.request.json["dosageInstruction"]?[0]
    return dosage?["timing"]?["repeat"]?["boundsPeriod"]?["end"]?.string
  }

  @Test(arguments: [("stop", "2026-03-10"), ("go-on", nil)] as [(String, String?)])
  func `the import page asks, and the answer counts`(answer: String, end: String?) async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let sent = try await ImportPageTests.upload(browser, Array(Self.file.utf8))
      let address = try #require(sent.headers[.location])
      let page = try await browser.open(address)
      #expect(page.text.contains(Self.question), "\(page.text)")
      #expect(Self.answers.allSatisfy { page.text.contains($0) })
      #expect(page.text.contains("There are no reminders until you answer."))
      let done = try await browser.post(
        address, ["action": "accept", "entry": "2", "supply": answer])
      #expect(done.status == .seeOther, "\(done.text)")
      #expect(try await Self.end(harness, ann) == end)
    }
  }

  @Test func `without an answer it waits on Today with both buttons`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let sent = try await ImportPageTests.upload(browser, Array(Self.file.utf8))
      let address = try #require(sent.headers[.location])
      _ = try await browser.post(address, ["action": "accept-all"])
      let proposals = try await harness.environment.database.read {
        try ProposalQueries.open(patient: ann.patient, in: $0)
      }
      let proposal = try #require(proposals.first)
      #expect(proposals.count == 1)
      let today = try await browser.open("/")
      #expect(today.text.contains(Self.question), "\(today.text)")
      #expect(Self.answers.allSatisfy { today.text.contains($0) })
      let asked = try await browser.post("/proposals/\(proposal.id)", ["action": "accept"])
      #expect(asked.status == .unprocessableContent)
      #expect(asked.text.contains(Self.question) && asked.text.contains("When does it end?"))
      let wrong = try await browser.post(
        "/proposals/\(proposal.id)", ["action": "accept", "supply": "later"])
      #expect(wrong.status == .unprocessableContent)
      let done = try await browser.post(
        "/proposals/\(proposal.id)", ["action": "accept", "supply": "stop"])
      #expect(done.status == .seeOther, "\(done.text)")
      #expect(try await Self.end(harness, ann) == "2026-03-10")
    }
  }

  @Test func `the JSON API needs the answer`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let taken = try await ann.post(
        "/api/v1/imports?accept=true", try JSONValue(parsing: Self.file))
      #expect(taken.status == .ok, "\(taken.text)")
      let list = try await ann.get("/api/v1/proposals").json()
      let item = try #require(list["proposals"]?[0])
      #expect(item["acceptable"] == false)
      #expect(
        item["supply"] == [
          "question": .string(Self.question), "lastDay": "2026-03-10",
          "answers": ["stop", "go-on"],
        ])
      let id = try #require(item["id"]?.string)
      let path = "/api/v1/proposals/\(id)/accept"
      let refused = try await ann.post(path, [:])
      #expect(refused.status == .unprocessableContent)
      #expect(try refused.json()["code"] == "supply", "\(refused.text)")
      let wrong = try await ann.post(path, ["supply": "later"])
      #expect(wrong.status == .unprocessableContent)
      let accepted = try await ann.post(path, ["supply": "stop"])
      #expect(accepted.status == .ok, "\(accepted.text)")
      #expect(try await Self.end(harness, ann.account) == "2026-03-10")
    }
  }

  @Test func `a prescription posted over FHIR rings, with a warning`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var request = ann.request()
      request["dispenseRequest"] = [
        "expectedSupplyDuration": [
          "value": 10, "unit": "days", "system": "http://unitsofmeasure.org", "code": "d",
        ]
      ]
      let prefer = try #require(HTTPField.Name("Prefer"))
      let created = try await ann.post(
        "/fhir/MedicationRequest", request, [prefer: "return=OperationOutcome"])
      #expect(created.status == .created, "\(created.text)")
      let warning = try created.json()["issue"]?.array?.first {
        $0["expression"]?[0]?.string
          == "MedicationRequest.dispenseRequest.expectedSupplyDuration"
      }
      #expect(warning?["severity"] == "warning", "\(created.text)")
      #expect(
        warning?["diagnostics"]?.string
          == "The dosage has no end. \(Self.question) It gives doses until someone stops it.")
      #expect(try await !ann.doses().isEmpty)
    }
  }
}
