// SPDX-License-Identifier: Apache-2.0

/// How many single letters have to be changed, left out, put in or swapped with their neighbour.
struct SpellingDistance {
  private var older: [Int] = []
  private var old: [Int] = []
  private var new: [Int] = []

  /// The distance to the whole name, and to the beginning of it that is nearest; no more than
  /// `limit + 1`, since what is further does not matter.
  mutating func between(
    _ query: [UInt16], and name: ArraySlice<UInt16>, limit: Int
  ) -> (whole: Int, beginning: Int) {
    let far = limit + 1
    // A row for each letter of the query; the last row holds the distance to every beginning.
    let width = min(name.count, query.count + far)
    let isCut = width < name.count
    let base = name.startIndex
    old = Array(0...width)
    older = old
    for row in 1...max(query.count, 1) where row <= query.count {
      // Kept from row to row: every place but the first is written below.
      if new.count != width + 1 { new = Array(repeating: 0, count: width + 1) }
      new[0] = row
      var least = row
      for column in stride(from: 1, through: width, by: 1) {
        let letter = name[base + column - 1]
        let same = query[row - 1] == letter
        var value = min(old[column] + 1, new[column - 1] + 1, old[column - 1] + (same ? 0 : 1))
        if row > 1, column > 1, query[row - 1] == name[base + column - 2],
          query[row - 2] == letter
        {
          value = min(value, older[column - 2] + 1)
        }
        new[column] = value
        least = min(least, value)
      }
      if least > limit { return (far, far) }
      swap(&older, &old)
      swap(&old, &new)
    }
    let beginning = old.min() ?? far
    return (isCut ? far : min(old[width], far), min(beginning, far))
  }
}
