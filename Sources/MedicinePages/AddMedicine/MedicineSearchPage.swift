// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Localization
import Plans
import Web

/// The search for the medicine to add, with the person's earlier medicines and an unfinished draft.
struct MedicineSearchPage: Sendable {
  private static let longest = 100

  let site: StepSite
  let query: String
  let plans: [Plan]
  let unfinished: MedicineDraft?
  /// Other starting points, such as a practitioner's templates.
  var more = Markup()

  var response: Response {
    let localizer = site.localizer
    var frame = site.frame(of: .which, name: "", back: site.home)
    frame.scripts = [PageAssets.search]
    return site.call.page(
      frame,
      """
      <div class="narrow stack add-steps">\(search(localizer))\(found(localizer))\
      \(query.isEmpty ? started : nil)\(more)\
      \(LinkButton(
        localizer.text("add-medicine.one-page"), address: site.form, kind: .quiet))\
      </div>
      """)
  }

  private func search(_ localizer: Localizer) -> Markup {
    """
    <form class="form stack" method="get" action="\(site.start)" role="search" \
    novalidate data-suggest="\(site.suggestions)" \
    data-found="\(localizer.text("knowledge.suggestions"))">\
    \(FormField(
      "q", label: localizer.text("medicines.form.name"), kind: .search, value: shown,
      hint: localizer.text("medicines.form.name-hint"), maximumLength: Self.longest,
      localizer: localizer))\
    \(ButtonRow(Button(localizer.text("add-medicine.search")).markup))</form>
    """
  }

  private var shown: String { String(query.prefix(Self.longest)) }

  private func found(_ localizer: Localizer) -> Markup {
    let words = TypedText.trimmed(shown)
    if words.isEmpty {
      let earlier = MedicineSuggester.earlier(plans, at: site.start, localizer)
      guard !earlier.isEmpty else { return Markup() }
      return list(localizer.text("add-medicine.earlier"), earlier)
    }
    let typed = MedicineSuggestion(
      name: localizer.text("add-medicine.as-typed", ["name": .text(words)]),
      address: "\(site.start)?name=\(QueryText.encode(words))")
    let found = MedicineSuggester.suggestions(
      for: words, plans: plans, at: site.start, localizer)
    return list(
      localizer.text("add-medicine.found", ["count": .number(found.count)]), found + [typed])
  }

  private func list(_ title: String, _ suggestions: [MedicineSuggestion]) -> Markup {
    let rows = suggestions.map { suggestion -> Markup in
      """
      <li><a href="\(suggestion.address)"><span>\(suggestion.name)\
      \(suggestion.detail.map { "<span class=\"muted small\"> \($0)</span>" as Markup })</span>\
      \(Icon.chevron)</a></li>
      """
    }
    return Section(title, id: "results", "<ul class=\"places\" role=\"list\">\(rows)</ul>").markup
  }

  /// The unfinished draft, to continue or discard.
  private var started: Markup? {
    guard let unfinished else { return nil }
    let localizer = site.localizer
    let often = AddedFields(encoded: unfinished.fields).often
    let step: AddMedicineStep = often?.kind == nil ? .often : .times
    return Card(
      title: localizer.text("add-medicine.unfinished", ["name": .text(unfinished.name)]),
      ButtonRow(
        """
        \(LinkButton(
          localizer.text("add-medicine.resume"),
          address: site.step(step, of: unfinished.id), object: unfinished.name))\
        \(FormButton(
          localizer.text("add-medicine.discard"),
          action: site.discard(unfinished.id), token: site.token, kind: .quiet,
          object: unfinished.name))
        """
      ).markup
    ).markup
  }
}
