// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A question or warning that a device in the home raised: an ``Alert`` that rings like an alarm of the person, without
/// one.
package enum HomeDeviceQuestion: String, Sendable, Hashable, CaseIterable {
  /// The dose that is due may have been taken.
  case taken
  /// The dose of this time was taken already, or its medicine too recently.
  case twice
  /// The next dose is not due yet.
  case early

  private static let prefix = "home-device."

  /// Returns the alert about a subject, such as a dose, which is opened once for each.
  package func alert(
    about subject: String, from device: HomeDeviceID, patient: PatientID, at now: Timestamp
  ) -> NewAlert {
    NewAlert(
      patient: patient, id: AlertID("\(Self.prefix)\(rawValue).\(subject)"), kind: .alarm,
      source: Self.source(of: device), due: now,
      ends: now.adding(milliseconds: 30 * 60_000))
  }

  /// Returns the source of the alerts that a device raised.
  package static func source(of device: HomeDeviceID) -> String { "\(prefix)\(device)" }

  /// Returns the question of an alert; nil for other alerts.
  package init?(of alert: AlertID) {
    guard alert.text.hasPrefix(Self.prefix) else { return nil }
    let rest = alert.text.dropFirst(Self.prefix.count)
    guard let end = rest.firstIndex(of: "."),
      let question = HomeDeviceQuestion(rawValue: String(rest[..<end]))
    else { return nil }
    self = question
  }

  /// Returns the dose of an alert, as text; nil for other alerts.
  package static func dose(of alert: AlertID) -> String? {
    guard HomeDeviceQuestion(of: alert) != nil else { return nil }
    return alert.text.split(separator: ".", maxSplits: 2).dropFirst(2).first.map(String.init)
  }
}
