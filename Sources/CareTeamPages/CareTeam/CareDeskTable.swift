// SPDX-License-Identifier: Apache-2.0

import CareTeam
import HTML
import Identifiers
import Localization
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// A practitioner's patients as a table that is sorted and filtered by links and a form.
///
/// On a narrow page, and next to an open patient, each row is a card.
struct CareDeskTable: PagePart {
  let model: CareDeskModel
  let localizer: Localizer
  let now: Timestamp
  /// The patient who is open next to the table; nil if there is none.
  var open: PatientID?

  private static let columns: [CareDeskSort] = [.name, .age, .week, .month, .seen, .need, .since]

  private var query: DeskQuery { model.query }
  private var reasons: CareTeamText { CareTeamText(localizer: localizer, now: now) }
  private var words: DoseFormatter {
    DoseFormatter(localizer: localizer, zone: model.zone, now: now)
  }

  /// The form, the table and the links to its other pages.
  var markup: Markup {
    """
    \(open == nil ? search : Disclosure(text("find"), search).markup)\
    \(if: model.found == 0, "<p>\(localizer.text("care-team.none-found"))</p>")\
    \(if: !model.shown.isEmpty, table)\(steps)
    """
  }

  private func text(_ name: String) -> String {
    localizer.text(MessageKey("care-desk.\(name)"))
  }

  private func label(_ column: CareDeskSort) -> String {
    localizer.text("care-desk.column", ["column": .text(column.rawValue)])
  }

  /// Returns an address that keeps the open patient, whatever the table shows.
  private func address(_ query: DeskQuery) -> String {
    open.map { query.address(of: $0) } ?? query.address
  }

  // MARK: The table

  private var table: Markup {
    let caption = localizer.text("care-desk.caption", ["column": .text(label(query.sort))])
    return """
      <p class="desk-keys muted">\(text("keys"))</p>\
      <p class="desk-date">\(localizer.text(
        "care-desk.as-of",
        ["when": .text(MedicineClock(zone: model.zone, localizer: localizer).text(now))]))</p>\
      <table class="table desk-table" role="table"><caption class="visually-hidden">\(caption)</caption>\
      <thead role="rowgroup"><tr role="row">\(each: Self.columns, head)</tr></thead>\
      <tbody role="rowgroup">\(each: model.shown, row)</tbody></table>\
      <p class="muted desk-note">\(text("seen-note"))</p>
      """
  }

  private func head(_ column: CareDeskSort) -> Markup {
    let isSorted = column == query.sort
    // Sorting by need begins with the greatest.
    let isDescending = query.isReversed != (column == .need)
    let direction: String? = isSorted ? (isDescending ? "descending" : "ascending") : nil
    return """
      <th scope="col" role="columnheader" class="desk-\(column.rawValue)"\
      \(Markup.attribute("aria-sort", direction))>\
      <a href="\(address(query.sorted(by: column)))">\(label(column))</a></th>
      """
  }

  private func row(_ entry: CarePanelEntry) -> Markup {
    let isOpen = entry.patient == open
    return """
      <tr role="row" id="patient-\(entry.patient)" data-part="patient"\(if: isOpen, " class=\"desk-current\"")>\
      <th scope="row" role="rowheader" class="desk-name"><a class="desk-link" \
      href="\(query.address(of: entry.patient))"\(if: isOpen, " aria-current=\"true\"")>\
      \(entry.name)</a></th>\
      \(cell(.age, age(entry)))\(cell(.week, week(entry)))\(cell(.month, month(entry)))\
      \(cell(.seen, seen(entry)))\(cell(.need, need(entry)))\(cell(.since, since(entry)))</tr>
      """
  }

  /// Returns a cell with its label, since a card has no column headings.
  private func cell(_ column: CareDeskSort, _ content: Markup) -> Markup {
    """
    <td role="cell" class="desk-\(column.rawValue)"><span class="desk-label">\(label(column))</span>\
    <span class="desk-value">\(content)</span></td>
    """
  }

  private func quiet(_ name: String) -> Markup {
    "<span class=\"muted\">\(text(name))</span>"
  }

  private func age(_ entry: CarePanelEntry) -> Markup {
    guard let born = model.facts.birthDates[entry.patient] else { return quiet("unknown") }
    return Markup(text: localizer.number(Self.age(born: born, on: words.today)))
  }

