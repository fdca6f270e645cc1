// SPDX-License-Identifier: Apache-2.0

/// The samples of one day from one source, by the second.
///
/// A sample takes a few bytes, so that all are kept and an import repeated years later changes
/// nothing.
package struct DaySamples: Sendable, Hashable {
  /// The key under which ``bySecond`` holds a day's total as stated by a device.
  package static let total = 86_400

  /// A value with the motion during the measurement.
  package struct Sample: Sendable, Hashable, Comparable {
    /// The value in tenths of the unit.
    package var tenths: Int64
    var motion: UInt8

    /// Returns true if the left sample is smaller.
    ///
    /// Of two for one second the larger counts, in whichever order they come.
    package static func < (left: Sample, right: Sample) -> Bool {
      (left.tenths, left.motion) < (right.tenths, right.motion)
    }
  }

  /// The sample that counts for each second of the day, and the total.
  package private(set) var bySecond: [Int: Sample] = [:]
  /// What else came of a second, ascending: it counts once the larger one is deleted; most days have none.
  private var lesser: [Int: [Sample]] = [:]
  /// How many more of one second are kept.
  private static let mostLesser = 8

  init() {}

  /// Reads the stored form; nil for anything else.
  package init?(packed bytes: [UInt8]) {
    var numbers = PackedNumbers(bytes)
    var second = 0
    while !numbers.isAtEnd {
      guard let step = numbers.next(), let value = numbers.next(), step <= Self.total,
        second + Int(step) <= Self.total
      else { return nil }
      second += Int(step)
      _ = add(Sample(tenths: value >> 2, motion: UInt8(value & 3)), at: second)
    }
  }

  /// Seconds counted from the one before, then value and motion; of one second the one that counts last.
  var packed: [UInt8] {
    var numbers = PackedNumbers()
    var last = 0
    func append(_ sample: Sample, at second: Int) {
      numbers.append(Int64(second - last))
      numbers.append(sample.tenths << 2 | Int64(sample.motion & 3))
      last = second
    }
    for (second, sample) in bySecond.sorted(by: { $0.key < $1.key }) {
      if !lesser.isEmpty { for sample in lesser[second] ?? [] { append(sample, at: second) } }
      append(sample, at: second)
    }
    return numbers.bytes
  }

  enum Outcome { case added, replaced, unchanged }

  mutating func add(_ sample: Sample, at second: Int) -> Outcome {
    guard let known = bySecond[second] else {
      bySecond[second] = sample
      return .added
    }
    guard known < sample else {
      if known != sample { keep(sample, at: second) }
      return .unchanged
    }
    keep(known, at: second)
    bySecond[second] = sample
    return .replaced
  }

  private mutating func keep(_ sample: Sample, at second: Int) {
    var kept = lesser[second] ?? []
    guard !kept.contains(sample) else { return }
    kept.append(sample)
    kept.sort()
    if kept.count > Self.mostLesser { kept.removeFirst() }
    lesser[second] = kept
  }

  /// Takes a value of a second out, whatever the motion; what came beside it counts again.
  mutating func remove(tenths: Int64, at second: Int) {
    lesser[second]?.removeAll { $0.tenths == tenths }
    if bySecond[second]?.tenths == tenths { bySecond[second] = lesser[second]?.popLast() }
    if lesser[second]?.isEmpty == true { lesser[second] = nil }
  }

  /// Everything that is kept, also what does not count.
  var all: [(second: Int, sample: Sample)] {
    bySecond.map { ($0.key, $0.value) }
      + lesser.flatMap { second, samples in samples.map { (second, $0) } }
  }

  /// How many there are besides the total; thousandths: the total that the device gives, else the sum of what
  /// it measured; and the least, nil without a sample.
  var statistics: (count: Int, sum: Int64, minimum: Int64?) {
    var (count, sum) = (0, Int64(0))
    var least = Int64.max
    for (second, sample) in bySecond where second != Self.total {
      count += 1
      sum += sample.tenths
      least = min(least, sample.tenths)
    }
    return (
      count, (bySecond[Self.total]?.tenths ?? sum) * 100, count > 0 ? least * 100 : nil
    )
  }
}
