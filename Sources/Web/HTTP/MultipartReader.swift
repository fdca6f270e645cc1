// SPDX-License-Identifier: Apache-2.0

/// Reads a `multipart/form-data` body (RFC 7578) as it arrives, with only a piece of it in memory.
package struct MultipartReader {
  /// An event in the body.
  package enum Event: Sendable, Hashable {
    /// A part begins; the file name is nil for a plain field.
    case began(name: String, fileName: String?)
    /// Further bytes of the current part.
    case bytes([UInt8])
    /// The current part has ended.
    case ended
  }

  /// The error of a body that is not a valid form.
  package struct Malformed: Error {}

  private enum Place {
    case outside, afterDelimiter, headers, part, finished
  }

  private static let maximumHeaders = 8 * 1024

  private let delimiter: [UInt8]
  private var buffer: [UInt8] = [0x0D, 0x0A]
  private var place = Place.outside

  /// Creates a reader for the boundary in a Content-Type.
  ///
  /// It is nil for other media types, and if the boundary is missing or longer than 70 bytes.
  package init?(contentType: String) {
    let parts = contentType.split(separator: ";").map {
      $0.trimmingPrefix { $0.isWhitespace }
    }
    guard parts.first?.lowercased() == "multipart/form-data",
      let parameter = parts.first(where: { $0.lowercased().hasPrefix("boundary=") })
    else { return nil }
    let boundary = parameter.dropFirst("boundary=".count).filter { $0 != "\"" }
    guard (1...70).contains(boundary.utf8.count) else { return nil }
    delimiter = Array("\r\n--\(boundary)".utf8)
  }

  /// True if the last part has ended.
  package var isFinished: Bool { place == .finished }

  /// Adds bytes and returns the events that they complete.
  package mutating func append(_ bytes: some Sequence<UInt8>) throws(Malformed) -> [Event] {
    buffer.append(contentsOf: bytes)
    var events: [Event] = []
    while try step(&events) {}
    return events
  }

  /// Makes one step; returns false if more bytes are needed.
  private mutating func step(_ events: inout [Event]) throws(Malformed) -> Bool {
    switch place {
    case .finished:
      buffer = []
      return false
    case .outside, .part:
      if let start = find(delimiter) {
        if place == .part {
          if start > 0 { events.append(.bytes(Array(buffer[..<start]))) }
          events.append(.ended)
        }
        buffer.removeFirst(start + delimiter.count)
        place = .afterDelimiter
        return true
      }
      let safe = buffer.count - delimiter.count + 1
      if safe > 0 {
        if place == .part { events.append(.bytes(Array(buffer[..<safe]))) }
        buffer.removeFirst(safe)
      }
      return false
    case .afterDelimiter:
      guard buffer.count >= 2 else { return false }
      let isLast = buffer[0] == UInt8(ascii: "-") && buffer[1] == UInt8(ascii: "-")
      guard isLast || (buffer[0] == 0x0D && buffer[1] == 0x0A) else { throw Malformed() }
      if isLast {
        place = .finished
      } else {
        place = .headers
        buffer.removeFirst(2)
      }
      return true
    case .headers:
      guard let end = find([0x0D, 0x0A, 0x0D, 0x0A]) else {
        if buffer.count > Self.maximumHeaders { throw Malformed() }
        return false
      }
      events.append(try Self.part(String(decoding: buffer[..<end], as: UTF8.self)))
      buffer.removeFirst(end + 4)
      place = .part
      return true
    }
  }

  private static func part(_ headers: String) throws(Malformed) -> Event {
    for line in headers.split(whereSeparator: \.isNewline)
    where line.lowercased().hasPrefix("content-disposition:") {
      guard let name = value("name", in: line) else { break }
      return .began(name: name, fileName: value("filename", in: line))
    }
    throw Malformed()
  }

  private static func value(_ name: String, in line: Substring) -> String? {
    for part in line.split(separator: ";") {
      let trimmed = part.trimmingPrefix { $0.isWhitespace }
      guard trimmed.lowercased().hasPrefix("\(name)=\"") else { continue }
      return String(trimmed.dropFirst(name.count + 2).prefix { $0 != "\"" })
    }
    return nil
  }

  private func find(_ pattern: [UInt8]) -> Int? {
    guard buffer.count >= pattern.count else { return nil }
    return buffer.withUnsafeBufferPointer { bytes in
      for start in 0...(bytes.count - pattern.count) where bytes[start] == pattern[0] {
        var offset = 1
        while offset < pattern.count, bytes[start + offset] == pattern[offset] { offset += 1 }
        if offset == pattern.count { return start }
      }
      return nil
    }
  }
}
