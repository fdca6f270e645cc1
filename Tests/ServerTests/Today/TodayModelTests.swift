// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Dosing
@testable import Plans
@testable import Presentation

@Suite struct TodayModelTests {
  private static let berlin = "Europe/Berlin"

  struct Case: Sendable, CustomTestStringConvertible {
    let what: String
    var due: String
    var now = "2026-03-01T09:00:00+01:00"
    var stored = DoseState.Stored.open
    var lateHours: Int64 = 4
    var laterUntil: String?
    var answered: String?
    /// The group of the dose: now, later, done, missed, tomorrow, none.
    let group: String
    var testDescription: String { what }
  }

  static let cases = [
    Case(what: "due", due: "2026-03-01T08:00:00+01:00", group: "now"),
    Case(what: "due this instant", due: "2026-03-01T09:00:00+01:00", group: "now"),
    Case(what: "still to come", due: "2026-03-01T20:00:00+01:00", group: "later"),
    Case(
      what: "put off", due: "2026-03-01T08:00:00+01:00", laterUntil: "2026-03-01T09:30:00+01:00",
      group: "later"),
    Case(
      what: "put off until a time that has come", due: "2026-03-01T08:00:00+01:00",
      laterUntil: "2026-03-01T09:00:00+01:00", group: "now"),
    Case(
      what: "taken", due: "2026-03-01T08:00:00+01:00", stored: .taken,
      answered: "2026-03-01T08:04:00+01:00", group: "done"),
    Case(
      what: "skipped ahead of time", due: "2026-03-01T20:00:00+01:00", stored: .skipped,
      answered: "2026-03-01T08:04:00+01:00", group: "done"),
    Case(what: "missed", due: "2026-03-01T04:00:00+01:00", group: "missed"),
    Case(what: "called off", due: "2026-03-01T20:00:00+01:00", stored: .cancelled, group: "none"),
    Case(
      what: "withheld and to come", due: "2026-03-01T20:00:00+01:00", stored: .withheld,
      group: "later"),
    Case(
      what: "withheld and due", due: "2026-03-01T08:00:00+01:00", stored: .withheld, group: "now"),
    Case(
      what: "withheld and past", due: "2026-03-01T04:00:00+01:00", stored: .withheld,
      group: "missed"),
    Case(
      what: "of yesterday, still open", due: "2026-02-28T22:00:00+01:00", lateHours: 12,
      group: "now"),
    Case(what: "of yesterday, missed today", due: "2026-02-28T22:00:00+01:00", group: "missed"),
    Case(what: "of yesterday, missed yesterday", due: "2026-02-28T19:00:00+01:00", group: "none"),
    Case(
      what: "of yesterday, answered yesterday", due: "2026-02-28T22:00:00+01:00", stored: .taken,
      answered: "2026-02-28T22:10:00+01:00", group: "none"),
    Case(
      what: "of yesterday, answered after midnight", due: "2026-02-28T22:00:00+01:00",
      stored: .taken, answered: "2026-03-01T00:10:00+01:00", group: "done"),
    Case(what: "tomorrow within a day", due: "2026-03-02T08:00:00+01:00", group: "tomorrow"),
    Case(what: "tomorrow beyond a day", due: "2026-03-02T09:00:00+01:00", group: "none"),
    Case(
      what: "last minute of a day of 25 hours", due: "2026-10-25T23:59:00+01:00",
      now: "2026-10-25T00:10:00+02:00", group: "later"),
    Case(
      what: "after a day of 23 hours", due: "2026-03-30T00:00:00+02:00",
      now: "2026-03-29T09:00:00+02:00", group: "tomorrow"),
  ]

