// SPDX-License-Identifier: Apache-2.0

/// A position in the recorded changes: the last entry of the audit chain, and the time at which it was read.
package struct ChangeCursor: Sendable, Hashable {
  /// The number of the last entry of the audit chain.
  package let sequence: Int64
  /// The time at which the position was read.
  package let at: Timestamp

  /// Creates a cursor.
  package init(sequence: Int64, at: Timestamp) {
    self.sequence = sequence
    self.at = at
  }

  /// Creates a cursor from `sequence-milliseconds`; nil for any other text.
  package init?(text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let sequence = Int64(parts[0]), sequence >= 0,
      let at = Int64(parts[1]), at >= 0
    else { return nil }
    self.init(sequence: sequence, at: Timestamp(milliseconds: at))
  }

  /// The text that a client sends back: `sequence-milliseconds`.
  package var text: String { "\(sequence)-\(at.milliseconds)" }
}
