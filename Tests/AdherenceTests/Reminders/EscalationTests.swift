// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Plans
@testable import Reminders

/// Escalation policies as values, and the times of their steps.
@Suite("Escalation policies")
struct EscalationTests {
  static let start = Timestamp(milliseconds: 1_772_434_800_000)  // 2026-03-02 08:00 in Berlin

  @Test func `reasons that make an escalation invalid`() {
    let table: [([EscalationStep], EscalationProblem)] = [
      ([], .nothingAtOnce), ([.init(5, .push)], .nothingAtOnce),
      ([.init(0, .push, .family("b"))], .nothingAtOnce),
      ([.init(0, .push), .init(721, .push)], .minutesOutOfRange(maximum: 720)),
      ([.init(0, .push), .init(-1, .push, .family("b"))], .minutesOutOfRange(maximum: 720)),
      (
        (0..<5).map { EscalationStep($0, .mail) }, .tooOften(.mail, maximum: 4)
      ),
      (
        (0..<13).map { EscalationStep($0, .push, $0 == 0 ? .acting : .family("\($0)")) },
        .tooManySteps(maximum: 12)
      ),
    ]
    for (steps, problem) in table {
      #expect(throws: problem) { try EscalationPolicy(steps) }
    }
  }

  @Test func `steps are put in order, and the family joins once`() throws {
    let escalation = try EscalationPolicy([.init(30, .mail), .init(0, .push), .init(10, .ntfy)])
    #expect(escalation.steps.map(\.minutes) == [0, 10, 30])
    let joined = EscalationPolicy.standard.joined(by: ["b"])
    #expect(joined.steps.last == EscalationStep(30, .push, .family("b")))
    #expect(joined.joined(by: ["b"]) == joined)
    let own = try EscalationPolicy([.init(0, .push), .init(45, .mail, .family("b"))])
    #expect(own.joined(by: ["b"]) == own)
  }

  struct Night: Sendable {
    let quiet: (Int, Int)
    let step: Int
    /// The hour and minute at which the reminder began, and at which the step is due.
    let began: (Int, Int)
    let comes: (Int, Int)
    var nextDay = false
  }

  @Test(arguments: [
    Night(quiet: (22 * 60, 7 * 60), step: 0, began: (23, 0), comes: (23, 0)),
    Night(quiet: (22 * 60, 7 * 60), step: 1, began: (23, 0), comes: (7, 0), nextDay: true),
    Night(quiet: (22 * 60, 7 * 60), step: 1, began: (6, 30), comes: (7, 0)),
    Night(quiet: (22 * 60, 7 * 60), step: 3, began: (6, 50), comes: (7, 10)),
    Night(quiet: (22 * 60, 7 * 60), step: 1, began: (21, 50), comes: (21, 55)),
    Night(quiet: (22 * 60, 7 * 60), step: 2, began: (21, 50), comes: (7, 0), nextDay: true),
    Night(quiet: (13 * 60, 14 * 60), step: 3, began: (12, 50), comes: (14, 0)),
    Night(quiet: (13 * 60, 14 * 60), step: 3, began: (13, 40), comes: (14, 0)),
    Night(quiet: (13 * 60, 14 * 60), step: 1, began: (13, 56), comes: (14, 1)),
  ])
  func `quiet hours delay the steps after the first`(night: Night) throws {
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    let day = try #require(CivilDate(year: 2026, month: 3, day: 2))
    func at(_ time: (Int, Int), _ day: CivilDate) throws -> Timestamp {
      let clock = try #require(ClockTime(hour: time.0, minute: time.1))
      return Timestamp(try #require(zone.instant(of: day, at: clock)).instant)
    }
    var timing = EscalationTiming.standard
    timing.quiet = QuietHours(from: night.quiet.0, until: night.quiet.1)
    timing.zone = zone
    let began = try at(night.began, day)
    let comes = try at(night.comes, night.nextDay ? day.adding(days: 1) : day)
    #expect(timing.moment(night.step, started: began) == comes)
    timing.isCritical = true
    #expect(
      timing.moment(night.step, started: began) == timing.unheld(night.step, started: began))
  }

