// SPDX-License-Identifier: Apache-2.0

import Storage

extension AuditEvent {
  /// The identifier that APIs give a line: its node and number.
  package var id: String { "\(node).\(sequence)" }

  /// Returns the node and number that an identifier names, or nil if it is malformed.
  package static func line(of id: String) -> (node: String, sequence: Int64)? {
    guard let dot = id.lastIndex(of: "."), let sequence = Int64(id[id.index(after: dot)...]) else {
      return nil
    }
    return (String(id[..<dot]), sequence)
  }
}
