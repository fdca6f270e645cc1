// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Presentation
import Reminders
import Storage
import Web

/// The devices that receive a person's reminders, and how reliable they are.
struct StatusDevices: PagePart {
  let devices: [PushSubscription]
  let mailIsPossible: Bool
  let words: DoseFormatter
  let now: Timestamp

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    Section(
      localizer.text("status.devices.title"),
      """
      \(if: devices.isEmpty, none)\(each: devices, card)\
      <p>\(localizer.text(mailIsPossible ? "status.devices.mail" : "status.devices.no-mail"))</p>\
      \(ButtonRow(setUp.markup))
      """
    ).markup
  }

  private var none: Markup {
    Notice(.warning, title: localizer.text("status.devices.none")).markup
  }

  private var setUp: LinkButton {
    LinkButton(localizer.text("status.devices.set-up"), address: "/device", icon: .bell)
  }

  private func card(_ device: PushSubscription) -> Markup {
    Card(
      title: device.label ?? localizer.text("status.devices.unnamed"), level: .third,
      """
      <p class="muted">\(device.maskedAddress)</p><p>\(tested(device))</p>\
      \(shown(device))\(if: device.isBroken, broken)
      """
    ).markup
  }

  private func shown(_ device: PushSubscription) -> Markup {
    guard let shown = device.lastShown else { return Markup() }
    let text = localizer.text("status.devices.shown", ["when": .text(words.moment(shown))])
    return "<p>\(text)</p>"
  }

  private var broken: Markup {
    let key: MessageKey =
      mailIsPossible ? "status.devices.broken" : "status.devices.broken-without-mail"
    return Notice(.warning, title: localizer.text(key)).markup
  }

  private func tested(_ device: PushSubscription) -> String {
    guard let confirmed = device.confirmed else { return localizer.text("status.devices.never") }
    let when: MessageArguments = ["when": .text(words.moment(confirmed))]
    return confirmed.adding(milliseconds: StatusModel.span) < now
      ? localizer.text("status.devices.old-test", when)
      : localizer.text("status.devices.confirmed", when)
  }
}
