// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Reminders

/// The pure rule, in minutes after eight.
@Suite("Steps of a reminder")
struct ReminderStepTests {
  static func at(_ minutes: Int64) -> Timestamp {
    Timestamp(milliseconds: 1_772_434_800_000 + minutes * 60_000)
  }

  static func dose(
    _ name: String = "a", due: Int64 = 0, late: Int64 = 240, later: Int64? = nil,
    state: DoseState.Stored = .open, active: Bool = true, rings: Int64? = 0
  ) -> RingingDose {
    RingingDose(
      key: DoseKey(patient: "p", plan: PlanID(name), era: 1, occurrence: "0"), due: at(due),
      lateUntil: at(late), laterUntil: later.map(at), state: state, isPlanActive: active,
      ringsAt: rings.map(at))
  }

  static func row(
    step: Int = 0, started: Int64 = 0, handedOver: Int64? = nil, kind: ReminderKind = .doses,
    next: Int64? = nil
  ) -> ReminderRow {
    var row = ReminderRow(
      patient: "p", subject: "s", kind: kind, starts: at(0), due: at(0), ends: at(240),
      opened: at(0))
    row.step = step
    row.started = at(started)
    row.handedOver = handedOver.map(at)
    row.nextAt = at(next ?? started)
    return row
  }

  struct Firing: Sendable {
    let step: Int
    let started: Int64
    let now: Int64
    let fires: Int?
    let next: Int64
    let startedAfter: Int64
  }

  @Test(arguments: [
    Firing(step: 0, started: 0, now: 0, fires: 0, next: 5, startedAfter: 0),
    Firing(step: 1, started: 0, now: 4, fires: nil, next: 5, startedAfter: 0),
    Firing(step: 1, started: 0, now: 5, fires: 1, next: 10, startedAfter: 0),
    Firing(step: 2, started: 0, now: 10, fires: 2, next: 20, startedAfter: 0),
    Firing(step: 3, started: 0, now: 20, fires: 3, next: 240, startedAfter: 0),
    Firing(step: 4, started: 0, now: 30, fires: nil, next: 240, startedAfter: 0),
    // Late by more than half a minute: the following ones move too, and only one is sent.
    Firing(step: 1, started: 0, now: 12, fires: 1, next: 17, startedAfter: 7),
    Firing(step: 0, started: 0, now: 40, fires: 0, next: 45, startedAfter: 40),
  ])
  func `steps come at their minutes`(firing: Firing) {
    let step = ReminderStep.next(
      Self.row(
        step: firing.step, started: firing.started, handedOver: firing.step > 0 ? 0 : nil),
      doses: [Self.dose()], now: Self.at(firing.now))
    #expect(step.fires?.step == firing.fires)
    #expect(step.row.nextAt == Self.at(firing.next))
    #expect(step.row.started == Self.at(firing.startedAfter))
    #expect(step.row.state == .ringing && step.summarised.isEmpty)
  }

  struct End: Sendable {
    let doses: [RingingDose]
    let now: Int64
    let handedOver: Int64?
    let outcome: ReminderOutcome
    let summarised: Int
  }

  @Test(arguments: [
    End(doses: [dose(state: .taken)], now: 3, handedOver: 0, outcome: .answered, summarised: 0),
    End(
      doses: [dose(state: .skipped), dose("b", state: .refused)], now: 3, handedOver: nil,
      outcome: .answered, summarised: 0),
    End(
      doses: [dose(state: .cancelled)], now: 3, handedOver: 0, outcome: .cancelled, summarised: 0),
    End(doses: [dose(active: false)], now: 3, handedOver: 0, outcome: .cancelled, summarised: 0),
    End(doses: [], now: 3, handedOver: 0, outcome: .cancelled, summarised: 0),
    End(doses: [dose(state: .withheld)], now: 3, handedOver: 0, outcome: .cancelled, summarised: 0),
    End(doses: [dose()], now: 240, handedOver: 0, outcome: .expired, summarised: 0),
    End(
      doses: [dose(), dose("b", state: .taken)], now: 240, handedOver: 0, outcome: .expired,
      summarised: 0),
    // Nothing was handed over: not expired, but missed by the program.
    End(doses: [dose()], now: 240, handedOver: nil, outcome: .missed, summarised: 1),
    End(doses: [dose()], now: 61, handedOver: nil, outcome: .missed, summarised: 1),
  ])
  func `a reminder closes as answered, cancelled, expired or missed`(end: End) {
    let step = ReminderStep.next(
      Self.row(step: 1, handedOver: end.handedOver), doses: end.doses, now: Self.at(end.now))
    #expect(step.row.state == .closed && step.row.outcome == end.outcome)
    #expect(step.row.closed == Self.at(end.now))
    #expect(step.fires == nil && step.summarised.count == end.summarised)
  }

