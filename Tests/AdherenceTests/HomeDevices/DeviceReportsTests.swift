// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Storage
import TestSupport
import Testing

@testable import Dosing
@testable import HomeDevices
@testable import Plans
@testable import Reminders

/// Reports of a device: kept once, logged through the one answer path, and never against a person.
@Suite struct DeviceReportsTests {
  @Test func `an opening logs the dose, with the device's name and as its device`() async throws {
    let home = try await HomeWorld()
    let dose = try await home.world.addDose("m")
    let results = try await home.report([.opened(1)], at: 5)
    #expect(results.map(\.outcome) == [.logged])
    let taken = try #require(try await home.world.dose(dose, at: HomeWorld.minutes(6)))
    #expect(taken.state == .taken)
    #expect(taken.answer?.by == HomeWorld.byName)
    #expect(taken.answer?.at == HomeWorld.minutes(5))
    let record = try #require(try await home.world.administrations().first)
    #expect(record.json["device"]?[0]?["identifier"]?["value"]?.string == HomeWorld.box.text)
    #expect(record.json["performer"]?[0]?["actor"]?["reference"] == nil)
  }

  @Test func `an event received twice counts once`() async throws {
    let home = try await HomeWorld()
    let dose = try await home.world.addDose("m")
    try await home.report([.opened(1)], at: 5)
    let version = try await home.world.dose(dose)?.version
    let again = try await home.report([.opened(1)], at: 6)
    #expect(again.map(\.isRepeated) == [true])
    #expect(again.map(\.outcome) == [.logged])
    #expect(try await home.world.dose(dose)?.version == version)
    #expect(try await home.events().count == 1)
    // After an undo a replay changes nothing either.
    _ = try await home.world.answer(
      dose, AnswerRequest(action: .undo, corrects: version), at: HomeWorld.minutes(7))
    try await home.report([.opened(1)], at: 8)
    #expect(try await home.world.dose(dose)?.answer == nil)
    // A device that started again counts from the beginning.
    let restarted = try await home.report([.opened(1)], boot: "c", at: 20)
    #expect(restarted.map(\.outcome) == [.logged])
  }

  @Test func `the same number twice in one report is one event`() async throws {
    let home = try await HomeWorld()
    let results = try await home.report([.opened(1), .opened(1)], at: 5)
    #expect(results.count == 2 && results[0] == results[1])
    #expect(try await home.events().count == 1)
  }

  @Test func `an answer of a person is never changed`() async throws {
    let home = try await HomeWorld()
    let dose = try await home.world.addDose("m")
    _ = try await home.world.answer(dose, AnswerRequest(action: .skipped))
    let before = try await home.world.snapshot()
    let results = try await home.report([.opened(1)], at: 5)
    #expect(results.map(\.reason) == [.alreadyAnswered])
    #expect(try await home.world.snapshot() == before)
    #expect(try await home.alerts() == [])
  }

  @Test func `a second opening warns once before a double dose`() async throws {
    let home = try await HomeWorld()
    let dose = try await home.world.addDose("m")
    try await home.report([.opened(1)], at: 5)
    let before = try await home.world.snapshot()
    let second = try await home.report([.opened(2)], at: 30)
    #expect(second.map(\.warns) == [true])
    try await home.report([.opened(3)], at: 40)
    #expect(try await home.world.snapshot() == before)
    #expect(try await home.alerts() == ["home-device.twice.\(dose.text)"])
  }

  @Test func `an early opening warns, a late report of it does not`() async throws {
    let home = try await HomeWorld()
    let dose = try await home.world.addDose("m")
    let late = try await home.report(
      [.opened(1, at: HomeWorld.minutes(-300))], sent: HomeWorld.minutes(-200), at: -200)
    #expect(late.map(\.reason) == [.tooEarly] && late.map(\.warns) == [false])
    #expect(try await home.alerts() == [])
    let live = try await home.report([.opened(2)], at: -180)
    #expect(live.map(\.warns) == [true])
    #expect(try await home.alerts() == ["home-device.early.\(dose.text)"])
    #expect(try await home.world.dose(dose)?.answer == nil)
  }

  @Test func `asking opens an alert about the dose and logs nothing`() async throws {
    let home = try await HomeWorld([HomeDeviceCompartment("", .ask)])
    let dose = try await home.world.addDose("m")
    let results = try await home.report([.opened(1)], at: 5)
    #expect(results.map(\.outcome) == [.asked])
    #expect(try await home.world.dose(dose)?.answer == nil)
    let alert = try #require(try await home.alerts().first)
    #expect(HomeDeviceQuestion(of: AlertID(alert)) == .taken)
    #expect(HomeDeviceQuestion.dose(of: AlertID(alert)) == dose.text)
  }

