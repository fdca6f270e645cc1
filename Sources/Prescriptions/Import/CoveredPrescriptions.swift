// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Plans

/// Prescriptions that carry out another one, such as a planned dispense for an entry of a medication plan.
///
/// Both state the same doses, so only the other one is imported.
enum CoveredPrescriptions {
  /// Returns true if a request states doses itself, so that one that carries it out repeats them.
  static func statesDoses(_ request: MedicationRequestView) -> Bool {
    !PlanCommands.hasEnded(request.status ?? "stopped") && !request.dosages.isEmpty
      && !request.doNotPerform && request.intent != "proposal" && request.intent != "option"
  }

  /// Leaves out each prescription of a file that carries out a running one of the same medicine.
  static func leaveOut(of file: inout ImportFile) {
    guard file.prescriptions.contains(where: { !$0.basisKeys.isEmpty }) else { return }
    let running = file.prescriptions.compactMap(Running.init)
    let covered = file.prescriptions.filter { prescription in
      !prescription.basisKeys.isEmpty && running.contains { $0.isCarriedOut(by: prescription) }
    }
    let numbers = Set(covered.map(\.number))
    file.prescriptions.removeAll { numbers.contains($0.number) }
    for prescription in covered {
      file.administrations += prescription.administrations
      file.note(
        ImportProblem(number: prescription.number, type: "MedicationRequest", .covered))
    }
  }

  /// A prescription that others may carry out.
  private struct Running {
    let prescription: ImportPrescription
    let ingredients: Set<String>

    /// Creates it; nil if the prescription states no doses or carries out another one itself.
    init?(_ prescription: ImportPrescription) {
      guard prescription.basisKeys.isEmpty,
        let resource = try? prescription.resource(of: PatientID("x"))
      else { return nil }
      let view = MedicationRequestView(resource)
      guard CoveredPrescriptions.statesDoses(view) else { return nil }
      self.prescription = prescription
      ingredients = Set(Ingredient.keys(of: view))
    }

    func isCarriedOut(by other: ImportPrescription) -> Bool {
      guard other.subject == prescription.subject,
        !Set(prescription.keys.all).isDisjoint(with: other.basisKeys),
        let resource = try? other.resource(of: PatientID("x"))
      else { return false }
      return !ingredients.isDisjoint(with: Ingredient.keys(of: MedicationRequestView(resource)))
    }
  }
}
