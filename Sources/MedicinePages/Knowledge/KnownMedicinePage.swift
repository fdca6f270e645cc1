// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Knowledge
import Localization
import SiteMap
import Web

/// The reference page of a medicine: usage, cautions, food, storage, interactions, sources.
struct KnownMedicinePage: Sendable {
  /// The name of the classification, the same in every language.
  private static let classification = "ATC"

  let handbook: Handbook
  let medicine: CatalogueMedicine
  let list: InteractionList

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let language = localizer.language
    var frame = call.frame()
    frame.title = medicine.title(language)
    frame.back = PageFrame.BackLink(
      localizer.text("knowledge.title"), address: Address.knowledge)
    frame.place = .lookup
    let interactions = handbook.interactions(of: medicine, by: list, in: language)
    let storage = handbook.storage(of: medicine)
    let sources =
      [medicine.source] + handbook.sources(of: storage).filter { $0.id != medicine.source.id }
    return call.page(
      frame,
      """
      <div class="narrow stack">\(status(localizer))\
      \(Section(localizer.text("knowledge.names"), names(localizer).markup))\
      \(phrases("knowledge.usage", handbook.usage(of: medicine, in: language), localizer))\
      \(Section(localizer.text("knowledge.food-title"), """
        <p>\(localizer.text("knowledge.food", ["food": .text(medicine.food.rawValue)]))</p>
        """))\
      \(phrases("knowledge.cautions", handbook.cautions(of: medicine, in: language), localizer))\
      \(Section(
        localizer.text("knowledge.section", ["section": "storage"]),
        StatementLines(localizer: localizer).list(storage)))\
      \(Section(localizer.text("knowledge.interactions"), list(interactions, localizer)))\
      \(SourceList(
        sources: sources, unnumbered: interactions.map(\.citation), localizer: localizer))</div>
      """)
  }

  private func status(_ localizer: Localizer) -> Notice {
    Notice(
      .warning, title: localizer.text("knowledge.unreviewed"),
      """
      \(if: medicine.source.facts == .named, """
        <p>\(localizer.text("knowledge.named-help"))</p>
        """ as Markup)<p>\(localizer.text("knowledge.label-wins"))</p>
      """)
  }

  private func names(_ localizer: Localizer) -> DescriptionList {
    let lists: [(MessageKey, [String])] = [
      ("knowledge.contains", medicine.ingredients), ("knowledge.brands", medicine.brands),
      ("knowledge.thai-brands", medicine.thaiBrands),
      ("knowledge.combinations", medicine.combinationBrands),
      ("knowledge.other-names", medicine.synonyms + medicine.thaiNames),
    ]
    let rows = lists.filter { !$0.1.isEmpty }
      .map { DescriptionList.Item(localizer.text($0.0), $0.1.joined(separator: ", ")) }
    return DescriptionList(rows + [DescriptionList.Item(Self.classification, medicine.atc)])
  }

  private func phrases(
    _ title: MessageKey, _ phrases: [String], _ localizer: Localizer
  ) -> Markup {
    guard !phrases.isEmpty else { return Markup() }
    return Section(
      localizer.text(title),
      """
      <ul>\(each: phrases, { "<li>\($0)</li>" })</ul><p class="small muted">\
      \(localizer.text("knowledge.from", ["sources": .text(medicine.source.id)]))</p>
      """
    ).markup
  }

  private func list(_ notes: [InteractionNote], _ localizer: Localizer) -> Markup {
    guard !notes.isEmpty else {
      return "<p>\(localizer.text("knowledge.no-interactions"))</p>"
    }
    return """
      <ul class="stack-small" role="list">\(each: notes, { "<li>\(line($0, localizer))</li>" })</ul>\
      <p>\(localizer.text("knowledge.more-interactions"))</p>
      """
  }

  private func line(_ note: InteractionNote, _ localizer: Localizer) -> Markup {
    """
    <strong>\(localizer.text(
      "knowledge.severity", ["severity": .text(note.severity.rawValue)]))</strong> \(note.other)<br>\
    \(note.effects.joined(separator: " ")) <span class="small muted">\
    \(localizer.text("interactions.source")) <span lang="en">\(note.citation.name)</span>\
    \(if: note.isToBeConfirmed, " · \(localizer.text("knowledge.to-confirm"))" as Markup)</span>
    """
  }
}