  @Test func `a dose too soon after another is asked about`() async throws {
    let home = try await HomeWorld(gapHours: 6)
    let first = try await home.world.addDose("m")
    let second = try await home.world.addDose("m", 1, dueMinutes: 240)
    _ = try await home.world.answer(
      first, AnswerRequest(action: .taken), at: HomeWorld.minutes(120))
    let results = try await home.report([.opened(1)], at: 245)
    #expect(results.map(\.outcome) == [.asked] && results.map(\.reason) == [.confirm])
    #expect(results.map(\.warns) == [true])
    #expect(try await home.world.dose(second)?.answer == nil)
  }

  @Test func `a late report logs the dose at its time`() async throws {
    let home = try await HomeWorld()
    let dose = try await home.world.addDose("m")
    try await home.report(
      [.opened(1, at: HomeWorld.minutes(5))], sent: HomeWorld.minutes(300), at: 300)
    #expect(try await home.world.dose(dose)?.answer?.at == HomeWorld.minutes(5))
  }

  @Test(arguments: [12_000, 4_070_908_800_000] as [Int64])
  func `buffered events of a wrong clock are kept aside`(clock: Int64) async throws {
    let home = try await HomeWorld()
    let dose = try await home.world.addDose("m")
    let results = try await home.report(
      [.opened(1, at: Timestamp(milliseconds: clock))], at: 5)
    #expect(results.map(\.outcome) == [.aside] && results.map(\.reason) == [.clock])
    #expect(try await home.world.dose(dose)?.answer == nil)
    #expect(try await home.events().first?.event.at?.milliseconds == clock)
  }

  @Test func `a refill takes back what the first lid logged`() async throws {
    let week = ["mon", "tue", "wed"].map { HomeDeviceCompartment($0, .log) }
    let home = try await HomeWorld(week)
    let dose = try await home.world.addDose("m")
    try await home.report([.opened(1, "mon")], at: 5)
    #expect(try await home.world.dose(dose)?.state == .taken)
    try await home.report([.opened(2, "tue")], at: 5.3)
    try await home.report([.opened(3, "wed")], at: 5.6)
    #expect(try await home.world.dose(dose)?.answer == nil)
    let outcomes = try await home.events().map(\.outcome)
    #expect(outcomes == [.noted, .noted, .takenBack])
  }

  @Test func `a refill leaves what a person corrected meanwhile`() async throws {
    let week = ["mon", "tue", "wed"].map { HomeDeviceCompartment($0, .log) }
    let home = try await HomeWorld(week)
    let dose = try await home.world.addDose("m")
    try await home.report([.opened(1, "mon")], at: 5)
    let version = try await home.world.dose(dose)?.version
    _ = try await home.world.answer(
      dose, AnswerRequest(action: .taken, reason: "with breakfast", corrects: version),
      at: HomeWorld.minutes(5.2))
    try await home.report([.opened(2, "tue"), .opened(3, "wed")], at: 5.5)
    #expect(try await home.world.dose(dose)?.answer?.reason == "with breakfast")
  }

  @Test func `too many events are refused whole, and accepted a minute later`() async throws {
    let home = try await HomeWorld([HomeDeviceCompartment("", .note)])
    func batch(_ number: Int64) -> [DeviceEvent] {
      (0..<100).map { DeviceEvent(sequence: number * 100 + $0, kind: .closed) }
    }
    for number in 0..<6 { try await home.report(batch(Int64(number)), at: 5) }
    await #expect(throws: HomeDeviceError.flood(seconds: 61)) {
      try await home.report(batch(6), at: 5)
    }
    #expect(try await home.events().count == 600)
    try await home.report(batch(6), at: 6)
    #expect(try await home.events().count == 700)
  }

  @Test func `heartbeats are counted, not kept`() async throws {
    let home = try await HomeWorld()
    let beat = DeviceEvent(sequence: 1, kind: .heartbeat, at: HomeWorld.minutes(5), battery: 80)
    let results = try await home.report([beat], at: 5)
    #expect(results.map(\.outcome) == [nil])
    #expect(try await home.events() == [])
    let device = try await home.world.database.read { reader in
      try HomeDeviceQueries.device(HomeWorld.box, patient: AnswerWorld.patient, in: reader)
    }
    #expect(device?.seen == HomeWorld.minutes(5) && device?.battery == 80)
  }

  @Test(arguments: [Relationship.family, .practitioner, .emergency])
  func `a device of someone who may not answer adds nothing`(right: Relationship) async throws {
    let home = try await HomeWorld()
    await #expect(throws: DenialReason.self) {
      try await home.report([.opened(1)], at: 5, right: right)
    }
    #expect(try await home.events() == [])
  }

  @Test func `retention deletes old events`() async throws {
    let home = try await HomeWorld()
    try await home.report([.opened(1)], at: 5)
    let later = AnswerWorld.eight.adding(
      milliseconds: Int64(HomeDeviceRetention.days + 1) * 24 * 3_600_000)
    let count = try await home.world.database.write { writer in
      try HomeDeviceRetention.forget(at: later, limit: 10, in: writer)
    }
    #expect(count == 1)
    #expect(try await home.events() == [])
  }
}
