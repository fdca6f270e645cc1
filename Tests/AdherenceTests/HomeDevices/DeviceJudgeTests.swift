// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import TestSupport
import Testing

@testable import HomeDevices
@testable import Plans

/// The table of rules: which events log, ask or are only noted.
@Suite struct DeviceJudgeTests {
  private static let eight = AnswerWorld.eight
  private static let morning = dose("m", 0)
  private static let evening = dose("m", 1)

  private static func dose(_ plan: PlanID, _ number: Int64) -> DoseID {
    DoseID(plan: plan, era: 1, occurrence: .running(number))
  }

  private static func at(_ minutes: Int64) -> Timestamp {
    eight.adding(milliseconds: minutes * 60_000)
  }

  /// A dose due some minutes after eight, on time for an hour and late for four.
  private static func candidate(
    _ id: DoseID, due: Int64, _ state: DoseState.Stored = .open
  ) -> DeviceWindow.Candidate {
    DeviceWindow.Candidate(
      id: id, due: at(due), opens: at(due - 60), ends: at(due + 240), state: state)
  }

  private static func window(
    morning: DoseState.Stored = .open, evening: DoseState.Stored = .open
  ) -> DeviceWindow {
    DeviceWindow(candidates: [
      candidate(Self.morning, due: 0, morning), candidate(Self.evening, due: 720, evening),
    ])
  }

  private static func judge(
    _ events: [(event: DeviceEvent, time: Timestamp)],
    _ compartments: [HomeDeviceCompartment] = [HomeDeviceCompartment("", .log)],
    window: DeviceWindow = DeviceJudgeTests.window(), earlier: [JudgedEvent] = []
  ) -> [DeviceJudge.Verdict] {
    var judge = DeviceJudge(
      compartments: compartments, window: window, earlier: earlier, coming: events)
    return events.map { event, time in
      let verdict = judge.judge(event, at: time)
      judge.window.set(.taken, of: verdict.log)
      return verdict
    }
  }

  private static func opened(
    _ minutes: Int64, _ compartment: String = ""
  ) -> (event: DeviceEvent, time: Timestamp) {
    (.opened(minutes + 10_000, compartment), at(minutes))
  }

  // MARK: Windows

  @Test func `the dose's own window decides`() {
    let table: [(minutes: Int64, choice: DeviceWindow.Choice)] = [
      (-61, .early([Self.morning])), (-60, .open([Self.morning])), (0, .open([Self.morning])),
      (239, .open([Self.morning])), (240, .over([Self.morning])), (400, .early([Self.evening])),
      (660, .open([Self.evening])), (959, .open([Self.evening])), (961, .over([Self.evening])),
      (2400, .nothing),
    ]
    for (minutes, choice) in table {
      #expect(Self.window().choice(at: Self.at(minutes), plan: nil) == choice, "\(minutes)")
    }
  }

