// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Observations
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The page of a person's resting heart rate and its sources.
struct HeartPage: Sendable {
  let model: HeartRatePageModel
  let input: HeartInput
  let mistakes: [HeartInput.Mistake]
  let now: Timestamp

  private var localizer: Localizer { model.clock.localizer }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = localizer.text("heart-rate.title")
    frame.lead = localizer.text("heart-rate.lead")
    frame.place = .progress
    frame.back = .progress(localizer)
    if let done = call.queryValue("done") {
      frame.flash = FlashBar(localizer.text("heart-rate.done", ["what": .text(done)]))
    }
    let summary = mistakes.map { FieldError(field: $0.field, message: $0.message(localizer)) }
    return call.formPage(
      frame, errors: summary,
      """
      \(ButtonRow(LinkButton(
        localizer.text("heart-rate-monitoring.title"), address: Address.heartRateMonitoring, icon: .heart).markup))\
      \(silence)\(Section(localizer.text("heart-rate.values"), values))\
      \(Section(localizer.text("heart-rate.sources"), sources(call)))\
      \(if: call.formToken.mayAct, entry(call))
      """)
  }

  /// The advice if the preferred source has stopped sending.
  private var silence: Markup {
    guard let source = model.preferred, model.isSilent(source, now: now) else { return Markup() }
    return Notice(
      .information,
      title: localizer.text(
        "heart-rate.silent", ["source": .text(source.source), "when": .text(when(source.last))]),
      "<p>\(localizer.text("heart-rate.silent-help"))</p>"
    ).markup
  }

  private var values: Markup {
    guard !model.resting.isEmpty else { return "<p>\(localizer.text("heart-rate.no-values"))</p>" }
    let caption = localizer.text("heart-rate.resting")
    return """
      \(HeartChart(values: model.resting, clock: model.clock))\
      <div class="table-scroll" role="region" aria-label="\(caption)" tabindex="0">\
      <table class="table"><caption>\(caption)</caption><thead><tr>\
      <th scope="col">\(localizer.text("heart-rate.day"))</th>\
      <th scope="col">\(localizer.text("heart-rate.value"))</th>\
      <th scope="col">\(localizer.text("heart-rate.source"))</th></tr></thead>\
      <tbody>\(each: Array(model.resting.reversed()), row)</tbody></table></div>
      """
  }

  private func row(_ value: VitalDayValue) -> Markup {
    let day = CivilDate(text: value.day).map { model.clock.text($0, .short) } ?? value.day
    return """
      <tr><th scope="row">\(day)</th>\
      <td>\(HeartRateFormatter.amount(value.thousandths, .restingHeartRate, localizer))</td>\
      <td>\(value.source)</td></tr>
      """
  }

  private func sources(_ call: Call) -> Markup {
    let list: Markup =
      model.sources.isEmpty
      ? "<p>\(localizer.text("heart-rate.no-sources"))</p>"
      : "<ul class=\"stack\" role=\"list\">\(each: model.sources, { source($0, call) })</ul>"
    return """
      \(list)\(if: call.formToken.mayAct, ButtonRow("""
        \(LinkButton(
          localizer.text("heart-rate.import.title"), address: Address.heartRateImport, icon: .download))\
        \(LinkButton(
          localizer.text("heart-rate.phone.title"), address: HeartRateRoutes.phonePath, icon: .phone))
        """).markup)
      """
  }

  private func source(_ source: VitalSource, _ call: Call) -> Markup {
    let kind = localizer.text("heart-rate.kind", ["kind": .text(source.metric.rawValue)])
    let line = localizer.text(
      "heart-rate.last", ["when": .text(when(source.last)), "days": .number(source.days)])
    let fields = [("source", source.source), ("metric", source.metric.rawValue)]
    let isAlone = model.sources.count { $0.metric == source.metric } == 1
    return """
      <li>\(Card(title: "\(kind): \(source.source)", level: .third, """
        <p>\(line)</p>\(if: source.isPreferred && !isAlone, """
          <p>\(localizer.text("heart-rate.counts"))</p>
          """ as Markup)\
        \(ButtonRow("""
          \(if: !source.isPreferred, FormButton(
            localizer.text("heart-rate.prefer"), action: HeartRateRoutes.sourcesPath,
            token: call.formToken, fields: fields, kind: .secondary, object: source.source).markup)\
          \(FormButton(
            localizer.text("heart-rate.remove"), action: HeartRateRoutes.sourcesPath,
            token: call.formToken, fields: fields + [("remove", "1")], kind: .quiet,
            object: source.source))
          """))
        """))</li>
      """
  }

  private func when(_ seconds: Int64) -> String {
    model.clock.text(Timestamp(milliseconds: seconds * 1_000))
  }

  /// Returns the form for a pulse measured by hand.
  private func entry(_ call: Call) -> Markup {
    func message(_ field: String) -> String? {
      mistakes.first { $0.field == field }?.message(localizer)
    }
    return Section(
      localizer.text("heart-rate.enter"),
      """
      \(Disclosure(
        localizer.text("heart-rate.count-title"), "<p>\(localizer.text("heart-rate.count-help"))</p>"))\
      \(Form(
        action: Address.heartRate, token: call.formToken,
        fields: """
          \(FormField(
            "value", label: localizer.text("heart-rate.enter-value"), kind: .integer,
            value: input.value, error: message("value"), unit: localizer.text("heart-rate.unit"),
            localizer: localizer))\
          \(FormField(
            "day", label: localizer.text("heart-rate.enter-day"),
            kind: .date(through: model.today.text), value: input.day,
            hint: localizer.text("heart-rate.enter-day-hint"), error: message("day"),
            isRequired: false, localizer: localizer))
          """,
        buttons: """
          \(Button(
            localizer.text("heart-rate.enter-save"), icon: .check, person: call.formToken.personName))
          """))
      """
    ).markup
  }
}