  @Test(arguments: cases) func `a dose is in exactly one group`(_ one: Case) throws {
    let zone = try ZoneCatalog().zone(Self.berlin)
    let now = Timestamp(one.now)
    let dose = dose(
      due: Timestamp(one.due), lateHours: one.lateHours, stored: one.stored,
      laterUntil: one.laterUntil.map { Timestamp($0) },
      answered: one.answered.map { Timestamp($0) },
      now: now)
    let model = TodayModel(doses: [dose], unplanned: [], intakes: [], zone: zone, now: now)
    let groups = [
      ("now", model.now.flatMap(\.rows)), ("later", model.later), ("done", model.done),
      ("missed", model.missed), ("tomorrow", model.tomorrow),
    ]
    let found = groups.filter { !$0.1.isEmpty }.map(\.0)
    #expect(found == (one.group == "none" ? [] : [one.group]))
    #expect(model.isEmpty == (one.group == "none"))
    let row = groups.flatMap(\.1).first
    #expect((row?.isYesterday ?? false) == (row != nil && one.due.hasPrefix("2026-02-28")))
  }

  @Test func `doses due together are logged together, except questioned ones`() {
    let now = Timestamp("2026-03-01T08:10:00Z")
    let due = Timestamp("2026-03-01T08:00:00Z")
    let doses =
      ["a", "b", "c", "d"].map { plan in
        dose(plan, due: due, stored: plan == "d" ? .withheld : .open, now: now)
      } + [dose("e", due: due.adding(milliseconds: 60_000), now: now)]
    let intake = intake("x", taken: "2026-03-01T07:50:00Z")
    let model = TodayModel(
      doses: doses, unplanned: [], intakes: [intake], withinGap: ["b": [intake]], zone: .utc,
      now: now)
    #expect(model.now.map { $0.rows.map(\.dose.plan) } == [["a", "b", "c", "d"], ["e"]])
    #expect(model.now.map { $0.takeable.map(\.dose.plan) } == [["a", "c"], []])
    #expect(model.now[0].rows[1].question == [intake])
    var changed = TodayModel(doses: doses, unplanned: [], intakes: [], zone: .utc, now: now)
    changed.reviewFirst(at: ["c"])
    #expect(changed.now.map { $0.takeable.map(\.dose.plan) } == [["a", "b"], []])
    #expect(changed.now[0].rows.map(\.needsReview) == [false, false, true, false])
    #expect(model.extras == [intake])
    #expect(model.next == nil)
  }

  @Test func `a dose is not questioned about its own intake`() {
    let now = Timestamp("2026-03-01T08:10:00Z")
    let one = dose("a", due: Timestamp("2026-03-01T08:00:00Z"), now: now)
    let own = intake("a", taken: "2026-03-01T08:05:00Z", dose: one.id)
    let model = TodayModel(
      doses: [one], unplanned: [], intakes: [own], withinGap: ["a": [own]], zone: .utc, now: now)
    #expect(model.now.first?.rows.first?.question == [])
    #expect(model.extras.isEmpty)
  }

  @Test func `yesterday's intake isn't listed today`() {
    let now = Timestamp("2026-03-01T08:10:00Z")
    let model = TodayModel(
      doses: [], unplanned: [],
      intakes: [
        intake("a", taken: "2026-02-28T23:59:00Z"), intake("b", taken: "2026-03-01T00:00:00Z"),
      ], zone: .utc, now: now)
    #expect(model.extras.map(\.plan) == ["b"])
  }

  @Test func `the next dose is shown if nothing is due now`() {
    let now = Timestamp("2026-03-01T08:10:00Z")
    let evening = Timestamp("2026-03-01T20:00:00Z")
    let putOff = dose(
      "late", due: Timestamp("2026-03-01T08:00:00Z"),
      laterUntil: Timestamp("2026-03-01T08:40:00Z"), now: now)
    let doses = [putOff, dose("a", due: evening, now: now), dose("b", due: evening, now: now)]
    func next(_ doses: [Dose]) -> [String]? {
      TodayModel(doses: doses, unplanned: [], intakes: [], zone: .utc, now: now)
        .next.map { ["\($0.isTomorrow)"] + $0.doses.map(\.plan.text) }
    }
    #expect(next(doses) == ["false", "late"])
    #expect(next(Array(doses.dropFirst())) == ["false", "a", "b"])
    let morning = Timestamp("2026-03-02T08:00:00Z")
    #expect(next([dose("c", due: morning, now: now)]) == ["true", "c"])
    #expect(next([dose("c", due: morning, stored: .taken, answered: now, now: now)]) == nil)
    #expect(next([]) == nil)
  }

