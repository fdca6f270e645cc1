// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// An alert for something other than a dose: the time of an alarm, a warning, or an advance notice.
///
/// It has its own reminder, which follows the person's escalation policy until someone answers.
package struct Alert: Sendable, Hashable {
  /// The state of an alert.
  package enum State: String, Sendable, Hashable, CaseIterable {
    case open
    /// A person marked it as done.
    case done
    /// A person chose "not this time".
    case declined
    /// The alarm or other source no longer exists or has changed.
    case cancelled

    /// True if a person answered with "done" or "not this time".
    package var isAnswered: Bool { self == .done || self == .declined }
  }

  /// The patient for whom the alert rings.
  package let patient: PatientID
  /// The identifier, made from what the alert is about, so that it is opened once.
  package let id: AlertID
  /// The kind of reminder that rings for the alert.
  package let kind: ReminderKind
  /// The identifier of the alarm, warning or doses that the alert is about.
  package let source: String
  /// The identifier of the reminder that rings for the alert.
  package let subject: ReminderID
  /// The time that the alert is about.
  package let due: Timestamp
  /// The time from which the alert rings: its due time, a later one after "later", or the time at
  /// which it was opened again.
  package internal(set) var ringsFrom: Timestamp
  /// The end of the alert, after which nothing rings and no answer is accepted.
  package let ends: Timestamp
  /// The number of the generation, from 1; it grows by one whenever the alert starts to ring again.
  package internal(set) var generation: Int64
  /// True if the alert also rings in quiet hours.
  package let isCritical: Bool
  /// The state of the alert.
  package internal(set) var state: State
  /// The number of the version, growing by one with each change.
  package internal(set) var version: Int64
  /// The time of the answer; nil without one.
  package internal(set) var answered: Timestamp?
  /// The name of whoever answered.
  package internal(set) var answeredBy: String?
  /// The time of the last change.
  package internal(set) var changed: Timestamp

  /// The minutes by which "later" postpones an alert, unless an alarm says otherwise.
  package static let standardSnooze = 10

  /// Returns true if the alert waits for an answer at an instant.
  package func asks(at now: Timestamp) -> Bool {
    state == .open && ringsFrom <= now && now < ends
  }
}

/// A new alert, made by the feature that it comes from.
package struct NewAlert: Sendable, Hashable {
  /// The patient for whom the alert rings.
  package let patient: PatientID
  /// The identifier, made from what the alert is about, so that it is opened once.
  package let id: AlertID
  /// The kind of reminder that rings for the alert.
  package let kind: ReminderKind
  /// The identifier of the alarm, warning or doses that the alert is about.
  package let source: String
  /// The time that the alert is about.
  package let due: Timestamp
  /// The time from which the alert rings.
  package let ringsFrom: Timestamp
  /// The end of the alert, after which nothing rings and no answer is accepted.
  package let ends: Timestamp
  /// True if the alert also rings in quiet hours.
  package let isCritical: Bool

  /// Creates a new alert.
  ///
  /// - Parameter ringsFrom: nil for the due time.
  package init(
    patient: PatientID, id: AlertID, kind: ReminderKind, source: String, due: Timestamp,
    ringsFrom: Timestamp? = nil, ends: Timestamp, isCritical: Bool = false
  ) {
    self.patient = patient
    self.id = id
    self.kind = kind
    self.source = source
    self.due = due
    self.ringsFrom = ringsFrom ?? due
    self.ends = ends
    self.isCritical = isCritical
  }
}

/// An answer to an alert.
package struct AlertAnswer: Sendable, Hashable {
  /// An answer to an alert.
  package enum Action: String, Sendable, Hashable, CaseIterable {
    case done, declined, later, undo
  }

  /// The answer.
  package let action: Action
  /// The minutes by which "later" postpones the alert; nil for other answers.
  package let minutes: Int?
  /// The identifier of the press of a button: the same press received twice counts once.
  package let event: String?

  /// Returns the hours in which a number of minutes is stated; 0 if it is stated in minutes.
  package static func wholeHours(_ minutes: Int) -> Int {
    minutes.isMultiple(of: 60) ? minutes / 60 : 0
  }

  /// Creates an answer.
  package init(_ action: Action, minutes: Int? = nil, event: String? = nil) {
    self.action = action
    self.minutes = minutes
    self.event = event
  }
}

/// The reason why an answer to an alert changed nothing.
package enum AlertError: Error, Sendable {
  /// The patient has no such alert.
  case notFound
  /// The alert was answered before.
  case answered(Alert)
  case cancelled(Alert)
  /// "Later" must end before the alert does; `maximum` is 0 if it is no longer possible.
  case minutesOutOfRange(maximum: Int)
  case missingMinutes
  /// The event identifier already belongs to another button press.
  case eventUsedElsewhere
  case storage(StorageError)
}
