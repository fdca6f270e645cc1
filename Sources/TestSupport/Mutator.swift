// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// Mutates documents in ways that readers must survive: bytes changed, lost, repeated and swapped,
/// and meaningful pieces in the wrong place.
package struct Mutator {
  private let fragments: [[UInt8]]
  private let marks: [UInt8]

  /// Creates a mutator for a format.
  ///
  /// - Parameters:
  package init(fragments: [String], marks: String) {
    self.fragments =
      fragments.map { Array($0.utf8) } + [[0], [0xFF], [0xC3], [0xED, 0xA0, 0x80]]
    self.marks = Array(marks.utf8)
  }

  /// Returns a document with one to three mutations.
  package func mutate(_ document: [UInt8], with generator: inout SeededGenerator) -> [UInt8] {
    var bytes = document
    for _ in 0...Int.random(in: 0...2, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.remove(at: place)
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + 12))
      case 3: bytes.insert(contentsOf: fragments.randomElement(using: &generator) ?? [], at: place)
      case 4:
        let end = min(bytes.count, place + Int.random(in: 1...40, using: &generator))
        bytes.insert(contentsOf: bytes[place..<end], at: place)
      default:
        let wanted = marks.randomElement(using: &generator) ?? 0
        if let other = bytes[place...].firstIndex(of: wanted) { bytes.swapAt(place, other) }
      }
    }
    return bytes
  }
}
