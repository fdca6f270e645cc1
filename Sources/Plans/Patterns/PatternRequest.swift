// SPDX-License-Identifier: Apache-2.0

import FHIR
import Scheduling

/// One Dosage of the request that a draft makes.
struct DosagePart {
  var timing: JSONValue
  /// The amount as typed; nil for the draft's dose.
  var amount: String?
  /// True for placebo tablets.
  var isPlacebo = false
  var sequence: Int?
  /// The extension for patterns that R4 cannot express.
  var pattern: JSONValue?
}

extension PlanDraft {
  /// The unit of placebo tablets, which no other medicine uses.
  package static let placeboUnit = "placebo"
  static let placeboCode = "{placebo}"
  static let cycleURL = "http://hl7.org/fhir/StructureDefinition/timing-daysOfCycle"

  /// Returns the days of a cycle in FHIR's own extension, and a second Dosage for placebo days.
  func parts(of cycle: DraftCycle) -> [DosagePart] {
    let length = cycle.daysOn + cycle.daysOff
    func timing(_ days: ClosedRange<Int>) -> JSONValue {
      var content = repeatElement(weekdays: [])
      content["period"] = .number(JSONNumber(length))
      content["periodUnit"] = "d"
      content["timeOfDay"] = Self.timeOfDay(cycle.times)
      let listed = days.map { day -> JSONValue in
        ["url": "day", "valueInteger": .number(JSONNumber(day))]
      }
      return [
        "extension": [["url": .string(Self.cycleURL), "extension": .array(listed)]],
        "repeat": content,
      ]
    }
    guard cycle.daysOn >= 1, cycle.daysOff >= 1 else { return [] }
    var parts = [DosagePart(timing: timing(1...cycle.daysOn))]
    if cycle.hasPlacebo {
      parts.append(
        DosagePart(timing: timing((cycle.daysOn + 1)...length), amount: "1", isPlacebo: true))
    }
    return parts
  }

  /// Returns the steps with their dates, so that each one states its own period.
  func parts(of steps: [DraftStep]) -> [DosagePart] {
    var first = start
    return steps.enumerated().map { index, step in
      var content = repeatElement(weekdays: [])
      var bounds: JSONValue = ["start": .string(first.text)]
      if let days = step.days {
        let last = first.adding(days: max(days, 1) - 1)
        bounds["end"] = .string(last.text)
        first = last.adding(days: 1)
      } else if let end {
        bounds["end"] = .string(end.text)
      }
      content["boundsPeriod"] = bounds
      Self.daily(step.times, into: &content)
      return DosagePart(
        timing: ["repeat": content], amount: step.amount, sequence: index + 1)
    }
  }

  /// Returns a Dosage for each group of times with the same amount and weekdays.
  func parts(of entries: [DraftEntry]) -> [DosagePart] {
    var groups: [[DraftEntry]] = []
    for entry in entries {
      let index = groups.firstIndex {
        $0[0].amount == entry.amount && $0[0].weekdays == entry.weekdays
      }
      if let index {
        groups[index].append(entry)
      } else {
        groups.append([entry])
      }
    }
    return groups.map { group in
      var content = repeatElement(weekdays: group[0].weekdays)
      Self.daily(group.map(\.time), into: &content)
      return DosagePart(timing: ["repeat": content], amount: group[0].amount)
    }
  }

  func part(of spread: DraftSpread) -> DosagePart {
    var content = repeatElement(weekdays: [])
    Self.daily(spread.times.map { DraftTime(time: $0) }, into: &content)
    return DosagePart(timing: ["repeat": content], pattern: StatedSpread.element(spread))
  }

  private static func daily(_ times: [DraftTime], into content: inout JSONValue) {
    content["frequency"] = .number(JSONNumber(max(times.count, 1)))
    content["period"] = 1
    content["periodUnit"] = "d"
    content["timeOfDay"] = timeOfDay(times)
  }

  private static func timeOfDay(_ times: [DraftTime]) -> JSONValue {
    .array(times.map(\.time).sorted().map { .string($0.text) })
  }
}
