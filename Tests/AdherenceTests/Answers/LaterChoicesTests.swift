// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage
import Testing
import TestSupport

@testable import Plans

@Suite("Snooze choices")
struct LaterChoicesTests {
  static func dose(
    late hours: Int64 = 4, next: Int64? = 12, stored: DoseState.Stored = .open, now: Timestamp
  ) -> Dose {
    let due = AnswerWorld.eight
    return Dose(
      id: DoseID(plan: "p", era: 1, occurrence: .running(0)), patient: "anna",
      medicineName: "Metoprolol", due: due,
      onTimeUntil: due.adding(milliseconds: AnswerWorld.hour),
      lateUntil: due.adding(milliseconds: hours * AnswerWorld.hour),
      nextDue: next.map { due.adding(milliseconds: $0 * AnswerWorld.hour) }, amount: nil,
      stored: stored, stateReason: nil, laterUntil: nil, version: 1, answer: nil, now: now)
  }

  @Test(
    arguments: [
      // minutes after due, late hours, next dose in hours, gap in hours, choices
      (0, 4, 12, 6, [10, 30, 60, 120, 180]),
      (0, 6, 12, 6, [10, 30, 60, 120, 180, 240]),
      (-300, 4, 12, 6, [10, 30, 60, 120, 180]),
      (60, 4, 12, 6, [10, 30, 60, 120]),
      (0, 4, 4, 2, [10, 30, 60, 120]),
      (0, 4, 3, 2, [10, 30, 60]),
      (229, 4, 12, 6, [10]),
      (230, 4, 12, 6, []),
      (240, 4, 12, 6, []),
      (9_000, 4, 12, 6, []),
      (0, 4, 2, 3, []),
    ] as [(Int64, Int64, Int64, Int64, [Int])])
  func onlyWhatFitsIsOffered(
    minutes: Int64, late: Int64, next: Int64, gap: Int64, expected: [Int]
  ) {
    let now = AnswerWorld.eight.adding(milliseconds: minutes * AnswerWorld.minute)
    let dose = Self.dose(late: late, next: next, now: now)
    #expect(
      LaterChoices.minutes(for: dose, minimumGap: gap * AnswerWorld.hour, now: now) == expected)
  }

  @Test func withoutNextDoseOrGapTheLateWindowAloneDecides() {
    let now = AnswerWorld.eight
    let last = Self.dose(next: nil, now: now)
    #expect(LaterChoices.minutes(for: last, minimumGap: nil, now: now) == [10, 30, 60, 120, 180])
    let close = Self.dose(next: 1, now: now)
    #expect(LaterChoices.minutes(for: close, minimumGap: nil, now: now) == [10, 30])
    #expect(LaterChoices.minutes(for: close, minimumGap: .max, now: now) == [])
  }

  @Test(arguments: [DoseState.Stored.taken, .skipped, .refused, .cancelled])
  func anAnsweredOrCancelledDoseOffersNone(stored: DoseState.Stored) {
    let dose = Self.dose(stored: stored, now: AnswerWorld.eight)
    #expect(LaterChoices.minutes(for: dose, minimumGap: nil, now: AnswerWorld.eight).isEmpty)
  }
}
