// SPDX-License-Identifier: Apache-2.0

import HeartRate
import HTML
import Hummingbird
import Identifiers
import Localization
import Presentation
import SiteMap
import Web

/// All warnings of a year: observations, times, answers, and the counts.
struct WarningLogPage: Sendable {
  let warnings: [Warning]
  let clock: MedicineClock
  /// Answers reveal intakes, which are shared separately.
  let showsAnswers: Bool
  /// True for professionals: the person doesn't see a number that is easily misread.
  let showsProbability: Bool

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("heart-rate-monitoring.log.title")
    frame.lead = localizer.text("heart-rate-monitoring.log.lead")
    frame.place = .progress
    frame.back = .init(
      localizer.text("heart-rate-monitoring.title"), address: Address.heartRateMonitoring)
    let content: Markup =
      warnings.isEmpty
      ? EmptyState(icon: .heart, text: localizer.text("heart-rate-monitoring.log.none")).markup
      : "\(if: showsAnswers, counts(localizer))\(each: warnings, { article($0, call) })"
    return call.page(frame, "<div class=\"narrow stack\">\(content)</div>")
  }

  private func counts(_ localizer: Localizer) -> Markup {
    let asked = warnings.filter { $0.kind == .heart }
    func count(_ answer: Warning.Answer?) -> String {
      localizer.number(asked.count { $0.answer == answer })
    }
    func label(_ which: String) -> String {
      localizer.text("heart-rate-monitoring.log.count", ["which": .text(which)])
    }
    return Card(
      title: localizer.text("heart-rate-monitoring.log.counts"),
      DescriptionList([
        .init(label("asked"), localizer.number(asked.count)), .init(label("yes"), count(.yes)),
        .init(label("no"), count(.no)), .init(label("unwell"), count(.unwell)),
        .init(label("closed"), count(.closed)), .init(label("none"), count(nil)),
        .init(label("wear"), localizer.number(warnings.count - asked.count)),
      ]).markup
    ).markup
  }

  private func probability(_ warning: Warning, _ text: WarningText) -> Markup {
    guard let sentence = text.probability(warning) else { return Markup() }
    return "<p>\(sentence)</p>"
  }

  private func article(_ warning: Warning, _ call: Call) -> Markup {
    let text = WarningText(localizer: call.localizer)
    let isOpen = warning.answer == nil && call.formToken.mayAct
    let answered = warning.answered.map { at in
      call.localizer.text(
        "heart-rate-monitoring.log.answered",
        [
          "when": .text(clock.text(at)), "name": .text(warning.answeredBy ?? ""),
        ])
    }
    return """
      <article>\(Card(title: clock.text(warning.created), level: .second, """
        <p>\(text.seen(warning))</p>\(if: showsProbability, probability(warning, text))\
        \(if: showsAnswers, """
          <p>\(text.answer(warning))\(answered.map { " \($0)" as Markup })</p>
          """ as Markup)\(if: isOpen, LinkButton(
          call.localizer.text("heart-rate-monitoring.answer-it"),
          address: WarningRoutes.address(of: warning.id.text)).markup)
        """))</article>
      """
  }
}
