// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Knowledge
import Localization
import Plans
import Web

/// The second step: one button for each answer, so that one tap continues.
struct HowOftenPage: Sendable {
  let opened: OpenedDraft
  /// True if the form came without an answer.
  var isMissing = false

  private var localizer: Localizer { opened.localizer }

  var response: Response {
    var frame = opened.frame(of: .often)
    frame.hasErrors = isMissing
    let missing =
      isMissing
      ? [FieldError(field: "often", message: localizer.text("medicines.problem.schedule"))] : []
    let token = opened.site.token
    let content: Markup = """
      <div class="narrow stack add-steps">\(ErrorSummary(missing, localizer: localizer))\
      \(ChangeNotice(opened: opened))\(notice)\
      \(if: token.mayAct, """
        <form class="form" method="post" \
        action="\(opened.address(of: .often))">\(token)\
        <div class="step-choices">\(ruled)\(each: HowOften.offered, offered)</div></form>
        """)</div>
      """
    return opened.call.page(
      frame, content, status: isMissing ? .unprocessableContent : .ok)
  }

  private var rule: FrequencyRule? { opened.fields.frequencyRule }

  /// The highest frequency, if a higher one is dangerous.
  private var notice: Markup? {
    rule.map { rule in
      Notice(
        .warning,
        title: localizer.text(
          "add-medicine.rule",
          [
            "name": .text(opened.shownName), "count": .number(rule.doses),
            "days": .number(rule.days),
          ])
      ).markup
    }
  }

  /// The answer that follows the frequency rule; it comes first.
  private var ruled: Markup? {
    guard let rule, rule.doses == 1 else { return nil }
    if rule.days == 7 { return button(HowOften.weekly.rawValue, label(.weekly), isFirst: true) }
    return button(
      SchedulingMedicine.ruleAnswer,
      localizer.text("add-medicine.every-days", ["days": .number(rule.days)]), isFirst: true)
  }

  private func offered(_ often: HowOften) -> Markup {
    button(often.rawValue, label(often), isFirst: false)
  }

  private func label(_ often: HowOften) -> String {
    localizer.text("add-medicine.often", ["often": .text(often.rawValue)])
  }

  private func button(_ value: String, _ label: String, isFirst: Bool) -> Markup {
    let isChosen = opened.fields.often?.rawValue == value
    let isTop = isFirst || (value == HowOften.once.rawValue && rule?.doses != 1)
    let id = isTop ? FormField.controlID("often") : nil
    return """
      <button type="submit" class="button button-\(isFirst ? "primary" : "secondary")" \
      name="often" value="\(value)"\(Markup.attribute("id", id))>\
      \(if: isChosen, "\(Icon.check)")<span>\(label)\
      \(if: isChosen, """
        <span class="visually-hidden"> \(localizer.text("add-medicine.chosen"))</span>
        """)</span></button>
      """
  }
}
