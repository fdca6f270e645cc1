// SPDX-License-Identifier: Apache-2.0

/// Writes lines of CSV (RFC 4180) into bytes.
///
/// Its texts are pseudonyms, ids and words of the program, and those of a study file, which ids keep free of quotes
/// and commas.
struct StudyLine {
  private(set) var bytes: [UInt8] = []
  private var isFirst = true

  /// Appends a text.
  mutating func add(_ text: String) {
    separate()
    let isPlain = text.utf8.allSatisfy { byte in
      byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\n")
        && byte != UInt8(ascii: "\r") && byte != UInt8(ascii: ";")
    }
    if isPlain {
      bytes.append(contentsOf: text.utf8)
    } else {
      bytes.append(contentsOf: "\"\(text.replacing("\"", with: "\"\""))\"".utf8)
    }
  }

  /// Appends a whole number; nothing for nil.
  mutating func add(_ number: Int?) {
    separate()
    guard let number else { return }
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    append(digits: number.magnitude)
  }

  /// Appends a number with four decimals; nothing for nil.
  mutating func add(_ number: Double?) {
    separate()
    guard let number else { return }
    bytes.append(contentsOf: Self.text(number).utf8)
  }

  /// Ends the line.
  mutating func end() {
    bytes.append(UInt8(ascii: "\r"))
    bytes.append(UInt8(ascii: "\n"))
    isFirst = true
  }

  /// Appends a line of texts.
  mutating func line(_ cells: [String]) {
    for cell in cells { add(cell) }
    end()
  }

  /// Appends bytes as they are.
  mutating func append(raw other: String) {
    bytes.append(contentsOf: other.utf8)
  }

  /// Returns what was written, and begins anew.
  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Returns a number with four decimals.
  static func text(_ number: Double) -> String {
    let thousandths = Int((number * 10_000).rounded())
    let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 10_000)
    let digits = String(rest)
    let zeros = String(repeating: "0", count: 4 - digits.count)
    return "\(thousandths < 0 ? "-" : "")\(whole).\(zeros)\(digits)"
  }

  private mutating func separate() {
    if isFirst { isFirst = false } else { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func append(digits number: UInt) {
    if number >= 10 { append(digits: number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }
}
