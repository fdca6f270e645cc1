// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// The times in a Timing, in the order of a sentence.
struct ScheduleParts {
  var often: SchedulePhrase?
  /// True if the times and weekdays already express `often`.
  var isOftenRepeated = false
  /// The weekdays, or the days of a cycle or month.
  var days: [String] = []
  var times: [String] = []
  var events: [String] = []
  /// The individual dates.
  var dates: [EventDate] = []
  /// The sender's own text for an unknown code.
  var quoted: String?
}

extension DosagePhrasing {
  /// Reads the times and marks what will be expressed.
  mutating func scheduleParts(isShort: Bool = false) -> ScheduleParts {
    var result = ScheduleParts()
    guard let timing = dosage.timing else { return result }
    let pattern = pattern(of: timing, quoted: &result.quoted)
    result.times = clockTimes(timing)
    let events = eventPhrases(pattern, timing)
    result.events = events.phrases
    let slots = Slots(
      count: result.times.count + events.slots, areTimed: !result.times.isEmpty)
    var weekdays = self.weekdays(timing)
    let isDaily = listsEveryDay(weekdays, pattern)
    if isDaily {
      elements.voice(.recurrence, "dayOfWeek")
      weekdays = []
    }
    result.isOftenRepeated = repeats(pattern, slots: slots, days: weekdays.count)
    let isExtended = timing.json["extension"] != nil || timing.repeatObject?["extension"] != nil
    if isExtended, let cycle = cyclePhrase(timing, pattern) {
      result.days.append(cycle.text)
      if !cycle.isWhole {
        result.often = frequencyPhrase(pattern, slots: slots, days: weekdays.count)
      }
    } else {
      result.often = frequencyPhrase(pattern, slots: slots, days: weekdays.count)
    }
    if isDaily, !isExtended, result.often == nil, !dosage.asNeeded { result.often = everyDay }
    if !weekdays.isEmpty {
      elements.voice(.recurrence, "dayOfWeek")
      result.days.append(
        isShort
          ? enumerated(weekdays.map { localizer.weekday($0, .short) })
          : daysPhrase(weekdays, beside: result.often != nil))
    }
    if isExtended, let monthDays = monthDaysPhrase(timing) { result.days.append(monthDays) }
    result.dates = eventDates(timing)
    return result
  }

  /// Returns true if a dosage lists all seven weekdays, which says no more than every day.
  private func listsEveryDay(_ weekdays: [Int], _ pattern: TimingPhrase) -> Bool {
    guard weekdays.count == 7 else { return false }
    if pattern.unit == "d" { return pattern.period?.integer == 1 }
    return pattern.unit == nil && pattern.period == nil && pattern.frequency == nil
      && pattern.frequencyMax == nil
  }

  /// Returns the frequency, days and times; nil if the dosage states none.
  func schedulePhrase(_ parts: ScheduleParts) -> SchedulePhrase? {
    let slots = parts.times.count + parts.events.count
    var text = joined(parts.days, after: parts.often?.text)
    if !parts.times.isEmpty { text = beside(text, "dosage.at-times", "times", parts.times) }
    if !parts.events.isEmpty { text = beside(text, "dosage.at-events", "events", parts.events) }
    if !parts.dates.isEmpty {
      let dates = parts.dates.map {
        localizer.text(
          "dosage.on-dates", ["date": .text($0.text), "precision": .text($0.precision)])
      }
      text = joined([localizer.list(dates)], after: text)
    }
    guard let text else { return nil }
    let isPlain = parts.days.isEmpty && slots == 0 && parts.dates.isEmpty
    // Next to days and times a number of doses stays a limit; an interval would contradict them.
    let often = parts.often?.kind ?? .plan
    return SchedulePhrase(text: text, kind: isPlain || often == .count ? often : .plan)
  }

  /// Returns the days, then times, events or frequency, in short form for a list.
  func shortSchedule(_ parts: ScheduleParts) -> [String] {
    var result = parts.days
    let isDaily = !parts.times.isEmpty || !parts.events.isEmpty
    if let often = parts.often, !isDaily || often.kind == .interval || !parts.isOftenRepeated {
      result.append(often.text)
    }
    if !parts.times.isEmpty { result.append(enumerated(parts.times)) }
    if !parts.events.isEmpty { result.append(enumerated(parts.events)) }
    if !parts.dates.isEmpty { result.append(enumerated(parts.dates.map(\.text))) }
    return result
  }

  /// Returns the pattern of `repeat`, otherwise of a known code; the text of an unknown code is quoted.
  private mutating func pattern(of timing: TimingView, quoted: inout String?) -> TimingPhrase {
    let stated = TimingPhrase(timing)
    let known = timing.codes.lazy.compactMap { TimingPhrase.of(code: $0.code) }.first
    let isStated = TimingPhrase.isStated(by: timing)
    if let known, !isStated {
      elements.voice(.timing, "code")
      return known
    }
    // The code repeats the same pattern.
    if known == stated { elements.voice(.timing, "code") }
    if known == nil, !isStated, let words = timing.json["code"]?.words {
      elements.voice(.timing, "code")
      quoted = words
    }
    return stated
  }

  private func beside(
    _ often: String?, _ key: MessageKey, _ name: String, _ items: [String]
  ) -> String {
    var arguments: MessageArguments = [name: .text(localizer.list(items))]
    arguments["often"] = often.map { .text($0) }
    return localizer.text(key, arguments)
  }

  func enumerated(_ items: [String]) -> String {
    items.joined(separator: localizer.text("lists.separator") + " ")
  }

  /// Returns the clock times in order, such as `08:00`, with seconds only if they are not zero.
  private mutating func clockTimes(_ timing: TimingView) -> [String] {
    let texts = timing.timeOfDay
    if texts.isEmpty { return [] }
    let times = texts.compactMap(ClockWord.text)
    guard times.count == texts.count else { return [] }
    elements.voice(.recurrence, "timeOfDay")
    return times.sorted()
  }
}

/// A time of day as it is read in every language.
enum ClockWord {
  /// Returns `08:00` for `08:00:00`, with seconds only if they are not zero; nil if it is not a time.
  static func text(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 5, bytes[2] == UInt8(ascii: ":") else { return nil }
    let places = bytes.count == 5 ? [0, 1, 3, 4] : [0, 1, 3, 4, 6, 7]
    guard bytes.count == 5 || bytes.count >= 8 && bytes[5] == UInt8(ascii: ":") else { return nil }
    for place in places where !(0x30...0x39).contains(bytes[place]) { return nil }
    guard bytes[0] < 0x32 || bytes[0] == 0x32 && bytes[1] < 0x34, bytes[3] < 0x36 else {
      return nil
    }
    if bytes.count == 5 { return text }
    let fraction = bytes.dropFirst(8)
    guard bytes[6] < 0x36, fraction.isEmpty || isFraction(fraction) else { return nil }
    // Fractions of a second are of no use for taking a medicine.
    return String(text.prefix(bytes[6] == 0x30 && bytes[7] == 0x30 ? 5 : 8))
  }

  private static func isFraction(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.first == UInt8(ascii: ".") && bytes.count > 1
      && bytes.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }
}
