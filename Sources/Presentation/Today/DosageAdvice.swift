// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import Identifiers
import Instructions
import Localization
import Plans

/// The cautions and advice of prescriptions, shown with the doses that they are about.
package enum DosageAdvice {
  /// Returns sentences such as "Take with food." by plan, for active plans among those given.
  ///
  /// Takes the prescriptions from the snapshot, which has read them with the plans. Most say nothing of the kind, which
  /// is visible without parsing them.
  package static func read(
    of plans: Set<PlanID>, in patient: PatientSnapshot, language: Language
  ) throws -> [PlanID: [String]] {
    var advice: [PlanID: [String]] = [:]
    for plan in try patient.plans() where plan.status == "active" && plans.contains(plan.plan) {
      guard patient.mayMention(elements, in: plan) else { continue }
      // An unreadable prescription must not hide the doses.
      guard let request = try? patient.request(of: plan) else { continue }
      advice[plan.plan] = DosageWriter.advice(for: request.dosages, language: language)
    }
    return advice
  }

  /// The elements of a dosage that cautions and advice are read from, as they stand in JSON.
  private static let elements = DosageWriter.adviceElements.map { "\"\($0)\"" }
}
