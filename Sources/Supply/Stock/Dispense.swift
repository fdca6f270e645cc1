// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Plans
import Scheduling
import Storage

/// What a pharmacy handed out, as another system tells it: offered once as a pack of a stock.
package struct Dispense: Sendable, Hashable {
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// Not handed out yet.
    case waiting
    /// It is offered.
    case open
    case added, declined
    /// Its source took it back before it was a pack here.
    case gone
  }

  /// The id of its record.
  package let id: DispenseID
  package let patient: PatientID
  package let medicineName: String
  package let amount: Amount?
  package let handedOver: CivilDate?
  /// The last day printed on the pack.
  package let expires: CivilDate?
  package let label: String?
  package let state: State
  package let received: Timestamp
  /// What took it over, where that can be taken back.
  package let act: String?
  /// What its source says of it now, as one short text.
  let digest: String
}

/// A dispense that may be a pack of a stock.
package struct DispenseOffer: Sendable, Hashable {
  package let dispense: Dispense
  /// How much it is in the unit of the stock; nil where that cannot be told.
  package let quantity: StockQuantity?
  /// Whether the stock was counted after it was handed out, so that it may be in the count.
  package let isCountedSince: Bool

  /// Another one as soon as something else would be added: sent with the press that adds it.
  package var version: String { "\(quantity?.text ?? "?") \(dispense.digest)" }
}

/// A dispense that is a pack, and of which its source says another amount since.
package struct DispenseCorrection: Sendable, Hashable {
  package let dispense: Dispense
  /// The amount that its source said when it was added.
  package let before: Amount?
}

/// A MedicationDispense as far as a stock needs it: pure.
struct DispenseContent: Sendable, Hashable {
  let name: String
  /// The keys of the medicine.
  let ingredients: [String]
  let amount: Amount?
  /// The last day of the month or year where no more is said.
  private let handed: CivilDate?
  private let isWholeDay: Bool
  let expires: CivilDate?
  let label: String?
  let state: Dispense.State

  init(_ resource: JSONValue, zone: Zone) {
    // The elements that name a medicine are those of a request.
    let view = MedicationRequestView(resource)
    name = String(
      (view.medicationName ?? view.medicationCodes.first?.code ?? "").prefix(200))
    ingredients = Ingredient.keys(of: view)
    amount = resource["quantity"].map(QuantityView.init).flatMap { quantity in
      guard quantity.comparator == nil else { return nil }
      return quantity.valueText.flatMap {
        Amount(value: $0, unit: quantity.unit ?? quantity.code ?? "", code: quantity.code)
      }
    }
    let text = resource["whenHandedOver"]?.string ?? resource["whenPrepared"]?.string
    let time = text.flatMap { FHIRDateTime($0) }
    isWholeDay = time?.day != nil
    handed = time.flatMap { time in
      if let instant = time.epochMilliseconds {
        return zone.date(at: Instant(milliseconds: instant))
      }
      return Self.lastDay(time)
    }
    let batch = view.medication.contained?["batch"]
    expires = batch?["expirationDate"]?.string.flatMap { FHIRDateTime($0) }
      .flatMap(Self.lastDay)
    label = batch?["lotNumber"]?.string.flatMap {
      (1...40).contains($0.count) && !$0.contains(where: \.isNewline) ? $0 : nil
    }
    state =
      switch resource["status"]?.string {
      case "completed": .open
      case "cancelled", "entered-in-error", "stopped", "declined": .gone
      default: .waiting
      }
  }

  /// The day on which it was handed out: of a month or a year its last, no later than it was heard of.
  func handedOver(received: CivilDate) -> CivilDate? {
    guard let handed, !isWholeDay else { return handed }
    return min(handed, received)
  }

  /// Where only a month or a year is stated, its last day.
  private static func lastDay(_ time: FHIRDateTime) -> CivilDate? {
    guard let month = time.month else { return CivilDate(year: time.year, month: 12, day: 31) }
    guard let day = time.day else {
      return CivilDate(year: time.year, month: month, day: 1)?.adding(months: 1).adding(days: -1)
    }
    return CivilDate(year: time.year, month: month, day: day)
  }
}
