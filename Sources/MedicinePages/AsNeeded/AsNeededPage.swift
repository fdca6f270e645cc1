// SPDX-License-Identifier: Apache-2.0

import Diary
import Dosing
import HTML
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import SiteMap
import Storage
import Web

/// The page of medicines that are taken as needed.
struct AsNeededPage {
  let medicines: [AsNeededMedicine]
  let words: DoseFormatter
  /// The appearance of the medicines.
  var looks = MedicineAppearances()
  /// The follow-ups of the medicines, by plan.
  var followUps: [PlanID: FollowUpFacts] = [:]
  /// The questions that wait for an answer.
  var questions: [OpenFollowUp] = []
  /// The mistake in the posted form, and its medicine.
  var mistake: (plan: PlanID, mistake: AnswerMistake)?

  private var localizer: Localizer { words.localizer }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = localizer.text("as-needed.title")
    frame.lead = localizer.text("as-needed.lead")
    frame.place = .today
    frame.back = .init(localizer.text("today.title"), address: "/")
    frame.secondsFresh = 60
    frame.isLive = true
    frame.hasErrors = mistake != nil
    frame.flash = DoneNote(call)?.flash(
      [], words: words, now: call.now, token: call.formToken, returnPath: Address.asNeeded,
      newIdentifier: call.environment.newIdentifier)
    let content: Markup
    if medicines.isEmpty {
      content =
        EmptyState(
          icon: .pill, text: localizer.text("as-needed.empty"),
          action: """
            \(if: call.formToken.mayAct, LinkButton(
              localizer.text("today.add"), address: "/medicines/new", kind: .primary, icon: .plus
            ).markup)
            """
        ).markup
    } else {
      content = "\(each: medicines, { card($0, call) })"
    }
    return call.page(
      frame, "<div class=\"narrow stack-large\">\(content)</div>",
      status: mistake == nil ? .ok : .unprocessableContent)
  }

  private func card(_ medicine: AsNeededMedicine, _ call: Call) -> Markup {
    let dosage = DosageFormatter(medicine.request, language: localizer.language)
    let lines = AsNeededText(words: words)
    return """
      <section class="card stack" id="plan-\(medicine.plan)">\
      <h2 class="card-title"><a href="/medicines/\(medicine.plan)">\(medicine.medicineName)</a></h2>\
      \(looks.row(medicine.plan, medicine.medicineName, localizer))\
      <p>\(dosage.sentence)</p>\(SenderText(words: dosage, localizer: localizer))\
      <p>\(lines.last(medicine))</p>\(effect(medicine))\(standing(medicine, call.now, lines))\
      \(limits(lines.limits(medicine)))\
      \(if: call.formToken.mayAct, form(medicine, call, lines))</section>\
      \(each: questions.filter { $0.question.plan == medicine.plan }, {
        FollowUpCard($0, on: .asNeeded, words: words, token: call.formToken).markup
      })
      """
  }

  /// Returns how the last doses worked, and the warning about overuse, both before the next dose is logged.
  private func effect(_ medicine: AsNeededMedicine) -> Markup {
    guard let facts = followUps[medicine.plan] else { return Markup() }
    let text = FollowUpText(localizer)
    return """
      \(text.summary(facts.summary).map { "<p>\($0)</p>" as Markup })\(text.overuse(facts))
      """
  }

  /// Returns the dose allowed now, with its warnings.
  private func standing(
    _ medicine: AsNeededMedicine, _ now: Timestamp, _ lines: AsNeededText
  ) -> Markup {
    guard medicine.isAllowed(at: now) else {
      return Notice(.warning, title: lines.next(medicine, now: now)).markup
    }
    if medicine.isLast {
      return Notice(.warning, title: localizer.text("as-needed.last-one")).markup
    }
    guard let left = medicine.left, left < 20 else { return Markup() }
    return "<p>\(localizer.text("as-needed.left", ["count": .number(left)]))</p>"
  }

  private func limits(_ lines: [String]) -> Markup {
    guard !lines.isEmpty else {
      return "<p class=\"muted\">\(localizer.text("as-needed.no-limits"))</p>"
    }
    return "<ul class=\"stack-small\" role=\"list\">\(each: lines, { "<li>\($0)</li>" })</ul>"
  }

  /// The amount for logging the dose offline; only if no question comes first.
  private func known(_ medicine: AsNeededMedicine) -> Markup {
    let amount = EntryPlan.amount(of: medicine.request)
    return """
      <input type="hidden" name="known-value" value="\(amount?.value ?? "")">\
      <input type="hidden" name="known-unit" value="\(amount?.unit ?? "")">
      """
  }

  private func form(
    _ medicine: AsNeededMedicine, _ call: Call, _ lines: AsNeededText
  ) -> Markup {
    let isAllowed = medicine.isAllowed(at: call.now)
    let error = mistake.flatMap { $0.plan == medicine.plan ? $0.mistake.message(localizer) : nil }
    let fields: Markup = """
      <input type="hidden" name="event" value="\(call.environment.newIdentifier())">\
      \(if: isAllowed, known(medicine))\
      <div class="field\(if: error != nil, " has-error")">\
      <label for="reason-\(medicine.plan)">\(localizer.text("as-needed.reason")) \
      <span class="optional">\(localizer.text("parts.field.optional"))</span></label>\
      \(error.map { "<p class=\"field-error\">\($0)</p>" as Markup })\
      \(medicine.purpose.map {
        "<p class=\"hint\" id=\"reason-\(medicine.plan)-hint\">\($0)</p>" as Markup
      })\
      <input class="input" type="text" id="reason-\(medicine.plan)" name="reason" \
      maxlength="200" autocomplete="off"\
      \(Markup.attribute(
        "aria-describedby", medicine.purpose == nil ? nil : "reason-\(medicine.plan)-hint"))></div>
      """
    let text = isAllowed ? localizer.text("as-needed.take") : lines.button(medicine, now: call.now)
    return """
      \(Form(
        action: "\(Address.asNeeded)/\(medicine.plan)", token: call.formToken, fields: fields,
        buttons: """
          \(Button(
            text, kind: isAllowed ? .primary : .secondary, icon: isAllowed ? .check : .clock,
            object: medicine.medicineName, person: call.formToken.personName))\
          \(LinkButton(
            localizer.text("as-needed.another-time"), address: "/entry?medicine=\(medicine.plan)",
            kind: .quiet, icon: .pencil, object: medicine.medicineName))
          """))\
      \(if: !isAllowed, "<p class=\"muted\">\(localizer.text("as-needed.asks-first"))</p>")
      """
  }
}
