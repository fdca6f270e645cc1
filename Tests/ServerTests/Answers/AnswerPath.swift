// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Channels
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Records
import SiteMap
import Storage
import Testing
import TestSupport

@testable import Prescriptions
@testable import Supply
@testable import Web

/// A path by which an answer reaches the server, through its real entry point.
enum AnswerPath: String, Sendable, CaseIterable, CustomTestStringConvertible {
  case page = "page form"
  case doseAPI = "API: answer of a dose"
  case administrationsAPI = "API: administrations"
  case link = "action link in a message"
  /// A press on a notification uses the same queue as one made offline.
  case queue = "push action, offline queue"
  case phone = "watch or phone"
  case fhirCreate = "FHIR create"
  case fhirUpdate = "FHIR update"
  case file = "file import"
  /// Hospitals are only asked for prescriptions: their doses come as files or over FHIR, and count
  /// for the plan once the prescription is fetched. The fetch ends in an `ImportRun` with a rule,
  /// as here.
  case hospital = "hospital"

  var testDescription: String { rawValue }

  private static let prescription = "https://clinic.example/fhir/MedicationRequest/1"

  // MARK: Answering

  /// Prepares the answer under test.
  func prepare(_ house: AnswerHouse) async throws {
    switch self {
    case .fhirUpdate:
      try await Self.create(house, at: "2026-03-01T06:30:00Z", of: house.open)
    case .hospital:
      let given = house.administration(
        "before", of: "Bisoprolol 2.5 mg", at: "2026-03-01T06:30:00Z", request: Self.prescription)
      try await Self.run([StreamedEntry(number: 1, resource: .success(given))], in: house)
    default:
      break
    }
  }

  /// Records that a dose was taken.
  func answer(_ due: AnswerHouse.Due, in house: AnswerHouse) async throws {
    switch self {
    case .page:
      let sent = try await house.browser.post(
        "/doses/\(due.dose)/answers",
        ["action": "taken", "at-date": Self.date(due.at), "at-time": Self.time(due.at)])
      #expect(sent.status == .seeOther, "\(sent.text)")
    case .doseAPI:
      let sent = try await house.person.answer(
        due.dose, ["action": "taken", "at": .string(due.at), "confirm": true])
      #expect(sent.status == .ok, "\(sent.text)")
    case .administrationsAPI:
      let sent = try await house.person.post(
        "/api/v1/administrations",
        ["medicine": .string(due.plan), "at": .string(due.at), "taken": true, "confirm": true])
      #expect(sent.status == .created, "\(sent.text)")
    case .link:
      let mail = try #require(house.harness.outbox.mails.first)
      let taken = try #require(mail.text.firstMatch(of: /\/tap\/[A-Za-z0-9_-]+/))
      let sent = try await house.harness.submit(String(taken.output), [])
      #expect(sent.status == .seeOther, "\(sent.text)")
    case .queue:
      let body: JSONValue = ["action": "taken", "at": .string(due.at), "confirm": true]
      try await Self.queue(body, for: due, in: house)
    case .phone:
      let start = "\(Self.date(due.at)) \(Self.time(due.at)):00 +0000"
      let taken: JSONValue = [
        "displayText": .string(due.medicine), "start": .string(start), "status": "Taken",
      ]
      let sent = try await house.person.post(
        Address.vitalsAPI, ["data": ["metrics": [], "medications": [taken]]])
      #expect(sent.status == .ok, "\(sent.text)")
      #expect(try sent.json()["skipped"]?.array?.isEmpty == true, "\(sent.text)")
    case .fhirCreate:
      try await Self.create(house, at: due.at, of: due)
    case .fhirUpdate:
      try await Self.update(house, at: "2026-03-01T06:50:00Z", of: due)
    case .file:
      try await Self.upload(due, in: house)
    case .hospital:
      let prescribed = AnswerHouse.timedFromLastIntake(
        "Bisoprolol 2.5 mg", of: house.person.account.patient)
      let entry = StreamedEntry(
        number: 1, fullURL: Self.prescription, resource: .success(prescribed))
      try await Self.run([entry], in: house)
    }
  }

