// SPDX-License-Identifier: Apache-2.0

/// The samples of one day from one source, by the second; in a few bytes each, so that the same ones
/// again, years later, are known and change nothing.
struct DaySamples: Sendable, Hashable {
  /// Under which the total of a day stands that a device gives as such.
  static let total = 86_400

  struct Sample: Sendable, Hashable, Comparable {
    /// Tenths of the unit.
    var tenths: Int64
    var motion: UInt8

    /// Of two for one second the larger counts, in whichever order they come.
    static func < (left: Sample, right: Sample) -> Bool {
      (left.tenths, left.motion) < (right.tenths, right.motion)
    }
  }

  private(set) var bySecond: [Int: Sample] = [:]

  init() {}

  /// Reads what ``packed`` wrote; nil for anything else.
  init?(packed bytes: [UInt8]) {
    var place = 0
    func number() -> Int64? {
      var value: UInt64 = 0
      var shift: UInt64 = 0
      while place < bytes.count, shift < 56 {
        let byte = bytes[place]
        place += 1
        value |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return Int64(value) }
        shift += 7
      }
      return nil
    }
    var second = 0
    while place < bytes.count {
      guard let step = number(), let value = number(), step <= Self.total else { return nil }
      second += Int(step)
      bySecond[second] = Sample(tenths: value >> 2, motion: UInt8(value & 3))
    }
  }

  /// Seconds counted from the one before, then value and motion, as numbers of seven bits a byte.
  var packed: [UInt8] {
    var bytes: [UInt8] = []
    func append(_ number: Int64) {
      var rest = UInt64(max(0, number))
      while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    var last = 0
    for second in bySecond.keys.sorted() {
      guard let sample = bySecond[second] else { continue }
      append(Int64(second - last))
      append(sample.tenths << 2 | Int64(sample.motion & 3))
      last = second
    }
    return bytes
  }

  enum Outcome { case added, replaced, unchanged }

  mutating func add(_ sample: Sample, at second: Int) -> Outcome {
    guard let known = bySecond[second] else {
      bySecond[second] = sample
      return .added
    }
    guard known < sample else { return .unchanged }
    bySecond[second] = sample
    return .replaced
  }

  /// Takes a sample out; false where another stands there.
  mutating func remove(_ sample: Sample, at second: Int) -> Bool {
    guard bySecond[second] == sample else { return false }
    bySecond[second] = nil
    return true
  }

  private var parts: [Sample] { bySecond.filter { $0.key != Self.total }.map(\.value) }

  var count: Int { parts.count }

  /// Thousandths: the total that the device gives, else the sum of what it measured.
  var sum: Int64 {
    (bySecond[Self.total]?.tenths ?? parts.reduce(0) { $0 + $1.tenths }) * 100
  }

  /// Thousandths; nil without a sample.
  var minimum: Int64? { parts.map(\.tenths).min().map { $0 * 100 } }
}
