// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import HTML
import Hummingbird
import Localization
import Presentation
import SiteMap
import Storage
import Supply
import Web

/// A practitioner's home page: the patients in order of need, each with the reasons.
package struct CarePanelPage: Sendable {
  /// How many patients one page shows.
  static let length = 50
  /// A longer question is cut: no name is so long.
  private static let longest = 100

  let entries: [CarePanelEntry]
  let requests: [CareRequests.Request]
  let isConfirmed: Bool
  let filter: CareFilter
  let query: String
  let page: Int

  /// What the page says was just done.
  enum Done: String, Sendable {
    case accepted, declined, left, profile
  }

  static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let environment = call.environment
    let account = signedIn.account.id
    // A token has no panel: what it may read stands in its own scope.
    let isSession = signedIn.actor.kind == .session
    let (entries, requests, isConfirmed) = try await environment.database.read { reader in
      (
        isSession ? try CarePanel.load(account, at: call.now, in: reader) : [],
        isSession ? try CareRequests.load(account, call, in: reader) : [],
        isSession ? try environment.accounts.isPractitioner(account, in: reader) : false
      )
    }
    let made = CarePanelPage(
      entries: entries, requests: requests, isConfirmed: isConfirmed,
      filter: call.queryValue("show").flatMap(CareFilter.init(rawValue:)) ?? .all,
      query: String((call.queryValue("q") ?? "").prefix(longest)),
      page: max(1, call.queryValue("page").flatMap { Int($0) } ?? 1))
    // What is seen of each: whether doses were taken, what runs out, or nothing but the name.
    for entry in made.shown {
      for resource in seen(of: entry) {
        if let right = signedIn.actor.rights[entry.patient],
          case .allow(let authorization) = decide(
            actor: Actor(
              accountID: account, kind: .session, rights: [entry.patient: right],
              scope: signedIn.actor.scope), action: .read, patient: entry.patient,
            resource: resource, purpose: signedIn.actor.purpose(with: entry.patient))
        {
          try await environment.audit(authorization, count: 1, at: call.now)
        }
      }
    }
    return made.response(call, signedIn)
  }

  private static func seen(of entry: CarePanelEntry) -> [String] {
    (entry.categories.contains(.adherence) ? ["DoseState"] : [])
      + (entry.reasons.contains { $0.kind == .stock } ? [StockCommands.resource] : [])
  }

  private var found: [CarePanelEntry] {
    let words = query.lowercased().split(whereSeparator: \.isWhitespace)
    return entries.filter { entry in
      guard filter.shows(entry) else { return false }
      if words.isEmpty { return true }
      let name = entry.name.lowercased()
      return words.allSatisfy { name.contains($0) }
    }
  }

  private var shown: ArraySlice<CarePanelEntry> {
    found.dropFirst(min(page - 1, 1_000_000) * Self.length).prefix(Self.length)
  }

  private func response(_ call: Call, _ signedIn: SignedIn) -> Response {
    let localizer = call.localizer
    var frame = call.careFrame(signedIn)
    frame.title = localizer.text("care-team.title")
    frame.isLive = true
    frame.flash = call.queryValue("done").flatMap(Done.init(rawValue:)).map {
      FlashBar(localizer.text("care-team.done", ["done": .text($0.rawValue)]))
    }
    if !entries.isEmpty {
      frame.lead = localizer.text(
        "care-team.lead",
        [
          "count": .number(entries.count),
          "pressing": .number(entries.count(where: \.isPressing)),
        ])
    }
    return call.page(frame, content(call))
  }

  private func content(_ call: Call) -> Markup {
    let localizer = call.localizer
    return """
      <div class="narrow stack">\(each: requests, { $0.card(call) })\
      \(entries.isEmpty
        ? EmptyState(
          icon: .person, text: localizer.text("care-team.empty"),
          action: LinkButton(
            localizer.text("people.join"), address: "/join", kind: .primary, icon: .check
          ).markup
        ).markup
        : panel(call))\
      \(PlaceList(places(call)))</div>
      """
  }

  private func places(_ call: Call) -> [PlaceList.Place] {
    let localizer = call.localizer
    var places: [PlaceList.Place] = [
      .conversations(call),
      .init(
        localizer.text("caregiver-messages.title"), address: Address.caregiverMessages, icon: .bell),
      .init(localizer.text("people.join"), address: "/join", icon: .check),
    ]
    if isConfirmed {
      places.insert(
        .init(
          localizer.text("care-team.profile.title"), address: CareProfilePage.path, icon: .person),
        at: 0)
      places.append(
        .init(
          localizer.text("care-team.templates.title"), address: Address.prescriptionTemplates,
          icon: .list))
    }
    return places
  }

  private func panel(_ call: Call) -> Markup {
    let localizer = call.localizer
    let words = CareTeamText(localizer: localizer, now: call.now)
    let (found, shown) = (found, shown)
    let rows = shown.map { entry -> Markup in
      let card = Card(
        title: entry.name, address: "\(Address.careTeam)/\(entry.patient)",
        reasons(entry, words))
      return "<li>\(card)</li>"
    }
    return """
      \(search(localizer, words))\
      \(if: found.isEmpty, "<p>\(localizer.text("care-team.none-found"))</p>")\
      \(if: !rows.isEmpty, "<ol class=\"stack\" role=\"list\">\(rows)</ol>")\
      \(steps(found.count, localizer))
      """
  }

  private func reasons(_ entry: CarePanelEntry, _ words: CareTeamText) -> Markup {
    guard !entry.reasons.isEmpty else {
      let key: MessageKey =
        entry.categories.isDisjoint(with: [.adherence, .heartRate, .stock])
        ? "care-team.nothing-shared" : "care-team.quiet"
      return "<span class=\"muted\">\(words.localizer.text(key))</span>"
    }
    return "<span class=\"buttons\">\(each: entry.reasons, words.chip)</span>"
  }

  private func search(_ localizer: Localizer, _ words: CareTeamText) -> Markup {
    """
    <form class="form stack" method="get" action="\(Address.careTeam)" role="search" novalidate>\
    \(FormField(
      "q", label: localizer.text("care-team.search"), kind: .search, value: query,
      isRequired: false, maximumLength: Self.longest, localizer: localizer))\
    \(FormField(
      "show", label: localizer.text("care-team.show"),
      kind: .select(
        CareFilter.allCases.map { filter in
          let count = entries.count(where: filter.shows)
          return FieldChoice(
            filter.rawValue,
            localizer.text(
              "care-team.filter-count",
              ["name": .text(words.name(filter)), "count": .number(count)]))
        }), value: filter.rawValue, localizer: localizer))\
    \(ButtonRow(Button(localizer.text("care-team.search-button"), kind: .secondary).markup))</form>
    """
  }

  private func steps(_ count: Int, _ localizer: Localizer) -> Markup {
    let last = max(1, (count + Self.length - 1) / Self.length)
    guard last > 1 else { return Markup() }
    func link(_ number: Int, _ key: MessageKey) -> Markup? {
      guard (1...last).contains(number), number != page else { return nil }
      let address =
        "\(Address.careTeam)?show=\(filter.rawValue)&q=\(QueryText.encode(query))&page=\(number)"
      return LinkButton(localizer.text(key), address: address).markup
    }
    return """
      <p class="muted">\(localizer.text(
        "care-team.page", ["page": .number(min(page, last)), "last": .number(last)]))</p>\
      \(ButtonRow("""
        \(link(min(page, last + 1) - 1, "care-team.page-before"))\
        \(link(page + 1, "care-team.page-after"))
        """))
      """
  }
}
