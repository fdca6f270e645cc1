// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Identifiers
import Localization
import Presentation
import Scheduling
import Web

/// The form of a child's medicine, with the amount picker in three parts.
struct ChildPlanPage: Sendable {
  /// Fraction signs that are the same in every language.
  private static let fractionSigns = ["0", "¼", "½", "¾"]

  let child: Child
  /// The id of the stored medicine, or of the one to be created.
  let plan: PlanID
  /// The version that the form shows; nil for a new one.
  let version: Int64?
  var input: ChildPlanInput
  var errors: [FieldError] = []
  var contraindications: SafetyQuestionFields?
  /// The interactions of the medicine, after the check.
  var interactions: InteractionStep?
  /// The answers to contraindications and questions.
  var answers = Markup()
  /// The appearance as typed.
  var look = AppearanceInput()
  /// True if the medicine was copied from another child, so that its amount is still open.
  var isCopy = false
  /// True if someone changed it in the meantime.
  var isOutdated = false

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let name = child.person.name
    var frame = call.frame()
    frame.title = localizer.text(
      version == nil ? "children.form.new" : "children.form.edit", ["name": .text(name)])
    frame.lead = child.age(localizer)
    frame.place = .people
    frame.back = .init(name, address: ChildRoutes.address(child.patient))
    let all = errors + look.errors(localizer) + (contraindications?.errors ?? [])
    frame.hasErrors = !all.isEmpty
    let notice: Markup =
      isOutdated
      ? Notice(
        .warning, title: localizer.text("medicines.form.outdated"),
        "<p>\(localizer.text("medicines.form.outdated-help"))</p>"
      ).markup
      : isCopy
        ? Notice(
          .information, title: localizer.text("children.form.copied", ["name": .text(name)]),
          LinkButton(
            localizer.text("children.how-much"),
            address: ChildRoutes.address(child.patient, "dose"), icon: .pill, object: name
          ).markup
        ).markup : Markup()
    return call.page(
      frame,
      """
      <div class="narrow stack">\(ErrorSummary(all, localizer: localizer))\(notice)\
      \(Form(
        action: action, token: call.formToken, fields: fields(localizer),
        buttons: """
          \(Button(
            localizer.text("children.form.save"), icon: .check, person: call.formToken.personName))\
          \(LinkButton(
            localizer.text("medicines.form.cancel"), address: ChildRoutes.address(child.patient),
            kind: .quiet))
          """))</div>
      """, status: isOutdated ? .conflict : all.isEmpty ? .ok : .unprocessableContent)
  }

  private var action: String {
    version == nil
      ? ChildRoutes.address(child.patient, "new")
      : ChildRoutes.address(child.patient, plan: plan, "edit")
  }

  private func fields(_ localizer: Localizer) -> Markup {
    """
    \(if: version == nil, "<input type=\"hidden\" name=\"plan\" value=\"\(plan)\">")\
    \(version.map { "<input type=\"hidden\" name=\"version\" value=\"\($0)\">" as Markup })\
    \(contraindications.map { $0.markup } ?? answers)\(interactions)\
    \(FieldGroup(localizer.text("medicines.form.section-what"), what(localizer)))\
    \(FieldGroup(
      localizer.text("children.form.amount"), hint: localizer.text("children.form.amount-hint"),
      amount(localizer)))\
    \(FieldGroup(localizer.text("medicines.form.section-when"), when(localizer)))\
    \(FieldGroup(localizer.text("medicines.form.section-days"), days(localizer)))\
    \(AppearanceFields(input: look, localizer: localizer).folded)
    """
  }

  private func what(_ localizer: Localizer) -> Markup {
    """
    \(FormField(
      "name", label: localizer.text("medicines.form.name"), value: input.name,
      hint: localizer.text("children.form.name-hint"), error: error("name"), autocomplete: "off",
      maximumLength: 200, localizer: localizer))\
    <p class="hint">\(localizer.text("children.form.strength-hint"))</p>\
    <div class="field-row">\
    \(FormField(
      "strength-mg", label: localizer.text("children.form.strength-mg"), kind: .decimal,
      value: input.strengthMass, error: error("strength-mg"), isRequired: false,
      unit: localizer.text("children.form.mg"), maximumLength: 12, localizer: localizer))\
    \(FormField(
      "strength-ml", label: localizer.text("children.form.strength-ml"), kind: .decimal,
      value: input.strengthVolume, error: error("strength-ml"), isRequired: false,
      unit: localizer.text("children.form.ml"), maximumLength: 12, localizer: localizer))</div>
    """
  }

  private func amount(_ localizer: Localizer) -> Markup {
    let fractions = zip(ChildPlanInput.fractions, Self.fractionSigns).map { FieldChoice($0, $1) }
    let units = ChildPlanInput.units.map { FieldChoice($0.rawValue, localizer.name(of: $0)) }
    return """
      <div class="field-row">\
      \(FormField(
        "whole", label: localizer.text("children.form.whole"), kind: .integer, value: input.whole,
        error: error("whole"), autocomplete: "off", maximumLength: 4, localizer: localizer))\
      \(FormField(
        "fraction", label: localizer.text("children.form.fraction-label"), kind: .select(fractions),
        value: input.fraction, localizer: localizer))\
      \(FormField(
        "unit", label: localizer.text("children.form.unit"), kind: .select(units),
        value: input.unit, localizer: localizer))</div>
      """
  }

  private func when(_ localizer: Localizer) -> Markup {
    let choices = [
      FieldChoice("times", localizer.text("children.form.times")),
      FieldChoice("as-needed", localizer.text("children.form.as-needed")),
    ]
    let missing = max(0, ChildPlanInput.offeredTimes - input.times.count)
    let rows = input.times + (0..<missing).map { _ in .init(slot: nil, text: "") }
    return """
      \(FormField(
        "when", label: localizer.text("children.form.when"), kind: .radios(choices),
        value: input.when?.rawValue, error: error("when"), localizer: localizer))\
      <div class="field\(if: error("time") != nil, " has-error")" role="group" \
      aria-labelledby="child-times">\
      <p id="child-times"><strong>\(localizer.text("children.form.time"))</strong></p>\
      \(error("time").map { "<p class=\"field-error\">\($0)</p>" as Markup })\
      <div class="field-row">\(each: Array(rows.enumerated()), { time($0.offset, $0.element, localizer) })\
      </div></div>\
      <div class="field-row">\
      \(FormField(
        "gap", label: localizer.text("children.form.gap"), kind: .integer, value: input.gap,
        error: error("gap"), isRequired: false, unit: localizer.text("children.form.hours"),
        maximumLength: 2, localizer: localizer))\
      \(FormField(
        "most", label: localizer.text("children.form.most"), kind: .integer, value: input.most,
        error: error("most"), isRequired: false, maximumLength: 2, localizer: localizer))</div>\
      \(FormField(
        "need", label: localizer.text("children.form.need"), value: input.need,
        error: error("need"), isRequired: false, maximumLength: 200, localizer: localizer))
      """
  }

  private func time(
    _ number: Int, _ row: MedicineInput.TimeRow, _ localizer: Localizer
  ) -> Markup {
    let id =
      number == 0 ? FormField.controlID("time") : "\(FormField.controlID("time"))-\(number + 1)"
    return """
      <div class="field"><label for="\(id)">\(localizer.text(
        "children.form.time-number", ["n": .number(number + 1)]))</label>\
      <input class="input" type="time" id="\(id)" name="time" value="\(row.text)">\
      <input type="hidden" name="time-slot" value="\(row.slot.map { String($0) } ?? "")"></div>
      """
  }

  private func days(_ localizer: Localizer) -> Markup {
    """
    <div class="field-row">\
    \(FormField(
      "start", label: localizer.text("medicines.form.start"), kind: .date(), value: input.start,
      error: error("start"), localizer: localizer))\
    \(FormField(
      "end", label: localizer.text("medicines.form.end"), kind: .date(), value: input.end,
      hint: localizer.text("medicines.form.end-hint"), error: error("end"), isRequired: false,
      localizer: localizer))</div>\
    \(FormField(
      "note", label: localizer.text("medicines.form.note"), kind: .lines(2), value: input.note,
      error: error("note"), isRequired: false, maximumLength: 1_000, localizer: localizer))
    """
  }

  private func error(_ field: String) -> String? {
    errors.first { $0.field == field }?.message
  }
}
