// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import Foundation
import Identifiers
import Plans
import Scheduling
import Storage

/// Writes doses, answers and intakes in the form of the JSON API.
///
/// Instants have the offset of the patient's zone.
package struct DoseJSON: Sendable {
  /// The time zone of the instants.
  package let zone: Zone

  /// Creates a writer for one time zone.
  package init(zone: Zone) {
    self.zone = zone
  }

  /// Returns an instant in ISO 8601 with the offset of the zone.
  package func text(_ timestamp: Timestamp) -> String {
    let instant = Instant(milliseconds: timestamp.milliseconds)
    return FHIRDateTime.instantText(
      milliseconds: timestamp.milliseconds,
      offsetMinutes: zone.offsetSeconds(at: instant) / 60)
  }

  /// Returns the JSON of a dose with its answer in force.
  package func json(_ dose: Dose) -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(dose.id.text)
    object["patient"] = .string(dose.patient.text)
    object["plan"] = .string(dose.plan.text)
    object["medicine"] = .string(dose.medicineName)
    object["due"] = .string(text(dose.due))
    object["state"] = .string(dose.state.rawValue)
    object["late"] = .bool(dose.isLate)
    object["version"] = .number(JSONNumber(dose.version))
    object["amount"] = dose.amount.map(json)
    object["reason"] = dose.stateReason.map(JSONValue.string)
    if dose.state == .later, let until = dose.laterUntil {
      object["laterUntil"] = .string(text(until))
    }
    object["answer"] = dose.answer.map(json)
    return .object(object)
  }

  func json(_ answer: DoseAnswer) -> JSONValue {
    var object = JSONObject()
    object["action"] = .string(answer.action.rawValue)
    object["at"] = .string(text(answer.at))
    object["recorded"] = .string(text(answer.recorded))
    object["by"] = .string(answer.by)
    object["reason"] = answer.reason.map(JSONValue.string)
    object["amount"] = answer.amount.map(json)
    return .object(object)
  }

  func json(_ intake: Intake) -> JSONValue {
    var object = JSONObject()
    object["administration"] = .string(intake.administration.text)
    object["plan"] = intake.plan.map { .string($0.text) }
    object["dose"] = intake.dose.map { .string($0.text) }
    object["medicine"] = .string(intake.medicineName)
    object["at"] = .string(text(intake.taken))
    object["by"] = .string(intake.by)
    object["amount"] = intake.amount.map(json)
    return .object(object)
  }

  /// Returns the JSON of a dose that is not due yet.
  func json(_ early: EarlyIntake) -> JSONValue {
    [
      "dose": .string(early.dose.text), "due": .string(text(early.due)),
      "from": .string(text(early.from)),
    ]
  }

  /// Returns a limit with the resulting count.
  func json(_ breach: LimitBreach) -> JSONValue {
    var object = JSONObject()
    object["plan"] = .string(breach.plan.text)
    object["medicine"] = .string(breach.medicineName)
    func hours(_ milliseconds: Int64) -> JSONValue {
      .number(JSONNumber(milliseconds / 3_600_000))
    }
    switch breach.rule {
    case .count(let most, let length):
      object["limit"] = "doses"
      object["most"] = .number(JSONNumber(most))
      object["hours"] = hours(length)
    case .amount(let most, let length):
      object["limit"] = "amount"
      object["most"] = JSONNumber(text: most.value).map(JSONValue.number)
      object["unit"] = .string(most.unit)
      object["hours"] = hours(length)
    case .days(let most):
      object["limit"] = "days"
      object["most"] = .number(JSONNumber(most))
    }
    object["reached"] =
      JSONNumber(text: NSDecimalNumber(decimal: breach.reached).stringValue)
      .map(JSONValue.number)
    return .object(object)
  }

  func json(_ amount: Amount) -> JSONValue {
    [
      "value": JSONNumber(text: amount.value).map(JSONValue.number) ?? .string(amount.value),
      "unit": .string(amount.unit),
    ]
  }
}
