// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Localization
import Presentation
import SiteMap
import Supply
import Web

/// The list of all tracked supplies.
struct StockListPage: Sendable {
  let summaries: [StockSummary]
  let done: String?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("stock.title")
    frame.lead = localizer.text("stock.lead")
    frame.place = .medicines
    frame.isLive = true
    frame.back = .init(localizer.text("medicines.title"), address: "/medicines")
    if done == "ended" {
      frame.flash = FlashBar(localizer.text("stock.done", ["what": .text("ended")]))
    }
    let add = LinkButton(
      localizer.text("stock.add"), address: "\(Address.supply)/new", kind: .primary, icon: .plus)
    let mayAct = call.formToken.mayAct
    if summaries.isEmpty {
      let empty = EmptyState(
        icon: .box, text: localizer.text("stock.empty"), action: "\(if: mayAct, add.markup)")
      return call.page(frame, empty.markup)
    }
    let shopping = LinkButton(
      localizer.text("stock.shopping"), address: "\(Address.supply)/shopping", icon: .list)
    let cards = summaries.map { summary in
      StockCard(summary: summary, words: StockFormatter(localizer, today: summary.today)).markup
    }
    return call.page(
      frame,
      """
      <div class="stack-large">\(ButtonRow("\(if: mayAct, add.markup)\(shopping)"))\
      <div class="grid">\(cards)</div></div>
      """)
  }
}

/// The shopping list, starting with what runs out first; made for printing.
struct StockShoppingPage: Sendable {
  let summaries: [StockSummary]

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("stock.shopping")
    frame.lead = localizer.text("stock.shopping-lead")
    frame.place = .medicines
    frame.back = .init(localizer.text("stock.title"), address: Address.supply)
    let wanted =
      summaries.filter { $0.daysLeft != nil || $0.isExpiredOnly }
      .sorted {
        ($0.daysLeft ?? -1, $0.stock.medicineName) < ($1.daysLeft ?? -1, $1.stock.medicineName)
      }
    guard !wanted.isEmpty else {
      return call.page(
        frame, EmptyState(icon: .check, text: localizer.text("stock.nothing-to-get")).markup)
    }
    let cards = wanted.map { card($0, localizer) }
    return call.page(
      frame,
      """
      <div class="stack"><div class="grid">\(cards)</div>\
      <p class="muted">\(localizer.text("stock.print-hint"))</p></div>
      """)
  }

  /// Uses a card instead of a row, since a table of five columns does not fit a phone.
  private func card(_ summary: StockSummary, _ localizer: Localizer) -> Markup {
    let words = StockFormatter(localizer, today: summary.today)
    let stock = summary.stock
    func fact(_ head: String, _ text: String?) -> DescriptionList.Item? {
      text.map {
        .init(localizer.text("stock.head", ["head": .text(head)]), $0)
      }
    }
    let facts = [
      fact("left", words.line(summary)),
      fact("order", summary.orderBy.map { words.date(max($0, summary.today)) }),
      fact("pack", stock.packSize.map { words.amount($0, of: stock) }),
      fact("repeats", stock.repeats.map { localizer.number($0) }),
    ]
    return """
      <section class="card stack-small"><h2 class="card-title">\(stock.title(localizer))</h2>\
      \(AppearancePart(summary.look, localizer))\(DescriptionList(facts.compactMap { $0 }))\
      \(summary.prescriptionBy.map { "<p>\(words.prescription($0))</p>" as Markup })</section>
      """
  }
}

/// The form that starts tracking the supply of a medicine.
struct NewStockPage: Sendable {
  let input: StockInput
  let choices: [StockUse]

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("stock.new-title")
    frame.lead = localizer.text("stock.new-lead")
    frame.place = .medicines
    frame.back = .init(localizer.text("stock.title"), address: Address.supply)
    frame.hasErrors = !input.issues.isEmpty
    let fields = StockFields(input: input, localizer: localizer)
    let medicines =
      choices.map { FieldChoice($0.medicine, $0.planName ?? "") }
      + [FieldChoice("", localizer.text("stock.form.other-medicine"))]
    let units = DoseUnit.allCases.map { FieldChoice($0.rawValue, localizer.name(of: $0)) }
    let form = Form(
      action: "\(Address.supply)/new", token: call.formToken,
      fields: """
        \(fields.field("medicine", .select(medicines), input.medicine, isRequired: true))\
        \(fields.field(
          "name", .text, input.name, hint: localizer.text("stock.form.name-hint")))\
        \(fields.field("unit", .select(units), input.unit, isRequired: true))\
        \(fields.pack(unit: nil))\
        \(Disclosure(
          localizer.text("stock.form.more"), isOpen: !input.issues.isEmpty,
          fields.settings(unit: nil)))
        """,
      buttons: """
        \(Button(localizer.text("stock.form.begin"), icon: .check, person: call.formToken.personName))
        """)
    return call.page(
      frame, "<div class=\"narrow stack\">\(fields.summary)\(form)</div>",
      status: input.issues.isEmpty ? .ok : .unprocessableContent)
  }
}
