// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Hummingbird
import Identifiers
import Localization
import Presentation
import SiteMap
import Web

/// A page below *Me* that only links to pages of several features.
enum SettingsList: Sendable, CaseIterable {
  case reminders, connections, ownHealth

  /// The address of the page.
  var address: String {
    switch self {
    case .reminders: Address.reminderSettings
    case .connections: Address.connections
    case .ownHealth: Address.ownHealth
    }
  }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = title(localizer)
    frame.place = .me
    frame.back = .me(localizer)
    if self == .ownHealth, let own = call.signedIn?.account.patient, call.person?.patient != own {
      return call.page(frame, openingOwn(own, call))
    }
    let links = places(call).map { link in
      PlaceList.Place(
        localizer.text(link.title), address: link.address, icon: link.icon,
        hint: link.hint.map { localizer.text($0) })
    }
    return call.page(frame, "<div class=\"narrow stack\">\(PlaceList(links))</div>")
  }

  /// Returns the link from the pages of a patient back to the account's own.
  private func openingOwn(_ own: PatientID, _ call: Call) -> Markup {
    let localizer = call.localizer
    let button = FormButton(
      localizer.text("me.my-health-open"), action: PersonChoice.path, token: call.accountToken,
      fields: [(PersonChoice.field, own.text), ("return", address)], icon: .person)
    return """
      <div class="narrow stack"><p>\(localizer.text(
        "me.my-health-other", ["name": .text(call.person?.name ?? "")]))</p>\(button)</div>
      """
  }

  private func title(_ localizer: Localizer) -> String {
    switch self {
    case .reminders: SettingsPage.reminders.title(localizer)
    case .connections: SettingsPage.connections.title(localizer)
    case .ownHealth: localizer.text("me.my-health")
    }
  }

  private struct Link {
    let title: MessageKey
    let address: String
    let icon: Icon
    var hint: MessageKey?

    init(_ title: MessageKey, _ address: String, _ icon: Icon, _ hint: MessageKey? = nil) {
      (self.title, self.address, self.icon, self.hint) = (title, address, icon, hint)
    }
  }

  private func places(_ call: Call) -> [Link] {
    let mayAct = call.person?.mayAct ?? true
    switch self {
    case .reminders:
      let device = Link("device.title", Address.devices, .phone, "me.hint.device")
      let family = Link("escalation.family", Address.escalationFamily, .people, "me.hint.family")
      let offline = Link("offline.page.title", Address.offline, .lock, "me.hint.offline")
      guard mayAct else { return [device, family, offline] }
      return [
        device,
        Link("escalation.title", Address.escalation, .bell, "me.hint.escalation"),
        Link("escalation.quiet", Address.quietHours, .moon, "me.hint.quiet"),
        Link("alarms.mornings", Address.sleepIn, .sun),
        family,
        Link("alarms.title", Address.alarms, .clock, "me.hint.alarms"),
        Link("alarms.sounds", Address.alarmSounds, .message),
        Link("ring.title-armed", Address.ring, .home, "me.hint.ring"),
        Link("simple.link", Address.simpleView, .sun, "me.hint.simple"),
        offline,
        Link("status.title", Address.status, .check),
      ]
    case .connections:
      let programs = Link("tokens.title", Address.programs, .gear, "me.hint.tokens")
      let apps = Link("apps.title", Address.connectedApps, .phone, "me.hint.apps")
      guard mayAct else { return [apps, programs] }
      return [
        Link("heart-rate.phone.title", Address.heartRatePhone, .heart, "me.hint.watch"),
        Link("heart-rate.import.title", Address.heartRateImport, .download),
        Link("hospitals.title", Address.hospitals, .home, "me.hint.hospitals"),
        Link("calendar.feed.title", Address.calendar, .calendar, "me.hint.calendar"),
        Link("widgets.title", Address.widgets, .phone, "me.hint.widgets"),
        Link("home-devices.title", Address.homeDevices, .box, "home-devices.hint"),
        Link("stickers.title", Address.stickers, .box, "me.hint.stickers"),
        Link("studies.title", Address.studies, .document, "studies.hint"),
        apps, programs,
      ]
    case .ownHealth:
      return [
        Link("today.title", "/", .sun),
        Link("medicines.title", Address.medicines, .pill),
        Link("progress.title", Address.progress, .chart),
        Link("people.title", Address.people, .people),
      ]
    }
  }
}
