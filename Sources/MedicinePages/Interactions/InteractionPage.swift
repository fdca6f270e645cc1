// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTML
import Hummingbird
import Knowledge
import Localization
import Plans
import Prescriptions
import Presentation
import SiteMap
import Storage
import Web

/// The interactions of all of a person's medicines.
struct InteractionPage: Sendable {
  /// A limit as it was typed.
  struct TypedLimit: Sendable, Hashable {
    let ingredient: String
    let value: String
    let unit: String
    let hours: String
  }

  struct Mistake: Sendable, Hashable {
    let error: IngredientLimitError
    let typed: TypedLimit
  }

  let said: InteractionText
  let limits: [IngredientLimit]
  let uses: [IngredientUse]
  let source: InteractionSource
  var mistake: Mistake?

  private var localizer: Localizer { said.words.localizer }
  private var report: InteractionReport { said.checked.report }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = text("page-title")
    frame.lead = text("lead")
    frame.place = .medicines
    frame.back = .init(localizer.text("medicines.back-to-list"), address: "/medicines")
    frame.hasErrors = mistake != nil
    if call.queryValue("done") == "saved" { frame.flash = FlashBar(text("saved")) }
    let errors = mistake.map {
      [FieldError(field: field($0.typed.ingredient, $0.error), message: message($0.error))]
    }
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(ErrorSummary(errors ?? [], localizer: localizer))\
      \(Section(found, id: "found", """
        <div class="stack">\(warnings(call.formToken))\
        \(InteractionGaps(report: report, said: said))</div>
        """))\
      \(if: said.checked.seesBody, conditions(call))\(ingredients(call))\
      \(Section(text("about-list"), about))</div>
      """, status: mistake == nil ? .ok : .unprocessableContent)
  }

  /// The number of interactions found, at the top.
  private var found: String {
    localizer.text("interactions.count", ["count": .number(report.warnings.count)])
  }

  private func warnings(_ token: FormToken) -> Markup {
    if said.checked.medicines.isEmpty { return "<p>\(text("no-medicines"))</p>" }
    if report.warnings.isEmpty { return "<p>\(text("none"))</p>" }
    return InteractionCards(report: report, said: said, token: token).markup
  }

  // MARK: Conditions

  private func conditions(_ call: Call) -> Markup {
    let choices = said.list.conditions.map { condition in
      FieldChoice(
        condition.id, Handbook.shipped.words(condition.label, in: localizer.language))
    }
    let form = Form(
      action: InteractionRoutes.conditionsPath, token: call.formToken,
      fields: FormField(
        InteractionRoutes.conditionField, label: text("conditions-question"),
        kind: .checkboxes(choices), values: said.checked.stated.sorted(),
        hint: text("conditions-hint"), isRequired: false, localizer: localizer
      ).markup,
      buttons: Button(
        text("save"), kind: .secondary, icon: .check, person: call.formToken.personName
      ).markup)
    return Section(
      text("conditions"), id: "conditions",
      """
      <div class="stack">\(form)\
      <p>\(text("allergies-are-at")) <a href="\(Address.healthProfile)#allergies">\
      \(localizer.text("health-profile.allergies.title"))</a></p></div>
      """
    ).markup
  }

  // MARK: Limits of ingredients

  private func ingredients(_ call: Call) -> Markup {
    let taken = Set(said.checked.medicines.filter(\.isKnown).flatMap(\.contents))
    let all = taken.union(limits.map(\.ingredient)).sorted()
    guard !all.isEmpty else { return Markup() }
    return Section(
      text("limits"), id: "limits",
      """
      <p>\(text("limits-help"))</p><div class="stack">\(each: all, { ingredient($0, call) })</div>
      """
    ).markup
  }

  private func ingredient(_ name: String, _ call: Call) -> Markup {
    let limit = limits.first { $0.ingredient == name }
    let products = said.checked.medicines.filter { $0.contents.contains(name) }
      .map(\.shownName)
    let typed = mistake.flatMap { $0.typed.ingredient == name ? $0.typed : nil }
    let error = typed == nil ? nil : mistake?.error
    let form = Form(
      action: InteractionRoutes.limitsPath, token: call.formToken,
      fields: """
        <input type="hidden" name="ingredient" value="\(name)">\
        <div class="field-row">\
        \(number("most", name, text("limit-most"), typed?.value ?? limit?.value ?? "",
          error: error == .value || error == .ingredient ? error : nil))\
        \(unit(name, typed?.unit ?? limit?.unit ?? "mg"))\
        \(number("hours", name, text("limit-hours"),
          typed?.hours ?? limit.map { String($0.hours) } ?? "24",
          error: error == .hours ? error : nil))</div>
        """,
      buttons: Button(
        text("limit-save"), kind: .secondary, icon: .check, object: name,
        person: call.formToken.personName
      ).markup)
    return Card(
      title: name, level: .third,
      """
      <p>\(products.joined(separator: ", "))</p>\
      \(limit.map { "<p>\(line($0))</p>" as Markup })\(use(of: name))\
      \(Disclosure(
        text(limit == nil ? "limit-set" : "limit-change"), object: name, isOpen: typed != nil,
        form.markup))
      """
    ).markup
  }

  private func line(_ limit: IngredientLimit) -> String {
    localizer.text(
      "interactions.limit",
      [
        "amount": .text(amount(limit.value, limit)),
        "length": .text(said.words.duration(minutes: limit.hours * 60)),
        "name": .text(limit.byName), "when": .text(said.words.moment(limit.since)),
      ])
  }

  private func use(of name: String) -> Markup {
    guard let use = uses.first(where: { $0.limit.ingredient == name }) else { return Markup() }
    let taken = NSDecimalNumber(decimal: use.taken).stringValue
    let uncounted = localizer.text(
      "interactions.uncounted", ["count": .number(use.uncounted)])
    return """
      <p>\(localizer.text(
        "interactions.taken",
        [
          "amount": .text(amount(taken, use.limit)), "count": .number(use.counted),
        ]))</p>\
      \(if: use.uncounted > 0, "<p><strong>\(uncounted)</strong></p>")
      """
  }

  private func amount(_ value: String, _ limit: IngredientLimit) -> String {
    Amount(value: value, unit: limit.unit, code: limit.unit).map(said.words.amount) ?? value
  }

  /// Returns a number field; the page has several forms, so the ids must differ.
  private func number(
    _ field: String, _ ingredient: String, _ label: String, _ value: String,
    error: IngredientLimitError?
  ) -> Markup {
    let id = "field-\(field)-\(slug(ingredient))"
    return """
      <div class="field\(if: error != nil, " has-error")"><label for="\(id)">\(label)</label>\
      \(error.map { "<p class=\"field-error\" id=\"\(id)-error\">\(message($0))</p>" as Markup })\
      <input class="input input-number" type="text" inputmode="decimal" id="\(id)" \
      name="\(field)" value="\(value)" maxlength="12"\
      \(Markup.attribute("aria-describedby", error == nil ? nil : "\(id)-error"))></div>
      """
  }

  private func unit(_ ingredient: String, _ chosen: String) -> Markup {
    let id = "field-unit-\(slug(ingredient))"
    return """
      <div class="field"><label for="\(id)">\(text("limit-unit"))</label>\
      <select class="input" id="\(id)" name="unit">\(each: IngredientLimits.units, { unit in
        "<option value=\"\(unit)\"\(Markup.attribute("selected", unit == chosen))>\(unitName(unit))</option>"
      })</select></div>
      """
  }

  private func unitName(_ unit: String) -> String { unit == "ug" ? "µg" : unit }

  private func slug(_ name: String) -> String {
    String(name.map { $0.isLetter || $0.isNumber ? $0 : "-" })
  }

  private func field(_ ingredient: String, _ error: IngredientLimitError) -> String {
    "\(error == .hours ? "hours" : "most")-\(slug(ingredient))"
  }

  private func message(_ error: IngredientLimitError) -> String {
    localizer.text("interactions.limit-problem", ["problem": .text(error.rawValue)])
  }

  // MARK: The list

  private var about: Markup {
    var items = [
      DescriptionList.Item(text("list-version"), said.list.version),
      DescriptionList.Item(
        text("list-rows"), localizer.number(said.list.interactions.count)),
    ]
    if let own = said.list.own {
      items.append(
        DescriptionList.Item(
          text("list-own"),
          localizer.text(
            "interactions.list-own-value",
            ["version": .text(own.version), "count": .number(own.count)])))
    }
    return "<p>\(text("list-help"))</p>\(DescriptionList(items))"
  }

  private func text(_ name: String) -> String { localizer.text(MessageKey("interactions.\(name)")) }
}
