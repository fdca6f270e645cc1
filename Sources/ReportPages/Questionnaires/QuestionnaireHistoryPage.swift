// SPDX-License-Identifier: Apache-2.0

import Diary
import Foundation
import HTML
import Hummingbird
import Localization
import Presentation
import SiteMap
import Storage
import Web

/// Earlier answers to a questionnaire, the latest first, with their score over time.
struct QuestionnaireHistoryPage: Sendable {
  let form: ListedQuestionnaire
  let answers: [AnsweredForm]
  let clock: MedicineClock

  private var localizer: Localizer { clock.localizer }
  private var words: QuestionnaireWords { QuestionnaireWords(localizer: localizer) }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = words.text(form.questionnaire.title)
    frame.lead = localizer.text("questionnaires.history-lead")
    frame.place = .progress
    frame.back = .init(localizer.text("questionnaires.title"), address: Address.questionnaires)
    if call.queryValue("done") == "sent" {
      frame.flash = FlashBar(localizer.text("questionnaires.sent"))
    }
    let again = LinkButton(
      localizer.text("questionnaires.answer"), address: QuestionnaireRoutes.address(form),
      kind: .primary, icon: .pencil)
    guard !answers.isEmpty else {
      return call.page(
        frame,
        """
        <div class="narrow stack">\(EmptyState(
          icon: .document, text: localizer.text("questionnaires.history-empty"),
          action: "\(if: call.formToken.mayAct, again.markup)"))</div>
        """)
    }
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(chart)\(each: answers, { card($0, call) })\
      \(if: call.formToken.mayAct, ButtonRow(again.markup).markup)</div>
      """)
  }

  private func card(_ answer: AnsweredForm, _ call: Call) -> Markup {
    let facts = form.questionnaire.allItems.compactMap { item in
      answer.answers[item.link].map {
        DescriptionList.Item(words.text(item.text), words.answers($0, to: item))
      }
    }
    let score = answer.score.map { words.score($0, of: form.questionnaire) }
    let amended = answer.isAmended ? localizer.text("questionnaires.amended") : nil
    let line = [score, amended].compactMap(\.self).joined(separator: " · ")
    let day = clock.text(answer.authored)
    return Card(
      title: day, level: .second,
      """
      \(if: !line.isEmpty, "<p>\(line)</p>")\(DescriptionList(facts))\
      \(if: call.formToken.mayAct, LinkButton(
        localizer.text("questionnaires.correct"),
        address: "\(QuestionnaireRoutes.address(form))?response=\(answer.response)", icon: .pencil,
        object: day).markup)
      """
    ).markup
  }

  // MARK: The chart

  private static let (width, height, edge) = (600.0, 160.0, 12.0)

  /// The scores as a line over time; empty for fewer than two. The cards below state the same numbers.
  private var chart: Markup {
    let points = answers.reversed().compactMap { answer in
      answer.score.map { (answer.authored, NSDecimalNumber(decimal: $0).doubleValue) }
    }
    guard points.count >= 2, let first = points.first?.0, let last = points.last?.0,
      first < last,
      let limits = form.questionnaire.score?.limits(of: form.questionnaire)
    else { return Markup() }
    let low = NSDecimalNumber(decimal: limits.lowerBound).doubleValue
    let high = NSDecimalNumber(decimal: limits.upperBound).doubleValue
    guard low < high else { return Markup() }
    let span = Double(last.milliseconds - first.milliseconds)
    let places = points.map { at, score -> (Int, Int) in
      let x = Double(at.milliseconds - first.milliseconds) / span
      let y = (score - low) / (high - low)
      return (
        Int(Self.edge + x * (Self.width - 2 * Self.edge)),
        Int(Self.height - Self.edge - y * (Self.height - 2 * Self.edge))
      )
    }
    let line = places.map { "\($0.0),\($0.1)" }.joined(separator: " ")
    let title = localizer.text("questionnaires.chart")
    return """
      <figure><figcaption>\(title)</figcaption>\
      <svg viewBox="0 0 600 160" width="100%" role="img" aria-label="\(title)">\
      <polyline points="\(line)" fill="none" stroke="currentColor" stroke-width="2"/>\
      \(each: places, { place in
        """
        <circle cx="\(String(place.0))" cy="\(String(place.1))" r="4" fill="currentColor"/>
        """ as Markup
      })</svg></figure>
      """
  }
}
