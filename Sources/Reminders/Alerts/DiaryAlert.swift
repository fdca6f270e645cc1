// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// An ``Alert`` about something that follows a dose. Its page answers it, because "done" would answer nothing.
package enum DiaryAlert: String, Sendable, Hashable, CaseIterable {
  /// The question whether an as-needed dose helped: told once, quietly.
  case followUp = "follow-up"
  /// A patch or an insert is to be taken off: rings like an alarm of the person, without one.
  case removal = "site-removal"

  /// The answers whether a dose helped, as the API takes them, in the order in which a notification offers them.
  package static let answers = ["much", "little", "no", "too-early"]

  /// Returns the alert about a dose.
  ///
  /// - Parameter time: the number of the alert, from 1: each is opened once.
  package func alert(
    about administration: AdministrationID, time: Int64, patient: PatientID, due: Timestamp,
    ends: Timestamp
  ) -> NewAlert {
    NewAlert(
      patient: patient, id: AlertID("\(rawValue).\(time).\(administration)"), kind: kind,
      source: source(of: administration), due: due, ends: ends)
  }

  /// The kind of reminder by which it is told.
  package var kind: ReminderKind {
    switch self {
    case .followUp: .lead
    case .removal: .alarm
    }
  }

  /// Returns the source of the alerts about a dose.
  package func source(of administration: AdministrationID) -> String {
    "\(rawValue).\(administration)"
  }

  /// Returns the subject of an alert; nil for other alerts.
  package init?(of alert: AlertID) {
    guard let word = alert.text.split(separator: ".", maxSplits: 1).first,
      let known = DiaryAlert(rawValue: String(word)), alert.text.hasPrefix("\(known.rawValue).")
    else { return nil }
    self = known
  }

  /// Returns the dose of an alert; nil for other alerts.
  package static func administration(of alert: AlertID) -> AdministrationID? {
    guard DiaryAlert(of: alert) != nil else { return nil }
    let parts = alert.text.split(separator: ".", maxSplits: 2)
    return parts.count == 3 ? AdministrationID(String(parts[2])) : nil
  }
}
