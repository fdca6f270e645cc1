// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import Web

/// The pages that add, change and prescribe a medicine: steps with a stored draft, and the form with everything on one
/// page.
package enum AddMedicineRoutes {
  /// The search, the steps in order, and the long form; a change has only the steps.
  package static let all: [Route] =
    own + practitioner + steps("/medicines/new/:draft", .new)
    + steps("/medicines/:plan/change", .change)
    + steps("/care/:patient/prescribe/:draft", .prescription)

  private static let own: [Route] = [
    .page(.get, AddMedicineAddress.start, ChoosingMedicine.search),
    .form(AddMedicineAddress.start, ChoosingMedicine.start),
    .page(.get, AddMedicineAddress.suggestions, MedicineSuggester.list),
    .page(.get, AddMedicineAddress.details, MedicineEditing.newForm),
    .form(AddMedicineAddress.details, MedicineEditing.add),
    .page(.get, "/medicines/new/:draft/details", detailsForm),
    .accountForm("/medicines/new/:draft/check", CheckingMedicine.saveNew),
    .accountForm("/medicines/:plan/change/check", saveChange),
  ]

  private static let practitioner: [Route] = [
    .page(.get, "/care/:patient/prescribe", ChoosingPrescription.search),
    .accountForm("/care/:patient/prescribe", ChoosingPrescription.start),
    .page(.get, "/care/:patient/prescribe/suggestions.json", ChoosingPrescription.suggestions),
    .accountForm("/care/:patient/prescribe/:draft/check", send),
  ]

  @Sendable private static func detailsForm(
    _ call: Call, _ signedIn: SignedIn
  ) async throws -> Response {
    try await OpenedDraft.open(call, signedIn) { SchedulingMedicine.detailsForm($0) }
  }

  @Sendable private static func saveChange(_ form: PostedForm) async throws -> Response {
    try await OpenedDraft.open(.change, form.call, form.signedIn, form: form.fields) { opened in
      try await CheckingMedicine.save(opened, form.fields, .change)
    }
  }

  @Sendable private static func send(_ form: PostedForm) async throws -> Response {
    try await OpenedDraft.open(.prescription, form.call, form.signedIn, form: form.fields) {
      try await SendingPrescription.send($0, form.fields)
    }
  }

  /// Returns the pages and forms of all steps except the last.
  private static func steps(_ base: String, _ opening: DraftOpening) -> [Route] {
    func page(
      _ path: String, _ show: @escaping @Sendable (OpenedDraft) async throws -> Response
    ) -> Route {
      .page(.get, base + path) { call, signedIn in
        try await OpenedDraft.open(opening, call, signedIn, show)
      }
    }
    func form(
      _ path: String,
      _ take: @escaping @Sendable (OpenedDraft, FormBody) async throws -> Response
    ) -> Route {
      .accountForm(base + path) { form in
        try await OpenedDraft.open(opening, form.call, form.signedIn, form: form.fields) {
          try await take($0, form.fields)
        }
      }
    }
    return [
      page("", ChoosingMedicine.form), form("", ChoosingMedicine.change),
      page("/often", SchedulingMedicine.oftenForm),
      form("/often", SchedulingMedicine.chooseOften),
      page("/times", SchedulingMedicine.timesForm), form("/times", SchedulingMedicine.setTimes),
      page("/check", CheckingMedicine.page), form("/discard", ChoosingMedicine.discard),
    ]
  }
}

/// The addresses of the pages that add a medicine.
enum AddMedicineAddress {
  static let start = "/medicines/new"
  static let details = "/medicines/new/details"
  static let suggestions = "/medicines/new/suggestions.json"
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
