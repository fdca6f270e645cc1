// SPDX-License-Identifier: Apache-2.0

/// The samples of one day from one source, by the second.
///
/// A sample takes only a few bytes, so all are kept, and an import repeated years later changes nothing.
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
    /// Of two for one second the larger one counts, in any order of arrival.
    package static func < (left: Sample, right: Sample) -> Bool {
      (left.tenths, left.motion) < (right.tenths, right.motion)
    }
  }

  /// The sample that counts for each second of the day, and the total.
  package private(set) var bySecond: [Int: Sample] = [:]
  /// The other samples of a second, ascending; they count if the larger one is deleted.
  ///
  /// Most days have none.
  private var lesser: [Int: [Sample]] = [:]
  /// The maximum number of further samples kept for one second.
  private static let mostLesser = 8

  init() {}

  /// Reads the stored form; nil for any other bytes.
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

  /// The stored form: seconds as differences, then value and motion; within one second the counted sample
  /// comes last.
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

  /// Removes a value of a second, whatever the motion; the next smaller one counts again.
  mutating func remove(tenths: Int64, at second: Int) {
    lesser[second]?.removeAll { $0.tenths == tenths }
    if bySecond[second]?.tenths == tenths { bySecond[second] = lesser[second]?.popLast() }
    if lesser[second]?.isEmpty == true { lesser[second] = nil }
  }

  /// Everything that is stored, including samples that do not count.
  var all: [(second: Int, sample: Sample)] {
    bySecond.map { ($0.key, $0.value) }
      + lesser.flatMap { second, samples in samples.map { (second, $0) } }
  }

  /// The number of samples without the total; the sum in thousandths, from the device's total or else from
  /// the samples; and the minimum, nil without samples.
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
