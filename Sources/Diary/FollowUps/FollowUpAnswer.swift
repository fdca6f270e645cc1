// SPDX-License-Identifier: Apache-2.0

/// An answer to the question whether a dose helped.
package enum FollowUpAnswer: String, Sendable, Hashable, CaseIterable {
  case much, little, no
  /// It cannot be said yet, so the question comes again later.
  case tooEarly = "too-early"

  /// True if the dose helped, much or a little.
  package var helped: Bool { self == .much || self == .little }

  /// The answers that say how a dose worked.
  package static let outcomes: [FollowUpAnswer] = [.much, .little, .no]
}

/// The last answers about a medicine.
package struct FollowUpSummary: Sendable, Hashable {
  /// The number of answers that count.
  package static let most = 5

  /// The answers that count, the latest first.
  package let answers: [FollowUpAnswer]

  /// Creates a summary of answers, the latest first; those that say nothing about the effect are left out.
  package init(_ answers: [FollowUpAnswer]) {
    self.answers = Array(answers.filter(FollowUpAnswer.outcomes.contains).prefix(Self.most))
  }

  /// The number of answers that say that it helped.
  package var helped: Int { answers.count { $0.helped } }
}
