// SPDX-License-Identifier: Apache-2.0

/// The order in which the changes of a transaction are made: an entry follows those that it refers to.
struct BundleOrder {
  /// The positions of the entries that each entry refers to.
  let dependencies: [[Int]]

  /// Returns the positions in order; entries that do not depend on each other keep theirs.
  ///
  /// Entries that refer to each other in a circle keep their order too.
  var positions: [Int] {
    var ordered: [Int] = []
    var isSeen = [Bool](repeating: false, count: dependencies.count)
    for start in dependencies.indices where !isSeen[start] {
      // Depth first, without recursion: the position, and the next of its dependencies.
      var stack: [(position: Int, next: Int)] = [(start, 0)]
      isSeen[start] = true
      while let (position, next) = stack.last {
        guard next < dependencies[position].count else {
          ordered.append(position)
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let dependency = dependencies[position][next]
        if !isSeen[dependency] {
          isSeen[dependency] = true
          stack.append((dependency, 0))
        }
      }
    }
    return ordered
  }
}
