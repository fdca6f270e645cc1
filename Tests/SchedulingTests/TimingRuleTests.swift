// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

/// Tests the timing rules one by one, with their doses from 1 March 2026 (a Sunday) in Oslo.
struct TimingRuleTests {
  private static func expect(
    _ text: String, _ expected: [String], until: String = "2026-03-08", more: String = "",
    in identifier: String = "Europe/Oslo"
  ) throws {
    let asked = try Asked(
      repeat: text, in: identifier, from: "2026-03-01", until: until, more: more)
    #expect(try asked.short == expected, "\(text)")
  }

  @Test(arguments: [
    // 1: boundsPeriod.start, or the anchor, or the window; nothing before the anchor instant.
    (
      #""period":2,"periodUnit":"d","boundsPeriod":{"start":"2026-02-28"}"#, "", ["03-02", "03-04"]
    ),
    (#""period":2,"periodUnit":"d""#, #","anchor":"2026-02-28""#, ["03-02", "03-04"]),
    (#""period":2,"periodUnit":"d""#, "", ["03-01", "03-03", "03-05"]),
    (
      #""period":2,"periodUnit":"d","boundsPeriod":{"start":"2026-03-01T09:00:00+01:00"}"#, "",
      ["03-03", "03-05"]
    ),
    // 2 and 3: a month begins on its first day, and an end that is a date includes that day.
    (#""period":3,"periodUnit":"d","boundsPeriod":{"start":"2026-03"}"#, "", ["03-01", "03-04"]),
    (
      #""frequency":1,"boundsPeriod":{"start":"2026-03-01","end":"2026-03-02"}"#, "",
      ["03-01", "03-02"]
    ),
    (
      #""frequency":1,"boundsPeriod":{"end":"2026-03-02T08:00:00+01:00"}"#, "", ["03-01", "03-02"]
    ),
    (
      #""frequency":1,"boundsPeriod":{"end":"2026-03-02T07:59:59+01:00"}"#, "", ["03-01"]
    ),
    // 4 and 5: a duration; the upper end of a range; no limit if only the lower end is given.
    (#""frequency":1,"boundsDuration":{"value":2,"code":"d"}"#, "", ["03-01", "03-02"]),
    (#""frequency":1,"boundsDuration":{"value":32,"unit":"h"}"#, "", ["03-01"]),
    (
      #""frequency":1,"boundsRange":{"low":{"value":1,"code":"d"},"high":{"value":2,"code":"d"}}"#,
      "", ["03-01", "03-02"]
    ),
    (
      #""frequency":1,"boundsRange":{"low":{"value":1,"code":"d"}}"#, "",
      ["03-01", "03-02", "03-03", "03-04", "03-05"]
    ),
    // 15 and 16.
    (#""frequency":2,"period":3,"periodUnit":"d""#, "", ["03-01", "03-02", "03-04", "03-05"]),
    (
      #""frequency":1,"period":1,"periodUnit":"d","dayOfWeek":["mon","wed"]"#, "",
      ["03-02", "03-04"]
    ),
    (#""period":2,"periodUnit":"d","dayOfWeek":["tue"]"#, "", ["03-03"]),
    // 24 and 28: a count, including doses before the window; a duration changes nothing.
    (#""frequency":1,"count":3"#, "", ["03-01", "03-02", "03-03"]),
    (#""frequency":1,"count":3"#, #","anchor":"2026-02-27""#, ["03-01"]),
    (
      #""frequency":1,"count":2,"countMax":4,"duration":1,"durationUnit":"h""#, "",
      ["03-01", "03-02"]
    ),
    // 14: the lower end.
    (#""frequency":1,"period":2,"periodMax":4,"periodUnit":"d""#, "", ["03-01", "03-03", "03-05"]),
  ])
  func `dates`(text: String, more: String, expected: [String]) throws {
    try Self.expect(text, expected.map { $0 + " 08:00" }, until: "2026-03-06", more: more)
  }

  @Test(arguments: [
    // 6 and 13.
    (#""timeOfDay":["20:00:00","06:30:00"]"#, ["06:30", "20:00"]),
    (#""timeOfDay":["09:00:00"],"frequency":3,"period":1,"periodUnit":"d""#, ["09:00"]),
    (#""timeOfDay":["08:00:00.000","08:00:00"]"#, ["08:00"]),
    // 7: elapsed time; 24 hours with clock times are a day.
    (#""period":8,"periodUnit":"h""#, ["00:00", "08:00", "16:00"]),
    (#""frequency":2,"period":24,"periodUnit":"h""#, ["00:00", "12:00"]),
    (#""period":24,"periodUnit":"h","timeOfDay":["09:15:00"]"#, ["09:15"]),
    (#""period":1440,"periodUnit":"min","when":["NOON"]"#, ["12:00"]),
    (#""period":0.5,"periodUnit":"h","count":3"#, ["00:00", "00:30", "01:00"]),
    // 12.
    (#""frequency":1,"period":1,"periodUnit":"d""#, ["08:00"]),
    (#""frequency":2"#, ["08:00", "20:00"]),
    (#""frequency":3"#, ["08:00", "14:00", "20:00"]),
    (#""frequency":4"#, ["08:00", "12:00", "16:00", "20:00"]),
    (#""frequency":5"#, ["08:00", "11:30", "15:00", "18:30", "22:00"]),
    (#""frequency":7"#, ["08:00", "10:20", "12:40", "15:00", "17:20", "19:40", "22:00"]),
    // 14: only a maximum.
    (#""frequencyMax":2,"period":1,"periodUnit":"d""#, ["08:00", "20:00"]),
    (#""frequency":1,"frequencyMax":3,"period":1,"periodUnit":"d""#, ["08:00"]),
    // 20 to 22.
    (#""when":["WAKE","HS"]"#, ["07:00", "22:30"]),
    (#""when":["MORN","MORN.early","MORN.late"]"#, ["06:00", "08:00", "10:00"]),
    (#""when":["AFT","AFT.early","AFT.late"]"#, ["13:00", "15:00", "16:30"]),
    (#""when":["EVE","EVE.early","EVE.late","NIGHT"]"#, ["18:00", "19:00", "21:00", "22:00"]),
    (#""when":["C"]"#, ["07:30", "12:30", "18:30"]),
    (#""when":["AC"]"#, ["07:00", "12:00", "18:00"]),
    (#""when":["PC"],"offset":15"#, ["07:45", "12:45", "18:45"]),
    (#""when":["HS"],"offset":30"#, ["22:00"]),
    (#""when":["PHS"],"offset":30"#, ["23:00"]),
    (#""when":["WAKE"],"offset":20"#, ["07:20"]),
    // DSTU2 had a single `when` and other names for units.
    (#""when":"CM","periodUnits":"d","period":1"#, ["07:30"]),
  ])
  func `times of a day`(text: String, expected: [String]) throws {
    try Self.expect(text, expected.map { "03-01 " + $0 }, until: "2026-03-02")
  }

  @Test(arguments: [
    // 17: all listed weekdays in every p-th week; weeks begin on Monday.
    (
      #""period":1,"periodUnit":"wk","dayOfWeek":["sun","tue"]"#,
      ["03-01", "03-03", "03-08", "03-10"]
    ),
    (#""period":2,"periodUnit":"wk","dayOfWeek":["sun","tue"]"#, ["03-01", "03-10"]),
    (
      #""frequency":3,"period":1,"periodUnit":"wk","dayOfWeek":["tue","wed"]"#,
      ["03-03", "03-04", "03-10", "03-11"]
    ),
    // 18: the anchor's weekday.
    (#""period":1,"periodUnit":"wk""#, ["03-01", "03-08"]),
    (
      #""frequency":3,"period":1,"periodUnit":"wk""#, ["03-01", "03-03", "03-05", "03-08", "03-10"]
    ),
    (
      #""frequency":14,"period":1,"periodUnit":"wk","boundsDuration":{"value":3,"code":"d"}"#,
      ["03-01", "03-02", "03-03"]
    ),
  ])
  func `weeks`(text: String, expected: [String]) throws {
    try Self.expect(text, expected.map { $0 + " 08:00" }, until: "2026-03-12")
  }

  @Test func `the frequency is divided among the weekdays`() throws {
    try Self.expect(
      #""frequency":4,"period":1,"periodUnit":"wk","dayOfWeek":["mon","tue"]"#,
      ["03-02 08:00", "03-02 20:00", "03-03 08:00", "03-03 20:00"])
  }

  @Test(arguments: [
    ("2026-01-31", #""period":1,"periodUnit":"mo""#, ["01-31", "02-28", "03-31", "04-30"]),
    ("2026-01-31", #""period":2,"periodUnit":"mo""#, ["01-31", "03-31"]),
    ("2024-02-29", #""period":1,"periodUnit":"a","count":3"#, ["02-29", "02-28", "02-28"]),
    // Both conditions apply: 31 January and 28 February are Saturdays.
    ("2026-01-31", #""period":1,"periodUnit":"mo","dayOfWeek":["sat"]"#, ["01-31", "02-28"]),
    (
      "2026-01-10",
      #""period":1,"periodUnit":"mo","extension":[{"url":"http://hl7.org/fhir/StructureDefinition/timing-dayOfMonth","valuePositiveInt":31},{"url":"http://hl7.org/fhir/StructureDefinition/timing-dayOfMonth","valuePositiveInt":1}]"#,
      ["01-31", "02-01", "02-28", "03-01", "03-31", "04-01", "04-30"]
    ),
  ])
  func `months and years are always counted from the anchor`(
    start: String, text: String, expected: [String]
  ) throws {
    let asked = try Asked(
      repeat: text + #","boundsPeriod":{"start":"\#(start)"}"#, from: "2024-01-01",
      until: "2026-05-01")
    #expect(try asked.short == expected.map { $0 + " 08:00" })
  }

  @Test func `days of a cycle repeat with the period, and once without one`() throws {
    func asked(_ text: String) throws -> [String] {
      let days = #"{"url":"day","valueInteger":1},{"url":"day","valueInteger":3}"#
      return try Asked(
        #"""
        {"timing":{"extension":[{"url":"http://hl7.org/fhir/StructureDefinition/timing-daysOfCycle",
        "extension":[\#(days)]}],"repeat":{\#(text)}},"tz":"Europe/Oslo","start":"2026-03-01","end":"2026-03-12"}
        """#
      ).short
    }
    #expect(
      try asked(#""period":7,"periodUnit":"d""#)
        == ["03-01", "03-03", "03-08", "03-10"].map { $0 + " 08:00" })
    #expect(try asked(#""timeOfDay":["09:00:00"]"#) == ["03-01 09:00", "03-03 09:00"])
  }

  @Test func `personal event times replace the defaults`() throws {
    try Self.expect(
      #""when":["CM","ACV","HS"]"#, ["03-01 06:45", "03-01 19:30", "03-01 23:15"],
      until: "2026-03-02", more: #","events":{"CM":"06:45","CV":"20:00","HS":"23:15:00"}"#)
  }

  @Test(arguments: [
    ("QD", ["08:00"]), ("BID", ["08:00", "20:00"]), ("TID", ["08:00", "14:00", "20:00"]),
    ("QID", ["08:00", "12:00", "16:00", "20:00"]), ("AM", ["08:00"]), ("PM", ["15:00"]),
    ("BED", ["22:30"]), ("Q8H", ["00:00", "08:00", "16:00"]), ("QOD", ["08:00"]),
    ("WK", ["08:00"]), ("MO", ["08:00"]),
  ])
  func `a code is used only if nothing else says when`(code: String, expected: [String]) throws {
    let asked = try Asked(
      #"""
      {"timing":{"code":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/v3-GTSAbbreviation",
      "code":"\#(code)"}]}},"tz":"Europe/Oslo","start":"2026-03-01","end":"2026-03-02"}
      """#)
    #expect(try asked.short == expected.map { "03-01 " + $0 })
  }

  @Test func `a repeat pattern overrides a code, and bounds apply to a code`() throws {
    let code = #""code":{"coding":[{"code":"BID"}]}"#
    func asked(_ text: String) throws -> [String] {
      try Asked(
        #"{"timing":{\#(code),"repeat":{\#(text)}},"tz":"UTC","start":"2026-03-01","end":"2026-03-03"}"#
      ).short
    }
    #expect(try asked(#""timeOfDay":["09:00:00"],"count":1"#) == ["03-01 09:00"])
    #expect(try asked(#""count":3"#) == ["03-01 08:00", "03-01 20:00", "03-02 08:00"])
  }

  @Test func `a single dose without a pattern is due at the anchor`() throws {
    try Self.expect(
      #""count":1,"boundsPeriod":{"start":"2026-03-02T10:30:00+01:00"}"#, ["03-02 10:30"])
  }

  @Test func `events keep their instants, dates mean 08:00, and repeats are added`() throws {
    let asked = try Asked(
      #"""
      {"timing":{"event":["2026-03-03","2026-03-02T10:00:00Z","2026-03-02T08:00:00+01:00","2030-01-01"],
      "repeat":{"frequency":1,"boundsDuration":{"value":2,"code":"d"}}},
      "tz":"Europe/Oslo","start":"2026-03-01","end":"2026-04-01"}
      """#)
    #expect(try asked.short == ["03-01 08:00", "03-02 08:00", "03-02 11:00", "03-03 08:00"])
  }
}
