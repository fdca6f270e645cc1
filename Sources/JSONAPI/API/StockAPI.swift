// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Hummingbird
import Identifiers
import People
import Plans
import Presentation
import Scheduling
import Storage
import Supply
import Web

/// `/api/v1/stock`: the medicines a person has at home, and how long they last.
package enum StockAPI {
  /// The route that lists supplies.
  package static let all: [Route] = [.api(.get, "/api/v1/stock", list)]

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let authorization = try call.authorize(.search, StockCommands.resource, of: patient)
    let reading = StockReading(call: call, signedIn: signedIn)
    let summaries = try await call.environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      return try reading.all(of: patient, in: reader)
    }
    try await call.environment.audit(authorization, count: summaries.count, at: call.now)
    return JSONResponse.make([
      "stocks": .array(summaries.map { json($0, reading) })
    ])
  }

  private static func json(_ summary: StockSummary, _ reading: StockReading) -> JSONValue {
    let stock = summary.stock
    func amount(_ quantity: StockQuantity) -> JSONValue {
      JSONNumber(text: quantity.text).map(JSONValue.number) ?? .string(quantity.text)
    }
    var object: JSONValue = [
      "id": .string(stock.id.text), "patient": .string(stock.owner.text),
      "medicine": .string(stock.medicineName), "unit": .string(stock.unit.unit),
      "left": amount(stock.left(on: summary.today)),
      "total": amount(stock.total),
      "estimate": .bool(summary.forecast.isEstimate),
      "endsByExpiry": .bool(summary.forecast.endsByExpiry),
      "uncounted": .bool(summary.forecast.isUncertain || stock.uncounted > 0),
      "low": .bool(summary.isLow),
      "plans": .array(
        stock.uses.filter {
          $0.planName != nil && reading.may(.read, "MedicationRequest", of: $0.patient)
        }.map { .string($0.medicine) }),
      "lots": .array(stock.shownLots.map { lot($0, summary, amount) }),
    ]
    object["packSize"] = stock.packSize.map(amount)
    let writer = DoseJSON(zone: summary.zone)
    object["lastsUntil"] = summary.forecast.lastsUntil.map { .string(writer.text($0)) }
    object["runsOut"] = summary.forecast.runsOut.map { .string(writer.text($0)) }
    object["orderBy"] = summary.orderBy.map { .string($0.text) }
    object["prescriptionBy"] = summary.prescriptionBy.map { .string($0.text) }
    object["offers"] = .array(summary.offers.map { offer($0, amount) })
    object["repeatsLeft"] = stock.repeats.map { .number(JSONNumber($0)) }
    return object
  }

  /// Returns a dispense that waits for a decision.
  private static func offer(
    _ offer: DispenseOffer, _ amount: (StockQuantity) -> JSONValue
  ) -> JSONValue {
    var object: JSONValue = [
      "dispense": .string(offer.dispense.id.text), "patient": .string(offer.dispense.patient.text),
      "medicine": .string(offer.dispense.medicineName),
      "countedSince": .bool(offer.isCountedSince),
    ]
    object["amount"] = offer.quantity.map(amount)
    object["handedOver"] = offer.dispense.handedOver.map { .string($0.text) }
    object["expires"] = offer.dispense.expires.map { .string($0.text) }
    return object
  }

  private static func lot(
    _ lot: StockLot, _ summary: StockSummary, _ amount: (StockQuantity) -> JSONValue
  ) -> JSONValue {
    var object: JSONValue = [
      "id": .string(lot.id.text), "left": amount(lot.left), "size": amount(lot.size),
      "usable": .bool(lot.isUsable(on: summary.today)), "prescribed": .bool(lot.isPrescribed),
    ]
    object["expires"] = lot.expires.map { .string($0.text) }
    object["opened"] = lot.opened.map { .string($0.text) }
    object["useBy"] = lot.lastDay.map { .string($0.text) }
    object["label"] = lot.label.map(JSONValue.string)
    return object
  }
}
