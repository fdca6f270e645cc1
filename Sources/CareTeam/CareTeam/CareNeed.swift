// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Scheduling
import Storage

/// Why a patient stands where it stands, the gravest first.
package enum CareReason: Sendable, Hashable {
  /// So many doses of the last 7 days were not recorded: three and more.
  case missed(Int)
  case refused(Int)
  /// So many medicines at home are not enough for the next dose.
  case outOfStock(Int)
  /// The resting heart rate was over the limit on so many days.
  case heartRate(days: Int)
  /// A question about it waits for an answer.
  case unanswered
  /// Nothing that was sent to any of the person's devices was shown since then.
  case silent(since: Timestamp)
  /// One or two doses were not recorded.
  case fewMissed(Int)
  /// A medicine at home is used up on this day, the first of them.
  case runsOut(on: CivilDate)
  /// A prescription waits for the patient's answer.
  case waiting(Int)

  /// What a filter names.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case missed, refused, stock, heart, silent, few, waiting
  }

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

  /// Whether it asks for a look; what is left is for information.
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

/// A patient of a practitioner with what its grant lets be known.
package struct CarePanelEntry: Sendable, Hashable {
  package let patient: PatientID
  package let name: String
  package let categories: Set<DataCategory>
  /// The gravest first.
  package let reasons: [CareReason]

  /// Puts the reasons in order.
  package init(
    patient: PatientID, name: String, categories: Set<DataCategory>, reasons: [CareReason]
  ) {
    self.patient = patient
    self.name = name
    self.categories = categories
    self.reasons = reasons.sorted { $0.rank < $1.rank }
  }

  /// Whether something asks for a look.
  package var isPressing: Bool { reasons.first?.isPressing ?? false }

  private var rank: Int { reasons.first?.rank ?? 9 }

  /// How many doses the gravest reason is about; of no weight for the rest.
  private var count: Int {
    switch reasons.first {
    case .missed(let count), .refused(let count), .fewMissed(let count), .outOfStock(let count):
      count
    case .heartRate(let days): days
    case .unanswered, .silent, .runsOut, .waiting, nil: 0
    }
  }

  /// In order of need: the gravest reason, then how many there are, then how much of it, then the name.
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