  /// Returns the age in completed years on a day; 0 for a birth date in the future.
  static func age(born: CivilDate, on today: CivilDate) -> Int {
    let (year, month, day) = born.parts
    let (thisYear, thisMonth, thisDay) = today.parts
    let isAhead = (thisMonth, thisDay) < (month, day)
    return max(0, thisYear - year - (isAhead ? 1 : 0))
  }

  private func week(_ entry: CarePanelEntry) -> Markup {
    guard CareDeskOrder.isShared(.week, by: entry) else { return quiet("not-shared") }
    return rate(model.facts.adherence[entry.patient], days: 7)
  }

  private func month(_ entry: CarePanelEntry) -> Markup {
    guard CareDeskOrder.isShared(.month, by: entry) else { return quiet("not-shared") }
    let adherence = model.facts.adherence[entry.patient]
    return """
      \(rate(adherence, days: CareAdherence.length))\
      \(adherence.map { CareSparkline(adherence: $0, localizer: localizer).markup })
      """
  }

  private func rate(_ adherence: CareAdherence?, days: Int) -> Markup {
    guard let total = adherence?.total(days: days), let percent = total.percent else {
      return quiet("no-doses")
    }
    let counts = localizer.text(
      "care-desk.counts", ["taken": .number(total.taken), "planned": .number(total.planned)])
    return """
      <strong>\(CareSparkline.percent(percent, localizer))</strong> \
      <span class="muted">\(counts)</span>
      """
  }

  private func seen(_ entry: CarePanelEntry) -> Markup {
    guard CareDeskOrder.isShared(.seen, by: entry) else { return quiet("not-shared") }
    guard let seen = model.facts.lastSeen[entry.patient] else { return quiet("not-seen") }
    let days = Int(clamping: max(0, now.milliseconds - seen.milliseconds) / (24 * 3_600_000))
    let ago = localizer.text("care-desk.ago", ["days": .number(days)])
    return "<time datetime=\"\(words.machine(seen))\">\(ago)</time>"
  }

  private func need(_ entry: CarePanelEntry) -> Markup {
    guard !entry.reasons.isEmpty else {
      return CareDeskOrder.isShared(.need, by: entry)
        ? "<span class=\"muted\">\(localizer.text("care-team.quiet"))</span>"
        : quiet("not-shared")
    }
    return "<span class=\"desk-chips\">\(each: entry.reasons, reasons.chip)</span>"
  }

  private func since(_ entry: CarePanelEntry) -> Markup {
    guard CareDeskOrder.isShared(.since, by: entry) else { return quiet("not-shared") }
    guard let since = entry.neededSince else { return quiet("nothing") }
    let day = words.date(words.local(since).date, .short)
    return "<time datetime=\"\(words.machine(since))\">\(day)</time>"
  }

  // MARK: The form and the pages

  private var search: Markup {
    let action = open.map { "\(Address.careTeam)/\($0)" } ?? Address.careTeam
    let filters = CareFilter.allCases.map { filter in
      FieldChoice(
        filter.rawValue,
        localizer.text(
          "care-team.filter-count",
          [
            "name": .text(reasons.name(filter)),
            "count": .number(model.entries.count(where: filter.shows)),
          ]))
    }
    return """
      <form class="form desk-search" method="get" action="\(action)" role="search" novalidate>\
      \(FormField(
        "q", label: localizer.text("care-team.search"), kind: .search, value: query.words,
        isRequired: false, maximumLength: DeskQuery.longest, localizer: localizer))\
      \(FormField(
        "show", label: localizer.text("care-team.show"), kind: .select(filters),
        value: query.filter.rawValue, localizer: localizer))\
      \(FormField(
        "sort", label: text("sort"),
        kind: .select(CareDeskSort.allCases.map { FieldChoice($0.rawValue, label($0)) }),
        value: query.sort.rawValue, localizer: localizer))\
      \(ButtonRow(Button(localizer.text("care-team.search-button"), kind: .secondary).markup))</form>
      """
  }

  private var steps: Markup {
    let last = model.lastPage
    guard last > 1 else { return Markup() }
    func link(_ number: Int, _ key: MessageKey) -> Markup? {
      guard (1...last).contains(number), number != query.page else { return nil }
      return LinkButton(localizer.text(key), address: address(query.on(page: number))).markup
    }
    return """
      <p class="muted">\(localizer.text(
        "care-team.page", ["page": .number(min(query.page, last)), "last": .number(last)]))</p>\
      \(ButtonRow("""
        \(link(min(query.page, last + 1) - 1, "care-team.page-before"))\
        \(link(query.page + 1, "care-team.page-after"))
        """))
      """
  }
}
