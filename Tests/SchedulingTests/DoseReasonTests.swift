// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

/// Tests the answers to "why 03:00?": each rule that applied, in order.
struct DoseReasonTests {
  private static func reasons(
    _ text: String, from: String, until: String, in identifier: String = "Europe/Oslo"
  ) throws -> [[DoseReason]] {
    let asked = try Asked(repeat: text, in: identifier, from: from, until: until)
    let answer = try asked.question.answer()
    return answer.occurrences.enumerated().map { index, dose in
      asked.question.rules[answer.rule(of: index)].rule.reasons(
        for: dose, in: asked.question.zone, rhythm: asked.question.rhythm)
    }
  }

  @Test func `a gap or an overlap is explained with the scheduled time`() throws {
    let half = try clock("02:30")
    let spring = try Self.reasons(
      #""timeOfDay":["02:30:00"]"#, from: "2026-03-28", until: "2026-03-31")
    #expect(
      spring == [[.written(half)], [.written(half), .gap(written: half)], [.written(half)]])
    #expect(spring[1][1].rule == 8 && spring[1][1].isMove && spring[1][1].text.contains("02:30:00"))
    let autumn = try Self.reasons(
      #""timeOfDay":["02:30:00"]"#, from: "2026-10-25", until: "2026-10-26")
    #expect(autumn == [[.written(half), .overlap(written: half)]])
  }

  @Test func `events, offsets and default times are explained`() throws {
    let breakfast = try clock("07:30")
    #expect(
      try Self.reasons(#""when":["ACM"]"#, from: "2026-03-01", until: "2026-03-02") == [
        [
          .event(.breakfast, at: breakfast),
          .offset(minutes: 30, isBefore: true, isDefault: true),
        ]
      ])
    // This dose belongs to 1 March: the anchor's date is the date of the event.
    let late = try Self.reasons(
      #""when":["PHS"],"offset":120,"boundsPeriod":{"start":"2026-03-01"}"#, from: "2026-03-02",
      until: "2026-03-03")
    #expect(
      late == [
        [
          .event(.bedtime, at: try clock("22:30")),
          .offset(minutes: 120, isBefore: false, isDefault: false),
          .otherDate(nominal: try day("2026-03-01")),
        ]
      ])
    #expect(
      try Self.reasons(#""frequency":1"#, from: "2026-03-01", until: "2026-03-02") == [
        [.defaultTime(try clock("08:00"), perDay: 1)]
      ])
  }

  @Test func `a short month and a clock change since the last dose are explained`() throws {
    let months = try Self.reasons(
      #""period":1,"periodUnit":"mo","boundsPeriod":{"start":"2026-01-31"}"#, from: "2026-02-01",
      until: "2026-04-01")
    #expect(months.map { $0.contains(.shortMonth) } == [true, false])
    let hours = try Self.reasons(
      #""period":12,"periodUnit":"h","boundsPeriod":{"start":"2026-03-28T20:00:00+01:00"}"#,
      from: "2026-03-28", until: "2026-03-30")
    #expect(hours.map(\.count) == [1, 2, 1])
    #expect(hours[1][1] == .clockWasSet(bySeconds: 3600))
  }

  @Test func `a preview lists the doses that the clock moves`() throws {
    let asked = try Asked(
      repeat: #""timeOfDay":["02:30:00","08:00:00"]"#, from: "2026-03-01", until: "2026-04-01")
    let doses = try asked.question.answer().occurrences
    let moved = DosePreview.movedByClock(
      doses, of: asked.question.rules[0].rule, in: asked.question.zone)
    #expect(
      moved.map { asked.question.zone.text(of: $0.occurrence.instant) } == [
        "2026-03-29T03:00:00+02:00"
      ])
  }
}
