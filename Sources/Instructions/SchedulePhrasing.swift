// SPDX-License-Identifier: Apache-2.0
import FHIR
import Foundation
import Localization

extension DosagePhrasing {
  /// How often, on which days and when; nil when the dosage says nothing of it.
  mutating func schedulePhrase() -> SchedulePhrase? {
    guard let timing = dosage.timing else { return nil }
    let pattern = TimingPattern(timing)
    if pattern.isFromCode { elements.voice("timing.code") }
    let times = clockTimes(timing)
    let events = eventPhrases(pattern, timing)
    let slots = times.count + events.slots
    let often = frequencyPhrase(pattern, slots: slots)
    let days = daysPhrase(timing, beside: often != nil)
    guard often != nil || days != nil || slots > 0 else { return nil }
    var text = joined([often?.text, days])
    if !times.isEmpty { text = beside(text, "dosage.at-times", "times", times) }
    if !events.phrases.isEmpty {
      text = beside(text, "dosage.at-events", "events", events.phrases)
    }
    guard let text else { return nil }
    let isPlain = days == nil && slots == 0
    return SchedulePhrase(text: text, kind: isPlain ? often?.kind ?? .plan : .plan)
  }

  /// Days, then times, events or how often, short, for a list.
  mutating func shortSchedule() -> [String] {
    guard let timing = dosage.timing else { return [] }
    let pattern = TimingPattern(timing)
    let times = clockTimes(timing)
    let events = eventPhrases(pattern, timing)
    let slots = times.count + events.slots
    var result: [String] = []
    let days = weekdays(timing)
    if !days.isEmpty { result.append(enumerated(days.map { localizer.weekday($0, .short) })) }
    let often = frequencyPhrase(pattern, slots: slots)
    let isDaily = slots > 0 && pattern.period ?? 1 == 1 && pattern.unit ?? "d" == "d"
    if let often, !isDaily { result.append(often.text) }
    if !times.isEmpty { result.append(enumerated(times)) }
    if !events.phrases.isEmpty { result.append(enumerated(events.phrases)) }
    return result
  }

  private func beside(
    _ often: String?, _ key: MessageKey, _ name: String, _ items: [String]
  ) -> String {
    var arguments: [String: MessageArgument] = [name: .text(localizer.list(items))]
    arguments["often"] = often.map { .text($0) }
    return localizer.text(key, arguments)
  }

  private func enumerated(_ items: [String]) -> String {
    items.joined(separator: localizer.text("lists.separator") + " ")
  }

  /// The clock times in order, `08:00`, with seconds only where they are not zero.
  private mutating func clockTimes(_ timing: TimingView) -> [String] {
    let texts = timing.timeOfDay
    let times = texts.compactMap { text -> String? in
      let fields = text.split(separator: ":", omittingEmptySubsequences: false)
      guard (2...3).contains(fields.count), fields.allSatisfy({ $0.utf8.count == 2 }),
        let hour = Int(fields[0]), let minute = Int(fields[1]), (0..<24).contains(hour),
        (0..<60).contains(minute)
      else { return nil }
      let time = localizer.time(hour: hour, minute: minute)
      return fields.count == 3 && fields[2] != "00" ? "\(time):\(fields[2])" : time
    }
    guard !times.isEmpty, times.count == texts.count else { return [] }
    elements.voice("timing.repeat.timeOfDay")
    return times.sorted()
  }

  /// Events of the day in words, and how many doses a day they mean.
  private mutating func eventPhrases(
    _ pattern: TimingPattern, _ timing: TimingView
  ) -> (phrases: [String], slots: Int) {
    let codes = pattern.when.sorted { Self.place($0) < Self.place($1) }
    guard !codes.isEmpty else { return ([], 0) }
    let offset = timing.offset.flatMap { $0 > 0 ? offsetText($0) : nil }
    var withOffset: [String] = []
    if let offset {
      withOffset = codes.map {
        localizer.text("dosage.event-offset", ["event": .text($0), "offset": .text(offset)])
      }
    }
    let isOffsetSaid = !withOffset.isEmpty && withOffset.allSatisfy { !$0.isEmpty }
    let phrases =
      isOffsetSaid
      ? withOffset : codes.map { localizer.text("dosage.event", ["event": .text($0)]) }
    guard phrases.allSatisfy({ !$0.isEmpty }) else { return ([], 0) }
    elements.voice("timing.repeat.when")
    if isOffsetSaid || timing.offset == 0 { elements.voice("timing.repeat.offset") }
    // With meals, before meals and after meals stand for three each (timing rule 21).
    let slots = codes.reduce(0) { $0 + (["C", "AC", "PC"].contains($1) ? 3 : 1) }
    return (phrases, slots)
  }

  /// The place of an event in the day.
  private static func place(_ code: String) -> Int {
    dayOrder.firstIndex(of: code) ?? dayOrder.count
  }

  private static let dayOrder = [
    "WAKE", "MORN.early", "MORN", "ACM", "CM", "PCM", "MORN.late", "AC", "C", "PC", "ACD", "NOON",
    "CD", "PCD", "AFT.early", "AFT", "AFT.late", "EVE.early", "ACV", "CV", "PCV", "EVE", "EVE.late",
    "HS", "NIGHT", "PHS",
  ]

  private func offsetText(_ minutes: Int) -> String {
    let isHours = minutes % 60 == 0
    return localizer.text(
      "dosage.offset",
      ["n": .number(isHours ? minutes / 60 : minutes), "unit": isHours ? "h" : "min"])
  }

  private func weekdays(_ timing: TimingView) -> [Int] {
    let codes = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    let days = timing.dayOfWeek.compactMap { codes.firstIndex(of: $0) }.map { $0 + 1 }
    return days.count == timing.dayOfWeek.count ? Set(days).sorted() : []
  }

  private mutating func daysPhrase(_ timing: TimingView, beside often: Bool) -> String? {
    let days = weekdays(timing)
    guard !days.isEmpty else { return nil }
    elements.voice("timing.repeat.dayOfWeek")
    let names = localizer.list(days.map { localizer.weekday($0) })
    return often
      ? localizer.text("dosage.days-on", ["days": .text(names), "count": .number(days.count)])
      : localizer.text("dosage.days-every", ["days": .text(names)])
  }
}
