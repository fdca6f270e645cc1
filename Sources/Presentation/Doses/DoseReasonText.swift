// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Scheduling
import Web

/// Puts the reasons for a dose's time into words: the answer to "Why 03:00?".
package struct DoseReasonText: Sendable {
  /// The language of the sentences.
  package let localizer: Localizer

  /// Creates a text for one language.
  package init(localizer: Localizer) {
    self.localizer = localizer
  }

  /// Returns one sentence for a reason.
  package func text(_ reason: DoseReason) -> String {
    switch reason {
    case .written(let time): words("written", ["time": time])
    case .defaultTime(let time, let count):
      localizer.text(
        "dose.why.default", ["time": .text(clock(time)), "n": .number(count)])
    case .event(let event, let time):
      localizer.text(
        "dose.why.event",
        [
          "event": .text(localizer.text("dosage.event", ["event": .text(event.code)])),
          "time": .text(clock(time)),
        ])
    case .offset(let minutes, let isBefore, let isDefault):
      localizer.text(
        isDefault ? "dose.why.offset-usual" : "dose.why.offset",
        [
          "time": .text(localizer.text("dose.minutes", ["n": .number(minutes)])),
          "side": .text(isBefore ? "before" : "after"),
        ])
    case .otherDate(let date):
      localizer.text("dose.why.other-date", ["date": .text(text(date))])
    case .gap(let time, _): words("gap", ["time": time])
    case .overlap(let time, _): words("overlap", ["time": time])
    case .shortMonth: localizer.text("dose.why.short-month")
    case .elapsed(_, let every, let times): elapsed(every / Int64(max(times, 1)))
    case .clockWasSet: localizer.text("dose.why.clock-was-set")
    case .given: localizer.text("dose.why.given")
    }
  }

  private func words(_ name: String, _ times: [String: ClockTime]) -> String {
    var arguments: MessageArguments = [:]
    for (name, time) in times { arguments[name] = .text(clock(time)) }
    return localizer.text(MessageKey("dose.why.\(name)"), arguments)
  }

  private func elapsed(_ milliseconds: Int64) -> String {
    guard milliseconds.isMultiple(of: 60_000), milliseconds > 0 else {
      return localizer.text("dose.why.elapsed-fraction")
    }
    let minutes = Int(milliseconds / 60_000)
    let length =
      minutes.isMultiple(of: 60)
      ? localizer.text("dose.hours", ["n": .number(minutes / 60)])
      : localizer.text("dose.minutes", ["n": .number(minutes)])
    return localizer.text("dose.why.elapsed", ["length": .text(length)])
  }

  private func clock(_ time: ClockTime) -> String {
    localizer.time(hour: time.hour, minute: time.minute)
  }

  private func text(_ date: CivilDate) -> String {
    localizer.date(
      LocalDay(
        year: date.year, month: date.month, day: date.day, isoWeekday: date.weekday.rawValue),
      .medium)
  }
}

/// The section "Why 03:00?" on the page of a dose, collapsed unless a rule moved the dose.
package struct DoseReasonsPart: PagePart {
  /// The reasons, in the order in which the rules applied.
  package let reasons: [DoseReason]
  /// The time of the dose as the page shows it.
  package let time: String
  /// The language of the section.
  package let localizer: Localizer

  /// Creates the section for a dose.
  ///
  /// - Parameter time: The time of the dose as the page shows it.
  package init(reasons: [DoseReason], time: String, localizer: Localizer) {
    self.reasons = reasons
    self.time = time
    self.localizer = localizer
  }

  /// The section; empty if there are no reasons.
  package var markup: Markup {
    if reasons.isEmpty { return Markup() }
    let words = DoseReasonText(localizer: localizer)
    return Disclosure(
      localizer.text("dose.why.title", ["time": .text(time)]),
      isOpen: reasons.contains(where: \.isMove),
      "<ol class=\"stack-small\" role=\"list\">\(each: reasons, { "<li>\(words.text($0))</li>" })</ol>"
    ).markup
  }
}
