// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Localization
import Plans
import Presentation
import Scheduling
import Supply
import Web

/// The forms for a supply: each posts to its page, with its action in `do`.
struct StockForms: Sendable {
  let summary: StockSummary
  let choices: [StockUse]
  let input: StockInput?
  let failed: String?
  let call: Call
  let words: StockFormatter

  private var stock: Stock { summary.stock }
  private var localizer: Localizer { words.localizer }
  private var action: String { StockRoutes.address(of: stock) }
  var unitName: String? {
    DoseUnit(code: stock.unit.code, text: stock.unit.unit).map { localizer.name(of: $0) }
  }

  func form(
    _ deed: String, _ button: String, hidden: [(String, String)] = [],
    kind: ButtonKind = .secondary,
    icon: Icon = .check, object: String? = nil, _ fields: Markup
  ) -> Markup {
    let inputs = ([("do", deed)] + hidden).map { name, value -> Markup in
      "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
    }
    return Form(
      action: action, token: call.formToken, fields: "\(inputs)\(fields)",
      buttons: """
        \(Button(button, kind: kind, icon: icon, object: object, person: call.formToken.personName))
        """
    ).markup
  }

  func button(
    _ deed: String, _ text: String, _ fields: [(name: String, value: String)], icon: Icon,
    object: String
  ) -> Markup {
    FormButton(
      text, action: action, token: call.formToken, fields: [("do", deed)] + fields,
      kind: .secondary, icon: icon, object: object
    ).markup
  }

  private func fields(of deed: String) -> StockFields {
    StockFields(
      input: failed == deed ? input ?? StockInput() : StockInput(), localizer: localizer,
      deed: deed)
  }

  /// Returns the input for one pack or dispense, if its form has the mistake.
  func typed(_ deed: String, of lot: String) -> StockInput? {
    failed == deed && input?.lot == lot ? input : nil
  }

  // MARK: A pack

  /// The button that adds another pack like the last one, if any, and below it the fields for the
  /// expiry date and another size.
  var pack: Markup {
    let size = stock.packSize.map { words.amount($0, of: stock) }
    let add = size.map { size in
      FormButton(
        localizer.text("stock.add-pack", ["amount": .text(size)]), action: action,
        token: call.formToken, fields: [("do", "pack")], icon: .plus, object: stock.medicineName)
    }
    let other = Disclosure(
      localizer.text("stock.other-pack"), isOpen: failed == "pack",
      form(
        "pack", localizer.text("stock.form.add"), icon: .plus,
        fields(of: "pack").pack(
          size: size.map { localizer.text("stock.form.amount-hint", ["amount": .text($0)]) },
          unit: unitName, asksPrescription: stock.repeats != nil)))
    return "<div class=\"stack\">\(add)\(other)</div>"
  }

  func lot(_ lot: StockLot, canChange: Bool) -> Markup {
    let name = words.lot(lot)
    var facts: [DescriptionList.Item] = [
      .init(localizer.text("stock.lot.left"), words.amount(lot.left, of: stock))
    ]
    if let expires = lot.expires {
      facts.append(.init(localizer.text("stock.lot.expires"), words.date(expires)))
    }
    if let opened = lot.opened {
      facts.append(.init(localizer.text("stock.lot.opened"), words.date(opened)))
    }
    if !lot.isPrescribed, stock.repeats != nil {
      facts.append(
        .init(localizer.text("stock.lot.came"), localizer.text("stock.lot.unprescribed")))
    }
    if let last = lot.lastDay, last != lot.expires {
      facts.append(.init(localizer.text("stock.lot.use-by"), words.date(last)))
    }
    let isPast = lot.isExpired(on: summary.today) && lot.left > .zero
    let note =
      isPast
      ? Notice(
        .warning,
        title: localizer.text(lot.isKept ? "stock.lot.kept" : "stock.lot.past")) : nil
    return """
      <div class="card stack-small"><h3 class="card-title">\(name)</h3>\(note)\
      \(DescriptionList(facts))\(if: canChange, deeds(lot, name, isPast: isPast))</div>
      """
  }

  private func deeds(_ lot: StockLot, _ name: String, isPast: Bool) -> Markup {
    var buttons: [Markup] = []
    if lot.opened == nil, lot.left > .zero {
      buttons.append(
        button(
          "days", localizer.text("stock.open-today"),
          [
            ("lot", lot.id.text), ("expires", lot.expires?.text ?? ""),
            ("opened", summary.today.text),
          ], icon: .calendar, object: name))
    }
    if isPast {
      if !lot.isKept {
        buttons.append(
          button(
            "keep", localizer.text("stock.use-all-the-same"), [("lot", lot.id.text)], icon: .check,
            object: name))
      }
      buttons.append(
        button(
          "remove", localizer.text("stock.throw-away"),
          [("lot", lot.id.text), ("amount", lot.left.text), ("kind", "thrown-away")], icon: .stop,
          object: name))
    }
    let suffix = "-\(lot.number)"
    let typed = typed("days", of: lot.id.text)
    let days = """
      \(dateField(.expires, suffix, typed?.expires ?? lot.expires?.text, typed))\
      \(dateField(.opened, suffix, typed?.opened ?? lot.opened?.text, typed))
      """ as Markup
    return """
      \(if: !buttons.isEmpty, ButtonRow("\(buttons)").markup)\
      \(Disclosure(
        localizer.text("stock.change-days"), object: name, isOpen: typed != nil,
        form(
          "days", localizer.text("stock.form.save"), hidden: [("lot", lot.id.text), ("suffix", suffix)],
          object: name, days)))
      """
  }

