// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Knowledge
import Localization
import Reminders
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Diary

/// The pure rules of follow-ups.
@Suite struct FollowUpRuleTests {
  private static let hour: Int64 = 3_600_000

  @Test(
    arguments: [
      (nil, nil, 120, FollowUpTiming.Origin.standard),
      (nil, 4 * hour, 120, .standard), (nil, 2 * hour, 120, .standard),
      (nil, hour, 60, .interval), (nil, hour / 4, 15, .interval), (nil, 60_000, 120, .standard),
      (45, hour, 45, .chosen), (1, nil, 15, .chosen), (9_999, nil, 1_440, .chosen),
    ] as [(Int?, Int64?, Int, FollowUpTiming.Origin)])
  func `the question comes before the next dose is allowed`(
    chosen: Int?, gap: Int64?, minutes: Int, origin: FollowUpTiming.Origin
  ) {
    let timing = FollowUpTiming(chosen: chosen, gap: gap)
    #expect(timing.minutes == minutes && timing.origin == origin)
  }

  @Test func `only the last five answers about the effect count`() {
    let summary = FollowUpSummary([.tooEarly, .much, .no, .little, .little, .much, .no, .no])
    #expect(summary.answers == [.much, .no, .little, .little, .much] && summary.helped == 4)
    #expect(FollowUpSummary([]).helped == 0 && FollowUpSummary([.no]).helped == 0)
  }

  @Test func `a dose logged late is asked about at once, one of two days ago never`() throws {
    let now = Timestamp("2026-03-03T12:00:00Z")
    func question(_ taken: String) -> FollowUp? {
      FollowUp("a", plan: "p", taken: Timestamp(taken), minutes: 120, now: now)
    }
    #expect(question("2026-03-03T11:30:00Z")?.due == Timestamp("2026-03-03T13:30:00Z"))
    let late = try #require(question("2026-03-02T12:00:00Z"))
    #expect(late.due == now && late.asks(at: now) && !late.asks(at: late.ends))
    #expect(question("2026-03-01T12:00:00Z") == nil)
    let again = try #require(late.again(at: now))
    #expect(again.due == Timestamp("2026-03-03T14:00:00Z") && again.asked == 2)
    #expect(late.again(at: Timestamp("2026-03-04T11:00:00Z")) == nil)
  }

