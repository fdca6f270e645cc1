// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Identifiers
import Web

/// The pages that add a medicine: four steps with a stored draft, and the form with everything on one page.
package enum AddMedicineRoutes {
  /// The steps in their order, the suggestions for the first one, and the long form.
  package static let all: [Route] = [
    .page(.get, AddMedicineAddress.start, ChoosingMedicine.search),
    .form(AddMedicineAddress.start, ChoosingMedicine.start),
    .page(.get, AddMedicineAddress.suggestions, MedicineSuggester.list),
    .page(.get, AddMedicineAddress.details, MedicineEditing.newForm),
    .form(AddMedicineAddress.details, MedicineEditing.add),
    .page(.get, "/medicines/new/:draft", ChoosingMedicine.form),
    .accountForm("/medicines/new/:draft", ChoosingMedicine.change),
    .page(.get, "/medicines/new/:draft/often", SchedulingMedicine.oftenForm),
    .accountForm("/medicines/new/:draft/often", SchedulingMedicine.chooseOften),
    .page(.get, "/medicines/new/:draft/times", SchedulingMedicine.timesForm),
    .accountForm("/medicines/new/:draft/times", SchedulingMedicine.setTimes),
    .page(.get, "/medicines/new/:draft/check", CheckingMedicine.page),
    .accountForm("/medicines/new/:draft/check", CheckingMedicine.save),
    .page(.get, "/medicines/new/:draft/details", SchedulingMedicine.detailsForm),
    .accountForm("/medicines/new/:draft/discard", ChoosingMedicine.discard),
  ]
}

/// The addresses of the pages that add a medicine.
enum AddMedicineAddress {
  static let start = "/medicines/new"
  static let details = "/medicines/new/details"
  static let suggestions = "/medicines/new/suggestions.json"

  /// Returns the address of a step of a draft.
  static func step(_ step: AddMedicineStep, of draft: PlanID) -> String {
    switch step {
    case .which: "\(start)/\(draft)"
    case .often, .times, .check: "\(start)/\(draft)/\(step.rawValue)"
    }
  }

  /// Returns the address of the long form with a draft filled in.
  static func details(of draft: PlanID) -> String { "\(start)/\(draft)/details" }

  /// Returns the address that discards a draft.
  static func discard(_ draft: PlanID) -> String { "\(start)/\(draft)/discard" }
}

/// A step of adding a medicine.
enum AddMedicineStep: String, Sendable, Hashable, CaseIterable {
  case which, often, times, check

  /// The fields of the form that the step asks for.
  var fields: Set<String> {
    switch self {
    case .which: ["name", "form", "strength-value", "strength-unit", "product", "pick"]
    case .often: ["often"]
    case .times: HowOften.fields.union(["dose-value", "dose-unit", "food", "start", "end"])
    case .check: []
    }
  }
}
