// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Presentation
import Web

/// All questions about a medicine, in the order in which a person would describe it.
struct MedicineFields: PagePart {
  let input: MedicineInput
  let expanded: String?
  /// Messages by field name.
  let errors: [String: String]
  let localizer: Localizer
  /// True if the form asks whether the medicine is taken with food.
  var asksFood = false

  private var words: MedicineFormatter { MedicineFormatter(localizer: localizer) }

  var markup: Markup {
    """
    \(FieldGroup(text("section-what"), what))\
    \(FieldGroup(text("section-dose"), dose))\
    \(FieldGroup(text("section-when"), when))\
    \(FieldGroup(text("section-days"), days))\
    \(MissedDoseAdviceFields(input: input, errors: errors, localizer: localizer))\
    \(FieldGroup(text("section-note"), note))
    """
  }

  private var what: Markup {
    let forms =
      [FieldChoice("", text("form-none"))]
      + MedicineForm.allCases.map { FieldChoice($0.rawValue, words.name(of: $0)) }
    var units = StrengthUnit.allCases.map(\.rawValue)
    if !input.strengthUnit.isEmpty, !units.contains(input.strengthUnit) {
      units.append(input.strengthUnit)
    }
    return """
      \(FormField(
        "name", label: text("name"), value: input.name, hint: text("name-hint"),
        error: errors["name"], autocomplete: "off", maximumLength: 200, localizer: localizer))\
      \(FormField(
        "form", label: text("form"), kind: .select(forms), value: input.form,
        error: errors["form"], isRequired: false, localizer: localizer))\
      <div class="field-row">\
      \(FormField(
        "strength-value", label: text("strength"), kind: .decimal, value: input.strengthValue,
        hint: text("strength-hint"), error: errors["strength-value"], isRequired: false,
        maximumLength: 24, localizer: localizer))\
      \(FormField(
        "strength-unit", label: text("strength-unit"),
        kind: .select(units.map { FieldChoice($0, words.name(ofStrengthUnit: $0)) }),
        value: input.strengthUnit, localizer: localizer))</div>
      """
  }

  private var dose: Markup {
    let units =
      [FieldChoice("", text("dose-unit-same"))]
      + DoseUnit.allCases.map { FieldChoice($0.rawValue, localizer.name(of: $0)) }
    return """
      <div class="field-row">\
      \(FormField(
        "dose-value", label: text("dose"), kind: .decimal, value: input.doseValue,
        hint: text("dose-hint"), error: errors["dose-value"], maximumLength: 24,
        localizer: localizer))\
      \(FormField(
        "dose-unit", label: text("dose-unit"), kind: .select(units), value: input.doseUnit,
        hint: text("dose-unit-hint"), error: errors["dose-unit"], localizer: localizer))</div>\
      \(Disclosure(
        text("mix-title"), isOpen: !input.pattern.mix.isEmpty || errors["dose-mix"] != nil,
        FormField(
          "dose-mix", label: text("mix"), value: input.pattern.mix, hint: text("mix-hint"),
          error: errors["dose-mix"], isRequired: false, autocomplete: "off", maximumLength: 80,
          localizer: localizer
        ).markup))\
      \(FormField(
        "most-amount", label: text("most-amount"), kind: .decimal, value: input.mostAmount,
        hint: text("most-amount-hint"), error: errors["most-amount"], isRequired: false,
        maximumLength: 24, localizer: localizer))\
      \(if: asksFood, FoodField(value: input.food, localizer: localizer).markup)
      """
  }

  private var when: Markup {
    ScheduleFields(input: input, expanded: expanded, errors: errors, localizer: localizer).markup
  }

  private var days: Markup {
    let policies = [ZonePolicy.follow, .home, .elapsed].map { policy in
      FieldChoice(
        policy.rawValue,
        localizer.text("plans.policy", ["policy": .text(policy.rawValue)]),
        hint: localizer.text("medicines.form.policy-hint", ["policy": .text(policy.rawValue)]))
    }
    return """
      <div class="field-row">\
      \(FormField(
        "start", label: text("start"), kind: .date(), value: input.start,
        error: errors["start"], localizer: localizer))\
      \(FormField(
        "end", label: text("end"), kind: .date(), value: input.end, hint: text("end-hint"),
        error: errors["end"], isRequired: false, localizer: localizer))</div>\
      \(FormField(
        "policy", label: text("policy"), kind: .radios(policies), value: input.policy,
        localizer: localizer))
      """
  }

  private var note: Markup {
    FormField(
      "instruction", label: text("note"), kind: .lines(3), value: input.instruction,
      hint: text("note-hint"), error: errors["instruction"], isRequired: false,
      maximumLength: 1000, localizer: localizer
    ).markup
  }

  private func text(_ name: String) -> String {
    localizer.text(MessageKey("medicines.form.\(name)"))
  }
}
