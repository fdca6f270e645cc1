// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Presentation
import Scheduling
import SiteMap
import Statistics
import Web

/// The page of the report, with controls to choose its period, download it and share it.
struct ReportPage: Sendable {
  let content: ReportContent
  let period: ReportPeriod
  let links: [ReportLink]
  /// The names of their creators.
  var makers: [AccountID: String] = [:]
  /// True if the viewer may share it by a link.
  let mayShare: Bool
  /// The comparisons of medicines with measures.
  var effects: [ReportEffect] = []
  /// The address of the same person's charts.
  var charts = Address.charts
  /// The address of the page, with its files next to it.
  var path = Address.report
  var files: [(label: MessageKey, suffix: String)] = [
    ("report.pdf", "pdf"), ("report.csv", "csv"), ("report.bundle", "json"),
  ]

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.lead = localizer.text("report.lead")
    frame.place = .progress
    frame.back = .progress(localizer)
    return response(call, frame)
  }

  /// Returns the page in a frame that already has its person and back link.
  func response(_ call: Call, _ known: PageFrame) -> Response {
    let localizer = call.localizer
    var frame = known
    frame.title = localizer.text("report.title")
    frame.hasErrors = !period.mistakes.isEmpty
    switch call.queryValue("done") {
    case "removed": frame.flash = FlashBar(localizer.text("report.share.removed"))
    case "too-many": frame.flash = FlashBar(localizer.text("report.share.too-many"))
    default: break
    }
    let document = ReportWriter(
      content: content, localizer: localizer, effects: effects
    ).document
    return call.page(
      frame,
      """
      <div class="stack-large">\(choice(localizer))\
      \(ButtonRow(LinkButton(
        localizer.text("charts.link"), address: charts, icon: .chart).markup))\
      \(ReportMarkup(document: document))\
      \(keep(localizer))\(if: mayShare, share(call))</div>
      """, status: period.mistakes.isEmpty ? .ok : .unprocessableContent)
  }

  // MARK: Days

  private func choice(_ localizer: Localizer) -> Markup {
    let tabs = ReportPeriod.lengths.map { days in
      SegmentedTabs.Tab(
        localizer.text("report.days", ["days": .text(String(days))]),
        address: "\(path)?days=\(days)\(period.effectQuery)", isCurrent: period.length == days)
    }
    let errors = period.mistakes.map {
      FieldError(field: $0.field, message: $0.message(localizer))
    }
    func field(_ name: String, _ label: MessageKey, _ value: String) -> FormField {
      FormField(
        name, label: localizer.text(label), kind: .date(), value: value,
        error: period.mistakes.first { $0.field == name }?.message(localizer),
        isRequired: true, localizer: localizer)
    }
    let added = period.effects.map { effect -> Markup in
      "<input type=\"hidden\" name=\"effect\" value=\"\(effect.text)\">"
    }
    let form: Markup = """
      <form class="form stack" method="get" action="\(path)" novalidate>\(added)\
      <div class="field-row">\(field("from", "history.from", period.input.from))\
      \(field("until", "history.until", period.input.until))</div>\
      \(ButtonRow(Button(localizer.text("report.show"), icon: .check).markup))</form>
      """
    return """
      \(ErrorSummary(errors, localizer: localizer))\
      \(SegmentedTabs(label: localizer.text("report.days-label"), tabs))\
      \(Disclosure(
        localizer.text("report.choose"), isOpen: period.length == nil || !errors.isEmpty, form))
      """
  }

  // MARK: Downloading and sharing

  private func keep(_ localizer: Localizer) -> Markup {
    let links = files.map { file in
      LinkButton(
        localizer.text(file.label), address: "\(path).\(file.suffix)?\(period.query)",
        icon: .download)
    }
    return Section(
      localizer.text("report.keep"), id: "keep", ButtonRow("\(each: links, \.markup)").markup
    ).markup
  }

  private func share(_ call: Call) -> Markup {
    let localizer = call.localizer
    let clock = MedicineClock(zone: content.zone, localizer: localizer)
    let ends = FormField(
      "ends", label: localizer.text("report.share.ends"),
      kind: .radios(
        ReportLinks.days.map { days in
          FieldChoice(
            String(days), localizer.text("report.share.days", ["days": .text(String(days))]))
        }, isCompact: true), value: "7", localizer: localizer)
    let days: Markup = """
      <input type="hidden" name="from" value="\(content.first.text)">\
      <input type="hidden" name="until" value="\(content.last.text)">
      """
    let rows = links.map { link -> Markup in
      let range = ChartFormatter(localizer: localizer).range(link.first, link.last)
      let text = localizer.text(
        "report.share.row",
        [
          "range": .text(range), "when": .text(clock.text(link.ends)),
          "count": .number(link.opened),
        ])
      let maker = makers[link.account].map {
        localizer.text("report.share.by", ["name": .text($0)])
      }
      return """
        <li><p>\(text)</p>\(maker.map { "<p class=\"muted\">\($0)</p>" as Markup })\(FormButton(
          localizer.text("report.share.remove"),
          action: "\(ReportLinkRoutes.path)/\(link.id)/remove", token: call.formToken,
          kind: .quiet, object: range))</li>
        """
    }
    return Section(
      localizer.text("report.share.title"), id: "share",
      """
      <div class="stack"><p>\(localizer.text("report.share.help"))</p>\
      \(if: !rows.isEmpty, "<ul class=\"stack\" role=\"list\">\(rows)</ul>" as Markup)\
      \(Form(
        action: ReportLinkRoutes.path, token: call.formToken, fields: "\(days)\(ends)",
        buttons: Button(
          localizer.text("report.share.make"), kind: .secondary, person: call.formToken.personName
        ).markup))</div>
      """
    ).markup
  }
}
