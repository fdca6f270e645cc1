// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The memory of this process.
enum ProcessMemory {
  /// The resident memory in bytes; nil on systems without `/proc`.
  static var resident: Int? {
    guard let file = FileHandle(forReadingAtPath: "/proc/self/status"),
      let content = try? file.readToEnd()
    else { return nil }
    let lines = String(decoding: content, as: UTF8.self).split(separator: "\n")
    let words = lines.first { $0.hasPrefix("VmRSS:") }?.split(whereSeparator: \.isWhitespace) ?? []
    guard words.count == 3, let kilobytes = Int(words[1]) else { return nil }
    return kilobytes << 10
  }
}
