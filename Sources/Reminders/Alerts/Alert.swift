// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// One thing that rings and is no dose: an alarm's time, a warning, a word ahead of something.
///
/// It has a reminder of its own, which rings by the person's ladder until somebody answers.
package struct Alert: Sendable, Hashable {
  package enum State: String, Sendable, Hashable, CaseIterable {
    case open
    /// It was seen to.
    case done
    /// Not this time.
    case declined
    /// What it came from is gone.
    case cancelled

    package var isAnswered: Bool { self == .done || self == .declined }
  }

  package let patient: PatientID
  /// Made from what it stands for, so that it comes to be once.
  package let id: String
  package let kind: ReminderKind
  /// What it comes from: an alarm, a warning.
  package let source: String
  /// The reminder that rings for it.
  package let subject: String
  package let due: Timestamp
  /// From when on it rings: due, put off to, or opened again.
  package internal(set) var ringsFrom: Timestamp
  /// Nothing rings from there on.
  package let ends: Timestamp
  /// Grows whenever it is to ring anew.
  package internal(set) var generation: Int64
  package let isCritical: Bool
  package internal(set) var state: State
  package internal(set) var version: Int64
  package internal(set) var answered: Timestamp?
  /// The name of whoever answered.
  package internal(set) var answeredBy: String?
  package internal(set) var changed: Timestamp

  /// The minutes by which "later" puts off, unless an alarm says otherwise.
  package static let standardSnooze = 10

  /// Whether it asks for an answer at an instant.
  package func asks(at now: Timestamp) -> Bool {
    state == .open && ringsFrom <= now && now < ends
  }
}

/// What is to ring once, made by the feature that it comes from.
package struct NewAlert: Sendable, Hashable {
  package let patient: PatientID
  package let id: String
  package let kind: ReminderKind
  package let source: String
  package let due: Timestamp
  /// From when on it rings.
  package let ringsFrom: Timestamp
  package let ends: Timestamp
  package let isCritical: Bool

  /// - Parameter ringsFrom: nil where that is the due time.
  package init(
    patient: PatientID, id: String, kind: ReminderKind, source: String, due: Timestamp,
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

/// What somebody says to an occasion.
package struct AlertAnswer: Sendable, Hashable {
  package enum Action: String, Sendable, Hashable, CaseIterable {
    case done, declined, later, undo
  }

  package let action: Action
  /// How long "later" puts off.
  package let minutes: Int?
  /// Names the press: the same one twice counts once.
  package let event: String?

  /// How many hours a time is said as; none for one that is said in minutes.
  package static func wholeHours(_ minutes: Int) -> Int {
    minutes.isMultiple(of: 60) ? minutes / 60 : 0
  }

  package init(_ action: Action, minutes: Int? = nil, event: String? = nil) {
    self.action = action
    self.minutes = minutes
    self.event = event
  }
}

/// Why an answer to an occasion changed nothing.
package enum AlertError: Error, Sendable {
  /// No such occasion of this patient.
  case notFound
  /// Another answer came first.
  case answered(Alert)
  case cancelled(Alert)
  /// "Later" must end before the occasion does; 0 where it fits no more.
  case minutesOutOfRange(maximum: Int)
  case missingMinutes
  /// The event already names another press.
  case eventUsedElsewhere
  case storage(StorageError)
}
