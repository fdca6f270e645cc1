// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Opens the input of a command.
enum InputFile {
  /// Returns a file, or standard input for "-".
  static func open(_ path: String) throws -> FileHandle {
    if path == "-" { return .standardInput }
    var isFolder = ObjCBool(false)
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandFailure(description: "There is no file at this path.")
    }
    guard !isFolder.boolValue, let handle = FileHandle(forReadingAtPath: path) else {
      throw CommandFailure(description: "The file cannot be read.")
    }
    return handle
  }
}

/// The lines of a file as they arrive, each limited in length.
struct InputLines {
  /// A line, or the fact that one was too long.
  enum Line {
    case content(ArraySlice<UInt8>)
    case tooLong
  }

  /// The longest line, in bytes.
  static let longest = 8 << 20
  private static let newline = UInt8(ascii: "\n")

  private let file: FileHandle
  private var waiting: ArraySlice<UInt8> = []
  private var isTooLong = false
  private var isAtEnd = false

  init(_ file: FileHandle) { self.file = file }

  /// True if another line is available without reading more.
  var hasWaiting: Bool { waiting.contains(Self.newline) }

  mutating func next() -> Line? {
    while true {
      if let end = waiting.firstIndex(of: Self.newline) {
        let line = waiting[..<end]
        waiting = waiting[(end + 1)...]
        return ended(line)
      }
      if isAtEnd {
        let line = waiting
        waiting = []
        return line.isEmpty && !isTooLong ? nil : ended(line)
      }
      if waiting.count > Self.longest {
        waiting = []
        isTooLong = true
      }
      readOn()
    }
  }

  private mutating func ended(_ line: ArraySlice<UInt8>) -> Line {
    defer { isTooLong = false }
    return isTooLong ? .tooLong : .content(line)
  }

  private mutating func readOn() {
    // Returns what is available at once, while read(upToCount:) would wait for all of it.
    let data = file.availableData
    if data.isEmpty {
      isAtEnd = true
    } else {
      waiting = Array(waiting)[...]
      waiting.append(contentsOf: data)
    }
  }
}
