// SPDX-License-Identifier: Apache-2.0

extension NameIndex {
  private enum Bound {
    /// The maximum number of words with the same beginning that are examined.
    static let beginnings = 1_000
    static let entries = 20_000
    static let candidates = 200
  }

  /// Returns the number of letters that may differ in a word of a given length.
  static func allowance(_ count: Int) -> Int {
    switch count {
    case ..<4: 0
    case 4...5: 1
    case 6...11: 2
    default: 3
    }
  }

  /// Returns the best names for a typed text, each owner once.
  ///
  /// Other spellings are offered only if no name begins with the text: a correctly spelled name is not a
  /// misspelling of another medicine.
  public func search(_ query: String, limit: Int = 20) -> [NameHit] {
    guard limit > 0 else { return [] }
    let readings = NameQuery(query).readings
    for find in [beginnings, misspelled] {
      for reading in readings {
        let found = find(reading.form)
          .filter { !reading.isShortened || $0.isNearlyExact }
          .sorted { $0.order < $1.order }
        if !found.isEmpty { return best(found, limit: limit) }
      }
    }
    return []
  }

  /// Returns the first hits of different owners.
  private func best(_ found: [Found], limit: Int) -> [NameHit] {
    var seen: Set<Int32> = []
    var hits: [NameHit] = []
    for entry in found where seen.insert(owners[entry.name]).inserted {
      hits.append(
        NameHit(
          owner: Int(owners[entry.name]), name: names[entry.name], kind: kinds[entry.name],
          fit: entry.fit))
      if hits.count == limit { break }
    }
    return hits
  }

  private struct Found {
    let name: Int
    let fit: NameHit.Fit
    /// Rank, kind, length and position in one number, for fast sorting.
    let order: UInt64

    /// True if at most one letter is wrong or missing.
    var isNearlyExact: Bool { fit == .exact || fit == .misspelled(1) }
  }

  private func found(_ name: Int, rank: Int, fit: NameHit.Fit) -> Found {
    let length = min(form(name).count, 255)
    let order =
      UInt64(min(rank, 255)) << 48 | UInt64(kinds[name].rawValue) << 40 | UInt64(length) << 32
      | UInt64(UInt32(bitPattern: places[name]))
    return Found(name: name, fit: fit, order: order)
  }

  /// Returns the names with a word that begins with the typed text.
  private func beginnings(_ wanted: [UInt16]) -> [Found] {
    var (low, high) = (0, wordStarts.count)
    while low < high {
      let middle = (low + high) / 2
      if compare(Int(wordStarts[middle]), wanted) < 0 { low = middle + 1 } else { high = middle }
    }
    var result: [Found] = []
    while low < wordStarts.count, result.count < Bound.beginnings {
      let start = Int(wordStarts[low])
      guard compare(start, wanted) == 0 else { break }
      let name = Int(wordNames[low])
      if start == Int(starts[name]) {
        let isExact = form(name).count == wanted.count
        result.append(
          found(name, rank: isExact ? 0 : 1, fit: isExact ? .exact : .beginning))
      } else {
        result.append(found(name, rank: 2, fit: .word))
      }
      low += 1
    }
    return result
  }

  /// Compares the text at a position with the typed text; 0 if it begins with it.
  private func compare(_ start: Int, _ wanted: [UInt16]) -> Int {
    for (number, unit) in wanted.enumerated() {
      let own = letters[start + number]
      if own != unit { return own < unit ? -1 : 1 }
    }
    return 0
  }

  private func misspelled(_ wanted: [UInt16]) -> [Found] {
    let allowed = Self.allowance(wanted.count)
    guard allowed > 0 else { return [] }
    var distance = SpellingDistance()
    var result: [Found] = []
    let near = groups.nearest(to: wanted, atMost: Bound.candidates, budget: Bound.entries)
    for name in near {
      let (whole, beginning) = distance.between(wanted, and: form(name), limit: allowed)
      // Many names begin with the same few letters, so fewer differences are allowed there.
      let fewest = beginning < min(whole, allowed) || allowed == 1 ? min(whole, beginning) : whole
      guard fewest <= allowed else { continue }
      let rank = 10 + fewest * 2 + (whole == fewest ? 0 : 1)
      result.append(found(name, rank: rank, fit: .misspelled(fewest)))
    }
    return result
  }
}
