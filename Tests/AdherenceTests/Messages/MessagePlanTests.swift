// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import CareTeam
@testable import HeartRate
@testable import Plans

/// The result of a check: order, digests, daily limits, consent.
@Suite struct MessagePlanTests {
  private static let at = MessageFactTests.at

  private static func recipient(
    _ account: AccountID, _ rules: [MessageRule], place: Int = 0, most: Int = 4,
    _ right: PatientRight? = PatientRight(.family)
  ) -> MessageRecipient {
    MessageRecipient(account: account, right: right, place: place, most: most, rules: rules)
  }

  private static func plan(
    _ recipients: [MessageRecipient], _ now: String, _ doses: [MessageDose],
    known: [CareTeam.CaregiverMessage] = []
  ) -> MessagePlan {
    MessagePlan(
      recipients: recipients, facts: MessageFacts(now: at(now), zone: .utc, doses: doses),
      known: known)
  }

  /// Returns the messages of a plan, as they are stored.
  static func kept(_ plan: MessagePlan, known: [CareTeam.CaregiverMessage], now: Timestamp)
    -> [CareTeam.CaregiverMessage]
  {
    var kept = known.map { notice -> CareTeam.CaregiverMessage in
      let more = plan.counted.last { $0.notice == notice.id }?.more ?? notice.more
      var state = notice.state
      if let end = plan.ended.first(where: { $0.notice == notice.id }) { state = end.state }
      if plan.told.contains(where: { $0.id == notice.id }) { state = .told }
      return CareTeam.CaregiverMessage(
        patient: notice.patient, id: notice.id, account: notice.account, topic: notice.topic,
        day: notice.day, happened: notice.happened, more: more, detail: notice.detail,
        way: notice.way, state: state, tellAt: notice.tellAt,
        told: state == .told ? notice.told ?? now : nil, acknowledged: notice.acknowledged)
    }
    for new in plan.new {
      kept.append(
        CareTeam.CaregiverMessage(
          patient: "ann", id: "\(new.account) \(new.topic.rawValue) \(new.day.text)",
          account: new.account, topic: new.topic, day: new.day, happened: new.fact.at,
          more: new.more, detail: new.fact.detail, way: new.way,
          state: new.tellAt <= now ? .told : .planned, tellAt: new.tellAt,
          told: new.tellAt <= now ? now : nil))
    }
    return kept
  }

  private static let missed = [
    MessageFactTests.dose("02T08:00"), MessageFactTests.dose("02T09:00"),
    MessageFactTests.dose("02T10:00"),
  ]

