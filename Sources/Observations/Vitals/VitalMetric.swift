// SPDX-License-Identifier: Apache-2.0

/// A kind of measurement.
package enum VitalMetric: String, Sendable, Hashable, CaseIterable {
  case restingHeartRate = "resting-heart-rate"
  case heartRate = "heart-rate"
  case walkingHeartRate = "walking-heart-rate"
  case steps
  case weight

  /// True if a day's value consists of many samples, rather than being computed by the device.
  package var isSampled: Bool { self == .heartRate || self == .steps }

  /// The LOINC code of its Observations; nil if LOINC has none.
  package var code: String? {
    switch self {
    case .restingHeartRate: "40443-4"
    case .heartRate: "8867-4"
    case .walkingHeartRate: nil
    case .steps: "55423-8"
    case .weight: "29463-7"
    }
  }

  /// Returns the kind with a LOINC code; nil for any other code.
  package static func of(code: String) -> VitalMetric? { allCases.first { $0.code == code } }
}

/// A measurement to store.
package struct VitalSample: Sendable, Hashable {
  /// The kind of measurement.
  package var metric: VitalMetric
  /// The date at the place of measurement, `yyyy-MM-dd`.
  package var day: String
  /// The second of that day, by the local clock.
  package var second: Int
  /// The time of measurement in seconds since 1970.
  package var at: Int64
  /// The seconds by which the local clock is ahead of UTC.
  package var zoneOffset: Int
  /// The time at which the value was computed, in seconds since 1970; of two for one day the later one
  /// counts.
  package var stamp: Int64
  /// The value in thousandths of the unit (beats per minute, steps or kilograms); nil withdraws the day's
  /// value.
  package var thousandths: Int64?
  /// The name of the device or app.
  package var source: String
  /// The motion during the measurement: 0 unknown, 1 at rest, 2 moving.
  package var motion: UInt8
  /// True if the value is the total of the day so far.
  package var isDayTotal: Bool

  /// Creates a measurement.
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

/// The key of a day's value: one kind on one day from one source.
package struct VitalDayKey: Sendable, Hashable {
  /// The kind of measurement.
  package let metric: VitalMetric
  /// The date at the place of measurement, `yyyy-MM-dd`.
  package let day: String
  /// The name of the device or app.
  package let source: String

  /// Creates a key.
  package init(metric: VitalMetric, day: String, source: String) {
    self.metric = metric
    self.day = day
    self.source = source
  }

  /// Returns true if a sample belongs to this day.
  func holds(_ sample: VitalSample) -> Bool {
    metric == sample.metric && day == sample.day && source == sample.source
  }
}
