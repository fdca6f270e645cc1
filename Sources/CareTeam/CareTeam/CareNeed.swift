// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Scheduling
import Storage

/// A reason to look at a patient, the most serious first.
package enum CareReason: Sendable, Hashable {
  /// The number of doses of the last 7 days that were not recorded, if it is 3 or more.
  case missed(Int)
  /// The number of refused doses that were due in the last 7 days, or come due in the next 7.
  case refused(Int)
  /// The number of medicines whose supply at home does not cover the next dose.
  case outOfStock(Int)
  /// The number of days, of the last 7, on which the resting heart rate exceeded the limit.
  case heartRate(days: Int)
  /// A question about the heart rate waits for an answer.
  case unanswered
  /// No device of those who act for the patient has shown a reminder since that time.
  case silent(since: Timestamp)
  /// The number of doses of the last 7 days that were not recorded, if it is 1 or 2.
  case fewMissed(Int)
  /// The first day on which a medicine at home will be used up.
  case runsOut(on: CivilDate)
  /// The number of the practitioner's prescriptions that wait for the patient's answer.
  case waiting(Int)

  /// The kinds of reasons that a filter distinguishes.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case missed, refused, stock, heart, silent, few, waiting
  }

  /// The kind of the reason; running out and running low are the same kind.
  package var kind: Kind {
    switch self {
    case .missed: .missed
    case .refused: .refused
    case .outOfStock, .runsOut: .stock
    case .heartRate, .unanswered: .heart
    case .silent: .silent
    case .fewMissed: .few
    case .waiting: .waiting
    }
  }

  /// True if the practitioner should look at the patient; the other reasons are for information.
  package var isPressing: Bool { rank < 6 }

  var rank: Int {
    switch self {
    case .missed: 0
    case .refused: 1
    case .outOfStock: 2
    case .heartRate: 3
    case .unanswered: 4
    case .silent: 5
    case .fewMissed: 6
    case .runsOut: 7
    case .waiting: 8
    }
  }
}

/// A patient on a practitioner's panel, limited to the shared categories.
package struct CarePanelEntry: Sendable, Hashable {
  /// The patient.
  package let patient: PatientID
  /// The patient's displayed name.
  package let name: String
  /// The categories of data that the patient shares with the practitioner.
  package let categories: Set<DataCategory>
  /// The reasons to look at the patient, the most serious first; empty if there are none.
  package let reasons: [CareReason]
  /// The times since which the reasons apply, if known.
  package let since: [CareReason: Timestamp]

  /// Creates an entry and sorts its reasons.
  package init(
    patient: PatientID, name: String, categories: Set<DataCategory>, reasons: [CareReason],
    since: [CareReason: Timestamp] = [:]
  ) {
    self.patient = patient
    self.name = name
    self.categories = categories
    self.reasons = reasons.sorted { $0.rank < $1.rank }
    self.since = since
  }

  /// True if at least one reason asks the practitioner to look at the patient.
  package var isPressing: Bool { reasons.first?.isPressing ?? false }

  /// The time since which the most serious reason applies; nil without one.
  package var neededSince: Timestamp? { reasons.first.flatMap { since[$0] } }

  private var rank: Int { reasons.first?.rank ?? 9 }

  /// The number of doses in the most serious reason; 0 for other kinds.
  private var count: Int {
    switch reasons.first {
    case .missed(let count), .refused(let count), .fewMissed(let count), .outOfStock(let count):
      count
    case .heartRate(let days): days
    case .unanswered, .silent, .runsOut, .waiting, nil: 0
    }
  }

  /// Returns true if the left patient comes first on the panel.
  ///
  /// The order is by the most serious reason, then by the number of pressing reasons, then by the
  /// count of the most serious one, then by name.
  package static func precedes(_ left: CarePanelEntry, _ right: CarePanelEntry) -> Bool {
    if left.rank != right.rank { return left.rank < right.rank }
    let (mine, theirs) = (
      left.reasons.count(where: \.isPressing), right.reasons.count(where: \.isPressing)
    )
    if mine != theirs { return mine > theirs }
    if left.count != right.count { return left.count > right.count }
    return (left.name, left.patient) < (right.name, right.patient)
  }
}
