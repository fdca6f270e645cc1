// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Knowledge
import Localization
import SiteMap
import Web

/// The list of topics, and the search for a medicine.
struct KnowledgePage: Sendable {
  /// The longest query, in characters; the rest is cut off.
  private static let longest = 100

  let handbook: Handbook
  let query: String

  init(handbook: Handbook, query: String) {
    self.handbook = handbook
    self.query = String(query.prefix(Self.longest))
  }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("knowledge.title")
    frame.lead = localizer.text("knowledge.lead")
    frame.place = .lookup
    frame.scripts = [PageAssets.search]
    return call.page(
      frame,
      """
      <div class="narrow stack">\(search(localizer))\(results(localizer))\
      \(section("knowledge.children", .children, localizer))\
      \(section("knowledge.adults", .adults, localizer))\
      \(Notice(
        .information, title: localizer.text("knowledge.not-advice"),
        "<p>\(localizer.text("knowledge.unreviewed-all"))</p>"))\
      \(ButtonRow("""
        \(LinkButton(localizer.text("children.title"), address: Address.children, icon: .person))\
        \(LinkButton(localizer.text("dose-tables.title"), address: Address.doseTables, kind: .quiet))
        """))</div>
      """)
  }

  private func search(_ localizer: Localizer) -> Markup {
    """
    <form class="form stack" method="get" action="\(Address.knowledge)" role="search" novalidate \
    data-suggest="\(MedicineSuggestions.path)" \
    data-found="\(localizer.text("knowledge.suggestions"))">\
    \(FormField(
      "q", label: localizer.text("knowledge.search"), kind: .search, value: query,
      hint: localizer.text("knowledge.search-hint"), maximumLength: Self.longest,
      localizer: localizer))\
    \(ButtonRow(Button(localizer.text("knowledge.search-button")).markup))</form>
    """
  }

  private func results(_ localizer: Localizer) -> Markup {
    guard query.contains(where: { !$0.isWhitespace }) else { return Markup() }
    let hits = handbook.search(query)
    let title = localizer.text("knowledge.results", ["count": .number(hits.count)])
    guard !hits.isEmpty else {
      return Section(title, id: "results", "<p>\(localizer.text("knowledge.no-results"))</p>")
        .markup
    }
    return Section(
      title, id: "results",
      """
      <ul class="stack-small" role="list">\(each: hits, { "<li>\(hit($0, localizer))</li>" })</ul>
      """
    ).markup
  }

  private func hit(_ hit: MedicineHit, _ localizer: Localizer) -> Markup {
    let shown: Markup =
      hit.name == hit.medicine.name
      ? Markup()
      : """
      <br><span class="muted">\(localizer.text(
        "knowledge.found-as", ["name": .text(hit.name)]))</span>
      """
    let isGuess = if case .misspelled = hit.fit { true } else { false }
    return Card(
      title: hit.medicine.title(localizer.language), address: KnowledgeRoutes.address(hit.medicine),
      level: .third,
      """
      <p><span class="muted">\(hit.medicine.atc)</span>\(shown)\
      \(if: isGuess, "<br><span class=\"muted\">\(localizer.text("knowledge.guess"))</span>")</p>
      """
    ).markup
  }

  private func section(
    _ title: MessageKey, _ audience: TopicAudience, _ localizer: Localizer
  ) -> Section {
    let topics = handbook.topics.filter { $0.audience == audience }
    return Section(
      localizer.text(title),
      PlaceList(
        topics.map {
          .init($0.title(in: localizer.language), address: KnowledgeRoutes.address($0), icon: .info)
        }
      ).markup)
  }
}

extension CatalogueMedicine {
  /// Returns the title: in Thai, the Thai name with the international name next to it.
  func title(_ language: Language) -> String {
    guard language == .th, let thai = thaiNames.first else { return name }
    return "\(thai) (\(name))"
  }
}