  /// An outage, or a clock that was set back and then corrected, does not undo an announcement.
  @Test(arguments: [(1, 70), (1, 130), (2, 200)])
  func `a dose announced on time isn't called late after an outage`(fired: Int, now: Int64) {
    let step = ReminderStep.next(
      Self.row(step: fired, handedOver: 0), doses: [Self.dose()], now: Self.at(now))
    #expect(step.summarised.isEmpty)
    #expect(step.row.state == .ringing && step.row.outcome == nil)
    // The policy continues from its last step, shifted by the outage.
    #expect(step.fires?.step == fired)
    let after = ReminderStep.next(step.row, doses: [Self.dose()], now: Self.at(now + 1))
    #expect(after.fires == nil && after.summarised.isEmpty)
    #expect(step.row.nextAt > Self.at(now))
  }

  @Test func `a first delivery counts as timely for an hour`() {
    let fresh = ReminderStep.next(Self.row(), doses: [Self.dose()], now: Self.at(60))
    #expect(fresh.fires?.step == 0)
    let stale = ReminderStep.next(
      Self.row(), doses: [Self.dose()], now: Self.at(60).adding(milliseconds: 1))
    #expect(stale.fires == nil && stale.summarised.count == 1)
  }

  @Test func `without a delivery it wakes when one would be too late`() {
    let last = ReminderStep.next(
      Self.row(step: 3), doses: [Self.dose()], now: Self.at(20))
    #expect(last.row.nextAt == Self.at(60).adding(milliseconds: 1))
    let short = ReminderStep.next(
      Self.row(step: 3), doses: [Self.dose(), Self.dose("b", late: 30)], now: Self.at(20))
    #expect(short.row.nextAt == Self.at(30))
    let part = ReminderStep.next(
      short.row, doses: [Self.dose(), Self.dose("b", late: 30)], now: Self.at(30))
    #expect(part.summarised.map(\.key.plan) == ["b"] && part.row.state == .ringing)
  }

  @Test func `snoozing the whole group starts the next round at the earliest time`() {
    let doses = [
      Self.dose(later: 40), Self.dose("b", due: 5, later: 50, rings: 5),
      Self.dose("c", due: 6, later: 200, rings: 6),
    ]
    let step = ReminderStep.next(Self.row(step: 2, handedOver: 0), doses: doses, now: Self.at(7))
    #expect(step.row.generation == 2 && step.row.step == 0 && step.row.nextAt == Self.at(40))
    #expect(step.row.handedOver == nil && step.fires == nil)
    #expect(step.joining.map(\.key.plan) == ["a", "b"])
    #expect(step.parting.map { $0.doses.map(\.key.plan) } == [["c"]])
    #expect(step.parting.map(\.starts) == [Self.at(200)])
    // Once included, they ring together at the earliest time and not before.
    let taken = [
      Self.dose(later: 40, rings: 40), Self.dose("b", due: 5, later: 50, rings: 50),
    ]
    let waiting = ReminderStep.next(step.row, doses: taken, now: Self.at(20))
    #expect(waiting.fires == nil && waiting.row.generation == 2)
    let rings = ReminderStep.next(waiting.row, doses: taken, now: Self.at(40))
    #expect(rings.fires?.doses.map(\.key.plan) == ["a", "b"] && rings.row.generation == 2)
  }

  @Test func `snoozing one dose keeps the round and steps of the others`() {
    let doses = [Self.dose(), Self.dose("b", due: 5, later: 35, rings: 5)]
    let step = ReminderStep.next(Self.row(step: 1, handedOver: 0), doses: doses, now: Self.at(3))
    #expect(step.row.generation == 1 && step.row.step == 1 && step.row.nextAt == Self.at(5))
    #expect(step.parting == [.init(starts: Self.at(35), doses: [doses[1]])])
  }

  @Test func `reopening a closed reminder starts a round at once`() {
    var row = Self.row(step: 2, handedOver: 0, next: 100)
    row.outcome = .answered
    row.closed = Self.at(30)
    let step = ReminderStep.next(row, doses: [Self.dose()], now: Self.at(100))
    #expect(step.row.generation == 2 && step.fires?.step == 0)
    #expect(step.row.outcome == nil && step.row.closed == nil)
    #expect(step.row.freshUntil == Self.at(160))
    // Past the late window nothing rings.
    let late = ReminderStep.next(row, doses: [Self.dose(late: 90)], now: Self.at(100))
    #expect(late.fires == nil && late.row.state == .closed && late.summarised.isEmpty)
  }

  @Test func `a dose reopened in a ringing group gets its own reminder`() {
    let left = ReminderStep.next(
      Self.row(step: 1, handedOver: 0), doses: [Self.dose(), Self.dose("b", state: .taken)],
      now: Self.at(3))
    #expect(left.leaving.map(\.key.plan) == ["b"])
    let again = ReminderStep.next(
      Self.row(step: 1, handedOver: 0, next: 4),
      doses: [Self.dose(), Self.dose("b", rings: nil)], now: Self.at(4))
    #expect(again.parting.map(\.starts) == [Self.at(4)])
    #expect(again.row.generation == 1)
  }

