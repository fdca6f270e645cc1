// SPDX-License-Identifier: Apache-2.0

extension Array {
  /// Sorts by insertion.
  ///
  /// A schedule lists only a few times of day, and the standard library's sort would be larger than all other
  /// code that handles them.
  mutating func sort(by isBefore: (Element, Element) -> Bool) {
    for end in indices.dropFirst() {
      var place = end
      while place > 0, isBefore(self[place], self[place - 1]) {
        swapAt(place, place - 1)
        place -= 1
      }
    }
  }

  func sorted(by isBefore: (Element, Element) -> Bool) -> [Element] {
    var copy = self
    copy.sort(by: isBefore)
    return copy
  }
}

extension Array where Element: Comparable {
  mutating func sort() { sort { $0 < $1 } }

  func sorted() -> [Element] { sorted { $0 < $1 } }
}

extension Set where Element: Comparable {
  func sorted() -> [Element] { map { $0 }.sorted() }
}
