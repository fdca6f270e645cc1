// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import HTML
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// Today for someone with whom doses are not shared: if times and states are, it shows them without
/// a medicine's name; otherwise it says that nothing is shared.
enum SharedTodayPage {
  static func response(_ call: Call, patient: PatientID) async throws -> Response {
    let localizer = call.localizer
    let name = call.person?.name ?? ""
    var frame = call.frame()
    frame.title = localizer.text("today.title")
    frame.place = .today
    guard let authorization = try? call.authorize(.read, "DoseState", of: patient) else {
      let notice = Notice(
        .information, title: localizer.text("people.not-shared", ["name": .text(name)]),
        """
        <p>\(localizer.text("people.not-shared-help"))</p>\
        \(LinkButton(localizer.text("people.title"), address: Address.people, icon: .people))
        """)
      return call.page(frame, notice.markup)
    }
    let environment = call.environment
    let listing = try await environment.database.read { reader in
      try DoseQueries.listing(
        patient: patient, from: call.now.adding(milliseconds: -TodayModel.reach),
        until: call.now.adding(milliseconds: TodayModel.reach), now: call.now,
        zones: environment.zones, in: reader)
    }
    try await environment.audit(authorization, count: listing.doses.count, at: call.now)
    let words = DoseFormatter(localizer: localizer, zone: listing.zone, now: call.now)
    let today = listing.doses.filter { words.local($0.due).date == words.today }
    frame.lead = words.date(words.today, .long)
    let rows = today.map { dose -> Markup in
      "<li><span class=\"shared-time\">\(words.time(dose.due))</span> \(chip(dose, words))</li>"
    }
    let content: Markup = """
      <div class="stack"><p>\(localizer.text("people.states-only", ["name": .text(name)]))</p>\
      \(if: today.isEmpty, "<p class=\"muted\">\(localizer.text("people.no-doses"))</p>")\
      \(if: !today.isEmpty, "<ul class=\"shared-doses\" role=\"list\">\(rows)</ul>")\
      \(ButtonRow(LinkButton(
        localizer.text("charts.link"), address: Address.charts, icon: .chart).markup))</div>
      """
    return call.page(frame, content)
  }

  /// Returns the state without its reason, which is in the person's own words.
  private static func chip(_ dose: Dose, _ words: DoseFormatter) -> StateChip {
    let state: StateChip.State =
      switch dose.state {
      case .taken: .taken
      case .skipped: .skipped
      case .refused: .refused
      case .missed: .missed
      case .due: dose.isLate ? .overdue : .due
      case .later: .later
      case .scheduled: .scheduled
      case .withheld: .withheld
      case .cancelled: .cancelled
      }
    return words.chip(state)
  }
}
