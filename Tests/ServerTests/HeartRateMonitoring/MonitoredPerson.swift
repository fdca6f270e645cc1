// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Scheduling
import SiteMap
import Storage
import Testing
import TestSupport

@testable import HeartRate
@testable import Observations
@testable import ReportPages
@testable import Web

/// Someone with heart rate monitoring, on a Sunday at 07:00 UTC, after four stable weeks.
struct MonitoredPerson: Sendable {
  let harness: ServerHarness
  let person: Person
  let browser: Browser

  static func make(
    _ harness: ServerHarness, days: Int = 28, isOn: Bool = true
  ) async throws -> MonitoredPerson {
    let person = try await Person.make(harness)
    let browser = try await harness.session(of: person.account)
    let monitored = MonitoredPerson(harness: harness, person: person, browser: browser)
    if days > 0 {
      let readings = (1...days).map { back in
        Self.reading(60, at: "\(monitored.day(-back))T15:00:00Z")
      }
      try await monitored.send(readings)
    }
    if isOn {
      let answer = try await browser.post(HeartRateMonitoringRoutes.startPath, [:])
      #expect(answer.status == .seeOther, "\(answer.text)")
    }
    return monitored
  }

  /// Returns the day a number of days after that of the clock.
  func day(_ later: Int) -> String {
    let today = Zone.utc.date(at: Instant(milliseconds: harness.clock.now.milliseconds))
    return today.adding(days: later).text
  }

  static func reading(
    _ value: JSONValue, at: String, type: JSONValue = "resting-heart-rate",
    source: JSONValue = "Watch"
  ) -> JSONValue {
    ["type": type, "at": .string(at), "value": value, "source": source]
  }

  func send(_ readings: [JSONValue]) async throws {
    let answer = try await person.post(Address.vitalsAPI, ["readings": .array(readings)])
    #expect(answer.status == .ok, "\(answer.text)")
    #expect(try answer.json()["skipped"]?.array?.isEmpty == true, "\(answer.text)")
  }

  /// Sends a value of today at the clock's time.
  func measure(_ value: JSONValue, source: JSONValue = "Watch") async throws {
    try await send([Self.reading(value, at: UTC.text(harness.clock.now), source: source)])
  }

  /// Adds steps of today as a phone's export reports them.
  func walk(_ steps: Int64, hour: Int, minute: Int) async throws {
    let environment = harness.environment
    let second = hour * 3_600 + minute * 60
    let midnight = harness.clock.now.milliseconds / 86_400_000 * 86_400
    let sample = VitalSample(
      metric: .steps, day: day(0), second: second, at: midnight + Int64(second), zoneOffset: 0,
      stamp: midnight + Int64(second), thousandths: steps * 1_000, source: "Phone")
    let context = environment.commandContext(
      for: .host(accountID: "test"), byName: "", now: harness.clock.now)
    let patient = person.account.patient
    _ = try await environment.database.write { writer in
      try VitalCommands.take(VitalBatch([sample]), patient: patient, context: context, in: writer)
    }
  }

  /// Runs a round for everyone and sends the results; returns the stored warnings.
  @discardableResult
  func look() async throws -> [Warning] {
    try await HeartRateRound(environment: harness.environment).run()
    await harness.ring()
    return try await warnings()
  }

  func warnings() async throws -> [Warning] {
    let patient = person.account.patient
    return try await harness.environment.database.read {
      try HeartRateQueries.warnings(of: patient, from: CivilDate(daysSinceEpoch: 0), in: $0)
    }
  }

  /// Creates a warning of today, at 15:00.
  func warning() async throws -> Warning {
    if Zone.utc.local(at: Instant(milliseconds: harness.clock.now.milliseconds)).time.hour < 14 {
      harness.clock.advance(minutes: 8 * 60)
    }
    try await measure(85)
    return try #require(try await look().first)
  }

  func answer(_ warning: Warning, _ field: (String, String)) async throws -> TestResponse {
    try await browser.post(WarningRoutes.address(of: warning.id.text), pairs: [field])
  }

  func page(of warning: Warning) async throws -> String {
    let page = try await browser.open(WarningRoutes.address(of: warning.id.text))
    #expect(page.status == .ok, "\(page.text)")
    return page.text
  }

  func taken() async throws -> Int {
    let patient = person.account.patient
    return try await harness.environment.database.read { reader in
      Int(
        try reader.first("SELECT COUNT(*) FROM intakes WHERE patient = $1", [.text(patient)])?
          .integer(0) ?? 0)
    }
  }
}
