// SPDX-License-Identifier: Apache-2.0

extension VitalDay {
  /// Returns true if a measurement was deleted.
  func holds(_ sample: VitalSample) -> Bool {
    guard !withdrawn.isEmpty, let thousandths = sample.thousandths, let tenths = sample.tenths
    else { return false }
    return samples == nil
      ? withdrawn.holds(thousandths, stamp: sample.stamp)
      : withdrawn.holds(tenths: tenths, at: sample.secondOrTotal)
  }

  /// Restores a deleted measurement that a person enters again.
  mutating func reinstate(_ sample: VitalSample) {
    guard !withdrawn.isEmpty, let thousandths = sample.thousandths, let tenths = sample.tenths
    else { return }
    if samples == nil {
      withdrawn.forget(thousandths)
    } else {
      withdrawn.forget(tenths: tenths, at: sample.secondOrTotal)
    }
  }

  /// Removes a measurement, and prevents the same one from being imported again.
  ///
  /// - Parameters:
  ///   - others: the other sent measurements of this day, in order of arrival.
  ///   - now: seconds since 1970; a day's value computed later is a new one.
  mutating func withdraw(_ sample: VitalSample, leaving others: [VitalSample], at now: Int64) {
    guard let thousandths = sample.thousandths, let tenths = sample.tenths else { return }
    var counts = VitalCounts()
    if samples != nil {
      let second = sample.secondOrTotal
      // If it was sent twice and deleted once, it still counts.
      guard !others.contains(where: { $0.secondOrTotal == second && $0.tenths == tenths })
      else { return }
      samples?.remove(tenths: tenths, at: second)
      withdrawn.add(tenths: tenths, at: second)
      for other in others { bring(other, to: &counts) }
      if let last = samples?.bySecond.keys.filter({ $0 < DaySamples.total }).max() {
        at = sample.at - Int64(sample.second) + Int64(last)
      }
      fold()
    } else {
      let until = max(now, sample.stamp)
      revisions.removeAll { $0.value == thousandths && $0.stamp <= until }
      withdrawn.add(thousandths, until: until)
      for other in others { bring(other, to: &counts) }
      settle()
    }
  }

  /// Withdraws everything known about the day; a different value counts again, the same ones do not.
  mutating func takeBack(at now: Int64) {
    for (second, sample) in samples?.all ?? [] {
      withdrawn.add(tenths: sample.tenths, at: second)
    }
    if samples != nil { samples = DaySamples() }
    for revision in revisions {
      guard let value = revision.value else { continue }
      withdrawn.add(value, until: max(now, revision.stamp))
    }
    revisions = []
    fold()
    settle()
  }
}
