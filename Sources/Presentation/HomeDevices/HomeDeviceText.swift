// SPDX-License-Identifier: Apache-2.0

import HomeDevices
import Localization

/// The words for devices in the home.
package struct HomeDeviceText: Sendable {
  /// The texts in the language of the reader.
  package let localizer: Localizer

  /// Creates the words in a language.
  package init(_ localizer: Localizer) {
    self.localizer = localizer
  }

  /// Returns the name of a kind of device.
  package func kind(_ kind: HomeDevice.Kind) -> String {
    localizer.text("home-devices.kind", ["kind": .text(kind.rawValue)])
  }

  /// Returns the name that is kept with a device's answers, such as "Pill box Kitchen".
  package func byName(_ kind: HomeDevice.Kind, _ name: String) -> String {
    localizer.text(
      "home-devices.by", ["kind": .text(self.kind(kind)), "name": .text(name)])
  }

  /// Returns the meaning of a compartment's events.
  package func meaning(_ meaning: HomeDeviceCompartment.Meaning) -> String {
    localizer.text("home-devices.meaning", ["meaning": .text(meaning.rawValue)])
  }

  /// Returns what a device reported.
  package func event(_ kind: DeviceEvent.Kind) -> String {
    localizer.text("home-devices.event", ["event": .text(kind.rawValue)])
  }

  /// Returns what became of an event.
  package func outcome(_ event: JudgedEvent) -> String {
    let outcome = localizer.text(
      "home-devices.outcome", ["outcome": .text(event.outcome.rawValue)])
    guard let reason = event.reason else { return outcome }
    return localizer.text(
      "home-devices.outcome-reason",
      [
        "outcome": .text(outcome),
        "reason": .text(
          localizer.text("home-devices.reason", ["reason": .text(reason.rawValue)])),
      ])
  }
}
