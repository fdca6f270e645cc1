// SPDX-License-Identifier: Apache-2.0

/// One resting heart rate, by the local clock where it was measured.
public struct HeartRateReading: Sendable, Hashable {
  /// The hour of the day with its fraction, from 0 to below 24.
  public var hour: Double
  /// The beats per minute.
  public var bpm: Double
  /// The device or app that it came from.
  public var source: String

  /// Creates a reading, valid or not.
  public init(hour: Double, bpm: Double, source: String) {
    self.hour = hour
    self.bpm = bpm
    self.source = source
  }

  /// True for a possible resting heart rate of this day: an hour within the day and 30 to 220 beats.
  public var isValid: Bool {
    hour >= 0 && hour < 24 && bpm >= 30 && bpm <= 220
  }
}

/// The answer of a person to "have you taken it?".
public enum HeartAnswer: Sendable, Hashable {
  /// The person answered yes.
  case taken
  /// The person answered no.
  case missed
  /// The person was asked and did not answer.
  case none
}

/// The known facts of one person's day.
///
/// Local hours have no zone: on a day with a clock change or with travel, an hour may come twice or never,
/// which makes no difference here.
public struct PatientDay: Sendable, Hashable {
  /// A running number of the calendar day.
  public var day: Int
  /// The monitored medicine.
  public var agent: BetaBlocker
  /// The time of day at which it is taken.
  public var slot: DosingSlot
  /// The prescribed dose relative to the usual one, so that a change of it is expected to show.
  public var dose: Double
  /// The readings in any order; invalid and duplicate ones are ignored.
  public var readings: [HeartRateReading]
  /// The steps of the whole day, if counted.
  public var steps: Int?

  /// Creates a day; the defaults are the most usual values.
  public init(
    day: Int, agent: BetaBlocker = .other, slot: DosingSlot = .morning, dose: Double = 1,
    readings: [HeartRateReading], steps: Int? = nil
  ) {
    self.day = day
    self.agent = agent
    self.slot = slot
    self.dose = dose
    self.readings = readings
    self.steps = steps
  }

  /// The distinct valid readings, in an order that does not depend on their arrival.
  var soundReadings: [HeartRateReading] {
    var sound = readings
    if sound.contains(where: { !$0.isValid }) { sound = sound.filter(\.isValid) }
    if !zip(sound, sound.dropFirst()).allSatisfy({ Self.isOrdered($0, $1) }) {
      sound.sort(by: Self.isOrdered)
      var kept: [HeartRateReading] = []
      for reading in sound where reading != kept.last { kept.append(reading) }
      sound = kept
    }
    return sound
  }

  /// Returns true if the first comes strictly before the second, by hour, then source, then value.
  private static func isOrdered(_ first: HeartRateReading, _ second: HeartRateReading) -> Bool {
    if first.hour != second.hour { return first.hour < second.hour }
    if first.source != second.source { return first.source < second.source }
    return first.bpm < second.bpm
  }
}
