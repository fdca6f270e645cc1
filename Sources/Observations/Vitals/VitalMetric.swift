// SPDX-License-Identifier: Apache-2.0

/// What is kept of a person's measurements.
package enum VitalMetric: String, Sendable, Hashable, CaseIterable {
  case restingHeartRate = "resting-heart-rate"
  case heartRate = "heart-rate"
  case walkingHeartRate = "walking-heart-rate"
  case steps
  case weight

  /// Whether a day's value is made of many samples, rather than being one that the device works out.
  package var isSampled: Bool { self == .heartRate || self == .steps }

  /// The LOINC code of its Observations; nil for one that LOINC has no code for.
  package var code: String? {
    switch self {
    case .restingHeartRate: "40443-4"
    case .heartRate: "8867-4"
    case .walkingHeartRate: nil
    case .steps: "55423-8"
    case .weight: "29463-7"
    }
  }

  package static func of(code: String) -> VitalMetric? { allCases.first { $0.code == code } }
}

/// A measurement as it is taken in.
package struct VitalSample: Sendable, Hashable {
  package var metric: VitalMetric
  /// `yyyy-MM-dd` where it was measured.
  package var day: String
  /// Of that day there.
  package var second: Int
  /// Seconds since 1970.
  package var at: Int64
  /// Seconds that the clock there is ahead of UTC.
  package var zoneOffset: Int
  /// When the value was worked out: of two for one day the later counts.
  package var stamp: Int64
  /// Nil takes the day's value back.
  package var thousandths: Int64?
  package var source: String
  /// 0 unknown, 1 at rest, 2 moving.
  package var motion: UInt8
  /// Whether it stands for the whole day so far.
  package var isDayTotal: Bool

  package init(
    metric: VitalMetric, day: String, second: Int, at: Int64, zoneOffset: Int, stamp: Int64,
    thousandths: Int64?, source: String, motion: UInt8 = 0, isDayTotal: Bool = false
  ) {
    self.metric = metric
    self.day = day
    self.second = second
    self.at = at
    self.zoneOffset = zoneOffset
    self.stamp = stamp
    self.thousandths = thousandths
    self.source = source
    self.motion = motion
    self.isDayTotal = isDayTotal
  }
}

/// One kind on one day from one source.
package struct VitalDayKey: Sendable, Hashable {
  package let metric: VitalMetric
  package let day: String
  package let source: String

  package init(metric: VitalMetric, day: String, source: String) {
    self.metric = metric
    self.day = day
    self.source = source
  }

  /// Whether a sample is of this day.
  func holds(_ sample: VitalSample) -> Bool {
    metric == sample.metric && day == sample.day && source == sample.source
  }
}
