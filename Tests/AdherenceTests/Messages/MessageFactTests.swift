// SPDX-License-Identifier: Apache-2.0

import Access
import Scheduling
import Storage
import Testing
import TestSupport

@testable import CareTeam
@testable import HeartRate
@testable import Plans

/// The facts that each rule finds, as tables of days.
@Suite struct MessageFactTests {
  static let hour: Int64 = 3_600_000

  /// Returns an instant of March 2026, in UTC.
  static func at(_ text: String) -> Timestamp { Timestamp("2026-03-\(text):00Z") }

  static func dose(
    _ due: String, _ state: DoseState.Stored = .open, recorded: String? = nil,
    reason: String? = nil
  ) -> MessageDose {
    let instant = at(due)
    return MessageDose(
      id: "plan_1_\(due)", plan: "plan", due: instant,
      onTimeUntil: instant.adding(milliseconds: hour),
      lateUntil: instant.adding(milliseconds: 6 * hour), state: state,
      recorded: recorded.map(at), reason: reason, by: recorded == nil ? nil : "Ann")
  }

  private static func facts(
    _ rule: MessageRule, _ now: String, _ doses: [MessageDose],
    _ questions: [MessageQuestion] = []
  ) -> [MessageFact] {
    MessageEvaluation.facts(
      of: rule, in: MessageFacts(now: at(now), zone: .utc, doses: doses, questions: questions))
  }

  @Test func `a refused dose names the medicine, time and answer`() {
    let found = Self.facts(
      MessageRule(.refused, .atOnce), "02T12:00",
      [
        Self.dose("02T08:00", .refused, recorded: "02T08:05", reason: "felt dizzy"),
        Self.dose("02T09:00", .skipped, recorded: "02T09:05"), Self.dose("02T10:00"),
      ])
    #expect(found.map(\.at) == [Self.at("02T08:05")])
    #expect(
      found.first?.detail
        == CaregiverMessageDetail(
          plan: "plan", due: Self.at("02T08:00"), reason: "felt dizzy", by: "Ann"))
  }

  @Test(arguments: [("02T13:59", 0), ("02T14:00", 1), ("02T20:00", 2)])
  func `a dose is missed once its window is over`(now: String, count: Int) {
    let doses = [
      Self.dose("02T08:00"), Self.dose("02T14:00"),
      Self.dose("02T07:00", .taken, recorded: "02T07:10"),
    ]
    #expect(Self.facts(MessageRule(.missed, .atOnce), now, doses).count == count)
  }

  @Test func `the rule for frequent misses counts within its days`() {
    let doses = ["01", "03", "05", "20", "21", "22"].map { Self.dose("\($0)T08:00") }
    let found = Self.facts(
      MessageRule(.missedOften, .atOnce, number: 3, days: 7), "23T00:00", doses)
    #expect(found.map(\.at) == [Self.at("05T14:00"), Self.at("22T14:00")])
    #expect(found.last?.detail == CaregiverMessageDetail(count: 3, days: 7))
    // A dose that was recorded later was not missed.
    var mended = doses
    mended[4] = Self.dose("21T08:00", .taken, recorded: "22T15:00")
    #expect(
      Self.facts(MessageRule(.missedOften, .atOnce, number: 3, days: 7), "23T00:00", mended)
        .map(\.at) == [Self.at("05T14:00")])
  }

  @Test func `a morning is reported once all its doses were taken`() {
    let rule = MessageRule(.morningDone, .atOnce)
    let two = [
      Self.dose("02T08:00", .taken, recorded: "02T08:05"),
      Self.dose("02T09:00", .taken, recorded: "02T09:30"), Self.dose("02T18:00"),
    ]
    let found = Self.facts(rule, "02T10:00", two)
    #expect(found.map(\.at) == [Self.at("02T09:30")] && found.first?.detail.count == 2)
    for state in [DoseState.Stored.open, .skipped, .refused] {
      #expect(
        Self.facts(rule, "02T10:00", two + [Self.dose("02T10:00", state)]).isEmpty, "\(state)")
    }
    for state in [DoseState.Stored.cancelled, .withheld] {
      #expect(Self.facts(rule, "02T10:00", two + [Self.dose("02T10:00", state)]).count == 1)
    }
  }

  @Test func `the unrecorded-doses rule counts due doses and leaves them time`() {
    let rule = MessageRule(.notRecorded, .atOnce, minute: 600)
    let doses = [
      Self.dose("02T08:00"), Self.dose("02T09:30"),
      Self.dose("02T07:00", .taken, recorded: "02T07:05"),
    ]
    #expect(Self.facts(rule, "02T09:59", doses).isEmpty)
    let found = Self.facts(rule, "02T10:00", doses)
    #expect(
      found.first?.detail == CaregiverMessageDetail(due: Self.at("02T08:00"), count: 1, minute: 600)
    )
    let known = MessageFacts(now: Self.at("02T09:59"), zone: .utc, doses: doses)
    #expect(MessageEvaluation.nextMoment(of: rule, in: known) == Self.at("02T10:00"))
  }

  @Test func `a question is unanswered after an hour; three yes in a row are reported`() {
    func question(_ day: Int, _ answer: Warning.Answer?) -> MessageQuestion {
      let asked = Self.at("0\(day)T14:00")
      return MessageQuestion(
        id: "q\(day)", asked: asked, answer: answer,
        answered: answer.map { _ in asked.adding(milliseconds: 60_000) }, by: "Ann")
    }
    let open = [question(2, nil)]
    #expect(Self.facts(MessageRule(.warning, .atOnce), "02T14:59", [], open).isEmpty)
    #expect(Self.facts(MessageRule(.warning, .atOnce), "02T15:00", [], open).count == 1)
    let rule = MessageRule(.heartYes, .atOnce)
    let yes = (1...7).map { question($0, $0 == 4 ? .no : .yes) }
    #expect(Self.facts(rule, "08T00:00", [], yes).map(\.key) == ["q3", "q7"])
    #expect(Self.facts(rule, "08T00:00", [], yes.shuffled()).map(\.key) == ["q3", "q7"])
  }

  @Test func `events before the rule was made are not reported`() {
    let rule = MessageRule(.missed, .atOnce, since: Self.at("02T15:00"))
    #expect(
      Self.facts(rule, "03T00:00", [Self.dose("02T08:00"), Self.dose("02T10:00")]).map(\.at)
        == [Self.at("02T16:00")])
  }

  @Test func `a rule is available to people who share the data it needs`() {
    let all = PatientRight(.family)
    for topic in MessageTopic.rules {
      #expect(topic.isOpen(to: all))
      #expect(!topic.isOpen(to: PatientRight(.family, categories: [.medicines, .messages])))
    }
    #expect(!MessageTopic.heartYes.isOpen(to: PatientRight(.family, categories: [.heartRate])))
    #expect(MessageTopic.warning.isOpen(to: PatientRight(.family, categories: [.heartRate])))
    #expect(!MessageTopic.morningDone.isOpen(to: PatientRight(.practitioner)))
    #expect(MessageTopic.missed.isOpen(to: PatientRight(.practitioner, categories: [.adherence])))
  }
}
