// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

struct DosingRuleTests {
  private static func asked(
    _ rule: String, in identifier: String = "Europe/Oslo", from: String = "2026-03-01",
    until: String = "2026-03-10"
  ) throws -> Asked {
    try Asked(
      #"{"rule":{\#(rule)},"tz":"\#(identifier)","start":"\#(from)","end":"\#(until)"}"#)
  }

  @Test func `an alarm rings on its weekdays within its dates, except on excluded dates`() throws {
    let all = try Self.asked(
      #""kind":"alarm","weekdays":[],"times":["07:15"],"until":"2026-03-02""#)
    #expect(try all.short == ["03-01 07:15", "03-02 07:15"])
    let some = try Self.asked(
      #""kind":"alarm","weekdays":["mon","thu"],"times":["21:00:30","07:15"],"from":"2026-03-03","excludeDates":["2026-03-05"]"#
    )
    #expect(try some.short == ["03-09 07:15", "03-09 21:00"])
    #expect(try some.texts.last == "2026-03-09T21:00:30+01:00")
  }

  @Test func `days on are followed by days off, from the start of the cycle`() throws {
    let cyclic = try Self.asked(
      #""kind":"cyclic","daysOn":2,"daysOff":3,"cycleStart":"2026-02-25","times":["08:00"]"#)
    #expect(try cyclic.short == ["03-02", "03-03", "03-07", "03-08"].map { $0 + " 08:00" })
    let later = try Self.asked(
      #""kind":"cyclic","daysOn":21,"daysOff":7,"cycleStart":"2026-03-08","times":["08:00"]"#)
    #expect(try later.short == ["03-08 08:00", "03-09 08:00"])
    let never = try Self.asked(
      #""kind":"cyclic","daysOn":1,"daysOff":0,"cycleStart":"2026-03-09","times":["08:00"]"#)
    #expect(try never.short == ["03-09 08:00"])
  }

  @Test func `the steps of a taper follow each other with their own doses`() throws {
    let taper = try Self.asked(
      #""kind":"taper","start":"2026-03-02","steps":[{"days":2,"times":["08:00","20:00"],"dose":2},{"days":1,"times":["08:00"],"dose":1},{"days":1000000000,"times":["09:00"],"dose":0.5},{"days":1,"times":["10:00"],"dose":9}]"#,
      until: "2026-03-06")
    #expect(
      try taper.short == [
        "03-02 08:00", "03-02 20:00", "03-03 08:00", "03-03 20:00", "03-04 08:00", "03-05 09:00",
      ])
    let answer = try taper.question.answer()
    let doses = answer.occurrences.indices.map {
      taper.question.rules[answer.rule(of: $0)].dose
    }
    #expect(
      doses == ["2", "2", "2", "2", "1", "0.5"].map { TimingNode.number($0) })
  }

  @Test func `an interval follows elapsed time across a clock change`() throws {
    let interval = try Self.asked(
      #""kind":"interval","everyMinutes":480,"first":"2026-03-28T20:00:00+01:00","count":4"#,
      from: "2026-03-28", until: "2026-04-05")
    #expect(
      try interval.texts == [
        "2026-03-28T20:00:00+01:00", "2026-03-29T05:00:00+02:00", "2026-03-29T13:00:00+02:00",
        "2026-03-29T21:00:00+02:00",
      ])
    let local = try Self.asked(
      #""kind":"interval","everyMinutes":90,"first":"2026-03-29T02:30","count":2"#,
      from: "2026-03-29", until: "2026-03-30")
    #expect(try local.texts == ["2026-03-29T03:00:00+02:00", "2026-03-29T04:30:00+02:00"])
  }
}
