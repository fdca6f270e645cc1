// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Hummingbird
import Localization
import People
import Presentation
import Reminders
import SiteMap
import Storage
import Web

/// The page that leads from the first medicine to working reminders: allow, test, and what to
/// expect.
struct ReminderSetupPage: Sendable {
  let view: DeviceView
  let done: DeviceNote?

  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (environment, account) = (call.environment, signedIn.account)
    let (subscriptions, zone) = try await environment.database.read { reader in
      (
        try PushSubscriptions.list(account.id, now: call.now, in: reader),
        try PeopleQueries.zone(account.patient, zones: environment.zones, in: reader)
      )
    }
    let words = DoseFormatter(localizer: call.localizer, zone: zone, now: call.now)
    let view = DeviceView(
      devices: subscriptions.map { DeviceView.Device($0, proof: nil, words: words) },
      isAskedForTest: false, localizer: call.localizer, token: call.accountToken,
      isPlain: !call.isSecure)
    let done = call.queryValue("done").flatMap(DeviceNote.init(rawValue:))
    return ReminderSetupPage(view: view, done: done).response(call)
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("device.start.title")
    frame.lead = localizer.text("device.start.lead")
    frame.place = .me
    frame.back = SettingsPage.reminders.back(localizer)
    frame.flash = done.map { FlashBar($0.text(localizer)) }
    return call.page(frame, content(localizer))
  }

  private func content(_ localizer: Localizer) -> Markup {
    """
    <div class="narrow stack-large">\
    \(Section(localizer.text("device.start.allow"), id: "this", allowing(localizer)))\
    \(Section(localizer.text("device.start.try"), id: "devices", trying(localizer)))\
    \(Section(localizer.text("device.start.limits"), id: "limits", view.platforms))\
    \(ButtonRow("""
      \(LinkButton(localizer.text("device.start.done"), address: "/", kind: .primary, icon: .check))\
      \(LinkButton(
        localizer.text("device.start.channels"), address: Address.reminderSettings, kind: .quiet))
      """))</div>
    """
  }

  private func allowing(_ localizer: Localizer) -> Markup {
    """
    \(if: view.isPlain, Notice(
      .warning, title: localizer.text("device.text.plain-title"),
      "<p>\(localizer.text("device.text.plain-help"))</p>").markup)\
    <noscript>\(Notice(.information, title: localizer.text("device.start.no-script")))</noscript>\
    \(view.rows(["permission", "push", "installed"]))\
    <div class="buttons" data-script hidden>\
    <button type="button" class="button button-primary" id="enable" hidden>\(Icon.bell)\
    <span>\(localizer.text("device.text.enable"))</span></button></div>
    """
  }

  private func trying(_ localizer: Localizer) -> Markup {
    let help =
      view.devices.isEmpty
      ? localizer.text("device.start.try-later") : localizer.text("device.start.try-help")
    return """
      <p>\(help)</p>\
      <div class="buttons" data-script hidden>\
      <button type="button" class="button button-secondary" id="sound">\(Icon.bell)\
      <span>\(localizer.text("device.text.sound"))</span></button></div>\
      <div class="stack">\(each: view.devices, { view.card($0, returningTo: .setup) })</div>
      """
  }
}
