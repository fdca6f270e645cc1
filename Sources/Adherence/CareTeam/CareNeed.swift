// SPDX-License-Identifier: Apache-2.0

import Access
import Storage

/// Why a patient stands where it stands, the gravest first.
package enum CareReason: Sendable, Hashable {
  /// So many doses of the last 7 days were not recorded: three and more.
  case missed(Int)
  case refused(Int)
  /// The resting heart rate was over the limit on so many days.
  case heartRate(days: Int)
  /// A question about it waits for an answer.
  case unanswered
  /// Nothing that was sent to any of the person's devices was shown since then.
  case silent(since: Timestamp)
  /// One or two doses were not recorded.
  case fewMissed(Int)
  /// A prescription waits for the patient's answer.
  case waiting(Int)

  /// What a filter names.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case missed, refused, heart, silent, few, waiting
  }

  package var kind: Kind {
    switch self {
    case .missed: .missed
    case .refused: .refused
    case .heartRate, .unanswered: .heart
    case .silent: .silent
    case .fewMissed: .few
    case .waiting: .waiting
    }
  }

  /// Whether it asks for a look; what is left is for information.
  package var isPressing: Bool { rank < 5 }

  var rank: Int {
    switch self {
    case .missed: 0
    case .refused: 1
    case .heartRate: 2
    case .unanswered: 3
    case .silent: 4
    case .fewMissed: 5
    case .waiting: 6
    }
  }
}

/// A patient of a practitioner with what its grant lets be known.
package struct CarePanelEntry: Sendable, Hashable {
  package let patient: String
  package let name: String
  package let categories: Set<DataCategory>
  /// The gravest first.
  package let reasons: [CareReason]

  /// Puts the reasons in order.
  package init(
    patient: String, name: String, categories: Set<DataCategory>, reasons: [CareReason]
  ) {
    self.patient = patient
    self.name = name
    self.categories = categories
    self.reasons = reasons.sorted { $0.rank < $1.rank }
  }

  /// Whether something asks for a look.
  package var isPressing: Bool { reasons.first?.isPressing ?? false }

  private var rank: Int { reasons.first?.rank ?? 7 }

  /// How many doses the gravest reason is about; of no weight for the rest.
  private var count: Int {
    switch reasons.first {
    case .missed(let count), .refused(let count), .fewMissed(let count): count
    case .heartRate(let days): days
    case .unanswered, .silent, .waiting, nil: 0
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
