// SPDX-License-Identifier: Apache-2.0

import Access
import HTML
import Hummingbird
import Identifiers
import Knowledge
import Localization
import Presentation
import SiteMap
import Web

/// The results of a search, by kind.
struct SearchResults: Sendable {
  /// Medicines of the person shown.
  var plans: [(plan: PlanID, name: String)] = []
  var people: [PersonInReach] = []
  var pages: [SearchablePage] = []
  var questions: [HelpQuestion] = []
  var topics: [Topic] = []
  /// Medicines of the reference list.
  var medicines: [MedicineHit] = []

  var count: Int {
    plans.count + people.count + pages.count + questions.count + topics.count + medicines.count
  }
}

/// The page of a search with its results.
struct SearchPage: Sendable {
  /// The name of the query parameter.
  static let parameter = SearchField.name
  /// The most characters of a query; the rest is ignored.
  static let longest = SearchField.longest
  /// The most results of one kind.
  static let most = 8

  let query: String
  let results: SearchResults

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("search.title")
    frame.place = .me
    frame.back = .me(localizer)
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(SearchField(query: query, localizer: localizer))\
      \(found(call))</div>
      """)
  }

  private func found(_ call: Call) -> Markup {
    let localizer = call.localizer
    guard query.contains(where: { !$0.isWhitespace }) else {
      return "<p>\(localizer.text("search.help"))</p>"
    }
    guard results.count > 0 else {
      return EmptyState(
        icon: .search, text: localizer.text("search.nothing", ["text": .text(query)]),
        action: LinkButton(
          localizer.text("help.questions"), address: Address.help, icon: .question
        ).markup
      ).markup
    }
    return """
      <p role="status">\(localizer.text("search.count", ["count": .number(results.count)]))</p>\
      \(section("search.own-medicines", plans(), localizer))\
      \(people(call))\
      \(section("search.pages", pages(localizer), localizer))\
      \(section("search.questions", questions(localizer), localizer))\
      \(section("search.medicines", medicines(localizer), localizer))
      """
  }

  private func section(
    _ title: MessageKey, _ places: [PlaceList.Place], _ localizer: Localizer
  ) -> Section? {
    places.isEmpty
      ? nil
      : Section(localizer.text(title), PlaceList(Array(places.prefix(Self.most))).markup)
  }

  private func plans() -> [PlaceList.Place] {
    results.plans.map {
      .init($0.name, address: "\(Address.medicines)/\($0.plan)", icon: .pill)
    }
  }

  private func pages(_ localizer: Localizer) -> [PlaceList.Place] {
    results.pages.map {
      .init($0.title(localizer), address: $0.target.address, icon: .gear)
    }
  }

  private func questions(_ localizer: Localizer) -> [PlaceList.Place] {
    results.questions.map {
      .init($0.question(localizer), address: $0.helpAddress, icon: .question)
    }
  }

  private func medicines(_ localizer: Localizer) -> [PlaceList.Place] {
    let topics: [PlaceList.Place] = results.topics.map {
      .init(
        $0.title(in: localizer.language), address: "\(Address.knowledge)/topics/\($0.id)",
        icon: .info)
    }
    let medicines: [PlaceList.Place] = results.medicines.map { hit in
      .init(
        hit.medicine.name, address: "\(Address.knowledge)/medicines/\(hit.medicine.id)",
        icon: .info, hint: hit.name == hit.medicine.name ? nil : hit.name)
    }
    return topics + medicines
  }

  /// Returns the people found: a practitioner's patients link to their own pages, others are
  /// chosen.
  private func people(_ call: Call) -> Section? {
    guard !results.people.isEmpty else { return nil }
    let localizer = call.localizer
    let rows: [Markup] = results.people.prefix(Self.most).map { person in
      let relationship = localizer.text(
        "people.relationship", ["relationship": .text(person.right.relationship.rawValue)])
      let open: Markup =
        person.right.relationship == .practitioner
        ? LinkButton(
          localizer.text("people.open"), address: "\(Address.careTeam)/\(person.patient)",
          object: person.name
        ).markup
        : FormButton(
          localizer.text("people.open"), action: PersonChoice.path, token: call.accountToken,
          fields: [(PersonChoice.field, person.patient.text)], kind: .secondary,
          object: person.name
        ).markup
      return """
        <li><strong>\(person.name)</strong><br><span class="muted">\(relationship)</span>\(open)</li>
        """
    }
    return Section(
      localizer.text("search.people"), "<ul class=\"people-list\" role=\"list\">\(rows)</ul>")
  }
}
