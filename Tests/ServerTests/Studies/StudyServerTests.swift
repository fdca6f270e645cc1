// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Operations
@testable import Studies
@testable import Web

/// Studies over HTTP and the operator's commands.
@Suite struct StudyServerTests {
  private static let page = "/studies/reminders-2026"

  /// Returns Ann, an adult with a medicine, in an installation with a study.
  private func ann(
    _ harness: ServerHarness, _ text: String = StudySample.text
  ) async throws -> (Person, Browser) {
    let ann = try await Person.make(harness)
    _ = try await ann.plan()
    let address = "/fhir/Patient/\(ann.account.patient)"
    let read = try await ann.get(address)
    var patient = try read.json()
    patient["birthDate"] = "1948-07-01"
    let tag = try #require(read.headers[.eTag])
    let changed = try await ann.put(address, patient, [.ifMatch: tag])
    #expect(changed.status == .ok, "\(changed.text)")
    let line = try await Administration(environment: harness.environment).perform(
      .study(.load(text: text)))
    #expect(line == "reminders-2026 version 1")
    return (ann, try await harness.session(of: ann.account))
  }

  private func join(_ browser: Browser, right: String = "yes") async throws -> TestResponse {
    try await browser.post(
      "\(Self.page)/join",
      [
        "version": "1", "condition-phone": "yes", "understanding-leave": right,
        "name": "Ann Example",
      ])
  }

  @Test func `a person reads, signs, sees what is shared, and withdraws`() async throws {
    try await ServerHarness.run { harness in
      let (_, browser) = try await self.ann(harness)
      #expect(try await browser.open("/studies").text.contains("Reminders that insist"))
      let form = try await browser.open("\(Self.page)/join")
      #expect(form.text.contains("We read when you take your medicine."))
      #expect(form.text.contains("You can stop at any time."))
      let wrong = try await join(browser, right: "no")
      #expect(wrong.status == .unprocessableContent)
      #expect(wrong.text.contains("This answer is not right."))
      #expect(wrong.text.contains("value=\"Ann Example\""))
      let joined = try await join(browser)
      #expect(joined.headers[.location] == "\(Self.page)?done=joined")
      #expect(try await join(browser).status == .conflict)
      let page = try await browser.open(Self.page)
      #expect(page.text.contains("Yes, since you joined"))
      #expect(page.text.contains("Not yet."))
      let left = try await browser.post("\(Self.page)/withdraw", ["data": "delete"])
      #expect(left.headers[.location] == "\(Self.page)?done=withdrawn")
      #expect(try await browser.open(Self.page).text.contains("No longer"))
    }
  }

  @Test func `a study's questionnaires are listed with its name, once for each`() async throws {
    try await ServerHarness.run { harness in
      let (_, browser) = try await self.ann(
        harness,
        StudySample.file(
          share: #"["doses", "reminders", "questionnaires"]"#,
          questionnaires: #"[{"id": "adherence", "days": [0, 40, 77]}]"#))
      let detail = try await browser.open(Self.page)
      #expect(detail.text.contains("It asks you to answer questionnaires on 3 days."))
      _ = try await join(browser)
      let line = "asked for by Reminders that insist"
      let list = try await browser.open("/questionnaires").text
      #expect(list.components(separatedBy: line).count == 2)
      #expect(list.contains("href=\"\(Self.page)\""))
      #expect(try await browser.open("/").text.contains("How you take your medicines"))
      _ = try await browser.post("\(Self.page)/withdraw", ["data": "keep"])
      #expect(!(try await browser.open("/questionnaires").text.contains(line)))
    }
  }

  @Test func `someone without a date of birth is told, and not enrolled`() async throws {
    try await ServerHarness.run { harness in
      let (_, _) = try await self.ann(harness)
      let bob = try await Person.make(harness, "Bob")
      let browser = try await harness.session(of: bob.account)
      let page = try await browser.open("\(Self.page)/join")
      #expect(page.text.contains("Enter your date of birth"))
      #expect(!page.text.contains("name=\"name\""))
      #expect(try await join(browser).text.contains("Enter your date of birth"))
      #expect(try await browser.open("/studies").text.contains("You can join"))
    }
  }

  @Test func `a researcher fetches counts and files, and participants see it`() async throws {
    try await ServerHarness.run { harness in
      let (ann, browser) = try await self.ann(harness)
      _ = try await join(browser)
      let made = try await Administration(environment: harness.environment).perform(
        .study(.addResearcher(id: "reminders-2026", name: "Dr. Researcher")))
      let token = try #require(made.split(separator: " ").last)
      let headers: HTTPFields = [.authorization: "Bearer \(token)"]
      let counts = try await harness.send(.get, "/api/v1/research/counts", headers)
      #expect(try counts.json()["taking"]?.string == "<5")
      let list = try await harness.send(.get, "/api/v1/research/files", headers).json()
      #expect(list["files"]?.array?.contains("doses.csv") == true)
      let file = try await harness.send(.get, "/api/v1/research/files/participants.csv", headers)
      #expect(file.status == .ok && file.text.hasPrefix("participant,arm,version,days,withdrew"))
      #expect(!file.text.contains(ann.account.patient.text))
      let questions = "/api/v1/research/files/heart-rate-questions.csv"
      #expect(try await harness.send(.get, questions, headers).status == .notFound)
      #expect(
        try await harness.send(.get, "/api/v1/research/files/x", headers).status == .notFound)
      // No other credential opens these, and this one opens nothing else.
      #expect(
        try await harness.send(.get, "/api/v1/research/counts", ann.token).status == .forbidden)
      #expect(try await harness.send(.get, "/api/v1/research/counts").status == .unauthorized)
      #expect(try await harness.send(.get, "/api/v1/me", headers).status == .unauthorized)
      #expect(try await browser.open(Self.page).text.contains("Dr. Researcher"))
    }
  }

  @Test func `the operator lists, audits and closes, and faults name their place`() async throws {
    try await ServerHarness.run { harness in
      let (_, browser) = try await self.ann(harness)
      _ = try await join(browser)
      let administration = Administration(environment: harness.environment)
      let id = "reminders-2026"
      #expect(try await administration.perform(.study(.list)).hasPrefix("\(id) version 1 open"))
      await #expect(throws: StudyError.open) {
        _ = try await administration.perform(.study(.allocation(id: id)))
      }
      #expect(try await administration.perform(.study(.close(id: id))) == id)
      let lines = try await administration.perform(.study(.allocation(id: id)))
        .split(separator: "\n")
      #expect(lines.count == 3 && lines[0].hasPrefix("seed ") && lines[2].hasPrefix("0 "))
      await #expect(throws: StudyFile.Refused.self) {
        _ = try await administration.perform(
          .study(.load(text: StudySample.file(consent: "null"))))
      }
      let folder = try #require(TemporaryFolder.make(named: "study"))
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let line = try await administration.perform(
        .study(.export(id: id, folder: "\(folder)/out")))
      #expect(line == "\(folder)/out: 9 files")
      await #expect(throws: Failure.self) {
        _ = try await administration.perform(.study(.export(id: id, folder: "\(folder)/out")))
      }
    }
  }
}
