// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Localization
import Plans
import Scheduling
import Storage
import Web

/// The outcomes of doses and the extra intakes by day, newest first.
package struct HistoryList: PagePart {
  /// The lines to show.
  package let part: HistoryPart
  /// The formatter of times and amounts.
  package let words: DoseFormatter
  /// The name of the person reading; answers show the name only if someone else gave them.
  package let reader: String
  /// True if lines name their medicine and are grouped by day; otherwise each shows its own day.
  package var namesMedicines = true

  /// Creates the list of a page.
  ///
  /// - Parameter reader: The name of the person reading.
  package init(part: HistoryPart, words: DoseFormatter, reader: String, namesMedicines: Bool = true)
  {
    self.part = part
    self.words = words
    self.reader = reader
    self.namesMedicines = namesMedicines
  }

  private var localizer: Localizer { words.localizer }

  /// The list, grouped by day unless it is about one medicine.
  package var markup: Markup {
    guard namesMedicines else {
      return "<ul class=\"records-list\" role=\"list\">\(each: part.entries, line)</ul>"
    }
    return "<div class=\"records\">\(each: days, section)</div>"
  }

  private var days: [(day: CivilDate, entries: [HistoryEntry])] {
    var days: [(day: CivilDate, entries: [HistoryEntry])] = []
    for entry in part.entries {
      let day = words.local(entry.moment).date
      if days.last?.day == day {
        days[days.count - 1].entries.append(entry)
      } else {
        days.append((day, [entry]))
      }
    }
    return days
  }

  private func section(_ day: CivilDate, _ entries: [HistoryEntry]) -> Markup {
    """
    <div class="records-day">\(HeadingLevel.third.heading(
      Markup(text: name(of: day)), style: "records-date"))\
    <ul class="records-list" role="list">\(each: entries, line)</ul></div>
    """
  }

  private func name(of day: CivilDate) -> String {
    switch words.today.daysSinceEpoch - day.daysSinceEpoch {
    case 0: localizer.text("history.today", ["date": .text(words.date(day, .short))])
    case 1: localizer.text("history.yesterday", ["date": .text(words.date(day, .short))])
    default: words.date(day, .long)
    }
  }

  private func line(_ entry: HistoryEntry) -> Markup {
    switch entry {
    case .dose(let dose): line(dose)
    case .extra(let record): line(record)
    }
  }

  // MARK: Lines

  private func line(_ dose: Dose) -> Markup {
    var notes: [String] = []
    // A medicine's own page shows the amount only if it was not the planned one.
    if let amount = dose.answer?.amount ?? dose.amount,
      namesMedicines || amount.value != dose.amount?.value
    {
      notes.append(words.amount(amount))
    }
    if let answer = dose.answer, dose.state.isAnswered {
      notes += by(answer.by)
      if answer.recorded.milliseconds - answer.at.milliseconds > 3_600_000 {
        notes.append(
          localizer.text(
            "dose.story.written", ["when": .text(words.moment(answer.recorded))]))
      }
    }
    return record(
      at: dose.due, name: dose.medicineName, address: "/doses/\(dose.id.text)",
      chip: chip(dose), notes: notes, quote: reason(of: dose), after: versions(of: dose))
  }

  private func line(_ extra: ExtraRecord) -> Markup {
    var notes = [localizer.text("history.extra")]
    if let amount = extra.amount { notes.append(words.amount(amount)) }
    notes += by(extra.by)
    let chip = StateChip(
      extra.taken ? .taken : .skipped, detail: extra.taken ? nil : extra.reason,
      localizer: localizer)
    return record(
      at: extra.at, name: extra.medicineName, address: nil, chip: chip, notes: notes,
      quote: extra.taken ? extra.reason.map(said) : nil, after: Markup())
  }

  private func record(
    at moment: Timestamp, name: String, address: String?, chip: StateChip, notes: [String],
    quote: String?, after: Markup
  ) -> Markup {
    let clock: Markup = """
      <time datetime="\(words.machine(moment))">\(words.time(moment))</time>
      """
    let date = words.local(moment).date
    // A line from another year includes the year.
    let day = words.date(date, date.year == words.today.year ? .short : .medium)
    let hiddenDay: Markup = "<span class=\"visually-hidden\"> \(day)</span>"
    let shownDay: Markup = "<span class=\"record-day\">\(day)</span>"
    let link: (Markup) -> Markup = { text in
      address.map { "<a href=\"\($0)\">\(text)</a>" } ?? text
    }
    let head: Markup =
      namesMedicines
      ? """
      <span class="record-time">\(clock)</span><span class="record-name">\
      \(link("\(name)\(hiddenDay)"))</span>
      """
      : "<span class=\"record-time\">\(link("\(shownDay) \(clock)"))</span>"
    return """
      <li class="record\(if: !namesMedicines, " record-unnamed")">\(head)\
      <span class="record-state">\(chip)</span>\(under(notes, quote, after))</li>
      """
  }

  private func under(_ notes: [String], _ quote: String?, _ after: Markup) -> Markup {
    guard !notes.isEmpty || quote != nil || !after.isEmpty else { return Markup() }
    return """
      <div class="record-notes">\(if: !notes.isEmpty, "<p>\(notes.joined(separator: " · "))</p>")\
      \(quote.map { "<p>\($0)</p>" as Markup })\(after)</div>
      """
  }

  private func by(_ name: String) -> [String] {
    name == reader ? [] : [localizer.text("history.by", ["name": .text(name)])]
  }

  /// Returns a reason that the chip does not show: one for a dose that was taken, or one that is too long.
  private func reason(of dose: Dose) -> String? {
    guard dose.state.isAnswered, let reason = dose.answer?.reason else { return nil }
    return dose.state == .taken || reason.count > 40 ? said(reason) : nil
  }

  private func said(_ reason: String) -> String {
    localizer.text("dose.story.reason", ["reason": .text(reason)])
  }

  /// Returns all versions of a corrected answer.
  private func versions(of dose: Dose) -> Markup {
    guard let entries = part.corrections[dose.id] else { return Markup() }
    let title = localizer.text("history.corrected", ["count": .number(entries.count)])
    return """
      <details class="versions"><summary>\(Icon.pencil)<span>\(title)</span></summary>\
      <ol>\(each: entries, { "<li>\(DoseStory(entries: [], words: words).line($0))</li>" })</ol></details>
      """
  }

  private func chip(_ dose: Dose) -> StateChip {
    switch dose.state {
    case .taken:
      let at = dose.answer?.at
      // The day is in the heading, so only a different one is shown.
      let time = at.map { at in
        words.local(at).date == words.local(dose.due).date
          ? words.time(at) : words.moment(at)
      }
      return words.chip(dose.isLate ? .late : .taken, time)
    case .skipped, .refused, .missed, .withheld, .cancelled, .scheduled, .due, .later:
      return words.chip(dose)
    }
  }
}

/// The links to the earlier and later pages of a history.
package struct HistorySteps: PagePart {
  /// The page that is shown.
  package let part: HistoryPart
  /// The language of the links.
  package let localizer: Localizer
  let address: @Sendable (HistoryPlace) -> String

  /// Creates the links.
  ///
  /// - Parameter address: A function that returns the address of another page.
  package init(
    part: HistoryPart, localizer: Localizer, address: @escaping @Sendable (HistoryPlace) -> String
  ) {
    self.part = part
    self.localizer = localizer
    self.address = address
  }

  /// The links; empty if there is only one page.
  package var markup: Markup {
    guard part.earlier != nil || part.later != nil else { return Markup() }
    let object = localizer.text("history.title")
    let earlier = part.earlier.map {
      LinkButton(
        localizer.text("chart.earlier"), address: address($0), icon: .arrowLeft, object: object)
    }
    let later = part.later.map {
      LinkButton(
        localizer.text("chart.later"), address: address($0), icon: .chevron, object: object)
    }
    return ButtonRow("\(earlier)\(later)").markup
  }
}
