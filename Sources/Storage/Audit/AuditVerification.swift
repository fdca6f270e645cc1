// SPDX-License-Identifier: Apache-2.0

/// What a check of the whole audit trail found.
///
/// Found is every edited, inserted, deleted or swapped row, and a cut tail: the head row, the anchor
/// file and the file of earlier anchors say how far the chain went, and none can be made without the
/// key. Not found is a data folder put back as a whole to an earlier state, all files included, and a
/// cut within the last second before a kill when the head row was put back to an earlier genuine
/// one: for these the anchors must also be kept somewhere else, or be marked as append-only.
package struct AuditVerification: Sendable, Equatable {
  package enum Problem: Sendable, Hashable {
    /// Rows are missing before this one.
    case gap(node: String, before: Int64)
    /// The row does not follow from the one before, or a column was changed.
    case hash(node: String, sequence: Int64)
    /// The row was not sealed with a key of this installation.
    case seal(node: String, sequence: Int64)
    /// The row cannot be read.
    case unreadable(node: String, sequence: Int64)
    /// The head row is missing, forged or says that the chain went on further.
    case head(node: String, expected: Int64?, found: Int64)
    /// An anchor is forged or does not fit the chain.
    case anchor(node: String, expected: Int64?, found: Int64)
    /// A disagreement was found at an earlier start; its record lies beside the database.
    case recordedConflict(node: String)
  }

  package internal(set) var rows = 0
  /// The first hundred problems.
  package internal(set) var problems: [Problem] = []
  /// How many there are.
  package internal(set) var problemCount = 0

  package var isIntact: Bool { problemCount == 0 }

  mutating func add(_ problem: Problem) {
    problemCount += 1
    if problems.count < 100 { problems.append(problem) }
  }
}
