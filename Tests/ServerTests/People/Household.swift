// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Web

/// Ann with a child, and their actions on the pages.
struct Household: Sendable {
  let harness: ServerHarness
  let ann: Account
  let browser: Browser
  /// The patient of the child.
  let child: PatientID

  /// Ann adds the child with the form.
  static func make(_ harness: ServerHarness) async throws -> Household {
    let ann = try await harness.makeAccount("Ann")
    let browser = try await harness.session(of: ann)
    let added = try await browser.post(
      "/people/new",
      [
        "given-name": "Mali", "birth-date": "2022-05-01", "label": "nickname",
        "nickname": "Little M", "colour": "green",
      ])
    #expect(added.status == .seeOther, "\(added.text)")
    // The device keeps showing the same person's pages, so the child is chosen by a press.
    #expect(!added.headers[values: .setCookie].contains { $0.hasPrefix(PersonChoice.cookie) })
    let people = try await browser.open("/people/family").text
    let child = try #require(
      people.matches(of: /name="person" value="([^"]+)"/).map { PatientID(String($0.output.1)) }
        .first { $0 != ann.patient })
    return Household(harness: harness, ann: ann, browser: browser, child: child)
  }

  /// Returns the same browser on the pages of a person.
  func chosen(_ patient: PatientID) -> Browser {
    var browser = browser
    browser.person = patient
    return browser
  }

  /// Adds a plan of a person at 08:00; returns the id of its first dose too.
  func dose(of patient: PatientID, medicine: String) async throws -> (plan: PlanID, dose: String) {
    let token = try await harness.token(of: ann)
    var request = MatrixPlan.resource(of: ann, id: nil)
    request["subject"] = ["reference": .string("Patient/\(patient)")]
    request["medicationCodeableConcept"] = ["text": .string(medicine)]
    let created = try await harness.send(.post, "/fhir/MedicationRequest", token, json: request)
    let plan = PlanID(try #require(try created.json()["id"]?.string, "\(created.text)"))
    let listed = try await harness.send(
      .get, "/api/v1/doses?patient=\(patient)&\(Person.today)", token)
    let doses = try listed.json()["doses"]?.array ?? []
    let dose = doses.first { $0["plan"]?.string == plan.text }
    return (plan, try #require(dose?["id"]?.string, "\(listed.text)"))
  }

  /// Invites on the child's pages; returns the code of the invitation and its address.
  func invite(
    _ relationship: Relationship, categories: [DataCategory] = [], handOver: Bool = false,
    of patient: PatientID? = nil
  ) async throws -> (code: String, address: String) {
    let browser = chosen(patient ?? child)
    try await harness.proveAgain()
    var fields = [("relationship", relationship.rawValue)]
    fields += categories.map { ("category", $0.rawValue) }
    if handOver { fields.append(("hand-over", "yes")) }
    let answer = try await browser.post("/people/share", pairs: fields)
    #expect(answer.status == .seeOther, "\(answer.text)")
    let address = try #require(answer.headers[.location])
    let page = try await browser.open(address).text
    let code = try #require(page.firstMatch(of: /translate="no">([0-9A-Z-]{14})</)?.1)
    return (String(code), address)
  }

  /// Invites, accepts as another account, and confirms.
  func connect(
    _ account: Account, _ relationship: Relationship, categories: [DataCategory] = [],
    handOver: Bool = false
  ) async throws -> Browser {
    let invitation = try await invite(relationship, categories: categories, handOver: handOver)
    let other = try await harness.session(of: account)
    let accepted = try await other.post("/join/\(invitation.code)", ["action": "accept"])
    #expect(accepted.status == .seeOther, "\(accepted.text)")
    let confirmed = try await chosen(child).post(invitation.address, ["action": "confirm"])
    #expect(confirmed.status == .seeOther, "\(confirmed.text)")
    var browser = other
    browser.person = child
    return browser
  }
}

extension Browser {
  /// Posts a form in which some fields repeat.
  func post(_ address: String, pairs: [(String, String)]) async throws -> TestResponse {
    var pairs = pairs
    pairs.append((ForgeryGuard.field, formToken))
    if let person { pairs.append((PersonChoice.guardField, person.text)) }
    return try await harness.submit(address, pairs, headers)
  }
}
