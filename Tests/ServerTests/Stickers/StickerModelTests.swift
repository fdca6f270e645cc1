// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Calendar
@testable import DosePages

/// What a tap prepares, for doses at any distance from now.
@Suite struct StickerModelTests {
  private static let minute: Int64 = 60_000
  /// Sunday 1 March 2026 at 08:00 UTC.
  private static let now = Timestamp(milliseconds: 1_772_352_000_000)

  /// Returns a dose due some minutes from now, with an hour on either side to be on time.
  private func dose(
    _ plan: String = "a", at offset: Int64, state: DoseState.Stored = .open, taken: Int64? = nil
  ) throws -> Dose {
    let due = Self.now.adding(milliseconds: offset * Self.minute)
    let id = try #require(DoseID(text: "\(plan)_1_20260301-\(abs(offset) + 1)"))
    return Dose(
      id: id, patient: PatientID("ann"), medicineName: plan, due: due,
      onTimeUntil: due.adding(milliseconds: 60 * Self.minute),
      lateUntil: due.adding(milliseconds: 240 * Self.minute), nextDue: nil, amount: nil,
      stored: state, stateReason: nil, laterUntil: nil, version: 1,
      answer: taken.map {
        DoseAnswer(
          id: AnswerID("x"), action: .taken, at: Self.now.adding(milliseconds: -$0 * Self.minute),
          recorded: Self.now, by: "Ann")
      }, now: Self.now)
  }

  private func model(
    _ subject: Sticker.Subject, _ doses: [Dose], review: Set<PlanID> = []
  ) -> StickerModel {
    StickerModel(
      Sticker(
        id: "s", patient: PatientID("ann"), name: "Kitchen", subject: subject, created: Self.now),
      doses: doses, review: review, zone: .utc, now: Self.now)
  }

  @Test func `of two open doses of a medicine, only the nearer one is prepared`() throws {
    let (early, near) = (try dose(at: -180), try dose(at: 30))
    let found = model(.medicine(PlanID("a")), [early, near])
    #expect(found.due == [near] && found.others == [early])
  }

  @Test func `a dose more than an hour ahead is only announced`() throws {
    let ahead = try dose(at: 90)
    let found = model(.place(minute: nil), [ahead])
    #expect(found.due.isEmpty && found.next == ahead)
  }

  @Test func `a missed, a withheld and a reviewed dose are not prepared`() throws {
    let missed = try dose("a", at: -300)
    let withheld = try dose("b", at: -10, state: .withheld)
    let reviewed = try dose("c", at: -10)
    let found = model(
      .place(minute: nil), [missed, withheld, reviewed], review: [PlanID("c")])
    #expect(found.due.isEmpty && found.others == [withheld, reviewed])
  }

  @Test(arguments: [(30, true), (119, true), (121, false)])
  func `a recent intake makes the next one doubtful`(minutes: Int64, isDoubtful: Bool) throws {
    let taken = try dose(at: -200, state: .taken, taken: minutes)
    let found = model(.medicine(PlanID("a")), [taken, try dose(at: 0)])
    #expect(found.due.count == 1 && found.isDoubtful == isDoubtful)
    #expect(found.taken.map(\.by) == ["Ann"])
  }

  @Test(arguments: [(8 * 60, true), (9 * 60, true), (9 * 60 + 1, false), (7 * 60, true)])
  func `a place takes an hour around its time`(minute: Int, isIncluded: Bool) {
    #expect(Sticker.Subject.place(minute: minute).includes(PlanID("a"), dueAt: 480) == isIncluded)
  }

  @Test func `a place at midnight reaches into both days`() {
    let place = Sticker.Subject.place(minute: 10)
    #expect(place.includes(PlanID("a"), dueAt: 23 * 60 + 30))
    #expect(!place.includes(PlanID("a"), dueAt: 23 * 60))
  }

  @Test func `an event belongs to one version of one dose and one account`() throws {
    let sticker = Sticker(
      id: "s", patient: PatientID("ann"), name: "Kitchen", subject: .place(minute: nil),
      created: Self.now)
    let (one, other) = (try dose(at: 0), try dose("b", at: 0))
    let event = StickerEvent.id(sticker, one, by: AccountID("ann"))
    #expect(event == StickerEvent.id(sticker, one, by: AccountID("ann")))
    #expect(event != StickerEvent.id(sticker, other, by: AccountID("ann")))
    #expect(event != StickerEvent.id(sticker, one, by: AccountID("bob")))
    #expect(
      event.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
        != nil)
  }
}
