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
      return OveruseWarning(rule, taken: taken + more.map { Timestamp($0) }, now: now, zone: zone)
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
