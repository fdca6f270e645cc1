// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Synchronization

/// Standard output or standard error, written so that no failure can end the program: a full disk,
/// a reader that has gone away or stalled, or a closed stream.
final class StandardStream: Sendable {
  static let output = StandardStream(STDOUT_FILENO)
  static let error = StandardStream(STDERR_FILENO)

  private struct State {
    /// True if the last line was cut off in the middle.
    var isCutShort = false
    /// True if the reader accepted nothing within the time limit.
    var isStalled = false
  }

  private let descriptor: Int32
  private let state = Mutex(State())
  /// The number of bytes that a ready pipe accepts at once (PIPE_BUF), so that writing never blocks.
  private static let piece = 4096
  /// The time that a stalled reader can delay a line, in milliseconds; later lines are not delayed.
  private static let patience: Int32 = 250

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Turns writing to a closed reader, or beyond the maximum file size, into an error instead of
  /// ending the program: for processes that must keep running.
  static func ignoreSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Opens closed standard streams; call it first.
  ///
  /// Otherwise their descriptors would go to the next files opened, such as the database.
  static func openClosed() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      // Opened only for reading: writes fail and count as lost.
      let opened = open("/dev/null", O_RDONLY)
      if opened >= 0, opened != descriptor {
        dup2(opened, descriptor)
        close(opened)
      }
    }
  }

  /// The disk of the file that the stream writes to; nil for a pipe, a terminal or a device.
  var disk: UInt64? { PrivateFile.disk(ofOpenFile: descriptor) }

  /// Writes a text; returns false if part of it could not be written.
  @discardableResult
  func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Writes bytes; returns false if part of them could not be written.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      // Text after an incomplete line must not become part of it.
      if state.isCutShort, put([UInt8(ascii: "\n")], &state) < 1 { return false }
      state.isCutShort = false
      let written = put(bytes, &state)
      state.isCutShort = written > 0 && written < bytes.count
      return written == bytes.count
    }
  }

  /// Writes as much as possible, and returns the number of bytes written.
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

  /// Returns true if writing would not block; it can still fail.
  private func isReady(within milliseconds: Int32) -> Bool {
    var asked = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&asked, 1, milliseconds) != 0
  }
}
