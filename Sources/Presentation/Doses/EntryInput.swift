// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import Identifiers
import Localization
import Plans
import Scheduling
import Storage
import Web

/// A plan that can be chosen for an extra entry.
package struct EntryPlan: Sendable, Hashable {
  /// The identifier of the plan, as the form sends it.
  package let id: String
  /// The name of the medicine shown to people.
  package let name: String
  /// The amount that the plan states, whose unit also counts for an entry; nil if it states none.
  package let amount: Amount?

  init(id: String, name: String, amount: Amount?) {
    self.id = id
    self.name = name
    self.amount = amount
  }

  /// Creates the choice for a plan, with the first amount in its dosages.
  package init(_ plan: Plan) {
    self.init(
      id: plan.id.text, name: plan.medicineName, amount: Self.amount(of: plan.request))
  }

  /// Returns the first amount in the dosages of a prescription; nil if it states none.
  package static func amount(of request: MedicationRequestView) -> Amount? {
    let quantity = request.dosages.lazy.compactMap(\.doseQuantity).first
    return quantity.flatMap { quantity in
      quantity.valueText.flatMap {
        Amount(value: $0, unit: quantity.unit ?? quantity.code ?? "", code: quantity.code)
      }
    }
  }
}

/// The form of an extra or free entry as it was filled in.
package struct EntryInput: Sendable, Hashable {
  /// The form value for a medicine without a plan.
  package static let other = "other"

  /// The identifier of a plan, or ``other``; nil if nothing was chosen.
  package var medicine: String?
  /// The name typed for a medicine without a plan.
  package var name: String?
  /// The date in ISO 8601; nil together with the time for now.
  package var date: String?
  /// The time of day, such as `08:00`.
  package var time: String?
  /// The amount as typed, with a decimal comma or point.
  package var amount: String?
  /// The raw value of a dose unit, used only for a medicine without a planned amount.
  package var unit: String?
  /// The outcome, `taken` or `not-taken`.
  package var outcome: String?
  /// The person's own words.
  package var reason: String?
  var event: String?
  /// The keys of the questions that the person has confirmed.
  package var asked: Set<String> = []

  /// Creates an empty form for the current time.
  package init(medicine: String?, words: DoseFormatter, now: Timestamp) {
    self.medicine = medicine
    let moment = words.local(now)
    date = moment.date.text
    time = String(moment.time.text.prefix(5))
    outcome = "taken"
  }

  /// Reads the form as it was sent.
  package init(_ form: FormBody) {
    medicine = form.text("medicine")
    name = form.text("name")
    date = form.text("date")
    time = form.text("time")
    amount = form.text("amount-value")
    unit = form.text("amount-unit")
    outcome = form.text("outcome")
    reason = form.text("reason")
    event = form.text("event")
    asked = Set(form.all("confirm"))
  }

  /// Returns the command that the form describes, or nil together with the mistakes in it.
  package func request(
    patient: PatientID, plans: [EntryPlan], zone: Zone, now: Timestamp
  ) -> (request: AdministrationRequest?, mistakes: [AnswerMistake]) {
    var mistakes: [AnswerMistake] = []
    let plan = plans.first { $0.id == medicine }
    var named = plan?.id
    switch medicine {
    case nil: mistakes.append(.medicineMissing)
    case Self.other:
      named = name
      if name == nil { mistakes.append(.nameMissing) }
    default:
      if plan == nil { mistakes.append(.medicineUnknown) }
    }
    var at = now
    do throws(AnswerMistake) {
      at = try LocalMoment.read(date: date, time: time, zone: zone, now: now) ?? now
    } catch {
      mistakes.append(error)
    }
    var taken: Amount?
    if let amount {
      taken = typedAmount(amount, plan: plan)
      if taken == nil { mistakes.append(.amountWrong) }
    }
    if outcome != "taken", outcome != "not-taken" { mistakes.append(.outcomeMissing) }
    guard mistakes.isEmpty, let named else { return (nil, mistakes) }
    let isTaken = outcome == "taken"
    return (
      AdministrationRequest(
        patient: patient, medicine: named, at: at, amount: isTaken ? taken : nil, taken: isTaken,
        reason: reason, event: event), []
    )
  }

  /// Returns the typed amount; the chosen unit counts only for a medicine without its own unit.
  private func typedAmount(_ value: String, plan: EntryPlan?) -> Amount? {
    let number = LocalMoment.decimal(value)
    if let planned = plan?.amount {
      return Amount(value: number, unit: planned.unit, code: planned.code)
    }
    let unit = unit.flatMap(DoseUnit.init(rawValue:))
    return Amount(value: number, unit: unit?.rawValue ?? "", code: unit?.ucumCode)
  }
}