  /// Returns a date field with a name that is unique on the page.
  func dateField(
    _ issue: StockIssue, _ suffix: String, _ value: String?, _ typed: StockInput?
  ) -> Markup {
    let isWrong = typed?.issues.contains(issue) ?? false
    return FormField(
      issue.rawValue + suffix, label: localizer.text(MessageKey("stock.form.\(issue.rawValue)")),
      kind: .date(), value: value ?? "",
      error: isWrong ? StockFormatter.issue(issue, localizer) : nil, isRequired: false,
      localizer: localizer
    ).markup
  }

  // MARK: Everything else

  var rest: Markup {
    Section(
      localizer.text("stock.more"), id: "more",
      """
      <div class="stack">\(count)\(loss)\(settings)\(sharing)\
      \(Disclosure(
        localizer.text("stock.end"),
        form(
          "end", localizer.text("stock.end"), kind: .danger, icon: .stop,
          object: stock.medicineName, "<p>\(localizer.text("stock.end-help"))</p>")))</div>
      """
    ).markup
  }

  private var count: Markup {
    let counts = failed == "count" ? input?.counts ?? [:] : [:]
    let fields = stock.shownLots.map { lot in
      let typed = counts[lot.id]
      let isWrong = typed.map { StockInput.counted($0) == nil } ?? false
      return FormField(
        "lot-\(lot.id)", label: words.lot(lot), kind: .decimal, value: typed,
        error: isWrong ? StockFormatter.issue(.amount, localizer) : nil, unit: unitName,
        localizer: localizer
      ).markup
    }
    return Disclosure(
      localizer.text("stock.count"), isOpen: failed == "count",
      form(
        "count", localizer.text("stock.form.counted"), object: stock.medicineName,
        "<p>\(localizer.text("stock.count-help"))</p>\(fields)")
    ).markup
  }

  private var loss: Markup {
    let lots = stock.shownLots.filter { $0.left > .zero }
    guard !lots.isEmpty else { return Markup() }
    let kinds: [StockEntry.Kind] = [.lost, .thrownAway, .givenBack]
    let typed = failed == "remove" ? input : nil
    let error = typed?.issues.first.map { StockFormatter.issue($0, localizer) }
    return Disclosure(
      localizer.text("stock.loss"), isOpen: failed == "remove",
      form(
        "remove", localizer.text("stock.form.write-down"), object: stock.medicineName,
        """
        \(FormField(
          "kind", label: localizer.text("stock.form.kind"),
          kind: .radios(kinds.map {
            FieldChoice(
              $0.rawValue, localizer.text("stock.entry.kind", ["kind": .text($0.rawValue)]))
          }), value: typed?.kind ?? StockEntry.Kind.lost.rawValue, localizer: localizer))\
        \(FormField(
          "lot", label: localizer.text("stock.form.lot"),
          kind: .select(lots.map { FieldChoice($0.id.text, words.lot($0)) }),
          value: typed?.lot ?? lots.first?.id.text,
          localizer: localizer))\
        \(FormField(
          "lost-amount", label: localizer.text("stock.form.lost-amount"), kind: .decimal,
          value: typed?.amount, error: error, unit: unitName,
          localizer: localizer))
        """)
    ).markup
  }

  private var settings: Markup {
    let kept = failed == "settings" ? input ?? StockInput(stock) : StockInput(stock)
    let fields = StockFields(input: kept, localizer: localizer)
    return Disclosure(
      localizer.text("stock.settings"), isOpen: failed == "settings",
      form(
        "settings", localizer.text("stock.form.save"), object: stock.medicineName,
        "\(fields.field("name", .text, kept.name, isRequired: true))\(fields.settings(unit: unitName))"
      )
    ).markup
  }

  private var sharing: Markup {
    guard !choices.isEmpty else { return Markup() }
    let several = call.people.filter(\.mayAct).count > 1
    let names = Dictionary(
      call.people.map { ($0.patient, $0.calledName) }, uniquingKeysWith: { one, _ in one })
    let typed = failed == "share" ? input : nil
    let used = Set(typed?.uses ?? stock.uses.map { "\($0.patient) \($0.medicine)" })
    let fields = FormField(
      "use", label: localizer.text("stock.form.uses"),
      kind: .checkboxes(
        choices.map { use in
          FieldChoice(
            "\(use.patient) \(use.medicine)", use.planName ?? "",
            hint: several ? names[use.patient] : nil)
        }),
      values: choices.map { "\($0.patient) \($0.medicine)" }.filter(used.contains),
      hint: localizer.text("stock.form.uses-hint"),
      error: typed?.issues.first.map { StockFormatter.issue($0, localizer) }, isRequired: false,
      localizer: localizer)
    return Disclosure(
      localizer.text("stock.share"), isOpen: typed != nil,
      form("share", localizer.text("stock.form.save"), object: stock.medicineName, fields.markup)
    ).markup
  }
}
