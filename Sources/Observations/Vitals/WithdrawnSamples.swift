// SPDX-License-Identifier: Apache-2.0

/// The deleted samples of a day, so that the next import does not restore them.
struct WithdrawnSamples: Sendable, Hashable {
  private struct Part: Sendable, Hashable, Comparable {
    let second: Int
    let tenths: Int64

    static func < (left: Part, right: Part) -> Bool {
      (left.second, left.tenths) < (right.second, right.tenths)
    }
  }

  /// The deleted samples of sampled kinds: a value at a second.
  private var parts: Set<Part> = []
  /// The deleted daily values in thousandths, with the latest time at which they were computed.
  private var wholes: [Int64: Int64] = [:]
  /// The maximum number kept, more than a day has seconds; samples deleted beyond that may come back.
  private static let most = 100_000
  private static let version: UInt8 = 1

  init() {}

  var isEmpty: Bool { parts.isEmpty && wholes.isEmpty }

  func holds(tenths: Int64, at second: Int) -> Bool {
    !parts.isEmpty && parts.contains(Part(second: second, tenths: tenths))
  }

  /// Returns true if a value was deleted; one computed since then is new.
  func holds(_ thousandths: Int64, stamp: Int64) -> Bool {
    wholes[thousandths].map { stamp <= $0 } ?? false
  }

  mutating func add(tenths: Int64, at second: Int) {
    guard parts.count < Self.most else { return }
    parts.insert(Part(second: second, tenths: tenths))
  }

  mutating func add(_ thousandths: Int64, until stamp: Int64) {
    guard wholes.count < Self.most else { return }
    wholes[thousandths] = max(stamp, wholes[thousandths] ?? stamp)
  }

  /// Restores a deleted sample, because a person entered it again.
  mutating func forget(tenths: Int64, at second: Int) {
    parts.remove(Part(second: second, tenths: tenths))
  }

  mutating func forget(_ thousandths: Int64) { wholes[thousandths] = nil }

  /// Reads the form of ``packed``; nil for any other bytes.
  init?(packed bytes: [UInt8]) {
    guard bytes.first == Self.version else { return nil }
    var numbers = PackedNumbers(Array(bytes.dropFirst()))
    guard let count = numbers.next() else { return nil }
    for _ in 0..<min(count, Int64(Self.most)) {
      guard let second = numbers.next(), let tenths = numbers.next() else { return nil }
      parts.insert(Part(second: Int(clamping: second), tenths: tenths))
    }
    while !numbers.isAtEnd {
      guard let value = numbers.next(), let stamp = numbers.nextSigned() else { return nil }
      wholes[value] = stamp
    }
  }

  var packed: [UInt8] {
    var numbers = PackedNumbers([Self.version])
    numbers.append(Int64(parts.count))
    for part in parts.sorted() {
      numbers.append(Int64(part.second))
      numbers.append(part.tenths)
    }
    for (value, stamp) in wholes.sorted(by: { $0.key < $1.key }) {
      numbers.append(value)
      numbers.append(signed: stamp)
    }
    return numbers.bytes
  }
}
