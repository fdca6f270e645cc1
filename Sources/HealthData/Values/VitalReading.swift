// SPDX-License-Identifier: Apache-2.0

/// A kind of measurement.
package enum VitalKind: String, Sendable, Hashable, CaseIterable {
  /// A daily value computed by the watch.
  case restingHeartRate = "resting-heart-rate"
  case heartRate = "heart-rate"
  /// A daily value computed by the watch.
  case walkingHeartRate = "walking-heart-rate"
  case steps
  case weight

  /// Its index among all cases.
  var place: Int {
    switch self {
    case .restingHeartRate: 0
    case .heartRate: 1
    case .walkingHeartRate: 2
    case .steps: 3
    case .weight: 4
    }
  }

  /// The possible values for a person, in thousandths of the unit; any other value is a mistake.
  package var plausible: ClosedRange<Int64> {
    switch self {
    case .restingHeartRate, .heartRate, .walkingHeartRate: 20_000...300_000
    case .steps: 0...200_000_000
    case .weight: 500...650_000
    }
  }

  /// Returns the thousandths of the kind's own unit in one of the given unit; nil for a unit that does not
  /// fit the kind.
  ///
  /// The own units are beats per minute, steps and kilograms.
  package func factor(of unit: String) -> Double? {
    switch self {
    case .restingHeartRate, .heartRate, .walkingHeartRate:
      switch unit.lowercased() {
      case "count/min", "bpm", "beats/min", "beats/minute", "/min", "{beats}/min",
        "{beat}/min", "count/minute", "beats per minute":
        1_000
      case "count/s", "hz", "/s": 60_000
      default: nil
      }
    case .steps:
      ["count", "steps", "step", "{steps}", "1"].contains(unit.lowercased()) ? 1_000 : nil
    case .weight:
      switch unit.lowercased() {
      case "kg": 1_000
      case "g": 1
      case "lb", "lbs", "[lb_av]": 453.592_37
      case "st": 6_350.293_18
      case "oz", "[oz_av]": 28.349_523_125
      default: nil
      }
    }
  }
}

/// The activity of the person, as reported by the watch.
package enum MotionContext: UInt8, Sendable, Hashable {
  case unknown = 0
  case sedentary = 1
  case active = 2
}

/// A value measured by a device.
package struct VitalReading: Sendable, Hashable {
  /// The kind of value.
  package var kind: VitalKind
  /// The start of the measurement.
  package var start: Moment
  /// The end of the measurement, equal to `start` for a single instant.
  package var end: Moment
  /// The time at which the value was computed: of two values for one day, the later one counts.
  package var created: Moment
  /// The value in thousandths of the kind's own unit.
  package var thousandths: Int64
  /// The name of the device or program, at most 200 bytes.
  package var source: String
  /// The activity of the person during the measurement.
  package var motion: MotionContext
  /// True if the value covers its whole day so far, so that a later one replaces it.
  package var isDayTotal: Bool

  /// Creates a reading; without `end` it is for an instant, and without `created` it was computed at its end.
  package init(
    kind: VitalKind, start: Moment, end: Moment? = nil, created: Moment? = nil,
    thousandths: Int64, source: String, motion: MotionContext = .unknown, isDayTotal: Bool = false
  ) {
    self.kind = kind
    self.start = start
    self.end = end ?? start
    self.created = created ?? end ?? start
    self.thousandths = thousandths
    self.source = source
    self.motion = motion
    self.isDayTotal = isDayTotal
  }
}

/// A reason for rejecting a value.
package enum VitalProblem: String, Error, Sendable, Hashable, CaseIterable {
  case structure, kind, unit, value, date, future, source
}

extension VitalReading {
  /// Returns the reason for rejecting the reading at an instant; nil if it is acceptable.
  ///
  /// - Parameter now: seconds since 1970; clocks of phones may be ten minutes ahead.
  package func problem(now: Int64) -> VitalProblem? {
    if !kind.plausible.contains(thousandths) { return .value }
    if start.seconds > now + 600 || end.seconds > now + 86_400 { return .future }
    // Earlier than any watch: a clock that was never set.
    if start.seconds < 631_152_000 || end < start { return .date }
    if source.isEmpty || source.utf8.count > 200 { return .source }
    return nil
  }
}