  @Test func `days are counted in the person's zone, once each, over thirty days`() throws {
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    let rule = try #require(
      Handbook.shipped.overuseRule(names: ["Sumatriptan"], codes: []))
    let now = Timestamp("2026-03-31T12:00:00+02:00")
    func warning(_ days: [Int], and more: [String] = []) -> OveruseWarning? {
      let taken = days.map { Timestamp(milliseconds: now.milliseconds - Int64($0) * 86_400_000) }
      return OveruseWarning(
        rule, taken: .init(own: taken + more.map { Timestamp($0) }), now: now, zone: zone)
    }
    #expect(warning([]) == nil && warning(Array(1...8)) == nil)
    let next = try #require(warning(Array(1...9)))
    #expect(!next.isReached && next.days == 9 && next.daysWithNext == 10)
    // Two on one day are one day; one just after midnight is the next.
    #expect(warning(Array(0...8) + [0, 1]) == nil)
    let reached = try #require(
      warning(Array(1...9), and: ["2026-03-31T00:10:00+02:00", "2026-03-31T11:00:00+02:00"]))
    #expect(reached.isReached && reached.days == 10 && reached.daysWithNext == 10)
    // The thirty-first day back no longer counts.
    #expect(warning(Array(1...8) + [30]) == nil)
    #expect(warning(Array(1...8) + [29]) != nil)
  }

  @Test(arguments: [
    ("Sumatriptan", 10), ("Cafergot", 10), ("Tramadol", 10), ("Thomapyrin", 10),
    ("Paracetamol", 15), ("Ibuprofen", 15),
  ])
  func `the limit of each kind is reached on its day, and one more dose before it warns`(
    name: String, limit: Int
  ) throws {
    let rule = try #require(Handbook.shipped.overuseRule(names: [name], codes: []))
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    // The thirty days before the end of a month of 28, 30 and 31 days.
    let ends = [
      "2026-02-28T20:00:00+01:00", "2026-04-30T20:00:00+02:00", "2026-07-31T20:00:00+02:00",
    ]
    for end in ends {
      let now = Timestamp(end)
      func warning(_ count: Int) -> OveruseWarning? {
        let taken = (1...count).map {
          Timestamp(milliseconds: now.milliseconds - Int64($0) * 86_400_000)
        }
        return OveruseWarning(rule, taken: .init(own: taken), now: now, zone: zone)
      }
      #expect(warning(limit - 2) == nil)
      let next = try #require(warning(limit - 1))
      #expect(!next.isReached && next.days == limit - 1 && next.daysWithNext == limit)
      let reached = try #require(warning(limit))
      #expect(reached.isReached && reached.limit == limit && reached.sources == ["W28", "W29"])
      #expect(!reached.isMixed && !reached.countsOthers)
    }
  }

  @Test func `kinds with the same limit count together, others from ten days in total`() throws {
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    let now = Timestamp("2026-03-31T12:00:00+02:00")
    func times(_ days: Range<Int>) -> [Timestamp] {
      days.map { Timestamp(milliseconds: now.milliseconds - Int64($0) * 86_400_000) }
    }
    let triptan = try #require(Handbook.shipped.overuseRule(names: ["Sumatriptan"], codes: []))
    let simple = try #require(Handbook.shipped.overuseRule(names: ["Ibuprofen"], codes: []))
    func warning(
      _ rule: OveruseRule, _ own: Range<Int>, similar: Range<Int> = 0..<0,
      others: Range<Int> = 0..<0
    ) -> OveruseWarning? {
      OveruseWarning(
        rule, taken: .init(own: times(own), similar: times(similar), others: times(others)),
        now: now, zone: zone)
    }
    let both = try #require(warning(triptan, 1..<6, similar: 6..<11))
    #expect(both.isReached && both.days == 10 && both.countsOthers && !both.isMixed)
    // The same day counts once.
    #expect(warning(triptan, 1..<6, similar: 1..<6) == nil)
    // Eight days with both kinds are too few, nine are not with another dose.
    #expect(warning(simple, 1..<5, others: 5..<9) == nil)
    let next = try #require(warning(simple, 1..<5, others: 5..<10))
    #expect(next.isMixed && !next.isReached && next.limit == 10 && next.daysWithNext == 10)
    let mixed = try #require(warning(simple, 1..<6, others: 6..<11))
    #expect(mixed.isMixed && mixed.isReached && mixed.sources == ["W29"])
    // Simple painkillers only: ten days are fine, and fourteen warn of the next dose.
    #expect(warning(simple, 1..<6, similar: 6..<11) == nil)
    #expect(warning(simple, 1..<15)?.isReached == false)
    // The medicine's own limit is named if it is reached.
    let own = try #require(warning(triptan, 1..<11, others: 11..<12))
    #expect(!own.isMixed && own.days == 10 && own.limit == 10)
  }

  @Test func `days begin at midnight where the person is`() throws {
    let rule = try #require(
      Handbook.shipped.overuseRule(names: ["Sumatriptan"], codes: []))
    let now = Timestamp("2026-03-31T12:00:00Z")
    // The last dose is taken after midnight in Berlin, and on the day before in New York.
    var taken = [Timestamp("2026-03-29T21:30:00Z"), Timestamp("2026-03-29T22:30:00Z")]
    taken += (2...9).map { Timestamp(milliseconds: now.milliseconds - Int64($0) * 86_400_000) }
    let counted = OveruseWarning.Intakes(own: taken)
    func days(_ name: String) throws -> Int? {
      let zone = try ZoneCatalog().zone(name)
      return OveruseWarning(rule, taken: counted, now: now, zone: zone)?.days
    }
    #expect(try days("Europe/Berlin") == 9)
    #expect(try days("America/New_York") == nil)
  }

  @Test func `an answer is a valid Observation that is read back`() {
    for answer in FollowUpAnswer.outcomes {
      let json = FollowUpObservation.make(
        answer, about: "a", patient: "p", byName: "Ann",
        effective: "2026-03-01T10:00:00+01:00", isCorrection: false)
      let issues = ResourceValidator.issues(in: json, expecting: .observation)
      #expect(issues.filter { $0.severity == .error }.isEmpty, "\(issues)")
      #expect(FollowUpObservation.answer(in: json) == answer)
      #expect(FollowUpObservation.answer(in: FollowUpObservation.takeBack(json)) == nil)
    }
    #expect(FollowUpObservation.answer(in: ["resourceType": "Observation"]) == nil)
  }

  @Test func `a notification offers the answers that the API takes`() throws {
    #expect(DiaryAlert.answers == FollowUpAnswer.allCases.map(\.rawValue))
    for (alert, kind) in [(DiaryAlert.followUp, ReminderKind.lead), (.removal, .alarm)] {
      let new = alert.alert(
        about: "a.b-1", time: 2, patient: "p", due: Timestamp(milliseconds: 1),
        ends: Timestamp(milliseconds: 2))
      #expect(DiaryAlert(of: new.id) == alert && new.kind == kind)
      #expect(DiaryAlert.administration(of: new.id) == "a.b-1")
    }
    #expect(DiaryAlert(of: "follow-up") == nil && DiaryAlert(of: "lead-x") == nil)
    let content = ReminderContent(
      delivery: "d", patient: "p", subject: "s", kind: .lead, language: .en,
      zone: try ZoneCatalog().zone("Europe/Berlin"), due: Timestamp(milliseconds: 1), doses: [],
      label: nil, alert: .init(id: "follow-up.1.a", later: nil), now: Timestamp(milliseconds: 1))
    let sent = try JSONValue(
      parsing: content.payload(baseURL: "https://r.example", account: "x").full)
    #expect(sent["question"]?.string == "a" && sent["title"]?.string == "Did it help?")
    #expect(sent["actions"]?.array?.compactMap { $0["action"]?.string } == DiaryAlert.answers)
  }
}
