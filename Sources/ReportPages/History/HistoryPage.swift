// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import Scheduling
import SiteMap
import Statistics
import Web

/// The history over all medicines: filter, counts, lines, exports.
struct HistoryPage: Sendable {
  let input: HistoryInput
  let mistakes: [HistoryInput.Mistake]
  let range: HistoryRange
  /// All medicines that the filter offers.
  let medicines: [FieldChoice]
  let counts: DoseCounts
  /// The day of the first line, if the range has no beginning.
  let first: CivilDate
  let part: HistoryPart
  let words: DoseFormatter
  /// The viewer's name.
  let reader: String
  /// True if the viewer can export the history as a file or a report.
  let mayExport: Bool

  private var localizer: Localizer { words.localizer }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = localizer.text("history.title")
    frame.place = .progress
    frame.back = .progress(localizer)
    frame.hasErrors = !mistakes.isEmpty
    let status: HTTPResponse.Status = mistakes.isEmpty ? .ok : .unprocessableContent
    return call.page(frame, content, status: status)
  }

  private var content: Markup {
    let errors = mistakes.map {
      FieldError(field: $0.field, message: $0.message(localizer))
    }
    let report = LinkButton(
      localizer.text("report.link"), address: Address.report, icon: .document)
    let charts = LinkButton(
      localizer.text("charts.link"), address: Address.charts, icon: .chart)
    return """
      <div class="stack-large">\(ErrorSummary(errors, localizer: localizer))\
      \(ButtonRow("\(charts)\(if: mayExport, report.markup)"))\(filter)\
      \(Section(localizer.text("history.results"), id: "results", results))</div>
      """
  }

  // MARK: Filter

  private var filter: Markup {
    let states: [DoseOutcome] = [.taken, .late, .skipped, .refused, .missed]
    let chartFormatter = ChartFormatter(localizer: localizer)
    let fields: Markup = """
      \(FormField(
        "medicine", label: localizer.text("history.medicine"),
        kind: .select([FieldChoice("", localizer.text("history.all-medicines"))] + medicines),
        value: input.plan?.text ?? "", isRequired: true, localizer: localizer))\
      <div class="field-row">\
      \(FormField(
        "from", label: localizer.text("history.from"), kind: .date(through: words.today.text),
        value: input.from, error: message("from"), isRequired: true, localizer: localizer))\
      \(FormField(
        "until", label: localizer.text("history.until"), kind: .date(),
        value: input.until, error: message("until"), isRequired: true, localizer: localizer))</div>\
      \(FormField(
        "state", label: localizer.text("history.states"),
        kind: .checkboxes(
          states.map { FieldChoice($0.rawValue, chartFormatter.name(of: $0)) }, isCompact: true),
        values: input.outcomes, hint: localizer.text("history.states-hint"), isRequired: true,
        localizer: localizer))
      """
    return Disclosure(
      localizer.text("history.filter"), isOpen: isFiltered,
      """
      <form class="form stack" method="get" action="/history" novalidate>\(fields)\
      \(ButtonRow("""
        \(Button(localizer.text("history.apply"), icon: .check))\
        \(LinkButton(localizer.text("history.reset"), address: "/history", kind: .quiet))
        """))</form>
      """
    ).markup
  }

  /// True if the filter is shown expanded, because something was chosen or has a mistake.
  private var isFiltered: Bool {
    !mistakes.isEmpty || input.plan != nil || !input.outcomes.isEmpty
      || input.until != words.today.text
      || input.from != words.today.adding(days: 1 - HistoryInput.usualDays).text
  }

  private func message(_ field: String) -> String? {
    mistakes.first { $0.field == field }?.message(localizer)
  }

  // MARK: Results

  private var results: Markup {
    let sentences = ChartFormatter(localizer: localizer).sentences(
      counts, from: first, to: range.last)
    let input = input
    let steps = HistorySteps(part: part, localizer: localizer) { place in
      "/history?\(input.query(place: place))#results"
    }
    let lines: Markup =
      part.entries.isEmpty
      ? EmptyState(icon: .calendar, text: localizer.text("history.empty")).markup
      : HistoryList(part: part, words: words, reader: reader).markup
    return """
      <div class="stack"><p>\(sentences.joined(separator: " "))</p>\(lines)\(steps)\
      \(if: mayExport && !part.entries.isEmpty, exports)</div>
      """
  }

  private var exports: Markup {
    """
    <div class="stack-small"><p class="muted">\(localizer.text("history.export"))</p>\
    \(ButtonRow("""
      \(LinkButton(
        localizer.text("history.csv"), address: "/history.csv?\(input.query())",
        icon: .download))\
      \(LinkButton(
        localizer.text("history.bundle"), address: "/history.json?\(input.query())",
        icon: .download))
      """))</div>
    """
  }
}
