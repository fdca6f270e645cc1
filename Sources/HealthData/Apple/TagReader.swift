// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The attributes that are read.
enum AttributeName: Int, CaseIterable {
  case type, unit, value, sourceName, creationDate, startDate, endDate, key, resourceFilePath
}

/// A position in the buffer; a count of -1 means none.
struct Place {
  var start = 0
  var count = -1
}

/// The positions of one tag's values.
struct AttributePlaces {
  private var places = InlinePlaces()

  subscript(name: AttributeName) -> Place {
    get { places[name.rawValue] }
    set { places[name.rawValue] = newValue }
  }

  mutating func clear() { places = InlinePlaces() }
}

/// Nine positions without heap allocation.
private struct InlinePlaces {
  private var places = (
    Place(), Place(), Place(), Place(), Place(), Place(), Place(), Place(), Place()
  )

  subscript(index: Int) -> Place {
    get {
      withUnsafeBytes(of: places) {
        $0.loadUnaligned(fromByteOffset: index * MemoryLayout<Place>.stride, as: Place.self)
      }
    }
    set {
      withUnsafeMutableBytes(of: &places) {
        $0.storeBytes(
          of: newValue, toByteOffset: index * MemoryLayout<Place>.stride, as: Place.self)
      }
    }
  }
}

/// The result of reading the rest of a tag.
enum TagEnd {
  /// The tag is complete; carries the position after it.
  case complete(next: Int, isEmpty: Bool)
  /// The buffer ends within the tag.
  case needsMore
  /// Another tag begins before this one ends.
  case broken(resume: Int)
}

/// Reads the attributes of one tag, and tolerates recoverable errors.
struct TagReader {
  let base: UnsafePointer<UInt8>
  let end: Int
  var places = AttributePlaces()
  var hasSpacedName = false
  var hasStrayQuote = false
  var hasDoubled = false
  /// The number of bytes examined.
  private(set) var work = 0

  init(base: UnsafePointer<UInt8>, end: Int) {
    self.base = base
    self.end = end
  }

  /// Reads the attributes.
  ///
  /// - Parameter at: the position after the tag's name.
  mutating func read(from at: Int) -> TagEnd {
    let base = base
    let end = end
    var p = at
    defer { work += p - at }
    while true {
      while p < end, base[p] <= 0x20 { p += 1 }
      guard p < end else { return .needsMore }
      switch base[p] {
      case 0x3E: return .complete(next: p + 1, isEmpty: false)
      case 0x2F:
        guard p + 1 < end else { return .needsMore }
        if base[p + 1] == 0x3E { return .complete(next: p + 2, isEmpty: true) }
        p += 1
        continue
      case 0x3C: return .broken(resume: p)
      case 0x22, 0x27:
        hasStrayQuote = true
        p += 1
        continue
      default: break
      }
      let name = p
      // Letters are above all characters that can end a name.
      while p < end, base[p] > 0x3E { p += 1 }
      while p < end, base[p] != 0x3D, base[p] != 0x3E, base[p] != 0x3C, base[p] != 0x22 { p += 1 }
      guard p < end else { return .needsMore }
      guard base[p] == 0x3D else { continue }
      let nameEnd = p
      p += 1
      while p < end, base[p] <= 0x20 { p += 1 }
      guard p < end else { return .needsMore }
      let quote = base[p]
      guard quote == 0x22 || quote == 0x27 else {
        // A value without quotes ends at the next space.
        hasStrayQuote = true
        while p < end, base[p] > 0x20, base[p] != 0x3E, base[p] != 0x3C { p += 1 }
        continue
      }
      let value = p + 1
      switch closing(quote, from: value) {
      case .needsMore: return .needsMore
      case .broken(let resume): return .broken(resume: resume)
      case .complete(let close, _):
        note(name..<nameEnd, Place(start: value, count: close - value))
        p = close + 1
      }
    }
  }

  /// Finds the closing quote of a value: one followed by a space or the end of the tag.
  private mutating func closing(_ quote: UInt8, from value: Int) -> TagEnd {
    var from = value
    var tags = TagBegins()
    while true {
      guard from < end, let found = memchr(base + from, Int32(quote), end - from) else {
        work += end - min(from, end)
        return .needsMore
      }
      let at = base.distance(to: UnsafePointer(found.assumingMemoryBound(to: UInt8.self)))
      work += at - from
      guard at + 1 < end else { return .needsMore }
      let next = base[at + 1]
      if next <= 0x20 || next == 0x2F || next == 0x3E { return .complete(next: at, isEmpty: false) }
      work += at - from
      tags.look(base, from..<at)
      // The value ran on because its closing quote is missing: this quote opens another value, or a
      // tag begins on a new line.
      let isOpening = at > value && base[at - 1] == 0x3D
      if let resume = isOpening ? tags.first : tags.firstAfterBlank {
        return .broken(resume: resume)
      }
      hasStrayQuote = true
      from = at + 1
    }
  }

  /// The starts of tags within a value; each part of it is searched only once.
  private struct TagBegins {
    var first: Int?
    var firstAfterBlank: Int?

    mutating func look(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) {
      var p = range.lowerBound
      while p < range.upperBound, firstAfterBlank == nil {
        guard let found = memchr(base + p, 0x3C, range.upperBound - p) else { return }
        let at = base.distance(to: UnsafePointer(found.assumingMemoryBound(to: UInt8.self)))
        // If the bracket is the last character, the quote follows it.
        let next = base[at + 1]
        if (next >= 0x41 && next <= 0x5A) || next == 0x2F {
          if first == nil { first = at }
          if base[at - 1] <= 0x20 { firstAfterBlank = at }
        }
        p = at + 1
      }
    }
  }

  @inline(__always)
  private mutating func note(_ name: Range<Int>, _ place: Place) {
    let start = base + name.lowerBound
    var count = name.count
    while count > 0, start[count - 1] <= 0x20 { count -= 1 }
    if let known = Self.name(start, count) {
      set(known, place)
    } else if memchr(start, 0x20, count) != nil {
      hasSpacedName = true
      let plain = (0..<count).map { start[$0] }.filter { $0 > 0x20 }
      if let known = plain.withUnsafeBufferPointer({ bytes in
        bytes.baseAddress.flatMap { Self.name($0, bytes.count) }
      }) {
        set(known, place)
      }
    }
  }

  @inline(__always)
  private mutating func set(_ name: AttributeName, _ place: Place) {
    guard places[name].count >= 0 else {
      places[name] = place
      return
    }
    hasDoubled = true
    // iOS 16 wrote the end as a second start.
    if name == .startDate, places[.endDate].count < 0 { places[.endDate] = place }
  }

  @inline(__always)
  private static func name(_ start: UnsafePointer<UInt8>, _ count: Int) -> AttributeName? {
    func equals(_ word: StaticString) -> Bool { memcmp(start, word.utf8Start, count) == 0 }
    switch count {
    case 3: return equals("key") ? .key : nil
    case 4: return equals("type") ? .type : equals("unit") ? .unit : nil
    case 5: return equals("value") ? .value : nil
    case 7: return equals("endDate") ? .endDate : nil
    case 9: return equals("startDate") ? .startDate : nil
    case 10: return equals("sourceName") ? .sourceName : nil
    case 12: return equals("creationDate") ? .creationDate : nil
    case 16: return equals("resourceFilePath") ? .resourceFilePath : nil
    default: return nil
    }
  }
}
