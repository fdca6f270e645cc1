// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

extension DosagePhrasing {
  private static let cycle = "http://hl7.org/fhir/StructureDefinition/timing-daysOfCycle"
  private static let dayOfMonth = "http://hl7.org/fhir/StructureDefinition/timing-dayOfMonth"

  /// Returns the weekdays from Monday on, 1 to 7.
  func weekdays(_ timing: TimingView) -> [Int] {
    let written = timing.dayOfWeek
    if written.isEmpty { return [] }
    let codes = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    let days = written.compactMap { codes.firstIndex(of: $0) }.map { $0 + 1 }
    return days.count == written.count ? Set(days).sorted() : []
  }

  func daysPhrase(_ days: [Int], beside often: Bool) -> String {
    let names = localizer.list(days.map { localizer.weekday($0) })
    return often
      ? localizer.text("dosage.days-on", ["days": .text(names), "count": .number(days.count)])
      : localizer.text("dosage.days-every", ["days": .text(names)])
  }

  /// Returns the days of a cycle, such as `on days 1 to 21 of every 28 days`; `isWhole` is true if that
  /// includes the period.
  mutating func cyclePhrase(
    _ timing: TimingView, _ pattern: TimingPhrase
  ) -> (text: String, isWhole: Bool)? {
    let days = extensionDays(timing, Self.cycle) { part in
      (part["extension"]?.array ?? []).map { $0["url"]?.string == "day" ? Self.day($0) : nil }
    }
    guard !days.isEmpty else { return nil }
    var arguments: MessageArguments = ["days": .text(ranges(days)), "count": .number(days.count)]
    // The period is the length of the cycle; a period of one day only states the frequency on its days.
    let weeks = pattern.unit == "wk" ? 7 : pattern.unit == "d" ? 1 : 0
    guard let length = pattern.period?.integer, length * weeks > 1, length < 10_000 else {
      return (localizer.text("dosage.cycle", arguments), false)
    }
    arguments["length"] = .number(length * weeks)
    elements.voice(.recurrence, "period")
    elements.voice(.recurrence, "periodUnit")
    if pattern.frequency == 1 || pattern.frequency == days.count {
      elements.voice(.recurrence, "frequency")
    }
    return (localizer.text("dosage.cycle", arguments), true)
  }

  /// Returns the days of a month, such as `on days 1 and 15 of the month`.
  mutating func monthDaysPhrase(_ timing: TimingView) -> String? {
    let days = extensionDays(timing, Self.dayOfMonth) { [Self.day($0)] }
    guard !days.isEmpty, days.allSatisfy({ $0 <= 31 }) else { return nil }
    return localizer.text(
      "dosage.month-days", ["days": .text(ranges(days)), "count": .number(days.count)])
  }

  /// Returns days as text, such as `1 to 21` or `1, 8 and 15`.
  private func ranges(_ days: [Int]) -> String {
    var parts: [ClosedRange<Int>] = []
    for day in days {
      if let last = parts.last, last.upperBound + 1 == day {
        parts[parts.count - 1] = last.lowerBound...day
      } else {
        parts.append(day...day)
      }
    }
    let words = parts.flatMap { part -> [String] in
      let (low, high) = (localizer.number(part.lowerBound), localizer.number(part.upperBound))
      if part.count < 3 { return part.map { localizer.number($0) } }
      return [localizer.text("dosage.days-range", ["low": .text(low), "high": .text(high)])]
    }
    return localizer.list(words)
  }

  /// Returns the days of all extensions with an address, on the Timing or its `repeat`; empty if one cannot
  /// be read, or if there are other extensions.
  private mutating func extensionDays(
    _ timing: TimingView, _ url: String, _ days: (JSONValue) -> [Int?]
  ) -> [Int] {
    var result: Set<Int> = []
    var places: [DosageElements.Container] = []
    for (json, path) in [
      (timing.json, DosageElements.Container.timing), (timing.repeatObject ?? .null, .recurrence),
    ] {
      guard let extensions = json["extension"]?.array else { continue }
      var isWhole = true
      for one in extensions {
        guard one["url"]?.string == url else {
          isWhole =
            isWhole && one["url"]?.string == (url == Self.cycle ? Self.dayOfMonth : Self.cycle)
          continue
        }
        for day in days(one) {
          guard let day else { return [] }
          result.insert(day)
        }
      }
      if isWhole { places.append(path) }
    }
    if !result.isEmpty { for place in places { elements.voiceExtensions(of: place) } }
    return result.sorted()
  }

  private static func day(_ json: JSONValue) -> Int? {
    for key in ["valuePositiveInt", "valueInteger", "valueUnsignedInt"] {
      if let day = json[key]?.number?.integer { return day > 0 && day < 10_000 ? day : nil }
    }
    return nil
  }
}
