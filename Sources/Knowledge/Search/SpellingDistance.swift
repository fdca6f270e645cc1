// SPDX-License-Identifier: Apache-2.0

/// The number of single letters to change, delete, insert or swap with a neighbour.
struct SpellingDistance {
  private var older: [Int] = []
  private var old: [Int] = []
  private var new: [Int] = []

  /// Returns the distance to the whole name, and to its closest beginning; at most `limit + 1`, because
  /// larger distances do not matter.
  mutating func between(
    _ query: [UInt16], and name: ArraySlice<UInt16>, limit: Int
  ) -> (whole: Int, beginning: Int) {
    let far = limit + 1
    // A row for each letter of the query; the last row has the distance to every beginning.
    let width = min(name.count, query.count + far)
    let isCut = width < name.count
    let base = name.startIndex
    old = Array(0...width)
    older = old
    for row in 1...max(query.count, 1) where row <= query.count {
      // Reused for each row: every position except the first is overwritten below.
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
