// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A sticker on a box or a shelf, whose address opens the answer to what is due.
package struct Sticker: Sendable, Hashable {
  /// The things that a sticker stands for.
  package enum Subject: Sendable, Hashable {
    /// One medicine.
    case medicine(PlanID)
    /// Everything that the person takes around a local time, in minutes after midnight; at any time if nil.
    case place(minute: Int?)

    /// The minutes around a place's time within which doses belong to it.
    package static let reach = 60

    /// Returns true if a dose belongs to it.
    ///
    /// - Parameter minute: the local time at which the dose is due, in minutes after midnight.
    package func includes(_ plan: PlanID, dueAt minute: Int) -> Bool {
      switch self {
      case .medicine(let own): return own == plan
      case .place(nil): return true
      case .place(let own?):
        let apart = abs(own - minute)
        return min(apart, 1440 - apart) <= Self.reach
      }
    }
  }

  /// The identifier, which gives no access.
  package let id: String
  /// The person whose medicines it stands for.
  package let patient: PatientID
  /// The name that the person gave it, such as a room.
  package let name: String
  /// The medicine or the place.
  package let subject: Subject
  /// The time at which it was made.
  package let created: Timestamp
  /// The time of the last answer by it; nil if there was none.
  package let used: Timestamp?

  /// Creates a sticker from its fields.
  package init(
    id: String, patient: PatientID, name: String, subject: Subject, created: Timestamp,
    used: Timestamp? = nil
  ) {
    self.id = id
    self.patient = patient
    self.name = name
    self.subject = subject
    self.created = created
    self.used = used
  }

  /// The medicine that it stands for; nil for a place.
  package var plan: PlanID? {
    if case .medicine(let plan) = subject { plan } else { nil }
  }
}
