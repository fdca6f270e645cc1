// SPDX-License-Identifier: Apache-2.0

/// The names that contain each group of three letters.
struct LetterGroups: Sendable {
  private let places: [UInt64: Int32]
  private let bounds: [Int32]
  private let names: [Int32]
  /// The number of names.
  private let count: Int

  init(letters: [UInt16], starts: [Int32]) {
    var places: [UInt64: Int32] = [:]
    var counts: [Int32] = []
    let count = starts.count - 1
    func each(_ body: (UInt64, Int32) -> Void) {
      for name in 0..<count {
        let form = letters[Int(starts[name])..<Int(starts[name + 1]) - 1]
        for key in LetterGroups.keys(of: form) { body(key, Int32(name)) }
      }
    }
    each { key, _ in
      if let place = places[key] {
        counts[Int(place)] += 1
      } else {
        places[key] = Int32(counts.count)
        counts.append(1)
      }
    }
    var bounds: [Int32] = [0]
    for count in counts { bounds.append((bounds.last ?? 0) + count) }
    var next = bounds
    var names = [Int32](repeating: 0, count: Int(bounds.last ?? 0))
    each { key, name in
      guard let place = places[key] else { return }
      names[Int(next[Int(place)])] = name
      next[Int(place)] += 1
    }
    self.places = places
    self.count = count
    self.bounds = bounds
    self.names = names
  }

  /// Returns the groups of a text, each once; the beginning counts as a letter.
  static func keys(of form: some Collection<UInt16>) -> [UInt64] {
    var result: [UInt64] = []
    var key: UInt64 = 1
    for (number, unit) in form.enumerated() {
      key = (key << 16 | UInt64(unit)) & 0xFFFF_FFFF_FFFF
      if number >= 1, !result.contains(key) { result.append(key) }
    }
    return result
  }

  /// Returns the names that share the most groups with a text, the best first.
  ///
  /// Examines at most `budget` entries, the rare groups first.
  func nearest(to form: [UInt16], atMost limit: Int, budget: Int) -> [Int] {
    let lists = LetterGroups.keys(of: form).compactMap { places[$0] }
      .map { Int(bounds[Int($0)])..<Int(bounds[Int($0) + 1]) }
      .sorted { $0.count < $1.count }
    // A count for every name costs a memory fill; a dictionary costs twenty times that.
    var shared = [UInt8](repeating: 0, count: count)
    var touched: [Int32] = []
    var left = budget
    for list in lists {
      // The rarest group is examined even if it is long, so that something is found.
      let part = list.prefix(left)
      for entry in part {
        let name = names[entry]
        if shared[Int(name)] == 0 { touched.append(name) }
        if shared[Int(name)] < .max { shared[Int(name)] += 1 }
      }
      left -= part.count
      if left == 0 { break }
    }
    var often = [Int](repeating: 0, count: Int(UInt8.max) + 1)
    for name in touched { often[Int(shared[Int(name)])] += 1 }
    // The minimum number of shared groups for a name among the best.
    var least = often.count - 1
    var found = 0
    while least > 1, found + often[least] <= limit {
      found += often[least]
      least -= 1
    }
    let better = touched.filter { shared[Int($0)] > least }
    let equal = touched.lazy.filter { shared[Int($0)] == least }.prefix(
      max(0, limit - better.count))
    return (better + equal).map { Int($0) }
  }
}
