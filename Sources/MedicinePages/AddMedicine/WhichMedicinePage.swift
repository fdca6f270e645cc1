// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Knowledge
import Localization
import Plans
import Presentation
import Web

/// The first step once a medicine is chosen: its name, form and strength.
struct WhichMedicinePage: Sendable {
  let site: StepSite
  let fields: AddedFields
  /// The draft being changed; nil for a new one.
  var opened: OpenedDraft?
  var errors = StepErrors()

  /// Creates the page of a draft that is not stored yet.
  init(site: StepSite, fields: AddedFields, errors: StepErrors = StepErrors()) {
    self.site = site
    self.fields = fields
    self.errors = errors
  }

  /// Creates the page of a stored draft.
  init(opened: OpenedDraft, errors: StepErrors = StepErrors()) {
    self.opened = opened
    self.errors = errors
    site = opened.site
    fields = opened.fields
  }

  var response: Response {
    let localizer = site.localizer
    let name = opened.flatMap { $0.isChange ? $0.shownName : nil } ?? ""
    var frame = site.frame(
      of: .which, name: name,
      back: opened?.isChange ?? false
        ? site.home
        : .init(localizer.text("add-medicine.search-again"), address: site.start))
    frame.hasErrors = !errors.isEmpty
    frame.scripts = [PageAssets.steps]
    return site.call.page(
      frame,
      """
      <div class="narrow stack add-steps">\(ErrorSummary(errors.all, localizer: localizer))\
      \(opened.map { ChangeNotice(opened: $0).markup })\
      \(Form(
        action: opened?.address(of: .which) ?? site.start,
        token: site.token, fields: content(localizer),
        buttons: Button(localizer.text("add-medicine.continue")).markup))</div>
      """, status: errors.isEmpty ? .ok : .unprocessableContent)
  }

  private func content(_ localizer: Localizer) -> Markup {
    let choices = ProductChoice.choices(of: fields.known)
    let pick: Markup? = fields.pick.map { "<input type=\"hidden\" name=\"pick\" value=\"\($0)\">" }
    let name = FormField(
      "name", label: localizer.text("medicines.form.name"), value: fields.form.raw("name"),
      error: errors.byField["name"], autocomplete: "off", maximumLength: 200,
      localizer: localizer)
    guard !choices.isEmpty else { return "\(pick)\(name)\(typed(isAlone: true, localizer))" }
    let products =
      choices.map { FieldChoice($0.code, $0.label(localizer)) }
      + [FieldChoice(ProductChoice.other, localizer.text("add-medicine.product-other"))]
    return """
      \(pick)\(name)\
      \(FormField(
        "product", label: localizer.text("add-medicine.products"),
        kind: .radios(products, isCompact: true), value: product,
        error: errors.byField["product"], isRequired: false, localizer: localizer))\
      <div class="stack" data-shown-by="product=\(ProductChoice.other)">\
      \(typed(isAlone: false, localizer))</div>
      """
  }

  /// The chosen answer, even if it contradicts the typed text.
  private var product: String {
    errors.byField["product"] == nil ? fields.product : fields.form.raw("product") ?? ""
  }

  /// The fields for a form and strength that are not offered.
  private func typed(isAlone: Bool, _ localizer: Localizer) -> Markup {
    let input = fields.input
    let isShown = isAlone || product == ProductChoice.other || errors.byField["product"] != nil
    let words = MedicineFormatter(localizer: localizer)
    let forms =
      [FieldChoice("", localizer.text("medicines.form.form-none"))]
      + MedicineForm.allCases.map { FieldChoice($0.rawValue, words.name(of: $0)) }
    var units = StrengthUnit.allCases.map(\.rawValue)
    if !input.strengthUnit.isEmpty, !units.contains(input.strengthUnit) {
      units.append(input.strengthUnit)
    }
    let unit = input.strengthUnit.isEmpty ? StrengthUnit.milligram.rawValue : input.strengthUnit
    return """
      \(FormField(
        "form", label: localizer.text("medicines.form.form"), kind: .select(forms),
        value: isShown ? input.form : "", error: errors.byField["form"], isRequired: false,
        localizer: localizer))\
      <div class="field-row">\
      \(FormField(
        "strength-value", label: localizer.text("medicines.form.strength"), kind: .decimal,
        value: isShown ? input.strengthValue : "", error: errors.byField["strength-value"],
        isRequired: false, maximumLength: 24, localizer: localizer))\
      \(FormField(
        "strength-unit", label: localizer.text("medicines.form.strength-unit"),
        kind: .select(units.map { FieldChoice($0, words.name(ofStrengthUnit: $0)) }), value: unit,
        localizer: localizer))</div>
      """
  }
}