  @Test func `each part lists a bounded number of doses and says how many there are`() {
    let now = Timestamp("2026-03-01T12:00:00Z")
    func doses(_ name: String, _ count: Int, due: String) -> [Dose] {
      (0..<count).map { dose("\(name)\($0)", due: Timestamp(due), now: now) }
    }
    let all =
      doses("missed", 4, due: "2026-03-01T06:00:00Z")
      + doses("early", 2, due: "2026-03-01T11:00:00Z")
      + doses("now", 3, due: "2026-03-01T11:30:00Z")
      + doses("later", 5, due: "2026-03-01T18:00:00Z")
      + doses("tomorrow", 3, due: "2026-03-02T06:00:00Z")
    let extras = (0..<5).map { intake("x\($0)", taken: "2026-03-01T07:50:00Z") }
    func model(_ limits: TodayLimits) -> TodayModel {
      TodayModel(
        doses: all, unplanned: [], intakes: extras, limits: limits, zone: .utc, now: now)
    }
    let short = model(TodayLimits(now: 4, others: 3))
    #expect(
      short.now.map { $0.rows.map(\.dose.plan) } == [["early0", "early1"], ["now0", "now1"]])
    #expect(short.later.map(\.dose.plan) == ["later0", "later1", "later2"])
    #expect(short.missed.map(\.dose.plan) == ["missed1", "missed2", "missed3"])
    #expect(short.tomorrow.count == 3 && short.extras.map(\.plan) == ["x2", "x3", "x4"])
    #expect(short.totals == [.due: 5, .later: 5, .missed: 4, .done: 5])
    #expect(short.forgotten.map(\.plan) == ["missed1", "missed2", "missed3"])
    let full = model(TodayLimits(full: .missed, now: 4, others: 3))
    #expect(full.missed.count == 4 && full.later.count == 3 && full.totals[.missed] == nil)
    #expect(model(.none).totals.isEmpty)
  }

  @Test func `the next doses are named in full, however few are listed`() {
    let now = Timestamp("2026-03-01T12:00:00Z")
    let doses = (0..<12).map { dose("p\($0)", due: Timestamp("2026-03-01T18:00:00Z"), now: now) }
    let model = TodayModel(
      doses: doses, unplanned: [], intakes: [], limits: TodayLimits(), zone: .utc, now: now)
    #expect(model.later.count == 10 && model.next?.doses.count == 12)
  }

  private func dose(
    _ plan: PlanID = "plan", due: Timestamp, lateHours: Int64 = 4,
    stored: DoseState.Stored = .open, laterUntil: Timestamp? = nil, answered: Timestamp? = nil,
    now: Timestamp
  ) -> Dose {
    Dose(
      id: DoseID(plan: plan, era: 1, occurrence: .running(1)), patient: "ann",
      medicineName: "Metoprolol", due: due, onTimeUntil: due.adding(milliseconds: 3_600_000),
      lateUntil: due.adding(milliseconds: lateHours * 3_600_000), nextDue: nil,
      amount: Amount(value: "1", unit: "tablet"), stored: stored, stateReason: nil,
      laterUntil: laterUntil, version: 2,
      answer: answered.map {
        DoseAnswer(id: "1", action: .taken, at: $0, recorded: $0, by: "Ann")
      }, now: now)
  }

  private func intake(_ plan: PlanID, taken: String, dose: DoseID? = nil) -> Intake {
    Intake(
      administration: "of-\(plan)", plan: plan, dose: dose, medicineName: "Metoprolol",
      taken: Timestamp(taken), by: "Ann", amount: nil)
  }
}
