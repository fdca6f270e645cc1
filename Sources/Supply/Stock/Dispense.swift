// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Plans
import Scheduling
import Storage

/// A pack that a pharmacy handed out, reported by another system and offered once as a pack of a supply.
package struct Dispense: Sendable, Hashable {
  /// The state of a dispense, from its report to the household's answer.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// It is not handed out yet.
    case waiting
    /// It is offered as a pack.
    case open
    case added, declined
    /// Its source withdrew it before it became a pack here.
    case gone
  }

  /// The identifier of the dispense and of its stored MedicationDispense.
  package let id: DispenseID
  /// The patient for whom it was handed out.
  package let patient: PatientID
  /// The name of the medicine as its source gives it; at most 200 characters, possibly empty.
  package let medicineName: String
  /// The amount in the unit of the source; nil if the source gives none or only a bound.
  package let amount: Amount?
  /// The day on which it was handed out; nil if the source gives no time.
  ///
  /// For a month or a year, it is the last day of it, but no later than the day of the report.
  package let handedOver: CivilDate?
  /// The last day printed on the pack.
  package let expires: CivilDate?
  /// The lot number on the pack, of 1 to 40 characters; nil if there is none of that length.
  package let label: String?
  /// The current state.
  package let state: State
  /// The time of the first report.
  package let received: Timestamp
  /// The ledger command that added it as a pack, used for undoing; nil if it was not added.
  package let act: String?
  /// A digest of its source's current content.
  let digest: String
}

/// A dispense that can be added as a pack of a supply.
package struct DispenseOffer: Sendable, Hashable {
  /// The dispense that is offered.
  package let dispense: Dispense
  /// The amount in the unit of the supply; nil if it cannot be converted.
  package let quantity: StockQuantity?
  /// True if the supply was counted on or after the day of the dispense, so that the count may include it.
  package let isCountedSince: Bool

  /// A text that changes as soon as accepting the offer would add something else; forms send it back with the
  /// button.
  package var version: String { "\(quantity?.text ?? "?") \(dispense.digest)" }
}

/// A pack whose source has changed the amount since it was added.
package struct DispenseCorrection: Sendable, Hashable {
  /// The dispense with the source's current amount.
  package let dispense: Dispense
  /// The amount that the source stated when the pack was added; nil for none.
  package let before: Amount?
}

/// The parts of a MedicationDispense that a supply needs.
struct DispenseContent: Sendable, Hashable {
  let name: String
  /// The keys of the medicine.
  let ingredients: [String]
  let amount: Amount?
  /// The day of the dispense; the last day of the month or year if no more is stated.
  private let handed: CivilDate?
  private let isWholeDay: Bool
  let expires: CivilDate?
  let label: String?
  let state: Dispense.State

  init(_ resource: JSONValue, zone: Zone) {
    // The elements for the medicine are the same as in a request.
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

  /// Returns the day of the dispense; for a month or a year its last day, but no later than the day of the
  /// report.
  func handedOver(received: CivilDate) -> CivilDate? {
    guard let handed, !isWholeDay else { return handed }
    return min(handed, received)
  }

  /// Returns the last day if only a month or a year is stated.
  private static func lastDay(_ time: FHIRDateTime) -> CivilDate? {
    guard let month = time.month else { return CivilDate(year: time.year, month: 12, day: 31) }
    guard let day = time.day else {
      return CivilDate(year: time.year, month: month, day: 1)?.adding(months: 1).adding(days: -1)
    }
    return CivilDate(year: time.year, month: month, day: day)
  }
}
