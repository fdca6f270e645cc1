// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import People
@testable import Web

/// Ann, born on 1 May 1948, and a confirmed practitioner, each in a browser.
struct Practice: Sendable {
  let harness: ServerHarness
  let ann: Person
  let annBrowser: Browser
  let doctor: Account
  let browser: Browser

  var patient: PatientID { ann.account.patient }
  var address: String { "/care/\(patient)" }

  /// - Parameter sharing: The categories that Ann shares already; nil if there was no request yet.
  static func make(
    _ harness: ServerHarness, sharing: Set<DataCategory>? = Set(DataCategory.allCases),
    isConfirmed: Bool = true
  ) async throws -> Practice {
    let ann = try await Person.make(harness)
    let doctor = try await harness.makeAccount("Doctor")
    let (environment, now) = (harness.environment, harness.clock.now)
    let actor = Actor(
      accountID: ann.account.id, kind: .session, relationships: [ann.account.patient: .self_],
      scope: .session)
    let context = environment.commandContext(for: actor, byName: "Ann", now: now)
    try await environment.database.write { writer in
      var details = try #require(
        try PeopleQueries.details(ann.account.patient, in: writer)?.details)
      details.birthDate = CivilDate(text: "1948-05-01")
      try PeopleCommands.change(
        details, patient: ann.account.patient, context: context, in: writer)
      if isConfirmed {
        try environment.accounts.confirmPractitioner(
          doctor.id, by: "operator", at: now, in: writer)
      }
    }
    let practice = Practice(
      harness: harness, ann: ann, annBrowser: try await harness.session(of: ann.account),
      doctor: doctor, browser: try await harness.session(of: doctor))
    if let sharing { try await practice.share(sharing) }
    return practice
  }

  func share(_ categories: Set<DataCategory>) async throws {
    let (accounts, now) = (harness.environment.accounts, harness.clock.now)
    let (patient, doctor) = (patient, doctor.id)
    try await harness.environment.database.write { writer in
      try accounts.grant(
        .practitioner, of: patient, to: doctor, from: now.adding(milliseconds: -1),
        categories: categories, in: writer)
    }
    harness.environment.sessions.forget()
  }

  /// Ann ends it on her page.
  func endByPatient() async throws {
    let ended = try await annBrowser.post(
      "/people/access/\(doctor.id)", ["action": "end", "relationship": "practitioner"])
    #expect(ended.status == .seeOther, "\(ended.text)")
  }

  static let identity = [("patient-name", "ann"), ("patient-birth-date", "1948-05-01")]

  /// Returns the form of a medicine as a practitioner would fill it in.
  static func medicine(_ name: String = "Testolol", at times: [String] = ["08:00"])
    -> [(String, String)]
  {
    [
      ("name", name), ("form", "tablet"), ("strength-value", "50"), ("strength-unit", "mg"),
      ("dose-value", "1"), ("dose-unit", ""), ("schedule", "times"), ("start", "2026-03-01"),
      ("policy", "follow"),
    ] + times.map { ("time", $0) }
  }

  /// Prescribes, and Ann accepts on Today; returns the plan.
  func prescribed(_ name: String = "Testolol") async throws -> String {
    let sent = try await browser.post(
      "\(address)/prescribe/details", pairs: Self.medicine(name) + Self.identity)
    #expect(sent.status == .seeOther, "\(sent.text)")
    let today = try await annBrowser.open("/").text
    let proposal = try #require(today.firstMatch(of: /action="(\/proposals\/[^"]+)"/)?.1)
    let taken = try await annBrowser.post(String(proposal), ["action": "accept"])
    let place = try #require(taken.headers[.location])
    return String(try #require(place.firstMatch(of: /\/medicines\/([^?]+)/)?.1))
  }
}