  @Test(arguments: [(14, true), (-5, true), (16, false), (600, false)])
  func `a dose moved by an edit stays within fifteen minutes`(due: Int64, stays: Bool) {
    let moved = Self.dose("b", due: due, late: 900, rings: 10)
    let step = ReminderStep.next(
      Self.row(step: 1, handedOver: 0, next: 5), doses: [Self.dose(), moved], now: Self.at(-10))
    #expect(step.released.isEmpty == stays)
  }

  @Test func `a summary is sent once and ends when everything is answered`() {
    var row = Self.row(kind: .summary)
    row.ends = Self.at(720)
    let told = ReminderStep.next(row, doses: [Self.dose(late: -60)], now: Self.at(0))
    #expect(told.fires?.step == 0 && told.row.nextAt == Self.at(720))
    let again = ReminderStep.next(told.row, doses: [Self.dose(late: -60)], now: Self.at(10))
    #expect(again.fires == nil && again.row.state == .ringing)
    let answered = ReminderStep.next(
      told.row, doses: [Self.dose(state: .taken)], now: Self.at(10))
    #expect(answered.row.outcome == .answered && answered.leaving.count == 1)
    var closed = answered.row
    closed.nextAt = Self.at(20)
    let undone = ReminderStep.next(closed, doses: [Self.dose(rings: nil)], now: Self.at(20))
    #expect(undone.parting.map(\.starts) == [Self.at(20)] && undone.fires == nil)
  }
}

@Suite("Groups of doses")
struct ReminderGroupingTests {
  @Test func `a group spans fifteen minutes and at most sixteen doses`() {
    let spread = [0, 14, 15, 16, 30, 31, 32].map { minute in
      ReminderGrouping.Candidate(
        dose: ReminderStepTests.dose("m\(minute)", due: minute), from: ReminderStepTests.at(minute))
    }
    let groups = ReminderGrouping.groups(spread.reversed())
    #expect(groups.map(\.doses.count) == [3, 3, 1])
    #expect(
      groups.map(\.starts)
        == [ReminderStepTests.at(0), ReminderStepTests.at(16), ReminderStepTests.at(32)])
    let many = (0..<40).map { index in
      ReminderGrouping.Candidate(
        dose: ReminderStepTests.dose("n\(index)"), from: ReminderStepTests.at(0))
    }
    #expect(ReminderGrouping.groups(many).map(\.doses.count) == [16, 16, 8])
    #expect(ReminderGrouping.groups([]).isEmpty)
  }
}

@Suite("Addresses of a step")
struct ReminderEscalationTests {
  private static let now = ReminderStepTests.at(0)

  private static func device(_ id: String, unshown: Int64 = 0, hoursAgo: Int64 = 0)
    -> ReminderRecipient.Device
  {
    ReminderRecipient.Device(
      subscription: id, unshown: unshown,
      firstUnshown: unshown == 0 ? nil : now.adding(milliseconds: -hoursAgo * 3_600_000))
  }

  private func lines(_ step: Int, _ devices: [ReminderRecipient.Device], mail: Bool = true)
    -> [String]
  {
    ReminderEscalation.addresses(
      EscalationPolicy.standard.steps[step], isFirst: step == 0,
      recipients: [ReminderRecipient(account: "a", devices: devices)],
      mailIsPossible: mail, now: Self.now
    ).map { "\($0.channel.rawValue) \($0.address)" }
  }

  @Test func `push to every device, mail at its own step`() {
    let both = [Self.device("x"), Self.device("y")]
    for step in 0...2 { #expect(lines(step, both) == ["push x", "push y"]) }
    #expect(lines(3, both) == ["mail mail"])
    #expect(lines(3, both, mail: false).isEmpty)
  }

  @Test func `mail is sent at once if no device works`() {
    #expect(lines(0, []) == ["mail mail"])
    #expect(lines(1, []).isEmpty && lines(2, []).isEmpty)
    #expect(lines(0, [], mail: false).isEmpty)
    #expect(lines(0, [Self.device("x", unshown: 5, hoursAgo: 25)]) == ["push x", "mail mail"])
    // Four, or five within a day, may still arrive; one working device is enough.
    #expect(lines(0, [Self.device("x", unshown: 4, hoursAgo: 99)]) == ["push x"])
    #expect(lines(0, [Self.device("x", unshown: 9, hoursAgo: 24)]) == ["push x"])
    // Two are enough if the first is six days old, for medicines taken once a week.
    #expect(lines(0, [Self.device("x", unshown: 2, hoursAgo: 144)]) == ["push x"])
    #expect(lines(0, [Self.device("x", unshown: 2, hoursAgo: 145)]) == ["push x", "mail mail"])
    #expect(lines(0, [Self.device("x", unshown: 1, hoursAgo: 999)]) == ["push x"])
    #expect(
      lines(0, [Self.device("x", unshown: 9, hoursAgo: 25), Self.device("y")])
        == ["push x", "push y"])
  }
}
