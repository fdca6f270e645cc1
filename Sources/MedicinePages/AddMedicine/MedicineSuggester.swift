// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Hummingbird
import Identifiers
import Knowledge
import Localization
import Plans
import Presentation
import Storage
import Web

/// A medicine that matches what someone is typing.
struct MedicineSuggestion: Sendable, Hashable {
  let name: String
  /// The difference from other suggestions: the ingredient, or a note that the person had it
  /// before.
  var detail: String?
  /// The page that asks for its form and strength.
  let address: String
}

/// Suggests medicines, allowing for spelling mistakes: first the person's own, then those of the
/// list.
enum MedicineSuggester {
  private static let longest = 100
  private static let most = 6
  private static let mostOwn = 3

  /// Returns the suggestions for the typed text, the best first.
  static func suggestions(
    for query: String, plans: [Plan], at start: String, _ localizer: Localizer
  ) -> [MedicineSuggestion] {
    let query = TypedText.trimmed(String(query.prefix(longest)))
    guard !query.isEmpty else { return [] }
    let wanted = query.lowercased()
    let own = suggestions(
      of: plans.filter { $0.medicineName.lowercased().contains(wanted) }, at: start, localizer)
    let listed = Handbook.shipped.search(query, limit: most).map { hit in
      let name = localizer.capitalized(hit.name)
      let title = hit.medicine.title(localizer.language)
      return MedicineSuggestion(
        name: name,
        detail: hit.name == hit.medicine.name && title == hit.medicine.name ? nil : title,
        address: address(pick: hit.medicine.id, name: name, at: start))
    }
    return Array((own + listed).prefix(most))
  }

  /// Returns the person's ended medicines, as a starting point for a new one.
  static func earlier(
    _ plans: [Plan], at start: String, _ localizer: Localizer
  ) -> [MedicineSuggestion] {
    suggestions(
      of: plans.filter { $0.unplanned.map { !$0.standsOnToday } ?? false }, at: start, localizer)
  }

  private static func suggestions(
    of plans: [Plan], at start: String, _ localizer: Localizer
  ) -> [MedicineSuggestion] {
    var names: Set<String> = []
    let newest = plans.sorted { $0.created > $1.created }
    let distinct = newest.filter { plan in
      plan.status != "entered-in-error" && !plan.medicineName.isEmpty
        && names.insert(plan.medicineName).inserted
    }
    return distinct.prefix(mostOwn).map { plan in
      MedicineSuggestion(
        name: plan.medicineName, detail: localizer.text("add-medicine.own"),
        address: "\(start)?plan=\(QueryText.encode(plan.id.text))")
    }
  }

  private static func address(pick: String, name: String, at start: String) -> String {
    "\(start)?pick=\(QueryText.encode(pick))&name=\(QueryText.encode(name))"
  }

  /// Answers the script that shows suggestions during typing.
  @Sendable static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.create, "MedicationRequest", of: patient)
    let authorization = try call.authorize(.search, "MedicationRequest", of: patient)
    let plans = try await call.environment.database.read { reader in
      try PlanQueries.all(patient: patient, in: reader)
    }
    try await call.environment.audit(authorization, count: plans.count, at: call.now)
    return answer(call, plans: plans, at: AddMedicineAddress.start)
  }

  /// Returns the suggestions for the words in the query as JSON.
  static func answer(_ call: Call, plans: [Plan], at start: String) -> Response {
    let found = suggestions(
      for: call.queryValue("q") ?? "", plans: plans, at: start, call.localizer)
    return JSONResponse.make([
      "medicines": .array(
        found.map { suggestion in
          var line: JSONValue = [
            "name": .string(suggestion.name), "address": .string(suggestion.address),
          ]
          if let detail = suggestion.detail { line["found"] = .string(detail) }
          return line
        })
    ])
  }
}
