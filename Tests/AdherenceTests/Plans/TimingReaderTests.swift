// SPDX-License-Identifier: Apache-2.0
import FHIR
import People
import Plans
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

struct TimingReaderTests {
  private static func read(_ request: JSONValue) throws -> PlanReading {
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    let date = try #require(CivilDate(text: "2026-03-01"))
    return TimingReader.read(
      MedicationRequestView(request),
      anchor: PlanAnchor(instant: zone.startOfDay(date), date: date, zone: zone), zone: zone)
  }

  private static func reason(_ request: JSONValue) throws -> String? {
    guard case .unplanned(let reason) = try read(request) else { return nil }
    #expect(UnplannedReason(code: reason.code) == reason)
    return reason.code
  }

  private static func json(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
  }

  @Test(arguments: [
    (#"{"timeOfDay":["20:00:00","08:00:00"]}"#, ["08:00", "20:00"]),
    (#"{"frequency":3,"period":1,"periodUnit":"d"}"#, ["08:00", "14:00", "20:00"]),
    (#"{"frequency":1,"period":1,"periodUnit":"d","dayOfWeek":["mon"]}"#, ["2T08:00"]),
    (#"{"period":8,"periodUnit":"h"}"#, ["00:00", "08:00", "16:00"]),
    (#"{"period":24,"periodUnit":"h","timeOfDay":["09:15:00"]}"#, ["09:15"]),
    (#"{"when":["ACM"],"offset":15,"period":1,"periodUnit":"d"}"#, ["07:15"]),
    (#"{"when":["C"]}"#, ["07:30", "12:30", "18:30"]),
    (#"{"period":2,"periodUnit":"d","boundsPeriod":{"start":"2026-02-28"}}"#, ["2T08:00"]),
    (#"{"period":1,"periodUnit":"wk","dayOfWeek":["sun"],"frequency":2}"#, ["08:00", "20:00"]),
    (
      #"{"timeOfDay":["08:00:00","20:00:00"],"boundsPeriod":{"start":"2026-03-01","end":"2026-03-01T08:00:00+01:00"}}"#,
      ["08:00", "END"]
    ),
    (
      #"{"timeOfDay":["08:00:00"],"boundsDuration":{"value":1,"code":"d"}}"#, ["08:00", "END"]
    ),
    // The lower end of a range rings; the duration of a dose changes nothing.
    (#"{"count":2,"countMax":5,"timeOfDay":["08:00:00","20:00:00"]}"#, ["08:00", "20:00", "END"]),
    (#"{"count":1,"boundsPeriod":{"start":"2026-03-01T09:30:00+01:00"}}"#, ["09:30", "END"]),
    (#"{"timeOfDay":["08:00:00"],"duration":1,"durationUnit":"h"}"#, ["08:00"]),
    (#"{"frequency":1,"frequencyMax":2,"period":1,"periodUnit":"d"}"#, ["08:00"]),
    (#"{"period":1,"periodUnit":"mo","boundsPeriod":{"start":"2026-01-02"}}"#, ["2T08:00"]),
    (
      #"{"timeOfDay":["08:00:00"],"extension":[{"url":"http://hl7.org/fhir/StructureDefinition/timing-dayOfMonth","valuePositiveInt":3}]}"#,
      ["3T08:00"]
    ),
    (
      #"{"timeOfDay":["08:00:00"],"boundsRange":{"high":{"value":24,"unit":"h"}}}"#,
      ["08:00", "END"]
    ),
  ])
  func `supported timings give their doses`(text: String, expected: [String]) throws {
    let request = medicationRequest(timing: ["repeat": try Self.json(text)])
    guard case .rules(let rules) = try Self.read(request) else {
      Issue.record("The timing is unplanned.")
      return
    }
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    let slots = SlotAssignment.assign(
      rules, existing: [], highest: 0, named: [:], pairsInOrder: true
    ).slots
    let timeline = PlanTimeline(rules: rules, slots: slots, zone: zone, rhythm: .standard)
    let begin = zone.startOfDay(try #require(CivilDate(text: "2026-03-01")))
    let day: Int64 = 86_400_000
    let all = timeline.doses(from: begin, until: begin.adding(milliseconds: 4 * day))
    let first = try #require(all.first)
    let shown = all.filter { zone.date(at: $0.due) == zone.date(at: first.due) }.map { dose in
      let local = zone.local(at: dose.due)
      let prefix = local.date.day == 1 ? "" : "\(local.date.day)T"
      return prefix + local.time.text.prefix(5)
    }
    let isOver = timeline.next(after: begin.adding(milliseconds: day)) == nil
    #expect(shown + (isOver ? ["END"] : []) == expected)
  }

  @Test(arguments: [
    (#"{"count":1}"#, "unsupported-timing:count"),
    (#"{"count":2}"#, "invalid-timing:count"),
    (#"{"frequencyMax":2,"period":1,"periodUnit":"d"}"#, "unsupported-timing:frequencyMax"),
    (#"{"frequency":1,"period":1,"periodMax":2,"periodUnit":"d"}"#, "unsupported-timing:periodMax"),
    (#"{"frequency":2,"period":1,"periodUnit":"mo"}"#, "invalid-timing:frequency"),
    (#"{"frequency":14,"period":1,"periodUnit":"wk"}"#, "invalid-timing:frequency"),
    (
      #"{"frequency":5,"period":1,"periodUnit":"wk","dayOfWeek":["mon","tue"]}"#,
      "invalid-timing:frequency"
    ),
    (#"{"frequency":2,"periodUnit":"d"}"#, "invalid-timing:period"),
    // Once, or once a day? Nothing becomes daily because an element is missing.
    (#"{"frequency":1}"#, "invalid-timing:period"),
    (
      #"{"frequency":2,"boundsPeriod":{"start":"2026-03-01"}}"#, "invalid-timing:period"
    ),
    (#"{"when":["HS"],"offset":2000}"#, "invalid-timing:offset"),
    (#"{"period":8,"periodUnit":"h","dayOfWeek":["mon"]}"#, "unsupported-timing:dayOfWeek"),
    (
      #"{"timeOfDay":["08:00:00"],"extension":[{"url":"x","valueBoolean":true}]}"#,
      "unsupported-timing:extension"
    ),
    (#"{"timeOfDay":["8:00"]}"#, "invalid-timing:timeOfDay"),
    (#"{"period":8,"periodUnit":"h","timeOfDay":["08:00:00"]}"#, "invalid-timing:period"),
    (#"{"period":1.5,"periodUnit":"d"}"#, "invalid-timing:period"),
    (#"{"period":2,"periodUnit":"d","frequency":3}"#, "invalid-timing:frequency"),
    (#"{"frequency":30,"period":1,"periodUnit":"d"}"#, "invalid-timing:frequency"),
    (#"{"period":1,"periodUnit":"min"}"#, "too-frequent"),
    (#"{"boundsPeriod":{"start":"2026-03-01"}}"#, "nothing-to-expand"),
    (
      #"{"boundsDuration":{"value":1.5,"code":"d"},"timeOfDay":["08:00:00"]}"#,
      "invalid-timing:boundsDuration"
    ),
  ])
  func `an unsupported element leaves the request unplanned`(text: String, code: String) throws {
    let request = medicationRequest(timing: ["repeat": try Self.json(text)])
    #expect(try Self.reason(request) == code)
  }

  @Test(arguments: [
    (#"{"timeOfDay":["08:00:00"]}"#, #"{"coding":[{"code":"BID"}]}"#, "unsupported-timing:code"),
    (#"{"timeOfDay":["08:00:00"]}"#, #"{"coding":[{"code":"QD"}]}"#, nil),
    (#"{"timeOfDay":["08:00:00","21:00:00"]}"#, #"{"coding":[{"code":"BID"}]}"#, nil),
    (#"{"frequency":2,"period":1,"periodUnit":"d"}"#, #"{"coding":[{"code":"BID"}]}"#, nil),
    (#"{"frequency":3,"period":1,"periodUnit":"d"}"#, #"{"text":"with meals"}"#, nil),
    (#"{"timeOfDay":["08:00:00"]}"#, #"{"text":"once a week"}"#, "unsupported-timing:code"),
    (#"{"timeOfDay":["08:00:00"],"dayOfWeek":["mon"]}"#, #"{"text":"once a week"}"#, nil),
    (#"{"frequency":2}"#, #"{"coding":[{"code":"BID"}]}"#, nil),
    (
      #"{"frequency":2,"period":1,"periodUnit":"d"}"#,
      #"{"coding":[{"system":"http://example.org","code":"BID"}]}"#, "unsupported-timing:code"
    ),
    (#"{"count":4}"#, #"{"coding":[{"code":"TID"}]}"#, nil),
    (#"{"count":1}"#, #"{"coding":[{"code":"SOON"}]}"#, "unsupported-timing:code"),
  ])
  func `a code rings alone or if it agrees with the rest`(
    text: String, code: String, expected: String?
  ) throws {
    let timing: JSONValue = ["repeat": try Self.json(text), "code": try Self.json(code)]
    #expect(try Self.reason(medicationRequest(timing: timing)) == expected)
  }

  @Test(arguments: ["on-hold", "draft", "stopped", "completed", "entered-in-error", "unknown"])
  func `only an active request rings`(status: String) throws {
    let request = medicationRequest(
      timing: ["repeat": ["timeOfDay": ["08:00:00"]]], status: status)
    #expect(try Self.reason(request) == "status:\(status)")
  }

  @Test(arguments: [
    ("plan", true), ("order", true), ("original-order", true), ("reflex-order", true),
    ("filler-order", true), ("instance-order", true), ("proposal", false), ("option", false),
  ])
  func `only intents that request the medicine ring`(intent: String, rings: Bool) throws {
    let request = medicationRequest(
      timing: ["repeat": ["timeOfDay": ["08:00:00"]]], intent: intent)
    #expect(try Self.reason(request) == (rings ? nil : "intent:\(intent)"))
  }

  @Test func `prohibitions, modifiers, free text and as-needed doses don't ring`() throws {
    let timing: JSONValue = ["repeat": ["timeOfDay": ["08:00:00"]]]
    var forbidden = medicationRequest(timing: timing)
    forbidden["doNotPerform"] = true
    #expect(try Self.reason(forbidden) == "do-not-perform")
    var ruled = medicationRequest(timing: timing)
    ruled["implicitRules"] = "http://example.org/rules"
    #expect(try Self.reason(ruled) == "unknown-modifier")
    let modified = medicationRequest(
      timing: timing, dosage: ["modifierExtension": [["url": "http://example.org/x"]]])
    #expect(try Self.reason(modified) == "unknown-modifier")
    let words = medicationRequest(timing: nil, dosage: ["text": "1-0-1"])
    #expect(try Self.reason(words) == "text-only")
    let need = medicationRequest(timing: timing, dosage: ["asNeededBoolean": true])
    #expect(try Self.reason(need) == "as-needed")
    var none = medicationRequest(timing: timing)
    none["dosageInstruction"] = nil
    #expect(try Self.reason(none) == "nothing-to-expand")
  }

  @Test func `one unsupported dosage leaves all unplanned`() throws {
    var request = medicationRequest(timing: ["repeat": ["timeOfDay": ["08:00:00"]]])
    let first = try #require(request["dosageInstruction"]?[0])
    request["dosageInstruction"] = [first, ["text": "and one at night"]]
    #expect(try Self.reason(request) == "text-only")
    var before = first
    before["sequence"] = 1
    var second = first
    second["sequence"] = 2
    request["dosageInstruction"] = [before, second]
    #expect(try Self.reason(request) == "sequence")
    let hours: JSONValue = ["timing": ["repeat": ["period": 8, "periodUnit": "h"]]]
    request["dosageInstruction"] = [hours, hours]
    #expect(try Self.reason(request) == "several-intervals")
  }
}
