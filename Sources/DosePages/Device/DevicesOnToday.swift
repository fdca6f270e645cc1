// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Localization
import Plans
import Presentation
import Reminders
import SiteMap
import Web

/// The cards on Today that warn of reminders that might not arrive: no device is confirmed, or one
/// has shown none for a long time.
package struct DevicesOnToday: TodayContribution {
  /// Creates the contribution.
  package init() {}

  /// Returns a card to set up reminders if no device is confirmed, and one for devices that show
  /// none.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    var addition = TodayAddition()
    if today.mayAct, !today.features.confirmedDevice {
      addition.cards.append(TodayCard(.reminders) { Self.notice($0.words.localizer) })
    }
    guard today.features.unshownReminders else { return addition }
    let silent = try PushSubscriptions.list(
      today.signedIn.account.id, now: today.now, in: today.reader
    ).filter(\.isBroken)
    addition.cards.append(
      TodayCard(.reminders) { SilentDevices(devices: silent, words: $0.words).markup })
    return addition
  }

  private static func notice(_ localizer: Localizer) -> Markup {
    let link = LinkButton(
      localizer.text("device.start.title"), address: Address.reminderSetup, icon: .bell)
    return """
      \(Notice(
        .information, title: localizer.text("device.today.title"),
        "<p>\(localizer.text("device.today.help"))</p>\(link)"))
      """
  }
}
