// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Identifiers
import Plans
import Presentation
import SiteMap
import Storage
import Supply
import Web

/// Performs the forms on a supply's page: each posts the name of its command in the field `do`.
package enum StockChanges {
  /// The actions that the address can report as done.
  static let deeds = [
    "created", "pack", "count", "remove", "undo", "days", "keep", "settings", "share", "dispense",
    "decline",
  ]

  static func change(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let page = try await StockPage.read(call, form.signedIn)
    guard page.isChangeable else { throw Failure.notFound }
    let stock = page.summary.stock
    let deed = form.text("do") ?? ""
    var input = StockInput(form.fields)
    let commands = StockCommands(owner: stock.owner, context: form.context)
    do {
      let work = try work(deed, form.fields, &input, page, commands)
      guard input.issues.isEmpty else { throw StockError.invalid([]) }
      let act = try await form.run { _, writer in try work(writer) }
      for use in Set(stock.uses.map(\.patient) + [stock.owner]) {
        call.environment.live.changed(use)
      }
      if deed == "end" { return form.redirect(to: "\(Address.supply)?done=ended") }
      let undo = act.map { "&act=\($0)" } ?? ""
      return form.redirect(to: "\(StockRoutes.address(of: stock))?done=\(deed)\(undo)")
    } catch StockError.invalid(let issues) where issues.contains(.dispense) {
      // Shows the current offer and adds nothing.
      var page = try await StockPage.read(call, form.signedIn)
      page.isOfferChanged = true
      return page.response(call)
    } catch StockError.invalid(let issues) {
      issues.forEach { input.note($0) }
      var page = page
      page.input = input
      page.failed = deed
      return page.response(call)
    } catch let error as StockError {
      throw error.failure
    }
  }

  private typealias Work = @Sendable (any SQLWriter) throws -> String?

  /// Returns the command of a form, and its undo if there is one.
  private static func work(
    _ deed: String, _ form: FormBody, _ input: inout StockInput, _ page: StockPage,
    _ commands: StockCommands
  ) throws -> Work {
    let stock = page.summary.stock
    let id = stock.id
    switch deed {
    case "pack":
      let pack = input.pack(size: stock.packSize)
      return { try commands.add(pack, to: id, in: $0) }
    case "count":
      let amounts = input.count(form, of: stock.shownLots)
      return { writer in
        try commands.count(amounts, of: id, in: writer)
        return nil
      }
    case "remove":
      let typed = form.text("lost-amount") ?? form.text("amount") ?? ""
      input.amount = typed
      let amount = StockQuantity(text: LocalMoment.decimal(typed)) ?? .zero
      let kind = form.text("kind").flatMap(StockEntry.Kind.init(rawValue:)) ?? .lost
      let lot = form.text("lot") ?? ""
      input.lot = lot
      return { try commands.remove(amount, kind, from: LotID(lot), of: id, in: $0) }
    case "undo":
      let act = form.text("act") ?? ""
      return { writer in
        try commands.undo(act, of: id, in: writer)
        return nil
      }
    case "keep":
      let lot = form.text("lot") ?? ""
      return { writer in
        try commands.keep(LotID(lot), of: id, in: writer)
        return nil
      }
    case "days":
      let lot = form.text("lot") ?? ""
      input.take(form, of: lot)
      let expires = input.date(input.expires, .expires)
      let opened = input.date(input.opened, .opened)
      return { writer in
        try commands.change(LotID(lot), expires: expires, opened: opened, of: id, in: writer)
        return nil
      }
    case "dispense", "decline":
      let id = DispenseID(form.text("dispense") ?? "")
      guard let offer = page.summary.offers.first(where: { $0.dispense.id == id }) else {
        throw Failure.notFound
      }
      return try dispense(offer, deed, form, &input, stock, commands)
    case "settings":
      let draft = input.draft(name: input.name)
      var kept = draft
      kept.unit = StockUnit(
        unit: stock.unit.unit, code: stock.unit.code, strength: draft.unit.strength)
      return { [kept] writer in
        try commands.change(kept, of: id, in: writer)
        return nil
      }
    case "share":
      let chosen = Set(form.all("use"))
      let uses = page.choices.filter { chosen.contains("\($0.patient) \($0.medicine)") }
      // Plans that the form does not offer stay: those already over, for example.
      let offered = Set(page.choices.map { "\($0.patient) \($0.medicine)" })
      let named = stock.uses.filter { !offered.contains("\($0.patient) \($0.medicine)") }
      return { writer in
        try commands.share(id, uses: uses + named, in: writer)
        return nil
      }
    case "end":
      return { writer in
        try commands.end(id, in: writer)
        return nil
      }
    default: throw Failure.unprocessable("value", "do must name a known action.")
    }
  }

  /// Adds a dispensed pack, or records that it should not be counted.
  private static func dispense(
    _ offer: DispenseOffer, _ deed: String, _ form: FormBody, _ input: inout StockInput,
    _ stock: Stock, _ commands: StockCommands
  ) throws(StockError) -> Work {
    let (id, dispense) = (stock.id, offer.dispense)
    if deed == "decline" {
      return { writer in
        try commands.decline(dispense.id, of: dispense.patient, from: id, in: writer)
        return nil
      }
    }
    let seen = offer.version
    guard form.text("seen") == seen else { throw .invalid([.dispense]) }
    input.take(form, of: dispense.id.text)
    var pack = input.pack(size: offer.quantity)
    pack.expires = pack.expires ?? dispense.expires
    pack.label = pack.label ?? dispense.label
    return { [pack] in
      try commands.accept(
        dispense.id, of: dispense.patient, seen: seen, as: pack, to: id, in: $0)
    }
  }
}
