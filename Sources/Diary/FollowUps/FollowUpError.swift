// SPDX-License-Identifier: Apache-2.0

/// A reason why an answer or a choice about a follow-up was not saved.
package enum FollowUpError: Error, Sendable, Hashable {
  /// There is no such question or medicine, or the person may not know of it.
  case notFound
  /// The question is not asked any more.
  case closed
  /// The number of minutes is outside ``FollowUpTiming/allowed``.
  case minutes
}
