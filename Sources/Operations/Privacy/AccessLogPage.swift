// SPDX-License-Identifier: Apache-2.0

import CareTeam
import HTML
import Hummingbird
import Identifiers
import Localization
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The page on which a person reads who viewed their data and who changed them.
struct AccessLogPage: Sendable {
  let part: AccessLogPart
  let words: DoseFormatter
  /// The account that views the page.
  let reader: AccountID
  /// True if this is the page with the newest lines.
  let isFirst: Bool

  private var localizer: Localizer { words.localizer }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = localizer.text("privacy.access-log.title")
    frame.lead = localizer.text("privacy.access-log.lead")
    frame.place = .me
    frame.back = PageFrame.BackLink(localizer.text("privacy.title"), address: Address.privacy)
    return call.page(frame, content)
  }

  private var content: Markup {
    guard !part.events.isEmpty else {
      return EmptyState(icon: .person, text: localizer.text("privacy.access-log.empty")).markup
    }
    return """
      <div class="stack-large"><div class="records">\(each: days, section)</div>\(steps)</div>
      """
  }

  private var days: [(day: CivilDate, events: [AuditEvent])] {
    var days: [(day: CivilDate, events: [AuditEvent])] = []
    for event in part.events {
      let day = words.local(event.entry.at).date
      if days.last?.day == day {
        days[days.count - 1].events.append(event)
      } else {
        days.append((day, [event]))
      }
    }
    return days
  }

  private func section(_ day: CivilDate, _ events: [AuditEvent]) -> Markup {
    """
    <div class="records-day">\(HeadingLevel.second.heading(
      Markup(text: words.date(day, .long)), style: "records-date"))\
    <ul class="records-list" role="list">\(each: events, line)</ul></div>
    """
  }

  private func line(_ event: AuditEvent) -> Markup {
    let entry = event.entry
    var notes: [String] = []
    if let app = entry.app {
      let name = part.apps[app] ?? localizer.text("privacy.access-log.app-gone")
      notes.append(localizer.text("privacy.access-log.app", ["name": .text(name)]))
    }
    if entry.outcome == .denied { notes.append(localizer.text("privacy.access-log.denied")) }
    if entry.count > 1 {
      notes.append(localizer.text("privacy.access-log.count", ["count": .number(entry.count)]))
    }
    notes.append(
      localizer.text("privacy.access-log.why", ["purpose": .text(entry.purpose)]))
    return """
      <li class="record"><span class="record-time">\(words.time(entry.at))</span>\
      <span class="record-name">\(AccessLogText.who(
        entry.actor, names: part.names, reader: reader, localizer))</span>\
      <span class="record-state">\(AccessLogText.what(entry, localizer))</span>\
      <div class="record-notes"><p>\(notes.joined(separator: " · "))</p></div></li>
      """
  }

  private var steps: Markup {
    let older = part.next.map {
      LinkButton(
        localizer.text("privacy.access-log.older"),
        address: "\(PrivacyRoutes.accessLogPath)?before=\(AccessLogPlace.text($0))",
        icon: .arrowLeft)
    }
    let newest =
      isFirst
      ? nil
      : LinkButton(
        localizer.text("privacy.access-log.newest"), address: PrivacyRoutes.accessLogPath,
        icon: .chevron)
    guard older != nil || newest != nil else { return Markup() }
    return ButtonRow("\(older)\(newest)").markup
  }
}

/// Describes an actor and an action in plain words.
enum AccessLogText {
  /// Returns the account's name; the operator and deleted accounts have their own texts.
  static func who(
    _ actor: AccountID, names: [AccountID: String], reader: AccountID?, _ localizer: Localizer
  ) -> String {
    if actor == reader { return localizer.text("privacy.access-log.you") }
    if let name = names[actor] { return name }
    if actor == EmergencyCards.reader { return localizer.text("emergency-card.reader") }
    return localizer.text(
      actor == .hostOperator ? "privacy.access-log.operator" : "privacy.access-log.gone")
  }

  /// Returns the action and the kind of data.
  static func what(_ entry: AuditEntry, _ localizer: Localizer) -> String {
    let what = localizer.text(
      "privacy.access-log.data", ["resource": .text(entry.resource.lowercased())])
    return localizer.text(
      "privacy.access-log.line",
      ["kind": .text(entry.kind.rawValue.replacing("-", with: "")), "what": .text(what)])
  }
}
