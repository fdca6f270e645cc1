// SPDX-License-Identifier: Apache-2.0

import FHIR
import Scheduling
import Testing

/// Checks that invalid input gives an error that names the element and, where FHIR has one, the invariant.
struct TimingErrorTests {
  @Test(arguments: [
    (#""period":0,"periodUnit":"d""#, "repeat.period must be greater than 0 (tim-5)."),
    (#""period":-1,"periodUnit":"d""#, "repeat.period must be greater than 0 (tim-5)."),
    (#""period":"1","periodUnit":"d""#, "repeat.period must be a number."),
    (#""period":1"#, "repeat.period needs repeat.periodUnit (tim-2)."),
    (#""period":1,"periodUnit":"day""#, "repeat.periodUnit has an unknown code."),
    (#""frequency":1,"duration":1"#, "repeat.duration needs repeat.durationUnit (tim-1)."),
    (
      #""frequency":1,"duration":0,"durationUnit":"h""#,
      "repeat.duration must be greater than 0 (tim-4)."
    ),
    (#""frequency":1,"durationUnit":"hours""#, "repeat.durationUnit has an unknown code."),
    (#""frequency":1,"periodMax":2"#, "repeat.periodMax needs repeat.period (tim-6)."),
    (
      #""period":3,"periodMax":2,"periodUnit":"d""#, "repeat.periodMax is below repeat.period."
    ),
    (
      #""frequency":1,"durationMax":2,"durationUnit":"h""#,
      "repeat.durationMax needs repeat.duration (tim-7)."
    ),
    (#""frequency":1,"countMax":2"#, "repeat.countMax needs repeat.count (tim-8)."),
    (#""frequency":1,"offset":10"#, "repeat.offset needs repeat.when (tim-9)."),
    (
      #""when":["CM"],"offset":10"#,
      "repeat.offset cannot be combined with C, CM, CD or CV (tim-9)."
    ),
    (#""when":["C"],"offset":0"#, "repeat.offset cannot be combined with C, CM, CD or CV (tim-9)."),
    (#""when":["HS"],"offset":-10"#, "repeat.offset must not be negative."),
    (
      #""timeOfDay":["08:00:00"],"when":["CM"]"#,
      "repeat.timeOfDay cannot be combined with repeat.when (tim-10)."
    ),
    (#""timeOfDay":[]"#, "repeat.timeOfDay is empty."),
    (#""timeOfDay":["8:00"]"#, "repeat.timeOfDay must be written as HH:MM:SS."),
    (#""timeOfDay":["08:00"]"#, "repeat.timeOfDay must be written as HH:MM:SS."),
    (#""timeOfDay":["25:00:00"]"#, "repeat.timeOfDay must be written as HH:MM:SS."),
    (#""when":["LUNCH"]"#, "repeat.when has an unknown code."),
    (#""dayOfWeek":["monday"]"#, "repeat.dayOfWeek has an unknown code."),
    (#""frequency":0"#, "repeat.frequency must be greater than 0."),
    (#""frequency":1.5"#, "repeat.frequency must be a whole number."),
    (#""frequency":"1""#, "repeat.frequency must be a number."),
    (#""frequency":1,"count":0"#, "repeat.count must be greater than 0."),
    (#""frequency":1,"count":-3"#, "repeat.count must be greater than 0."),
    (#""frequency":3,"frequencyMax":2"#, "repeat.frequencyMax is below repeat.frequency."),
    (
      #""frequency":25,"period":1,"periodUnit":"d""#,
      "repeat.frequency asks for more than 24 doses a day but gives no clock times."
    ),
    (
      #""frequency":3,"period":2,"periodUnit":"d""#,
      "repeat.frequency asks for more doses than days but gives no clock times."
    ),
    (
      #""frequency":2,"period":1,"periodUnit":"mo""#,
      "repeat.frequency asks for several doses a month or year but gives no clock times."
    ),
    (
      #""period":0.5,"periodUnit":"d""#,
      "repeat.period must be whole days, weeks, months or years."
    ),
    (
      #""period":8,"periodUnit":"h","timeOfDay":["08:00:00"]"#,
      "repeat.period is counted in elapsed time and cannot be combined with clock times."
    ),
    (
      #""count":2"#,
      "repeat.count asks for several doses but does not say how often."
    ),
    (
      #""frequency":1,"boundsPeriod":{"start":"2026-03-02","end":"2026-03-01"}"#,
      "repeat.boundsPeriod ends before it starts."
    ),
    (
      #""frequency":1,"boundsPeriod":{"start":"2026-13-01"}"#,
      "repeat.boundsPeriod.start must be written as a date or an instant."
    ),
    (
      #""frequency":1,"boundsPeriod":{"start":"2026-03-01T08:00:00"}"#,
      "repeat.boundsPeriod.start must be written as a date or an instant."
    ),
    (
      #""frequency":1,"boundsPeriod":{},"boundsDuration":{"value":1,"code":"d"}"#,
      "repeat.bounds cannot be combined with other bounds."
    ),
    (
      #""frequency":1,"boundsDuration":{"value":1,"unit":"days"}"#,
      "repeat.boundsDuration.unit has an unknown code."
    ),
    (
      #""frequency":1,"boundsDuration":{"value":1.5,"code":"d"}"#,
      "repeat.boundsDuration.value must be whole days, weeks, months or years."
    ),
    ("", "timing has nothing to expand."),
    (#""duration":1,"durationUnit":"h""#, "timing has nothing to expand."),
    (#""frequencies":1"#, "repeat.frequencies is not supported."),
  ])
  func `an invalid repeat gives an error that says why`(text: String, expected: String) throws {
    let found = try errorText(
      #"{"timing":{"repeat":{\#(text)}},"tz":"UTC","start":"2026-03-01","end":"2026-03-05"}"#)
    #expect(found == expected)
  }

  @Test(arguments: [
    (#""timing":{}"#, "timing has nothing to expand."),
    (#""timing":[]"#, "timing must be an object."),
    (#""timing":{"event":["2026-03"]}"#, "event must be a date or an instant."),
    (#""timing":{"event":["soon"]}"#, "event must be written as a date or an instant."),
    (#""timing":{"event":[]}"#, "event is empty."),
    (#""timing":{"code":{"coding":[{"code":"ANNUAL"}]}}"#, "code has an unknown code."),
    (#""timing":{"code":{"text":"twice a day"}}"#, "code has an unknown code."),
    (#""timing":{"modifierExtension":[]}"#, "timing.modifierExtension is not supported."),
    (#""rule":{"kind":"hourly"}"#, "rule.kind has an unknown code."),
    (#""rule":{"kind":"alarm"}"#, "rule.times is empty."),
    (
      #""rule":{"kind":"alarm","times":["25:00"]}"#,
      "rule.times must be written as HH:MM or HH:MM:SS."
    ),
    (
      #""rule":{"kind":"alarm","times":["08:00"],"from":"2026-03-02","until":"2026-03-01"}"#,
      "rule.until ends before it starts."
    ),
    (
      #""rule":{"kind":"cyclic","daysOn":0,"daysOff":7,"cycleStart":"2026-03-01","times":["08:00"]}"#,
      "rule.daysOn must be greater than 0."
    ),
    (#""rule":{"kind":"taper","start":"2026-03-01","steps":[]}"#, "rule.steps is empty."),
    (
      #""rule":{"kind":"interval","everyMinutes":0,"first":"2026-03-01T08:00"}"#,
      "rule.everyMinutes must be greater than 0."
    ),
    (
      #""rule":{"kind":"interval","everyMinutes":60,"first":"2026-03-01"}"#,
      "rule.first must be written as an instant or a local date-time."
    ),
    (#""anchor":"2026""#, "anchor must be written as a date, a local date-time or an instant."),
    (
      #""events":{"CM":"7"},"timing":{"event":["2026-03-01"]}"#,
      "events.CM must be written as HH:MM or HH:MM:SS."
    ),
    (
      #""events":{"ACM":"07:00"},"timing":{"event":["2026-03-01"]}"#,
      "events.ACM has an unknown code."
    ),
    ("", "timing is empty."),
  ])
  func `an invalid question gives an error that says why`(text: String, expected: String) throws {
    let members = text.isEmpty ? "" : text + ","
    let found = try errorText(
      #"{\#(members)"tz":"UTC","start":"2026-03-01","end":"2026-03-05"}"#)
    #expect(found == expected)
  }

  @Test(arguments: [
    (
      #""tz":"Mars/Base","start":"2026-03-01","end":"2026-03-02""#,
      "tz is not the name of a time zone."
    ),
    (#""tz":"UTC","start":"2026-03-02","end":"2026-03-01""#, "end ends before it starts."),
    (#""tz":"UTC","start":"2026-03-01""#, "end is empty."),
    (#""tz":"UTC","start":"2026-03-01","end":"2026-03-01""#, nil),
  ])
  func `a window needs a zone, a start and an end`(text: String, expected: String?) throws {
    #expect(try errorText(#"{\#(text),"timing":{"repeat":{"frequency":1}}}"#) == expected)
  }

  /// Extreme values: each is answered or rejected quickly.
  @Test(arguments: [
    #""frequency":1,"period":1000000000,"periodUnit":"d""#,
    #""frequency":1,"period":1000000000,"periodUnit":"wk","dayOfWeek":["mon"]"#,
    #""period":1000000000,"periodUnit":"mo""#, #""period":1000000000,"periodUnit":"a""#,
    #""period":1000000000,"periodUnit":"h""#, #""period":1e-9,"periodUnit":"s""#,
    #""period":99999999999999999999,"periodUnit":"s""#, #""period":1e400,"periodUnit":"d""#,
    #""frequency":24,"period":1,"periodUnit":"s""#,
    #""frequency":2147483647,"period":1,"periodUnit":"s""#,
    #""frequency":24,"period":1,"periodUnit":"d","count":2147483647"#,
    #""frequency":1,"period":3,"periodUnit":"d","dayOfWeek":["mon"],"count":999999999"#,
    #""period":1,"periodUnit":"s","dayOfWeek":["mon"],"count":999999999"#,
    #""period":168,"periodUnit":"h","dayOfWeek":["mon"]"#,
    #""period":1,"periodUnit":"h","dayOfWeek":["fri"],"count":999999999"#,
    #""period":1,"periodUnit":"h","dayOfWeek":["fri"],"boundsPeriod":{"start":"1900-01-01"}"#,
    #""frequency":1,"boundsDuration":{"value":999999999999,"code":"a"}"#,
    #""frequency":1,"boundsPeriod":{"start":"9999-12-31","end":"9999-12-31"}"#,
    #""frequency":1,"boundsPeriod":{"start":"0001-01-01"},"count":1000000"#,
    #""when":["HS"],"offset":2147483647"#, #""when":["PHS"],"offset":2147483647,"count":5"#,
    #""frequency":1,"count":99999999999999999999"#,
  ])
  func `hostile values get an answer`(text: String) throws {
    for (from, until) in [("2026-03-01", "2026-03-03"), ("9999-12-01", "9999-12-31T23:59:59Z")] {
      let json =
        #"{"timing":{"repeat":{\#(text)}},"tz":"America/New_York","start":"\#(from)","end":"\#(until)"}"#
      let node = try TimingNode(json: json)
      do throws(TimingError) {
        let found = try ScheduleQuestion(node) { try? zone($0) }.answer()
        #expect(found.occurrences.count <= ScheduleQuestion.mostInstants)
      } catch {
        #expect(!error.element.isEmpty)
      }
    }
  }
}
