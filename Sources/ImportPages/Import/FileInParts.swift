// SPDX-License-Identifier: Apache-2.0

import Accounts
import Prescriptions
import Synchronization

/// A file of prescriptions that is read piece by piece, with an optional digest of its bytes.
package final class FileInParts: Sendable {
  private struct State {
    var reader: ImportFileReader
    /// The bytes of an incomplete block.
    var rest: [UInt8] = []
    var digests: [UInt8] = []
  }

  /// The network splits the file arbitrarily, so it is hashed in blocks of one size.
  private static let block = 64 * 1024

  private let isDigested: Bool
  private let state: Mutex<State>

  /// Creates an empty file.
  ///
  /// - Parameters:
  ///   - fileName: The name of the file; its extension tells NDJSON from JSON.
  ///   - isDigested: True if a digest will be asked for.
  package init(fileName: String, isDigested: Bool = false) {
    self.isDigested = isDigested
    state = Mutex(State(reader: ImportFileReader(fileName: fileName)))
  }

  /// Adds the next bytes of the file.
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

  /// The reader with everything added so far.
  package var reader: ImportFileReader { state.withLock { $0.reader } }

  /// Returns the SHA-256 digest of all bytes added so far and of the text of the request that they
  /// belong to.
  ///
  /// The bytes are hashed in blocks of 64 KiB, so the digest does not depend on how the file was
  /// split.
  package func digest(with question: String) -> [UInt8] {
    state.withLock { state in
      Fingerprint.digest(
        of: state.digests + Fingerprint.digest(of: state.rest) + Array(question.utf8))
    }
  }
}
