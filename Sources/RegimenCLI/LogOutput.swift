// SPDX-License-Identifier: Apache-2.0

import FHIR
import Logging
import Operations
import Storage
import Synchronization
import Web

/// Writes log lines, drops lines that cannot be written, and reports their number once writing works again.
final class LogOutput: Sendable {
  static let standard = LogOutput(.error)

  let losses = LogLosses()
  private let stream: StandardStream
  /// The number of lines dropped since the last one that was written.
  private let dropped = Mutex(0)
  /// The disk of the log if the data is on it too, else nil.
  private let sharedDisk = Mutex<DiskSpace?>(nil)

  init(_ stream: StandardStream) {
    self.stream = stream
  }

  /// Reserves the last space on a full disk for reminders if the log is a file on the same disk as the data.
  func spare(_ disk: DiskSpace, of folder: String) {
    let isShared = stream.disk != nil && stream.disk == PrivateFile.disk(of: folder)
    sharedDisk.withLock { $0 = isShared ? disk : nil }
  }

  /// Writes an entry.
  ///
  /// - Parameters:
  /// - isUrgent: True if the entry is written even into the last space on a full disk.
  /// - lossEntry: Creates the entry that reports the number of dropped lines.
  func write(
    _ entry: JSONObject, isUrgent: Bool, lossEntry: (_ count: Int) -> JSONObject
  ) {
    let isSpared = !isUrgent && sharedDisk.withLock { $0 }?.isShort == true
    dropped.withLock { dropped in
      if isSpared {
        dropped += 1
        losses.lost()
        return
      }
      if dropped > 0 {
        guard stream.write(Self.line(lossEntry(dropped))) else {
          dropped += 1
          losses.lost()
          return
        }
        dropped = 0
        losses.recovered()
      }
      if !stream.write(Self.line(entry)) {
        dropped += 1
        losses.lost()
      }
    }
  }

  private static func line(_ entry: JSONObject) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONValue.object(entry).write(into: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
