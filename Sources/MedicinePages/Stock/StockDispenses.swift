// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Localization
import Plans
import Presentation
import Supply
import Web

/// Dispenses from a pharmacy, offered as packs: one button adds the pack, the other ignores it.
struct StockDispenses: Sendable {
  let forms: StockForms

  private var summary: StockSummary { forms.summary }
  private var stock: Stock { summary.stock }
  private var localizer: Localizer { forms.words.localizer }

  var markup: Markup {
    if summary.offers.isEmpty, summary.withdrawn.isEmpty, summary.corrected.isEmpty {
      return Markup()
    }
    let cards = summary.offers.enumerated().map { index, offer in card(offer, "-d\(index)") }
    return Section(
      localizer.text("stock.dispense.title"), id: "dispenses",
      """
      <div class="stack">\(each: summary.withdrawn, withdrawn)\
      \(each: summary.corrected, corrected)\(cards)</div>
      """
    ).markup
  }

  private func card(_ offer: DispenseOffer, _ suffix: String) -> Markup {
    let dispense = offer.dispense
    let title = said(dispense)
    let typed = forms.typed("dispense", of: dispense.id.text)
    let hidden = [("dispense", dispense.id.text), ("suffix", suffix), ("seen", offer.version)]
    let decline = forms.button(
      "decline", localizer.text("stock.dispense.decline"), [("dispense", dispense.id.text)],
      icon: .stop,
      object: title)
    return """
      <div class="card stack-small"><h3 class="card-title">\(title)</h3>\
      <p class="muted">\(dispense.medicineName)\(person(dispense))</p>\
      \(if: offer.quantity == nil, "<p>\(unknown(dispense))</p>")\
      \(if: offer.isCountedSince, "<p>\(localizer.text("stock.dispense.counted-since"))</p>")\
      \(forms.form(
        "dispense", localizer.text("stock.dispense.add"), hidden: hidden, kind: .primary,
        icon: .plus, object: title, fields(offer, suffix, typed)))\(ButtonRow("\(decline)"))</div>
      """
  }

  private func fields(_ offer: DispenseOffer, _ suffix: String, _ typed: StockInput?) -> Markup {
    let isWrong = typed?.issues.contains(.amount) ?? false
    let amount = FormField(
      "amount\(suffix)", label: localizer.text("stock.form.amount"), kind: .decimal,
      value: typed?.amount, error: isWrong ? StockFormatter.issue(.amount, localizer) : nil,
      unit: forms.unitName, localizer: localizer)
    let asksDay = offer.dispense.expires == nil || typed?.issues.contains(.expires) ?? false
    let confirmation = typed.map {
      StockFields(input: $0, localizer: localizer).confirmation(suffix)
    }
    return """
      \(if: offer.quantity == nil, amount.markup)\
      \(if: asksDay, forms.dateField(.expires, suffix, typed?.expires, typed))\(confirmation)
      """
  }

  private func said(_ dispense: Dispense) -> String {
    localizer.text(
      "stock.dispense.said",
      [
        "amount": .text(amount(dispense) ?? "none"),
        "date": .text(dispense.handedOver.map(forms.words.date) ?? "none"),
      ])
  }

  private func amount(_ dispense: Dispense) -> String? { amount(dispense.amount) }

  private func amount(_ amount: Amount?) -> String? {
    amount.map { MedicineFormatter(localizer: localizer).amount($0) }
  }

  private func unknown(_ dispense: Dispense) -> String {
    localizer.text("stock.dispense.unknown", ["amount": .text(amount(dispense) ?? "none")])
  }

  /// Returns the patient of the dispense, if several people use the supply.
  private func person(_ dispense: Dispense) -> String {
    guard Set(stock.uses.map(\.patient)).count > 1,
      let person = forms.call.people.first(where: { $0.patient == dispense.patient })
    else { return "" }
    return " · \(person.calledName)"
  }

  private func withdrawn(_ dispense: Dispense) -> Markup {
    Notice(
      .warning, title: localizer.text("stock.dispense.withdrawn"),
      "<p>\(said(dispense))</p>\(ButtonRow("\(undo(dispense))"))"
    ).markup
  }

  private func corrected(_ correction: DispenseCorrection) -> Markup {
    let dispense = correction.dispense
    let help = localizer.text(
      "stock.dispense.corrected-help",
      [
        "before": .text(amount(correction.before) ?? "none"),
        "amount": .text(amount(dispense) ?? "none"),
      ])
    return Notice(
      .warning, title: localizer.text("stock.dispense.corrected"),
      """
      <p class="muted">\(dispense.medicineName)\(person(dispense))</p><p>\(help)</p>\
      \(ButtonRow("\(undo(dispense))"))
      """
    ).markup
  }

  private func undo(_ dispense: Dispense) -> FormButton {
    FormButton(
      localizer.text("stock.undo"), action: StockRoutes.address(of: stock),
      token: forms.call.formToken, fields: [("do", "undo"), ("act", dispense.act ?? "")],
      kind: .secondary, icon: .undo, object: said(dispense))
  }
}
