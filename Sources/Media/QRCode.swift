// SPDX-License-Identifier: Apache-2.0

import CQREncode

/// A QR code (ISO/IEC 18004) of a short text, as dark and light modules.
package struct QRCode: Sendable, Hashable {
  /// The part of a code that can be covered or dirty while it can still be read.
  package enum Correction: Sendable, CaseIterable {
    /// The share that can be lost: about 7, 15, 25 and 30 percent.
    case low, medium, quartile, high

    fileprivate var level: QRecLevel {
      switch self {
      case .low: QR_ECLEVEL_L
      case .medium: QR_ECLEVEL_M
      case .quartile: QR_ECLEVEL_Q
      case .high: QR_ECLEVEL_H
      }
    }
  }

  /// The number of light modules around the code, without which readers do not find it.
  package static let quietZone = 4

  /// The rows from the top without the quiet zone; true is dark.
  package let modules: [[Bool]]

  /// Creates the smallest code for the text's UTF-8 bytes.
  ///
  /// The result is nil if the text is empty or too long for any code (2953 bytes at the lowest correction).
  package init?(_ text: String, correction: Correction = .medium) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.count <= 2953,
      let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, correction.level)
    else { return nil }
    defer { QRcode_free(code) }
    let side = Int(code.pointee.width)
    guard side > 0, let data = code.pointee.data else { return nil }
    // The lowest bit of each byte is the module; the others state its purpose.
    modules = (0..<side).map { row in
      (0..<side).map { column in data[row * side + column] & 1 == 1 }
    }
  }

  /// The number of modules on each side, without the quiet zone: 21 for the smallest code, 4 more for each
  /// next.
  package var side: Int { modules.count }

  /// The number of modules on each side with the quiet zone: the width of the picture's `viewBox`.
  package var sideWithQuietZone: Int { side + 2 * Self.quietZone }

  /// Returns true if the module is dark; modules outside the code are light.
  package func isDark(row: Int, column: Int) -> Bool {
    modules.indices.contains(row) && modules[row].indices.contains(column) && modules[row][column]
  }

  /// The dark modules as the `d` of an SVG path, one unit per module, with the quiet zone left free.
  package var svgPath: String {
    var path = ""
    for (row, line) in modules.enumerated() {
      var column = 0
      while column < line.count {
        guard line[column] else {
          column += 1
          continue
        }
        let length = line[column...].prefix { $0 }.count
        path += "M\(column + Self.quietZone) \(row + Self.quietZone)h\(length)v1h-\(length)z"
        column += length
      }
    }
    return path
  }

  /// The code for a terminal, with two rows of modules in each line, black on white whatever the terminal's
  /// colours.
  package var terminalText: String {
    let range = -Self.quietZone..<side + Self.quietZone
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      let line = range.map { column -> Character in
        switch (isDark(row: row, column: column), isDark(row: row + 1, column: column)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      return "\u{1B}[30;107m\(String(line))\u{1B}[0m\n"
    }.joined()
  }
}
