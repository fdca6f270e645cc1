// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Synchronization

/// Standard output or standard error, written so that nothing about it can end the program: a full disk, a
/// reader that went away or stands still, a stream that was closed.
final class StandardStream: Sendable {
  static let output = StandardStream(STDOUT_FILENO)
  static let error = StandardStream(STDERR_FILENO)

  private struct State {
    /// The last line ended in its middle.
    var isCutShort = false
    /// The reader took nothing for as long as it may take.
    var isStalled = false
  }

  private let descriptor: Int32
  private let state = Mutex(State())
  /// A pipe that is ready takes this much at once (PIPE_BUF), so that writing never waits.
  private static let piece = 4096
  /// How long a reader that stands still holds a line up, in milliseconds; the next ones not at all.
  private static let patience: Int32 = 250

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Makes writing to a reader that went away, or beyond the largest size of a file, an error instead of the
  /// end of the program: for what must go on.
  static func ignoreSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Opens the standard streams that were closed: call it first.
  ///
  /// Their descriptors would be given to the next files that are opened, such as the database.
  static func openClosed() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      // For reading only: what is written is refused, and counts as lost.
      let opened = open("/dev/null", O_RDONLY)
      if opened >= 0, opened != descriptor {
        dup2(opened, descriptor)
        close(opened)
      }
    }
  }

  /// The disk that a file is on, which the stream goes into; nil for a pipe, a terminal or a device.
  var disk: UInt64? { PrivateFile.disk(ofOpenFile: descriptor) }

  /// Writes a text; false where some of it could not be written.
  @discardableResult
  func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Writes bytes; false where some of them could not be written.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      // What follows half a line must not become a part of it.
      if state.isCutShort, put([UInt8(ascii: "\n")], &state) < 1 { return false }
      state.isCutShort = false
      let written = put(bytes, &state)
      state.isCutShort = written > 0 && written < bytes.count
      return written == bytes.count
    }
  }

  /// Writes as much as can be written, and returns how much that was.
  private func put(_ bytes: [UInt8], _ state: inout State) -> Int {
    var done = 0
    while done < bytes.count {
      guard isReady(within: state.isStalled ? 0 : Self.patience) else {
        state.isStalled = true
        return done
      }
      let count = bytes[done...].prefix(Self.piece).withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        return done
      }
    }
    state.isStalled = false
    return done
  }

  /// True where writing does not wait; it may fail all the same.
  private func isReady(within milliseconds: Int32) -> Bool {
    var asked = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&asked, 1, milliseconds) != 0
  }
}
