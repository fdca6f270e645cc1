// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import SiteMap
import Storage
import Supply
import Web

/// The page of one supply: what is left, its packs, the actions, the ledger.
struct StockPage: Sendable {
  static let shownEntries = 30

  let summary: StockSummary
  let entries: [StockEntry]
  /// True if the ledger omits entries of people who are not shared with the viewer.
  let hidesEntries: Bool
  /// The plans that may take from it, of the people the account acts for.
  let choices: [StockUse]
  let isChangeable: Bool
  /// The number of refills on the prescription.
  let repeatsAllowed: Int?
  var input: StockInput?
  /// The form that the input belongs to.
  var failed: String?
  /// True if the offered pack has changed in the meantime.
  var isOfferChanged = false

  private var stock: Stock { summary.stock }
  private var hasErrors: Bool { input != nil || isOfferChanged }

  static func read(_ call: Call, _ signedIn: SignedIn) async throws -> StockPage {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, StockCommands.resource, of: patient)
    let reading = StockReading(call: call, signedIn: signedIn)
    let id = try call.parameter("stock")
    let acting = call.people.filter(\.mayAct).map(\.patient)
    let page = try await call.environment.database.read { reader in
      let summary = try reading.one(id, of: patient, in: reader)
      let all = try StockQueries.entries(of: summary.stock, limit: shownEntries, in: reader)
      // Intakes are shown only to those who may see them.
      let entries = all.filter {
        ($0.kind != .taken && $0.kind != .undone && $0.kind != .moved)
          || reading.may(.read, "Dose", of: $0.patient)
      }
      var repeats: Int?
      if let use = summary.stock.uses.first(where: { $0.planName != nil }),
        reading.may(.read, "MedicationRequest", of: use.patient)
      {
        repeats = try PlanQueries.plan(PlanID(use.medicine), patient: use.patient, in: reader)
          .flatMap { StockQueries.repeatsAllowed($0.request) }
      }
      let isChangeable = reading.changes(summary.stock)
      return StockPage(
        summary: summary, entries: entries, hidesEntries: entries.count < all.count,
        choices: isChangeable
          ? try StockQueries.plans(of: acting, for: summary.stock, in: reader) : [],
        isChangeable: isChangeable, repeatsAllowed: repeats)
    }
    try await call.environment.audit(authorization, count: 1, at: call.now)
    return page
  }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = stock.title(localizer)
    frame.lead = words(localizer).line(summary)
    frame.place = .medicines
    frame.isLive = !hasErrors
    frame.back = .init(localizer.text("stock.title"), address: Address.supply)
    frame.hasErrors = hasErrors
    if let done = call.queryValue("done"), StockChanges.deeds.contains(done) {
      let undo = call.queryValue("act").map { act in
        FormButton(
          localizer.text("stock.undo"), action: StockRoutes.address(of: stock),
          token: call.formToken, fields: [("do", "undo"), ("act", act)], kind: .secondary,
          icon: .undo)
      }
      frame.flash = FlashBar(
        localizer.text("stock.done", ["what": .text(done)]), undo: isChangeable ? undo : nil)
    }
    return call.page(
      frame, content(call), status: hasErrors ? .unprocessableContent : .ok)
  }

  private func words(_ localizer: Localizer) -> StockFormatter {
    StockFormatter(localizer, today: summary.today)
  }

  private func content(_ call: Call) -> Markup {
    let localizer = call.localizer
    let words = words(localizer)
    var remarks = words.remarks(summary)
    if stock.repeats == nil, let repeatsAllowed {
      remarks.append(
        localizer.text("stock.repeats-allowed", ["n": .number(repeatsAllowed)]))
    }
    let forms = StockForms(
      summary: summary, choices: choices, input: input, failed: failed, call: call, words: words)
    let canChange = isChangeable && call.formToken.mayAct
    return """
      <div class="narrow stack-large">\
      \(input.map { StockFields(input: $0, localizer: localizer, deed: failed ?? "").summary })\
      \(if: isOfferChanged, Notice(.warning, title: StockFormatter.issue(.dispense, localizer)).markup)\
      \(asked(words))\
      \(if: !remarks.isEmpty, "<ul>\(each: remarks, { "<li>\($0)</li>" })</ul>")\
      \(if: canChange, StockDispenses(forms: forms).markup)\(if: canChange, forms.pack)\
      \(Section(
        localizer.text("stock.packs"), id: "packs",
        "<div class=\"stack\">\(each: stock.shownLots, { forms.lot($0, canChange: canChange) })</div>"))\
      \(if: canChange, forms.rest)\(ledger(call, canChange, words))</div>
      """
  }

  /// Returns the first notice, if only expired packs are left.
  private func asked(_ words: StockFormatter) -> Markup {
    guard summary.isExpiredOnly else { return Markup() }
    return Notice(
      .warning, title: words.localizer.text("stock.expired-only"),
      "<p>\(words.localizer.text("stock.expired-only-help"))</p>"
    ).markup
  }

  private func ledger(_ call: Call, _ canChange: Bool, _ words: StockFormatter) -> Markup {
    let localizer = call.localizer
    let moments = DoseFormatter(localizer: localizer, zone: summary.zone, now: call.now)
    let taken = Set(entries.filter { $0.kind == .undone }.compactMap(\.act))
    let rows = entries.map { entry -> Markup in
      let isUndoable =
        canChange && [.added, .lost, .thrownAway, .givenBack].contains(entry.kind)
        && entry.number > stock.countedNumber && entry.act.map { !taken.contains($0) } ?? false
      let undo = FormButton(
        localizer.text("stock.undo"), action: StockRoutes.address(of: stock),
        token: call.formToken, fields: [("do", "undo"), ("act", entry.act ?? "")], kind: .quiet,
        icon: .undo, object: words.entry(entry, of: stock))
      let by = entry.by.isEmpty ? "" : " · \(entry.by)"
      return """
        <li class="stack-small"><span>\(words.entry(entry, of: stock))</span> \
        <span class="muted">\(moments.moment(entry.at))\(by)</span>\(if: isUndoable, undo.markup)</li>
        """
    }
    return Section(
      localizer.text("stock.ledger"), id: "ledger",
      """
      <div class="stack"><ul class="stack" role="list">\(rows)</ul>\
      \(if: hidesEntries, "<p class=\"muted\">\(localizer.text("stock.ledger-hidden"))</p>")</div>
      """
    ).markup
  }
}
