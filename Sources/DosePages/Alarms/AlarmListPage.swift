// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import Reminders
import Scheduling
import SiteMap
import Storage
import Web

/// All alarms for a person: their own, and the times of their medicines.
struct AlarmListPage: Sendable {
  /// A time in the next day at which medicines are due.
  struct MedicineTime: Sendable, Hashable {
    let time: ClockTime
    let plan: PlanID
    let name: String
    let isSilent: Bool
  }

  var alarms: [Alarm] = []
  var medicines: [MedicineTime] = []
  /// The alarms that are ringing now.
  var ringing: [RingAlerts.Row] = []
  var ownSounds: [String: String] = [:]
  let zone: Zone

  static func read(_ call: Call, patient: PatientID) async throws -> AlarmListPage {
    let environment = call.environment
    let (now, localizer) = (call.now, call.localizer)
    return try await environment.database.read { reader in
      let listing = try DoseQueries.listing(
        patient: patient, from: now, until: now.adding(milliseconds: 24 * 3_600_000), now: now,
        zones: environment.zones, in: reader)
      var page = AlarmListPage(zone: listing.zone)
      page.alarms = try AlarmQueries.all(patient: patient, in: reader)
      page.ownSounds = try OwnSounds.names(of: patient, in: reader)
      let alerts = try RingAlerts.armed(
        patient: patient, now: now, localizer, in: reader)
      page.ringing = alerts.ringing
      let silent = try EscalationCommands.silentPlans(of: patient, in: reader)
      var seen: Set<MedicineTime> = []
      for dose in listing.doses where dose.state != .cancelled {
        let row = MedicineTime(
          time: listing.zone.local(at: Instant(milliseconds: dose.due.milliseconds)).time,
          plan: dose.plan, name: dose.medicineName, isSilent: silent.contains(dose.plan))
        if seen.insert(row).inserted { page.medicines.append(row) }
      }
      page.medicines.sort { ($0.time, $0.name, $0.plan) < ($1.time, $1.name, $1.plan) }
      return page
    }
  }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("alarms.title")
    frame.lead = localizer.text("alarms.lead")
    frame.place = .me
    frame.back = SettingsPage.reminders.back(localizer)
    frame.flash = flash(call)
    let words = AlarmText(
      words: DoseFormatter(localizer: localizer, zone: zone, now: call.now), ownSounds: ownSounds)
    let view = AlarmListView(page: self, words: words, token: call.formToken)
    return call.page(frame, view.markup)
  }

  private func flash(_ call: Call) -> FlashBar? {
    let localizer = call.localizer
    switch call.queryValue("done") {
    case "saved": return FlashBar(localizer.text("alarms.saved"))
    case "removed":
      guard let id = call.queryValue("alarm"), id.utf8.count < 100 else { return nil }
      return FlashBar(
        localizer.text("alarms.removed"),
        undo: FormButton(
          localizer.text("alarms.bring-back"), action: "/alarms/\(id)/restore",
          token: call.formToken, kind: .quiet, icon: .undo))
    default: return nil
    }
  }
}

/// The page with the list of alarms.
struct AlarmListView: PagePart {
  let page: AlarmListPage
  let words: AlarmText
  let token: FormToken

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    """
    <div class="narrow stack-large">\(each: page.ringing, ringing)\(own)\(medicines)\
    \(ButtonRow("""
      \(LinkButton(localizer.text("night.title"), address: RingRoutes.nightStand, kind: .quiet, icon: .moon))\
      \(LinkButton(localizer.text("escalation.title"), address: Address.escalation, kind: .quiet, icon: .bell))\
      \(LinkButton(localizer.text("device.title"), address: "/device", kind: .quiet, icon: .phone))
      """))</div>
    """
  }

  private func ringing(_ row: RingAlerts.Row) -> Markup {
    let link = LinkButton(
      localizer.text("reminders.open"), address: "/ring/\(row.alert.subject)", kind: .primary,
      icon: .bell, object: row.name)
    return Notice(
      .warning,
      title: localizer.text(
        "alarms.rings-now",
        ["name": .text(row.name), "time": .text(words.words.moment(row.alert.due))]),
      "\(link)"
    ).markup
  }

  private var own: Markup {
    let add = LinkButton(
      localizer.text("alarms.add"), address: "/alarms/new", kind: .primary, icon: .plus)
    guard !page.alarms.isEmpty else {
      return EmptyState(
        icon: .bell, text: localizer.text("alarms.empty"),
        action: "\(if: token.mayAct, add.markup)"
      ).markup
    }
    return """
      \(if: token.mayAct, ButtonRow("\(add)").markup)\
      <ul class="alarms" role="list">\(each: page.alarms, row)</ul>
      """
  }

  private func row(_ alarm: Alarm) -> Markup {
    let name = alarm.name(localizer)
    let draft = alarm.draft
    // For read-only viewers, the form would have no button.
    let shownName: Markup =
      token.mayAct ? "<a href=\"/alarms/\(alarm.id)\">\(name)</a>" : "\(name)"
    let facts = [
      words.days(draft.times), words.sound(draft.sound),
      localizer.text("alarms.snooze-of", ["time": .text(words.minutes(draft.snooze))]),
    ]
    return """
      <li class="card alarm\(if: !draft.isOn, " alarm-off")"><div class="alarm-text">\
      <p class="alarm-time">\(words.time(alarm))</p>\
      <p class="alarm-name">\(shownName)</p>\
      <p class="muted">\(facts.joined(separator: " · "))</p>\(if: draft.isOn && alarm.next == nil, over)\
      </div>\(switchButton(alarm, name))</li>
      """
  }

  private var over: Markup { "<p>\(localizer.text("alarms.over"))</p>" }

  /// Returns a switch whose label also tells screen readers its state and effect.
  private func switchButton(_ alarm: Alarm, _ name: String) -> Markup {
    guard token.mayAct else { return Markup() }
    let isOn = alarm.draft.isOn
    return """
      <form method="post" action="/alarms/\(alarm.id)/turn">\(token)\
      <input type="hidden" name="to" value="\(isOn ? "off" : "on")">\
      <button type="submit" class="button button-secondary switch" aria-pressed="\(isOn ? "true" : "false")">\
      <span class="visually-hidden">\(name) </span>\
      <span>\(localizer.text(isOn ? "alarms.on" : "alarms.off"))</span></button></form>
      """
  }

  private var medicines: Markup {
    guard !page.medicines.isEmpty else { return Markup() }
    return Section(
      localizer.text("alarms.medicines"), id: "medicines",
      """
      <p class="muted">\(localizer.text("alarms.medicines-help"))</p>\
      <ul class="alarms" role="list">\(each: page.medicines, { row in
        """
        <li class="card alarm\(if: row.isSilent, " alarm-off")"><div class="alarm-text">\
        <p class="alarm-time">\(words.words.time(row.time))</p>\
        <p class="alarm-name"><a href="/medicines/\(row.plan)">\(row.name)</a></p></div>\
        <a class="button button-quiet" href="/medicines/\(row.plan)/reminders">\
        <span>\(localizer.text(row.isSilent ? "alarms.off" : "alarms.on"))\
        <span class="visually-hidden"> \(row.name)</span></span></a></li>
        """
      })</ul>
      """
    ).markup
  }
}
