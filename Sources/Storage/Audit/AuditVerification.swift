// SPDX-License-Identifier: Apache-2.0

/// The result of a check of the whole audit trail.
///
/// The check finds every edited, inserted, deleted or swapped row, and a truncated end: the head row, the
/// anchor files and the heads stored elsewhere record the length of the chain, and no one can create them
/// without the key. It does not find a data folder restored as a whole to an earlier state, unless anchors
/// are stored elsewhere; docs/operate.md lists what remains possible.
package struct AuditVerification: Sendable, Equatable {
  /// A problem found in the trail or in its anchors.
  package enum Problem: Sendable, Hashable {
    /// Rows are missing before this one.
    case gap(node: String, before: Int64)
    /// The row does not follow from the one before, or a column was changed.
    case hash(node: String, sequence: Int64)
    /// The row was not sealed with a key of this installation.
    case seal(node: String, sequence: Int64)
    /// The row cannot be read.
    case unreadable(node: String, sequence: Int64)
    /// The head row is missing or forged, or says that the chain was longer.
    case head(node: String, expected: Int64?, found: Int64)
    /// An anchor is forged or does not fit the chain.
    case anchor(node: String, expected: Int64?, found: Int64)
    /// The anchor files were removed or emptied, although there is data.
    case anchorsMissing(node: String)
    /// A mismatch was found at an earlier start; its record is in the data folder.
    case recordedConflict(node: String)
  }

  /// The number of rows checked.
  package internal(set) var rows = 0
  /// The rows referenced by anchors outside the data folder; nil if there are none.
  package internal(set) var outside: OutsideRange?
  /// The first hundred problems.
  package internal(set) var problems: [Problem] = []
  /// The number of all problems, listed or not.
  package internal(set) var problemCount = 0

  /// The range of rows covered by anchors outside the data folder.
  package struct OutsideRange: Sendable, Hashable {
    /// The number of anchors read.
    package let count: Int
    /// The lowest row that an anchor names.
    package let first: Int64
    /// The highest row that an anchor names.
    package let last: Int64
  }

  /// True if no problem was found.
  package var isIntact: Bool { problemCount == 0 }

  mutating func add(_ problem: Problem) {
    problemCount += 1
    if problems.count < 100 { problems.append(problem) }
  }
}

extension AuditVerification.Problem: CustomStringConvertible {
  /// A sentence for the operator that names the chain and the row.
  package var description: String {
    switch self {
    case .gap(let node, let before):
      "chain \(node): rows are missing before row \(before)"
    case .hash(let node, let sequence):
      "chain \(node): row \(sequence) or the row before it was changed"
    case .seal(let node, let sequence):
      "chain \(node): row \(sequence) was not sealed with a key of this installation"
    case .unreadable(let node, let sequence):
      "chain \(node): row \(sequence) cannot be read"
    case .head(let node, let expected?, let found):
      "chain \(node): the head row says \(expected) rows, the last row is \(found), or the head is forged"
    case .head(let node, nil, let found):
      "chain \(node): the head row is missing; the last row is \(found)"
    case .anchor(let node, let expected?, let found):
      "chain \(node): an anchor does not match row \(expected); the last row is \(found)"
    case .anchor(let node, nil, _):
      "chain \(node): an anchor was not written by this installation"
    case .anchorsMissing(let node):
      "chain \(node): the anchor files are missing or empty"
    case .recordedConflict(let node):
      "chain \(node): an earlier start found a conflict; see audit-head.conflict"
    }
  }
}
