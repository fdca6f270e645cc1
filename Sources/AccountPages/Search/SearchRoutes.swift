// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import Knowledge
import Localization
import Plans
import SiteMap
import Storage
import Web

/// `/search?q=`: medicines, people in reach, settings and help in one list.
package enum SearchRoutes {
  /// The route of the page.
  package static let all: [Route] = [.page(.get, Address.search, page)]

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let typed = String((call.queryValue(SearchPage.parameter) ?? "").prefix(SearchPage.longest))
    let text = SearchText(typed, longest: SearchPage.longest)
    var results = SearchResults()
    guard !text.isEmpty else { return SearchPage(query: typed, results: results).response(call) }
    let patient = call.patient(of: signedIn)
    if let authorization = try? call.authorize(.read, "MedicationRequest", of: patient) {
      let names = try await call.environment.database.read { reader in
        try PlanQueries.names(patient: patient, in: reader)
      }
      results.plans = names.filter { text.matches($0.name) }
      if !results.plans.isEmpty {
        try await call.environment.audit(
          authorization, count: results.plans.count, at: call.now)
      }
    }
    results.people = call.people.filter { text.matches($0.name) || text.matches($0.calledName) }
    results.pages = pages(matching: text, call)
    results.questions = HelpQuestion.allCases.filter {
      text.matches("\($0.question(call.localizer)) \($0.answer(call.localizer))")
    }
    results.topics = Handbook.shipped.topics.filter {
      text.matches($0.title(in: call.localizer.language))
    }
    results.medicines = Handbook.shipped.search(typed, limit: SearchPage.most)
    return SearchPage(query: typed, results: results).response(call)
  }

  /// Returns the pages that the viewer can open, those whose title matches first.
  private static func pages(matching text: SearchText, _ call: Call) -> [SearchablePage] {
    let localizer = call.localizer
    let hasServices = !call.environment.providers.all.isEmpty
    let open = SearchablePage.allCases.filter {
      $0.isOpen(to: call.person?.right, hasServices: hasServices)
    }
    let titled = open.filter { text.matches($0.title(localizer)) }
    let named = open.filter { page in
      !titled.contains(page)
        && text.matches("\(page.title(localizer)) \(page.words(localizer))")
    }
    return titled + named
  }
}