  @Test func `contacts are notified one by one until one takes over`() {
    let rule = [MessageRule(.missed, .atOnce)]
    let contacts = [
      Self.recipient("c", rule, place: 3), Self.recipient("a", rule, place: 1),
      Self.recipient("b", rule, place: 2), Self.recipient("doctor", rule),
    ]
    let now = Self.at("02T14:00")
    let plan = Self.plan(contacts, "02T14:00", Self.missed)
    let times = Dictionary(uniqueKeysWithValues: plan.new.map { ($0.account, $0.tellAt) })
    #expect(
      times == [
        "a": now, "doctor": now, "b": Self.at("02T14:15"), "c": Self.at("02T14:30"),
      ])
    #expect(plan.next <= Self.at("02T14:15"))
    var known = Self.kept(plan, known: [], now: now)
    let later = Self.plan(contacts, "02T14:15", Self.missed, known: known)
    #expect(later.told.map(\.account) == ["b"])
    known = Self.kept(later, known: known, now: Self.at("02T14:15"))
    let taken = known.map { notice in
      CareTeam.CaregiverMessage(
        patient: "ann", id: notice.id, account: notice.account, topic: notice.topic,
        day: notice.day, happened: notice.happened, way: notice.way, state: notice.state,
        tellAt: notice.tellAt, told: notice.told,
        acknowledged: notice.account == "b" ? Self.at("02T14:20") : nil)
    }
    let last = Self.plan(contacts, "02T14:40", Self.missed, known: taken)
    #expect(last.told.isEmpty && last.new.isEmpty)
    #expect(last.ended.map(\.state) == [.stopped])
  }

  @Test func `a muted contact delays no one`() {
    let rule = [MessageRule(.missed, .atOnce)]
    var first = Self.recipient("a", rule, place: 1)
    first.mutedUntil = Self.at("05T00:00")
    let plan = Self.plan([first, Self.recipient("b", rule, place: 2)], "02T14:00", Self.missed)
    #expect(plan.new.allSatisfy { $0.tellAt == Self.at("02T14:00") })
  }

  @Test func `a dose logged before the message is due is not reported`() {
    let rule = [MessageRule(.missed, .digest)]
    let plan = Self.plan([Self.recipient("a", rule)], "02T14:00", [Self.missed[0]])
    #expect(plan.new.map(\.tellAt) == [Self.at("03T08:00")])
    let known = Self.kept(plan, known: [], now: Self.at("02T14:00"))
    let mended = [MessageFactTests.dose("02T08:00", .taken, recorded: "02T18:00")]
    let later = Self.plan([Self.recipient("a", rule)], "03T08:00", mended, known: known)
    #expect(later.told.isEmpty && later.ended.map(\.state) == [.settled])
    let unmended = Self.plan(
      [Self.recipient("a", rule)], "03T08:00", [Self.missed[0]], known: known)
    #expect(unmended.told.count == 1)
  }

  @Test(arguments: [
    PatientRight?.none, PatientRight(.family, categories: [.medicines, .heartRate]),
  ])
  func `without access no planned message is sent`(right: PatientRight?) {
    let rule = [MessageRule(.missed, .digest)]
    let plan = Self.plan([Self.recipient("a", rule)], "02T14:00", Self.missed)
    let known = Self.kept(plan, known: [], now: Self.at("02T14:00"))
    let recipient = Self.recipient("a", rule, right)
    let later = Self.plan([recipient], "03T08:00", Self.missed, known: known)
    #expect(later.told.isEmpty && later.new.isEmpty && later.ended.map(\.state) == [.withdrawn])
  }

  @Test func `a rule that would fire a thousand times sends one message`() {
    let doses = (0..<1_000).map { index in
      MessageDose(
        id: "plan_1_\(index)", plan: "plan", due: Self.at("02T00:00"),
        onTimeUntil: Self.at("02T01:00"),
        lateUntil: Self.at("02T06:00").adding(milliseconds: Int64(index)), state: .open)
    }
    let plan = Self.plan(
      [Self.recipient("a", [MessageRule(.missed, .atOnce)])], "02T12:00", doses)
    #expect(plan.new.count == 1 && plan.new.first?.more == 999)
  }

  /// Facts become known one after another in any order; checks come at any time and twice.
  @Test(arguments: UInt64(1)...60)
  func `caps hold in any order of facts`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let most = Int.random(in: 1...3, using: &random)
    let rules = MessageTopic.rules.map { topic in
      MessageRule(
        topic, Bool.random(using: &random) ? .atOnce : .digest, number: 2,
        days: Int.random(in: 1...10, using: &random))
    }
    let recipients = [
      Self.recipient("a", rules, most: most), Self.recipient("b", rules, place: 1, most: most),
    ]
    var doses = (1...5).flatMap { day in
      ["06:00", "08:00", "09:00", "13:00"].map { MessageFactTests.dose("0\(day)T\($0)") }
    }
    var questions = (1...5).map { day in
      MessageQuestion(id: "q\(day)", asked: Self.at("0\(day)T12:00"))
    }
    var known: [CareTeam.CaregiverMessage] = []
    var now = Self.at("01T00:00")
    while now < Self.at("07T00:00") {
      now = now.adding(milliseconds: Int64.random(in: 60_000...7_200_000, using: &random))
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let index = Int.random(in: 0..<doses.count, using: &random)
        let dose = doses[index]
        guard dose.due <= now else { continue }
        let state: DoseState.Stored =
          [.taken, .refused, .skipped, .open].randomElement(using: &random) ?? .open
        doses[index] = MessageDose(
          id: dose.id, plan: dose.plan, due: dose.due, onTimeUntil: dose.onTimeUntil,
          lateUntil: dose.lateUntil, state: state, recorded: state == .open ? nil : now,
          by: "Ann")
      }
      let asked = Int.random(in: 0..<questions.count, using: &random)
      if questions[asked].asked <= now, Bool.random(using: &random) {
        questions[asked] = MessageQuestion(
          id: questions[asked].id, asked: questions[asked].asked, answer: .yes, answered: now,
          by: "Ann")
      }
      let facts = MessageFacts(
        now: now, zone: .utc, doses: doses.shuffled(using: &random),
        questions: questions.filter { $0.asked <= now }.shuffled(using: &random))
      for _ in 0..<2 {
        let plan = MessagePlan(
          recipients: recipients.shuffled(using: &random), facts: facts,
          known: known.shuffled(using: &random))
        known = Self.kept(plan, known: known, now: now)
      }
      let keys = known.map { "\($0.account) \($0.topic) \($0.day.text)" }
      #expect(Set(keys).count == keys.count, "seed \(seed): one of each kind a day")
      for (key, notices) in Dictionary(grouping: known, by: { "\($0.account) \($0.day.text)" }) {
        #expect(notices.count { $0.topic != .more } <= most, "seed \(seed): \(key)")
        #expect(notices.count { $0.topic == .more } <= 1)
      }
    }
    #expect(!known.isEmpty)
  }
}
