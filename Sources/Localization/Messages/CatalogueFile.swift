// SPDX-License-Identifier: Apache-2.0

/// The lines of a `.messages` file.
///
/// `key = text`; a line that begins with white space continues the previous one, joined by a space; `#` at
/// the start of a line begins a comment; empty lines are ignored.
enum CatalogueFile {
  struct Entry: Hashable {
    /// The key; nil if the line does not have the form `key = text`.
    var key: String?
    var text: String
    let line: Int
  }

  static func entries(in content: String) -> [Entry] {
    var result: [Entry] = []
    let lines = content.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() {
      let trimmed = trim(line)
      if trimmed.isEmpty || line.hasPrefix("#") { continue }
      if line.first?.isWhitespace == true, let last = result.indices.last {
        result[last].text += (result[last].text.isEmpty ? "" : " ") + trimmed
        continue
      }
      let halves = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let key = halves.first.map(trim) ?? ""
      guard halves.count == 2, isKey(key) else {
        result.append(Entry(key: nil, text: String(trimmed), line: index + 1))
        continue
      }
      result.append(Entry(key: String(key), text: String(trim(halves[1])), line: index + 1))
    }
    return result
  }

  /// Returns true for lower-case words of letters, digits and hyphens with at least one dot between them.
  static func isKey(_ text: some StringProtocol) -> Bool {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    return words.count >= 2
      && words.allSatisfy { word in
        !word.isEmpty
          && word.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
              || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
          }
      }
  }

  private static func trim(_ text: Substring) -> Substring {
    var result = text
    while result.first?.isWhitespace == true { result.removeFirst() }
    while result.last?.isWhitespace == true { result.removeLast() }
    return result
  }
}