  /// One reminder with random policies, quiet hours, outages and an answer.
  @Test(arguments: UInt64(1)...300)
  func `invariants hold under random events`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let zone = try ZoneCatalog().zone(
      ["Europe/Berlin", "America/New_York", "Asia/Kathmandu"].randomElement(using: &random) ?? "UTC"
    )
    var steps = [EscalationStep(0, .push)]
    for _ in 0..<Int.random(in: 0...7, using: &random) {
      steps.append(
        EscalationStep(
          Int.random(in: 0...120, using: &random),
          ReminderChannel.allCases.randomElement(using: &random) ?? .push,
          Bool.random(using: &random) ? .acting : .family("b")))
    }
    guard let escalation = try? EscalationPolicy(steps) else { return }
    var timing = EscalationTiming(escalation: escalation, zone: zone)
    timing.quiet = QuietHours(
      from: Int.random(in: 0..<1_440, using: &random),
      until: Int.random(in: 0..<1_440, using: &random))
    let isCritical = Int.random(in: 0..<4, using: &random) == 0
    let late = Int64.random(in: 30...600, using: &random)
    let begins = Self.start.adding(
      milliseconds: Int64.random(in: 0..<86_400, using: &random) * 1_000)
    var dose = RingingDose(
      key: DoseKey(patient: "p", plan: "a", era: 1, occurrence: "0"), due: begins,
      lateUntil: begins.adding(milliseconds: late * 60_000), laterUntil: nil, state: .open,
      isPlanActive: true, ringsAt: begins)
    dose.isCritical = isCritical
    var row = ReminderRow(
      patient: "p", subject: "s", kind: .doses, starts: begins, due: begins, ends: dose.lateUntil,
      opened: begins)
    let answered: Int64? =
      Bool.random(using: &random) ? Int64.random(in: 0...late, using: &random) : nil
    var now = begins
    var fired: [(step: Int, at: Timestamp)] = []
    for _ in 0..<2_000 where row.state == .ringing {
      if let answered, now >= begins.adding(milliseconds: answered * 60_000), dose.state == .open {
        dose = RingingDose(
          key: dose.key, due: dose.due, lateUntil: dose.lateUntil, laterUntil: nil, state: .taken,
          isPlanActive: true, ringsAt: dose.ringsAt, isCritical: isCritical)
      }
      let step = ReminderStep.next(row, doses: [dose], timing: timing, now: now)
      row = step.row
      if let firing = step.fires {
        #expect(dose.state == .open, "an answer did not stop it")
        #expect(now < dose.lateUntil, "it rings after the late window")
        fired.append((firing.step, now))
        if row.handedOver == nil { row.handedOver = now }
      }
      if row.state == .ringing, row.nextAt <= now, step.fires == nil {
        Issue.record("it stands still at step \(row.step)")
        return
      }
      // Usually on time, sometimes after an outage.
      let outage =
        Int.random(in: 0..<12, using: &random) == 0 ? Int64.random(in: 0...50, using: &random) : 0
      now = max(now, row.nextAt).adding(milliseconds: outage * 60_000)
    }
    #expect(row.state == .closed, "it never ends")
    // Each step at most once, in order, each channel at most four times.
    #expect(fired.map(\.step) == Array(0..<fired.count))
    for channel in ReminderChannel.allCases {
      for recipient in [EscalationStep.Recipient.acting, .family("b")] {
        let count = fired.filter {
          escalation.steps[$0.step].channel == channel
            && escalation.steps[$0.step].recipient == recipient
        }.count
        #expect(count <= EscalationPolicy.mostOfChannel)
      }
    }
    // Not even a step that an outage delayed into them.
    guard !isCritical, let quiet = timing.quiet else { return }
    for (step, at) in fired where step > 0 {
      let minute = zone.local(at: Instant(at)).time.secondsOfDay / 60
      let isQuiet =
        quiet.from > quiet.until
        ? minute >= quiet.from || minute < quiet.until
        : (quiet.from..<quiet.until).contains(minute)
      #expect(!isQuiet, "step \(step) wakes someone at minute \(minute)")
    }
  }
}
