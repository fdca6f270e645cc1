// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import SiteMap
import Storage
import Supply
import Web

/// The pages of medicines at home: the amounts left, how long they last, and what to buy.
package enum StockRoutes {
  /// The list, the shopping list, the form for a new supply, and the page of one with its forms.
  package static let all: [Route] = [
    .page(.get, Address.supply, list),
    .page(.get, "\(Address.supply)/shopping", shopping),
    .page(.get, "\(Address.supply)/new", blank),
    .form("\(Address.supply)/new", create),
    .page(.get, "\(Address.supply)/:stock", show),
    .form("\(Address.supply)/:stock", StockChanges.change),
  ]

  static func address(of stock: Stock) -> String { "\(Address.supply)/\(stock.id)" }

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let summaries = try await summaries(call, signedIn)
    return StockListPage(summaries: summaries, done: call.queryValue("done")).response(call)
  }

  private static func shopping(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let summaries = try await summaries(call, signedIn)
    return StockShoppingPage(summaries: summaries).response(call)
  }

  private static func summaries(_ call: Call, _ signedIn: SignedIn) async throws -> [StockSummary] {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.search, StockCommands.resource, of: patient)
    let reading = StockReading(call: call, signedIn: signedIn)
    let summaries = try await call.environment.database.read { reader in
      try reading.all(of: patient, in: reader)
    }
    try await call.environment.audit(authorization, count: summaries.count, at: call.now)
    return summaries
  }

  // MARK: A new one

  private static func blank(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.create, StockCommands.resource, of: patient)
    let choices = try await choices(call, patient)
    var input = StockInput()
    if let plan = call.queryValue("plan"),
      let chosen = choices.first(where: { $0.medicine == plan })
    {
      input.medicine = plan
      input.unit = try await unit(of: chosen, call) ?? input.unit
    }
    return NewStockPage(input: input, choices: choices).response(call)
  }

  private static func create(_ form: PostedForm) async throws -> Response {
    let (call, patient) = (form.call, form.patient)
    _ = try form.authorize(.create, StockCommands.resource)
    let choices = try await choices(call, patient)
    var input = StockInput(form.fields)
    let chosen = choices.first { $0.medicine == input.medicine }
    if chosen == nil, !input.medicine.isEmpty { input.note(.medicine) }
    let name = chosen?.planName ?? input.name
    let draft = input.draft(name: name)
    let pack = input.pack()
    let use =
      chosen ?? StockUse(patient: patient, medicine: Ingredient.key(name: name))
    do {
      guard input.issues.isEmpty else { throw StockError.invalid([]) }
      let id = try await form.run { context, writer in
        try StockCommands(owner: patient, context: context)
          .create(draft, pack: pack, uses: [use], in: writer)
      }
      call.environment.live.changed(patient)
      return form.redirect(to: "\(Address.supply)/\(id)?done=created")
    } catch StockError.invalid(let issues) {
      issues.forEach { input.note($0) }
      return NewStockPage(input: input, choices: choices).response(call)
    } catch let error as StockError {
      throw error.failure
    }
  }

  /// Returns the person's active medicines whose supply is not tracked yet.
  private static func choices(_ call: Call, _ patient: PatientID) async throws -> [StockUse] {
    try await call.environment.database.read { reader in
      try StockQueries.plans(of: [patient], for: nil, in: reader)
    }
  }

  /// Returns the unit in which a plan's doses are counted.
  private static func unit(of use: StockUse, _ call: Call) async throws -> String? {
    try await call.environment.database.read { reader in
      let plan = try PlanQueries.plan(PlanID(use.medicine), patient: use.patient, in: reader)
      let amount = plan.flatMap { EntryPlan($0).amount }
      return amount.flatMap { DoseUnit(code: $0.code, text: $0.unit) }?.rawValue
    }
  }

  // MARK: One

  private static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await StockPage.read(call, signedIn).response(call)
  }
}

extension StockError: FailureConvertible {
  /// The response to a refused command on a supply; a missing permission answers like a missing supply.
  package var failure: Failure {
    switch self {
    case .notFound, .notAuthorized: .notFound
    case .invalid(let issues):
      .unprocessable("value", "Not valid: " + issues.map(\.rawValue).joined(separator: ", "))
    case .tooMany:
      Failure(.conflict, code: "conflict", detail: "The limit of packs or stocks is reached.")
    case .cannotUndo:
      Failure(.conflict, code: "conflict", detail: "It was counted since, or is already undone.")
    case .storage(let error): error.failure
    }
  }
}
