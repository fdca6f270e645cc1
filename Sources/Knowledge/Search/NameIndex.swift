// SPDX-License-Identifier: Apache-2.0

/// The kind of a name, in the order of the results if nothing else decides.
public enum NameKind: UInt8, Sendable, Hashable {
  case ingredient, synonym, thai, brand
}

/// A matching name, with its similarity to the typed text.
public struct NameHit: Sendable, Hashable {
  /// The fit of a name with the typed text.
  public enum Fit: Sendable, Hashable {
    case exact, beginning, word
    /// A number of spelling differences.
    case misspelled(Int)
  }

  /// The number that the name was added with.
  public let owner: Int
  /// The name.
  public let name: String
  /// The kind of the name.
  public let kind: NameKind
  /// The fit of the name with the typed text.
  public let fit: Fit
}

/// Searchable names, built once and never changed: beginnings of words in a sorted list, misspellings by
/// shared groups of three letters.
///
/// The work for one query is bounded, whatever the number of names.
public struct NameIndex: Sendable {
  let names: [String]
  let owners: [Int32]
  let kinds: [NameKind]
  /// All names in normalised form, concatenated.
  let letters: [UInt16]
  let starts: [Int32]
  /// The positions in `letters` at which words begin, sorted by the following text.
  let wordStarts: [Int32]
  let wordNames: [Int32]
  /// The rank of each name in alphabetical order.
  let places: [Int32]
  let groups: LetterGroups

  /// Builds the index of names.
  public init(_ entries: [(owner: Int, name: String, kind: NameKind)]) {
    names = entries.map(\.name)
    owners = entries.map { Int32($0.owner) }
    kinds = entries.map(\.kind)
    var letters: [UInt16] = []
    var starts: [Int32] = []
    var words: [(start: Int32, name: Int32)] = []
    for (number, entry) in entries.enumerated() {
      starts.append(Int32(letters.count))
      var isStart = true
      for unit in NameNormalizer.units(entry.name) {
        if isStart { words.append((Int32(letters.count), Int32(number))) }
        isStart = unit == NameNormalizer.space
        letters.append(unit)
      }
      letters.append(0)
    }
    starts.append(Int32(letters.count))
    words.sort { left, right in
      NameIndex.isBefore(letters, Int(left.start), Int(right.start))
        ?? (left.name < right.name)
    }
    self.letters = letters
    self.starts = starts
    wordStarts = words.map(\.start)
    wordNames = words.map(\.name)
    var places = [Int32](repeating: 0, count: entries.count)
    for (place, word) in words.enumerated() where word.start == starts[Int(word.name)] {
      places[Int(word.name)] = Int32(place)
    }
    self.places = places
    groups = LetterGroups(letters: letters, starts: starts)
  }

  /// Returns the normalised form of a name.
  func form(_ name: Int) -> ArraySlice<UInt16> {
    letters[Int(starts[name])..<Int(starts[name + 1]) - 1]
  }

  /// Returns true if the text at one position sorts before the text at another; nil if they are equal.
  private static func isBefore(_ letters: [UInt16], _ left: Int, _ right: Int) -> Bool? {
    var (left, right) = (left, right)
    while letters[left] == letters[right] {
      if letters[left] == 0 { return nil }
      left += 1
      right += 1
    }
    return letters[left] < letters[right]
  }
}
