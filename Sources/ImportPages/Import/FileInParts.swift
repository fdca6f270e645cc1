// SPDX-License-Identifier: Apache-2.0

import Accounts
import Prescriptions
import Synchronization

/// Reads a file whose pieces arrive one after the other, and digests it on the way.
package final class FileInParts: Sendable {
  private struct State {
    var reader: ImportFileReader
    /// What does not fill a block yet.
    var rest: [UInt8] = []
    var digests: [UInt8] = []
  }

  /// Pieces come as the network cuts them: the digest is of blocks of one size.
  private static let block = 64 * 1024

  private let isDigested: Bool
  private let state: Mutex<State>

  /// - Parameters:
  ///   - fileName: lines are known by the names that they usually have.
  ///   - isDigested: whether a digest will be asked for.
  package init(fileName: String, isDigested: Bool = false) {
    self.isDigested = isDigested
    state = Mutex(State(reader: ImportFileReader(fileName: fileName)))
  }

  package func append(_ bytes: [UInt8]) {
    state.withLock { state in
      state.reader.append(bytes)
      guard isDigested else { return }
      state.rest += bytes
      var begin = 0
      while state.rest.count - begin >= Self.block {
        let end = begin + Self.block
        state.digests += Fingerprint.digest(of: Array(state.rest[begin..<end]))
        begin = end
      }
      state.rest.removeFirst(begin)
    }
  }

  package var reader: ImportFileReader { state.withLock { $0.reader } }

  /// A digest of all that came, and of what was asked with it.
  package func digest(with question: String) -> [UInt8] {
    state.withLock { state in
      Fingerprint.digest(
        of: state.digests + Fingerprint.digest(of: state.rest) + Array(question.utf8))
    }
  }
}
