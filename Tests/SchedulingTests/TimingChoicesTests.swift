// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

/// Tests each choice of a clinic next to the default rule.
///
/// In Oslo the clock goes forward on 29 March 2026 at 02:00 and back on 25 October at 03:00.
@Suite("Changed timing rules") struct TimingChoicesTests {
  private static func short(
    _ text: String, _ settings: String, from: String, until: String
  ) throws -> [String] {
    try Asked(
      repeat: text, from: from, until: until, more: #","settings":{\#(settings)}"#
    ).texts.map { String($0.dropFirst(5).dropLast(9)) + String($0.suffix(6)) }
  }

  @Test(
    "each setting",
    arguments: [
      // 7
      (
        #""period":24,"periodUnit":"h""#, "2026-03-28", "2026-03-31", "",
        ["03-28T00:00+01:00", "03-29T00:00+01:00", "03-30T01:00+02:00"]
      ),
      (
        #""period":24,"periodUnit":"h""#, "2026-03-28", "2026-03-31", #""every24Hours":"clock""#,
        ["03-28T00:00+01:00", "03-29T00:00+01:00", "03-30T00:00+02:00"]
      ),
      (
        #""period":2880,"periodUnit":"min""#, "2026-03-28T07:30", "2026-04-01",
        #""every24Hours":"clock""#, ["03-28T07:30+01:00", "03-30T07:30+02:00"]
      ),
      (
        #""frequency":2,"period":24,"periodUnit":"h""#, "2026-03-28", "2026-03-30",
        #""every24Hours":"clock""#,
        ["03-28T00:00+01:00", "03-28T12:00+01:00", "03-29T00:00+01:00", "03-29T13:00+02:00"]
      ),
      // 8
      (
        #""timeOfDay":["02:30:00","03:00:00"]"#, "2026-03-29", "2026-03-31", "",
        ["03-29T03:00+02:00", "03-30T02:30+02:00", "03-30T03:00+02:00"]
      ),
      (
        #""timeOfDay":["02:30:00","03:00:00"]"#, "2026-03-29", "2026-03-31", #""gap":"shift""#,
        ["03-29T03:00+02:00", "03-29T03:30+02:00", "03-30T02:30+02:00", "03-30T03:00+02:00"]
      ),
      (
        #""timeOfDay":["02:30:00","03:30:00"]"#, "2026-03-29", "2026-03-30", #""gap":"shift""#,
        ["03-29T03:30+02:00"]
      ),
      (
        #""timeOfDay":["02:30:00"]"#, "2026-03-28", "2026-03-31", #""gap":"skip""#,
        ["03-28T02:30+01:00", "03-30T02:30+02:00"]
      ),
      (
        #""timeOfDay":["02:30:00"],"count":3"#, "2026-03-28", "2026-04-04", #""gap":"skip""#,
        ["03-28T02:30+01:00", "03-30T02:30+02:00", "03-31T02:30+02:00"]
      ),
      // 9
      (
        #""timeOfDay":["02:30:00"]"#, "2026-10-25", "2026-10-26", #""overlap":"second""#,
        ["10-25T02:30+01:00"]
      ),
      (
        #""timeOfDay":["02:30:00"]"#, "2026-10-25", "2026-10-26", #""overlap":"first""#,
        ["10-25T02:30+02:00"]
      ),
      // 12
      (
        #""frequency":2,"period":1,"periodUnit":"d""#, "2026-03-01", "2026-03-02",
        #""times":{"2":["21:00","09:00"]}"#, ["03-01T09:00+01:00", "03-01T21:00+01:00"]
      ),
      (
        #""frequency":3,"period":1,"periodUnit":"d""#, "2026-03-01", "2026-03-02",
        #""times":{"2":["21:00","09:00"]}"#,
        ["03-01T08:00+01:00", "03-01T14:00+01:00", "03-01T20:00+01:00"]
      ),
      // 14
      (
        #""period":4,"periodMax":6,"periodUnit":"h""#, "2026-03-01", "2026-03-01T12:00",
        #""period":"longest""#, ["03-01T00:00+01:00", "03-01T06:00+01:00"]
      ),
      (
        #""period":4,"periodMax":6,"periodUnit":"h""#, "2026-03-01", "2026-03-01T12:00",
        #""period":"shortest""#, ["03-01T00:00+01:00", "03-01T04:00+01:00", "03-01T08:00+01:00"]
      ),
      // 19
      (
        #""period":1,"periodUnit":"mo","boundsPeriod":{"start":"2026-01-31"}"#, "2026-01-01",
        "2026-04-01", #""shortMonth":"skip""#, ["01-31T08:00+01:00", "03-31T08:00+02:00"]
      ),
      (
        #""period":1,"periodUnit":"a","boundsPeriod":{"start":"2024-02-29"}"#, "2025-01-01",
        "2029-01-01", #""shortMonth":"skip""#, ["02-29T08:00+01:00"]
      ),
      // 21
      (
        #""when":["ACM","PCV"]"#, "2026-03-01", "2026-03-02", #""mealMinutes":15"#,
        ["03-01T07:15+01:00", "03-01T18:45+01:00"]
      ),
    ])
  func choices(
    text: String, from: String, until: String, settings: String, expected: [String]
  ) throws {
    #expect(try Self.short(text, settings, from: from, until: until) == expected)
  }

  @Test(
    "a choice that is none names itself",
    arguments: [
      (#""gap":"none""#, "settings.gap has an unknown code."),
      (#""overlap":2"#, "settings.overlap has an unknown code."),
      (#""travel":"home""#, "settings.travel is not supported."),
      (#""mealMinutes":-1"#, "settings.mealMinutes must not be negative."),
      (#""mealMinutes":1441"#, "settings.mealMinutes is out of range."),
      (
        #""times":{"2":["09:00"]}"#,
        "settings.times.2 must be written as a list of that many times."
      ),
      (
        #""times":{"2":["09:00","09:00"]}"#,
        "settings.times.2 must be written as a list of that many times."
      ),
      (#""times":{"1":["9"]}"#, "settings.times.1 must be written as HH:MM or HH:MM:SS."),
    ])
  func refuses(settings: String, expected: String) throws {
    let line =
      #"{"timing":{"repeat":{"frequency":1}},"tz":"Europe/Oslo","start":"2026-03-01","end":"2026-03-02","settings":{\#(settings)}}"#
    #expect(try errorText(line) == expected)
  }

  @Test("the reasons include the chosen rule")
  func reasons() throws {
    let asked = try Asked(
      repeat: #""timeOfDay":["02:30:00"]"#, from: "2026-03-29", until: "2026-03-30",
      more: #","settings":{"gap":"shift"}"#)
    let question = asked.question
    let dose = try #require(try question.answer().occurrences.first)
    let reasons = question.rules[0].rule.reasons(
      for: dose, in: question.zone, rhythm: question.rhythm, choices: question.choices)
    #expect(reasons.last?.rule == 8)
    #expect(reasons.last?.text.hasSuffix("later by the length of the gap.") == true)
  }

  @Test("a window is the union of its parts even if a moved time passes others")
  func union() throws {
    let settings = #""gap":"shift""#
    let text = #""timeOfDay":["01:30:00","02:30:00","03:15:00"]"#
    let whole = try Self.short(text, settings, from: "2026-03-27", until: "2026-04-02")
    let parts =
      try Self.short(text, settings, from: "2026-03-27", until: "2026-03-29T03:20")
      + Self.short(text, settings, from: "2026-03-29T03:20", until: "2026-04-02")
    #expect(whole == parts)
    #expect(whole.count == 18)
  }
}
