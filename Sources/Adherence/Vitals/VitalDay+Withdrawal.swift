// SPDX-License-Identifier: Apache-2.0

extension VitalDay {
  /// Takes a measurement out again, as if it had never come, as far as the others are known.
  ///
  /// - Parameter others: what else was sent of this day, in the order in which it came. A day's value
  ///   that came otherwise and was replaced is not known any more: then the day has none until
  ///   something newer comes.
  mutating func withdraw(_ sample: VitalSample, leaving others: [VitalSample]) {
    guard let thousandths = sample.thousandths else { return }
    var counts = VitalCounts()
    if samples != nil {
      let part = DaySamples.Sample(tenths: (thousandths + 50) / 100, motion: sample.motion)
      let second = sample.isDayTotal ? DaySamples.total : min(max(sample.second, 0), 86_399)
      guard samples?.remove(part, at: second) == true else { return }
      for other in others { add(other, to: &counts) }
      if let last = samples?.bySecond.keys.filter({ $0 < DaySamples.total }).max() {
        at = sample.at - Int64(sample.second) + Int64(last)
      }
      fold()
    } else if value == thousandths, stamp == sample.stamp {
      let before = stamp
      stamp = .min
      for other in others { add(other, to: &counts) }
      guard stamp == .min else { return }
      stamp = before
      value = nil
      minimum = nil
      count = 0
    }
  }

  /// Takes the day's value back; what was worked out before that does not bring it back.
  mutating func takeBack(at now: Int64) {
    if samples != nil { samples = DaySamples() }
    value = nil
    minimum = nil
    count = 0
    stamp = max(stamp, now)
  }
}