  /// Corrects the time of the answer to the open dose.
  func correct(_ house: AnswerHouse) async throws {
    let due = house.open
    let dose = try #require(
      try await house.person.doses().first { $0["id"]?.string == due.dose })
    let version = try #require(dose["version"]?.number?.integer)
    let body: JSONValue = [
      "action": "taken", "at": "2026-03-01T08:02:00Z", "confirm": true,
      "corrects": .number(JSONNumber(version)),
    ]
    switch self {
    case .page:
      let sent = try await house.browser.post(
        "/doses/\(due.dose)/answers",
        [
          "action": "taken", "at-date": "2026-03-01", "at-time": "08:02",
          "corrects": String(version),
        ])
      #expect(sent.status == .seeOther, "\(sent.text)")
    case .doseAPI:
      let sent = try await house.person.answer(due.dose, body)
      #expect(sent.status == .ok, "\(sent.text)")
    case .queue:
      try await Self.queue(body, for: due, in: house)
    default:
      Issue.record("\(rawValue) corrects no answer")
    }
  }

  // MARK: Entries

  /// Sends the service worker's request: with an event, the time of the press, and its owner.
  private static func queue(
    _ body: JSONValue, for due: AnswerHouse.Due, in house: AnswerHouse
  ) async throws {
    var body = body
    body["event"] = .string(house.harness.environment.newIdentifier())
    let account = house.person.account
    let headers = house.browser.headers.with([
      .madeForAccount: account.id.text, .madeForPatient: account.patient.text,
    ])
    let sent = try await house.harness.send(
      .post, "/api/v1/doses/\(due.dose)/answers", headers, json: body)
    #expect(sent.status == .ok, "\(sent.text)")
  }

  private static func sent(
    _ house: AnswerHouse, at time: String, of due: AnswerHouse.Due
  ) -> JSONValue {
    house.administration(
      due.plan.text, of: due.medicine, at: time, request: "MedicationRequest/\(due.plan)")
  }

  private static func create(
    _ house: AnswerHouse, at time: String, of due: AnswerHouse.Due
  ) async throws {
    let created = try await house.person.post(
      "/fhir/MedicationAdministration", sent(house, at: time, of: due))
    #expect(created.status == .created, "\(created.text)")
  }

  private static func update(
    _ house: AnswerHouse, at time: String, of due: AnswerHouse.Due
  ) async throws {
    let found = try await house.person.get("/fhir/MedicationAdministration").json()
    let id = try #require(found["entry"]?[0]?["resource"]?["id"]?.string)
    var resource = sent(house, at: time, of: due)
    resource["id"] = .string(id)
    let updated = try await house.person.put("/fhir/MedicationAdministration/\(id)", resource)
    #expect(updated.status == .ok, "\(updated.text)")
  }

  private static func upload(_ due: AnswerHouse.Due, in house: AnswerHouse) async throws {
    let bundle: JSONValue = [
      "resourceType": "Bundle", "type": "collection",
      "entry": [["resource": sent(house, at: due.at, of: due)]],
    ]
    let uploaded = try await ImportPageTests.upload(house.browser, bundle.bytes)
    let address = try #require(uploaded.headers[.location], "\(uploaded.text)")
    let accepted = try await house.browser.post(address, ["action": "accept-all"])
    #expect(accepted.status == .seeOther, "\(accepted.text)")
  }

  private static func run(_ entries: [StreamedEntry], in house: AnswerHouse) async throws {
    var reading = ImportReading()
    for entry in entries { reading.add(entry) }
    let environment = house.harness.environment
    let now = house.harness.clock.now
    let report = try await ImportRun(
      database: environment.database, patient: house.person.account.patient,
      source: "https://clinic.example", rule: { _, _, _ in true },
      dispenses: DispenseCommands(),
      context: {
        environment.commandContext(
          for: .host(accountID: "test"), byName: "Clinic", now: now)
      }
    ).perform(reading.result(hasFurtherPages: false))
    #expect(report.problemCount == 0)
  }

  private static func date(_ instant: String) -> String { String(instant.prefix(10)) }
  private static func time(_ instant: String) -> String { String(instant.dropFirst(11).prefix(5)) }
}
