// SPDX-License-Identifier: Apache-2.0

/// The text of a CREATE TABLE, as stored by SQLite.
struct SchemaText {
  private let characters: [Character]

  init(_ text: String) {
    characters = Array(text)
  }

  /// The expressions of its CHECKs, in order and without their comments.
  var checks: [String] {
    var found: [String] = []
    var place = 0
    while place < characters.count {
      if let after = skipped(from: place) {
        place = after
      } else if isWord("CHECK", at: place), let start = opening(after: place + 5) {
        let end = closing(of: start)
        found.append(expression(start + 1..<end))
        place = end + 1
      } else {
        place += 1
      }
    }
    return found
  }

  /// Returns the position after a comment or a string that begins here, or nil if none does.
  private func skipped(from place: Int) -> Int? {
    switch characters[place] {
    case "-" where place + 1 < characters.count && characters[place + 1] == "-":
      return characters[place...].firstIndex(where: \.isNewline) ?? characters.count
    case "'", "\"":
      let rest = characters[(place + 1)...]
      return rest.firstIndex(of: characters[place]).map { $0 + 1 } ?? characters.count
    default: return nil
    }
  }

  private func isWord(_ word: String, at place: Int) -> Bool {
    characters[place...].starts(with: Array(word))
      && (place == 0 || !(characters[place - 1].isLetter || characters[place - 1] == "_"))
  }

  private func opening(after place: Int) -> Int? {
    let next = characters[min(place, characters.count)...].firstIndex { !$0.isWhitespace }
    return next.flatMap { characters[$0] == "(" ? $0 : nil }
  }

  private func closing(of start: Int) -> Int {
    var depth = 0
    var place = start
    while place < characters.count {
      if let after = skipped(from: place) {
        place = after
        continue
      }
      if characters[place] == "(" { depth += 1 }
      if characters[place] == ")" { depth -= 1 }
      if depth == 0 { return place }
      place += 1
    }
    return characters.count
  }

  /// Returns the text of a range on one line.
  private func expression(_ range: Range<Int>) -> String {
    String(characters[range]).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
