// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Scheduling
import Storage
import Testing
import TestSupport

@testable import DosePages
@testable import Plans
@testable import Presentation
@testable import Web

@Suite struct RingModelTests {
  private static let now = Timestamp(milliseconds: 1_772_352_000_000)

  /// Returns a dose due a number of minutes from now.
  private func dose(
    _ slot: String, due minutes: Int64, stored: DoseState.Stored = .open, laterUntil: Int64? = nil,
    recorded: Int64? = nil
  ) throws -> Dose {
    let due = Self.now.adding(milliseconds: minutes * 60_000)
    return Dose(
      id: try #require(DoseID(text: "plan-\(slot)_1_20260301-1")), patient: "ann",
      medicineName: slot, due: due, onTimeUntil: due.adding(milliseconds: 3_600_000),
      lateUntil: due.adding(milliseconds: 4 * 3_600_000), nextDue: nil, amount: nil, stored: stored,
      stateReason: nil,
      laterUntil: laterUntil.map { Self.now.adding(milliseconds: $0 * 60_000) }, version: 1,
      answer: recorded.map {
        DoseAnswer(
          id: "answer", action: .taken, at: due,
          recorded: Self.now.adding(milliseconds: $0 * 60_000), by: "Ann")
      }, now: Self.now)
  }

  @Test func `the waiting page shows only the latest answer`() throws {
    let doses = try [
      dose("a", due: -40, stored: .taken, recorded: -16),
      dose("b", due: -3, stored: .taken, recorded: -1),
      dose("c", due: -2, laterUntil: 8),
    ]
    #expect(RingModel(doses: doses, now: Self.now).settled.map(\.medicineName) == ["b"])
  }

  @Test func `a dose with a changed prescription isn't preselected`() throws {
    let surroundings = RingModel.Surroundings(plansForReview: ["plan-a"])
    let model = RingModel(
      doses: try [dose("a", due: -5), dose("b", due: -4)], surroundings, now: Self.now)
    #expect(model.ringing.map(\.needsReview) == [true, false])
    for doses in [try [dose("a", due: -5)], try [dose("a", due: -5), dose("b", due: -4)]] {
      let view = RingView(
        model: RingModel(doses: doses, surroundings, now: Self.now),
        words: DoseFormatter(localizer: .of(.en), zone: .utc, now: Self.now),
        token: FormToken("token"), now: Self.now, address: "/ring", isArmed: true,
        newIdentifier: { "id" })
      let text = view.markup.text
      #expect(text.contains("Your prescription changed: check it before you take anything"))
      #expect(text.contains("href=\"/#proposals\""))
      #expect(text.contains("value=\"plan-a_1_20260301-1 id\">"), "not ticked")
      #expect(text.contains("plan-b_1_20260301-1 id\" checked>") == (doses.count > 1))
    }
  }

  @Test func `open doses ring now, the next group within 15 minutes comes next`() throws {
    let doses = try [
      dose("a", due: -30), dose("b", due: 0), dose("c", due: -20, stored: .taken),
      dose("d", due: -10, laterUntil: 40), dose("e", due: 50), dose("f", due: 56),
      dose("g", due: -500), dose("h", due: -1, stored: .withheld),
    ]
    let model = RingModel(doses: doses.reversed(), now: Self.now)
    #expect(model.ringing.map(\.dose.medicineName) == ["a", "b"])
    #expect(model.next?.moment == Self.now.adding(milliseconds: 40 * 60_000))
    #expect(model.next?.rows.map(\.dose.medicineName) == ["d", "e"])
    #expect(model.settled.isEmpty)
  }

  @Test func `a group separates open doses from settled ones`() throws {
    let group = try [
      dose("a", due: -30), dose("b", due: -29, stored: .taken), dose("c", due: -28, laterUntil: 5),
    ]
    let model = RingModel(group: group, now: Self.now)
    #expect(model.ringing.map(\.dose.medicineName) == ["a"])
    #expect(model.settled.map(\.medicineName) == ["b", "c"])
    #expect(model.next?.moment == Self.now.adding(milliseconds: 5 * 60_000))
  }

  @Test func `snoozing must fit, and a recent intake is questioned`() throws {
    let early = try dose("a", due: -10)
    let ending = try dose("b", due: -235)
    let intake = Intake(
      administration: "i", plan: early.plan, dose: nil, medicineName: "a",
      taken: Self.now.adding(milliseconds: -60_000), by: "Ann", amount: nil)
    let model = RingModel(
      doses: [early, ending], .init(withinGap: [early.plan: [intake]]), now: Self.now)
    #expect(model.ringing.map(\.canWait) == [false, true])
    #expect(model.ringing.map(\.question) == [[], [intake]])
  }

  @Test func `a due dose paused later no longer rings`() throws {
    let paused = try dose("a", due: -10)
    let other = try dose("b", due: -9)
    let around = RingModel.Surroundings(silentPlans: [paused.plan])
    let model = RingModel(doses: [paused, other], around, now: Self.now)
    #expect(model.ringing.map(\.dose.plan) == [other.plan])
  }

  @Test func `at most sixteen doses ring together`() throws {
    let doses = try (0..<20).map { try dose("s\($0)", due: -1) }
    #expect(RingModel(doses: doses, now: Self.now).ringing.count == RingModel.groupLimit)
  }

  @Test func `missed rings are shown silently with their true times`() throws {
    let words = DoseFormatter(localizer: .of(.en), zone: .utc, now: Self.now)
    let page = RingSummaryView(doses: [try dose("a", due: -120)], words: words).markup.text
    #expect(page.contains("Don’t take a double dose."))
    #expect(page.contains(">06:00</time>"))
    #expect(!page.contains("data-state"))
  }
}