  @Test func `an answered dose is named as such`() {
    #expect(
      Self.window(morning: .taken).choice(at: Self.at(10), plan: nil) == .taken([Self.morning]))
    #expect(
      Self.window(morning: .skipped).choice(at: Self.at(10), plan: nil)
        == .answered([Self.morning]))
    #expect(
      Self.window(morning: .cancelled).choice(at: Self.at(10), plan: nil)
        == .early([Self.evening]))
  }

  @Test func `a compartment of one medicine leaves the others alone`() {
    var window = Self.window()
    window.candidates.append(Self.candidate(Self.dose("n", 0), due: 0))
    #expect(window.choice(at: Self.at(5), plan: "n") == .open([Self.dose("n", 0)]))
    #expect(
      window.choice(at: Self.at(5), plan: nil) == .open([Self.morning, Self.dose("n", 0)]))
    #expect(window.choice(at: Self.at(5), plan: "other") == .nothing)
  }

  @Test func `a missed dose of the morning is not logged for a dose that was just taken`() {
    var window = DeviceWindow(candidates: [
      Self.candidate(Self.morning, due: 0), Self.candidate(Self.evening, due: 200, .taken),
    ])
    #expect(window.choice(at: Self.at(205), plan: nil) == .taken([Self.evening]))
    window.set(.open, of: [Self.evening])
    #expect(window.choice(at: Self.at(205), plan: nil) == .open([Self.evening]))
  }

  // MARK: Meanings

  @Test func `a meaning logs, asks or notes`() {
    let log = Self.judge([Self.opened(5)])
    #expect(log == [.init(log: [Self.morning])])
    let ask = Self.judge([Self.opened(5)], [HomeDeviceCompartment("", .ask)])
    #expect(ask == [.init(ask: [Self.morning])])
    let note = Self.judge([Self.opened(5)], [HomeDeviceCompartment("", .note)])
    #expect(note == [.init(reason: .onlyNote)])
  }

  @Test func `a compartment that nobody set up only notes`() {
    #expect(Self.judge([Self.opened(5, "someone-else's")]) == [.init(reason: .unknownCompartment)])
    #expect(Self.judge([Self.opened(5)], []) == [.init(reason: .unknownCompartment)])
  }

  @Test func `a lid that is opened and closed is one intake`() {
    let close = DeviceEvent(sequence: 2, kind: .closed)
    let remove = DeviceEvent(sequence: 3, kind: .removed)
    let verdicts = Self.judge([
      Self.opened(5), (close, Self.at(6)), (remove, Self.at(6)), Self.opened(7),
    ])
    #expect(
      verdicts == [
        .init(log: [Self.morning]), .init(reason: .noSign), .init(reason: .sameIntake),
        .init(reason: .sameIntake),
      ])
  }

  @Test func `a second opening is noted, and warns of a double dose`() {
    let verdicts = Self.judge([Self.opened(5), Self.opened(30)])
    #expect(verdicts[0] == .init(log: [Self.morning]))
    #expect(
      verdicts[1] == .init(reason: .alreadyTaken, about: [Self.morning], warns: true))
  }

  @Test func `an early opening warns and logs nothing`() {
    #expect(
      Self.judge([Self.opened(-180)])
        == [.init(reason: .tooEarly, about: [Self.morning], warns: true)])
  }

  @Test func `a dose that someone skipped stays skipped`() {
    #expect(
      Self.judge([Self.opened(5)], window: Self.window(morning: .skipped))
        == [.init(reason: .alreadyAnswered, about: [Self.morning])])
  }

  @Test func `after its time a dose is asked about, not logged`() {
    #expect(
      Self.judge([Self.opened(250)]) == [.init(ask: [Self.morning], reason: .windowOver)])
  }

  // MARK: Weights

  private static func weight(
    _ sequence: Int64, _ milligrams: Int64, _ minutes: Int64
  ) -> (event: DeviceEvent, time: Timestamp) {
    (DeviceEvent(sequence: sequence, kind: .weight, weight: milligrams), at(minutes))
  }

  @Test func `a loss of weight is an intake, a gain is not`() {
    let verdicts = Self.judge([
      Self.weight(1, 20_000, 0), Self.weight(2, 19_980, 4), Self.weight(3, 19_600, 5),
      Self.weight(4, 45_000, 60),
    ])
    #expect(verdicts.map(\.log) == [[], [], [Self.morning], []])
    #expect(verdicts.map(\.reason) == [.noSign, .noSign, nil, .noSign])
  }

  // MARK: Refills

  private static let week = ["mon", "tue", "wed", "thu"].map {
    HomeDeviceCompartment($0, .log)
  }

  @Test func `three compartments within a minute are a refill`() {
    let events = ["mon", "tue", "wed", "thu"].enumerated().map { index, name in
      (
        event: DeviceEvent.opened(Int64(index), name),
        time: Self.at(5).adding(milliseconds: Int64(index) * 15_000)
      )
    }
    let verdicts = Self.judge(events, Self.week)
    #expect(verdicts.allSatisfy { $0.isRefill && $0.reason == .refill && $0.log.isEmpty })
  }

  @Test func `two compartments are two intakes, slowly opened ones are no refill`() {
    let two = Self.judge([Self.opened(5, "mon"), Self.opened(5, "tue")], Self.week)
    #expect(two.map(\.isRefill) == [false, false])
    #expect(two.map(\.log) == [[Self.morning], []])
    let slow = Self.judge(
      [Self.opened(5, "mon"), Self.opened(7, "tue"), Self.opened(9, "wed")], Self.week)
    #expect(slow.allSatisfy { !$0.isRefill })
  }

  @Test func `earlier events count`() {
    let before = JudgedEvent(
      boot: "b", event: .opened(1), received: Self.at(4), judged: Self.at(4), outcome: .logged,
      doses: [Self.morning])
    #expect(Self.judge([Self.opened(5)], earlier: [before]) == [.init(reason: .sameIntake)])
  }
}
