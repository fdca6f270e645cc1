// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Supply
import Web

/// The fields of the forms for a supply.
struct StockFields: Sendable {
  let input: StockInput
  let localizer: Localizer
  /// The form that the input belongs to, if a page has several.
  var deed = ""

  private func text(_ key: String) -> String { localizer.text(MessageKey("stock.form.\(key)")) }

  func field(
    _ name: String, _ kind: FieldKind, _ value: String, hint: String? = nil, unit: String? = nil,
    isRequired: Bool = false, issue: StockIssue? = nil
  ) -> FormField {
    let issue = issue ?? StockIssue(rawValue: name)
    let error = issue.flatMap { input.issues.contains($0) ? $0 : nil }
    return FormField(
      name, label: text(name), kind: kind, value: value, hint: hint,
      error: error.map { StockFormatter.issue($0, localizer) }, isRequired: isRequired, unit: unit,
      localizer: localizer)
  }

  /// All mistakes, by field.
  var summary: ErrorSummary {
    ErrorSummary(
      input.issues.flatMap { issue in
        input.fields(of: issue, in: deed).map {
          FieldError(field: $0, message: StockFormatter.issue(issue, localizer))
        }
      }, localizer: localizer)
  }

  /// Returns the fields of a pack: its amount and expiry date.
  func pack(size: String? = nil, unit: String?, asksPrescription: Bool = false) -> Markup {
    """
    \(field("amount", .decimal, input.amount, hint: size, unit: unit, isRequired: size == nil))\
    \(field("expires", .date(), input.expires, hint: text("expires-hint")))\
    \(field("opened", .date(), input.opened, hint: text("opened-hint")))\
    \(field("label", .text, input.label))\(if: asksPrescription, prescription)\(confirmation())
    """
  }

  /// Returns the confirmation that is needed only if the pack has expired.
  func confirmation(_ suffix: String = "") -> Markup {
    guard input.issues.contains(.expired) || input.isConfirmed else { return Markup() }
    return FormField(
      "confirmed" + suffix, label: text("confirmed"),
      kind: .checkboxes([FieldChoice("yes", text("confirmed-yes"))]),
      values: input.isConfirmed ? ["yes"] : [],
      error: input.issues.contains(.expired) ? StockFormatter.issue(.expired, localizer) : nil,
      isRequired: false, localizer: localizer
    ).markup
  }

  /// Returns the question whether the pack was on prescription, shown if refills are counted.
  private var prescription: Markup {
    """
    <input type="hidden" name="asks-prescription" value="yes">\
    \(FormField(
      "prescribed", label: text("prescribed"),
      kind: .checkboxes([FieldChoice("yes", text("prescribed-yes"))]),
      values: input.isPrescribed ? ["yes"] : [], hint: text("prescribed-hint"), isRequired: false,
      localizer: localizer))
    """
  }

  /// Returns the settings of the supply as a whole.
  func settings(unit: String?) -> Markup {
    let forms = StockForm.allCases.map { form in
      FieldChoice(
        form.rawValue, localizer.text("stock.form.forms", ["form": .text(form.rawValue)]))
    }
    return """
      \(field("pack-size", .decimal, input.packSize, hint: text("pack-size-hint"), unit: unit))\
      \(field("form", .select(forms), input.form, hint: text("form-hint"), isRequired: true))\
      \(field("open-days", .integer, input.openDays, hint: text("open-days-hint")))\
      \(field("strength", .decimal, input.strength, hint: text("strength-hint"), unit: "mg"))\
      \(field("lead-days", .integer, input.leadDays, hint: text("lead-days-hint")))\
      \(field("repeats", .integer, input.repeats, hint: text("repeats-hint")))\
      \(field("doctor-weeks", .integer, input.doctorWeeks, hint: text("doctor-weeks-hint")))\
      \(FormField(
        "quiet", label: text("quiet"),
        kind: .checkboxes([FieldChoice("yes", text("quiet-yes"))]),
        values: input.isQuiet ? ["yes"] : [], isRequired: false, localizer: localizer))
      """
  }
}

extension StockFormatter {
  static func issue(_ issue: StockIssue, _ localizer: Localizer) -> String {
    localizer.text("stock.issue", ["issue": .text(issue.rawValue)])
  }
}
