// SPDX-License-Identifier: Apache-2.0

/// Shares the strings of property names, which repeat throughout a FHIR document.
///
/// A slot remembers the position of its name, so that a repetition is found by comparing bytes of the
/// document.
struct JSONKeyCache {
  private struct Slot {
    var start = 0
    var length = -1
    var text = ""
  }

  private static let slotCount = 64
  private var slots = [Slot](repeating: Slot(), count: slotCount)

  /// Returns the name at a range of the document, which is plain ASCII; `hash` finds its slot.
  @inline(__always)
  mutating func name(
    at range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>
  ) -> (text: String, hash: UInt) {
    let hash = Self.hash(UnsafeBufferPointer(rebasing: bytes[range]))
    let index = Int(hash & UInt(Self.slotCount - 1))
    if slots[index].length == range.count {
      let start = slots[index].start
      var offset = 0
      while offset < range.count, bytes[start + offset] == bytes[range.lowerBound + offset] {
        offset += 1
      }
      if offset == range.count { return (slots[index].text, hash) }
    }
    let text = String(decoding: bytes[range], as: UTF8.self)
    slots[index] = Slot(start: range.lowerBound, length: range.count, text: text)
    return (text, hash)
  }

  /// Returns a fast hash of a name's bytes, of which the lowest six bits are used.
  @inline(__always)
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt {
    guard let first = bytes.first, let last = bytes.last else { return 0 }
    let middle = UInt(bytes[bytes.count / 2])
    let mixed = UInt(first) &* 31 &+ UInt(last) &* 7 &+ middle &* 13 &+ UInt(bytes.count) &* 3
    return mixed ^ (mixed >> 6)
  }
}
