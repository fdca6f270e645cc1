// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Knowledge
import Localization
import Presentation
import Scheduling
import SiteMap
import Web

/// A topic: first aid first, then the rest, by the rules of one region.
struct TopicPage: Sendable {
  let handbook: Handbook
  let topic: Topic
  let region: Region
  /// The links to children's schedules; nil for a topic about adults.
  let schedules: Markup?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = topic.title(in: localizer.language)
    frame.back = PageFrame.BackLink(
      localizer.text("knowledge.title"), address: Address.knowledge)
    frame.place = .lookup
    let lines = StatementLines(localizer: localizer)
    let isRegionKnown = call.knownRegion != nil
    let card = handbook.emergencyCard(for: topic, region: region)
      .filter { isRegionKnown || !$0.id.hasPrefix(Handbook.numbersPrefix) }
    let number: Markup =
      isRegionKnown
      ? Markup() : "<p><strong>\(localizer.text("knowledge.emergency-number"))</strong></p>"
    let sections = TopicSection.allCases.filter { $0 != .emergency }
      .map { ($0, topic.statements(in: $0, region: region)) }
      .filter { !$0.1.isEmpty }
    let shown = card + sections.flatMap(\.1)
    return call.page(
      frame,
      """
      <div class="narrow stack">\
      \(CareCard(
        .emergency, title: localizer.text("knowledge.emergency"), localizer: localizer,
        "\(number)\(lines.list(card))"))\
      \(status(shown, localizer))\(regions(call, localizer))\(jumps(sections.map(\.0), localizer))\
      \(each: sections, { section($0.0, $0.1, lines) })\
      \(schedules)\(SourceList(sources: handbook.sources(of: shown), localizer: localizer))</div>
      """)
  }

  /// Returns the note at the top that says whether a professional has reviewed the topic.
  private func status(_ shown: [Statement], _ localizer: Localizer) -> Markup {
    let reviewed = shown.count { $0.review != .unreviewed }
    let translated = shown.count {
      $0.translationReview(in: localizer.language) != .unreviewed
    }
    guard reviewed < shown.count || translated < shown.count else { return Markup() }
    let title =
      reviewed == 0
      ? localizer.text("knowledge.unreviewed")
      : localizer.text(
        "knowledge.partly-reviewed",
        ["reviewed": .number(reviewed), "count": .number(shown.count)])
    let wording: Markup =
      localizer.language == .en || translated == shown.count
      ? Markup() : "<p>\(localizer.text("knowledge.translation-unreviewed"))</p>"
    return Notice(
      .warning, title: title,
      """
      <p>\(localizer.text("knowledge.compiled", ["day": .text(localizer.day(topic.compiled))]))</p>\(wording)
      """
    ).markup
  }

  /// Returns the choice of region; the page only ever shows one region's rules.
  private func regions(_ call: Call, _ localizer: Localizer) -> Markup {
    let tabs = Region.allCases.map { choice in
      SegmentedTabs.Tab(
        localizer.text("knowledge.region", ["region": .text(choice.rawValue)]),
        address: PreferenceAddress.link(
          PreferenceAddress.region, choice.rawValue, from: call.request.uri.path),
        isCurrent: choice == call.knownRegion)
    }
    return """
      <p>\(localizer.text("knowledge.region-help"))</p>\
      \(SegmentedTabs(label: localizer.text("knowledge.region-label"), tabs))
      """
  }

  private func jumps(_ sections: [TopicSection], _ localizer: Localizer) -> Markup {
    let name = localizer.text("knowledge.on-this-page")
    return """
      <nav class="choice-line" aria-label="\(name)"><span aria-hidden="true">\(name)</span>\
      <ul class="choice-list" role="list">\(each: sections, { section in """
        <li><a href="#\(section.rawValue)">\(title(section, localizer))</a></li>
        """ })</ul></nav>
      """
  }

  private func title(_ section: TopicSection, _ localizer: Localizer) -> String {
    localizer.text("knowledge.section", ["section": .text(section.rawValue)])
  }

  private func section(
    _ section: TopicSection, _ statements: [Statement], _ lines: StatementLines
  ) -> Markup {
    let list = lines.list(statements)
    let title = title(section, lines.localizer)
    guard section == .help else { return Section(title, id: section.rawValue, list).markup }
    return """
      <div id="\(section.rawValue)">\
      \(CareCard(.urgent, title: title, localizer: lines.localizer, list))</div>
      """
  }
}

/// The statements of a topic, each with its sources and their review state.
struct StatementLines: Sendable {
  let localizer: Localizer

  func list(_ statements: [Statement]) -> Markup {
    "<ul class=\"stack-small\" role=\"list\">\(each: statements, { "<li>\(line($0))</li>" })</ul>"
  }

  private func line(_ statement: Statement) -> Markup {
    """
    \(statement.text(in: localizer.language)) <span class="small muted">\
    \(localizer.text(
      "knowledge.from", ["sources": .text(statement.sources.joined(separator: ", "))]))\
    \(if: statement.facts == .named, " · \(localizer.text("knowledge.not-read"))" as Markup)\
    \(review(statement))</span>
    """
  }

  private func review(_ statement: Statement) -> Markup {
    guard case .reviewed(let day, let by) = statement.review else { return Markup() }
    return """
       · \(localizer.text("knowledge.reviewed", ["day": .text(localizer.day(day)), "by": .text(by)]))
      """
  }
}

/// The sources at the end of a page.
struct SourceList: PagePart {
  let sources: [Source]
  /// The sources that the page names in full, listed once per name, with their links.
  var unnumbered: [Source] = []
  let localizer: Localizer

  private var named: [Source] {
    var names: Set<String> = []
    return unnumbered.filter { names.insert($0.name).inserted }
  }

  var markup: Markup {
    let list: Markup = """
      <ul class="stack-small" role="list">\(each: sources, { "<li><strong>\($0.id)</strong> \(line($0))</li>" })\
      \(each: named, { "<li>\(line($0))</li>" })</ul>
      """
    return Section(
      localizer.text("knowledge.sources"), id: "sources",
      Disclosure(
        localizer.text("knowledge.sources-count", ["count": .number(sources.count + named.count)]),
        list
      ).markup
    ).markup
  }

  private func line(_ source: Source) -> SourceLine {
    SourceLine(source: source, localizer: localizer)
  }
}

extension Localizer {
  /// Returns a date of the content, such as `2026-11-22`, in the language's format.
  fileprivate func day(_ text: String) -> String {
    guard let date = CivilDate(text: text) else { return text }
    let (year, month, day) = date.parts
    return self.date(
      LocalDay(year: year, month: month, day: day, isoWeekday: date.weekday.rawValue), .medium)
  }
}
