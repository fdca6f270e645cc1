// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Presentation
import Reminders
import Web

/// The notice about devices that have shown no reminder for a long time, so that other channels
/// have taken over.
struct SilentDevices: PagePart {
  let devices: [PushSubscription]
  let words: DoseFormatter

  var markup: Markup {
    Markup.joined(devices.map(notice))
  }

  private func notice(_ device: PushSubscription) -> Markup {
    let localizer = words.localizer
    let name = device.label ?? localizer.text("status.devices.unnamed")
    let since = device.silentSince.map(words.moment) ?? ""
    let link = LinkButton(localizer.text("device.title"), address: "/device", icon: .bell)
    return Notice(
      .warning, title: localizer.text("health.today", ["name": .text(name), "time": .text(since)]),
      "<p>\(localizer.text("health.today-help"))</p>\(link)"
    ).markup
  }
}
