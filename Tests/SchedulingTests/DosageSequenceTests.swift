// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

/// Several dosages of one prescription: rules 30 to 32, from 1 March 2026 (a Sunday) in Oslo.
@Suite("Several dosages") struct DosageSequenceTests {
  private static func line(_ dosages: String, until: String = "2026-03-08", more: String = "")
    -> String
  {
    #"{"dosages":[\#(dosages)],"tz":"Europe/Oslo","start":"2026-03-01","end":"\#(until)"\#(more)}"#
  }

  private static func dosage(_ recurrence: String, _ more: String = "") -> String {
    #"{"timing":{"repeat":{\#(recurrence)}}\#(more)}"#
  }

  private static let daily = #""frequency":1,"period":1,"periodUnit":"d""#
  private static let evening = #""timeOfDay":["20:00:00"]"#

  @Test(
    "rule 30: equal or no numbers run together, a higher one follows",
    arguments: [
      (
        [dosage(daily), dosage(evening)], "2026-03-03",
        ["03-01 08:00", "03-01 20:00", "03-02 08:00", "03-02 20:00"]
      ),
      // Two dosages at the same instant give one dose (rule 10).
      ([dosage(daily), dosage(daily)], "2026-03-03", ["03-01 08:00", "03-02 08:00"]),
      (
        [
          dosage(daily + #","boundsDuration":{"value":2,"code":"d"}"#, #","sequence":1"#),
          dosage(evening, #","sequence":2"#),
        ], "2026-03-05", ["03-01 08:00", "03-02 08:00", "03-03 20:00", "03-04 20:00"]
      ),
      // The numbers determine the order, not the list; a dosage without a number runs with the lowest.
      (
        [
          dosage(evening, #","sequence":7"#),
          dosage(daily + #","count":1"#, #","sequence":3"#),
          dosage(#""timeOfDay":["12:00:00"],"count":1"#),
        ], "2026-03-03", ["03-01 08:00", "03-01 12:00", "03-01 20:00", "03-02 20:00"]
      ),
      // All previous dosages must have ended.
      (
        [
          dosage(daily + #","count":1"#, #","sequence":1"#),
          dosage(#""timeOfDay":["12:00:00"],"count":3"#, #","sequence":1"#),
          dosage(evening, #","sequence":2"#),
        ], "2026-03-05",
        ["03-01 08:00", "03-01 12:00", "03-02 12:00", "03-03 12:00", "03-03 20:00", "03-04 20:00"]
      ),
      // A dosage with its own start keeps its pattern; doses before its turn are dropped.
      (
        [
          dosage(daily + #","boundsPeriod":{"end":"2026-03-03"}"#, #","sequence":1"#),
          dosage(
            #""period":2,"periodUnit":"d","boundsPeriod":{"start":"2026-03-01"}"#,
            #","sequence":2"#),
        ], "2026-03-08",
        ["03-01 08:00", "03-02 08:00", "03-03 08:00", "03-05 08:00", "03-07 08:00"]
      ),
    ])
  func sequence(dosages: [String], until: String, expected: [String]) throws {
    let asked = try Asked(Self.line(dosages.joined(separator: ","), until: until))
    #expect(try asked.short == expected)
  }

  @Test("rule 31: as-needed dosages give no instants, but their bounds delay later steps")
  func asNeeded() throws {
    let need = #","asNeededBoolean":true,"sequence":1"#
    let reason = #","asNeededCodeableConcept":{"text":"pain"}"#
    #expect(try Asked(Self.line(Self.dosage(Self.daily, need))).short == [])
    #expect(try Asked(Self.line(Self.dosage(Self.daily, reason))).short == [])
    #expect(try Asked(Self.line(#"{"asNeededBoolean":true}"#)).short == [])
    let bounded = Self.dosage(
      #"\#(Self.daily),"boundsDuration":{"value":3,"code":"d"}"#, need)
    let after = Self.dosage(Self.evening, #","sequence":2"#)
    #expect(
      try Asked(Self.line(bounded + "," + after, until: "2026-03-05")).short == ["03-04 20:00"])
    let no = #","asNeededBoolean":false"#
    #expect(
      try Asked(Self.line(Self.dosage(Self.daily, no), until: "2026-03-02")).short
        == ["03-01 08:00"])
  }

  @Test(
    "rule 32: one in error is an error of all",
    arguments: [
      (
        dosage(daily, #","sequence":1"#) + "," + dosage(evening, #","sequence":2"#),
        "dosages[0].timing.repeat needs an end because another dosage follows."
      ),
      (
        #"{"asNeededBoolean":true,"sequence":1},"# + dosage(evening, #","sequence":2"#),
        "dosages[0].timing.repeat needs an end because another dosage follows."
      ),
      (
        dosage(daily) + "," + dosage(#""period":1"#),
        "dosages[1].timing.repeat.period needs repeat.periodUnit (tim-2)."
      ),
      (#"{"text":"one daily"}"#, "dosages[0].timing is empty."),
      (#"{"timing":{"repeats":{}}}"#, "dosages[0].timing.repeats is not supported."),
      (
        dosage(daily, #","modifierExtension":[]"#),
        "dosages[0].modifierExtension is not supported."
      ),
      (dosage(daily, #","sequence":1.5"#), "dosages[0].sequence must be a whole number."),
      (
        dosage(daily, #","asNeededBoolean":"yes""#),
        "dosages[0].asNeededBoolean must be true or false."
      ),
      ("5", "dosages[0] must be an object."),
      ("", "dosages is empty."),
    ])
  func errors(dosages: String, expected: String) throws {
    #expect(try errorText(Self.line(dosages)) == expected)
  }

  @Test("dosages can't be combined with a timing or a rule")
  func excludes() throws {
    let more = #","timing":{"repeat":{"frequency":1}}"#
    #expect(
      try errorText(Self.line(Self.dosage(Self.daily), more: more))
        == "timing cannot be combined with dosages.")
    let rule = #","rule":{"kind":"alarm","times":["08:00"]}"#
    #expect(
      try errorText(Self.line(Self.dosage(Self.daily), more: rule))
        == "rule cannot be combined with dosages.")
  }
}
