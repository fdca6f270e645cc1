// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import Hummingbird
import Identifiers
import Localization
import Plans
import SiteMap
import Web

/// The page of the effect of a medicine, with the controls that choose what it shows.
struct EffectPage: Sendable {
  let plan: Plan
  let content: EffectContent
  /// False if the viewer may not see measurements.
  let showsMeasures: Bool
  /// True if the viewer may see the report.
  let mayReport: Bool
  /// True if the viewer's choice of measures is kept for the next time.
  let keepsChoice: Bool

  private var path: String { EffectRoutes.address(plan.id) }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let words = EffectText(localizer: localizer)
    var frame = call.frame()
    frame.title = localizer.text("effect.title")
    frame.lead = plan.medicineName
    frame.place = .medicines
    frame.back = .init(plan.medicineName, address: "/medicines/\(plan.id)")
    return call.page(
      frame,
      """
      <div class="stack-large">\(choices(words, call.formToken))\
      \(if: content.series.isEmpty, nothing(localizer))\
      \(EffectFigure(content: content, words: words))\(comparisons(words))</div>
      """)
  }

  private func nothing(_ localizer: Localizer) -> Markup {
    Notice(
      .information,
      title: localizer.text(showsMeasures ? "effect.no-measures" : "effect.not-shared")
    ).markup
  }

  // MARK: Choices

  private func choices(_ words: EffectText, _ token: FormToken) -> Markup {
    let localizer = words.localizer
    let kept = content.series.map { "&measure=\(QueryText.encode($0.measure.measure.key))" }
    let tabs = EffectRange.allCases.map { range in
      SegmentedTabs.Tab(
        localizer.text("effect.range", ["range": .text(range.rawValue)]),
        address: "\(path)?range=\(range.rawValue)\(kept.joined())",
        isCurrent: range == content.range)
    }
    return """
      <div class="stack">\(SegmentedTabs(label: localizer.text("charts.range-label"), tabs))\
      \(if: content.measures.count > 1, measures(words, token))</div>
      """
  }

  private func measures(_ words: EffectText, _ token: FormToken) -> Markup {
    let localizer = words.localizer
    let all = content.measures.map { FieldChoice($0.measure.key, words.name($0)) }
    func value(_ index: Int) -> String {
      index < content.series.count ? content.series[index].measure.measure.key : ""
    }
    let first = FormField(
      "measure", label: localizer.text("effect.measure"), kind: .select(all), value: value(0),
      isRequired: true, localizer: localizer)
    let second = FormField(
      "second", label: localizer.text("effect.second"),
      kind: .select([FieldChoice("", localizer.text("effect.none"))] + all), value: value(1),
      isRequired: true, localizer: localizer)
    let fields: Markup = """
      <input type="hidden" name="range" value="\(content.range.rawValue)">\(first)\(second)
      """
    let button = Button(localizer.text("report.show"), icon: .check)
    if keepsChoice {
      return Disclosure(
        localizer.text("effect.choose"),
        Form(action: path, token: token, fields: fields, buttons: button.markup).markup
      ).markup
    }
    return Disclosure(
      localizer.text("effect.choose"),
      """
      <form class="form stack" method="get" action="\(path)" novalidate>\
      \(fields)\(ButtonRow(button.markup))</form>
      """
    ).markup
  }

  // MARK: Before and after

  /// The link to the report with the comparisons of the shown measures, for those who may export.
  private func reportLink(_ localizer: Localizer) -> Markup {
    guard mayReport else { return Markup() }
    let added = content.series.map { series in
      ReportEffectChoice(plan: plan.id, measure: series.measure.measure.key).query
    }
    return ButtonRow(
      LinkButton(
        localizer.text("effect.add-to-report"),
        address: "\(Address.report)?days=\(ReportPeriod.usual)\(added.joined())", icon: .document
      ).markup
    ).markup
  }

  private func comparisons(_ words: EffectText) -> Markup {
    let localizer = words.localizer
    guard !content.comparisons.isEmpty else { return Markup() }
    let items = content.comparisons.map { comparison -> Markup in
      """
      <li class="stack-small"><h3>\(words.title(comparison))</h3>\
      \(DescriptionList(words.lines(comparison).map { DescriptionList.Item($0.term, $0.text) }))</li>
      """
    }
    return """
      \(Section(localizer.text("effect.comparisons"), id: "comparisons", """
        <p><strong>\(localizer.text("effect.not-cause"))</strong></p>\
        <ul class="stack" role="list">\(items)</ul>\(reportLink(localizer))
        """))\
      \(Disclosure(localizer.text("effect.how"), """
        <ul>\(each: ["windows", "fewest", "interval", "doses"], { part in
          "<li>\(localizer.text("effect.method", ["part": .text(part)]))</li>" as Markup
        })</ul>
        """))
      """
  }
}
