// SPDX-License-Identifier: Apache-2.0

/// One resting heart rate, by the clock on the wall where it was measured.
public struct HeartRateReading: Sendable, Hashable {
  /// The hour of the day with its fraction, from 0 to below 24.
  public var hour: Double
  /// Beats a minute.
  public var bpm: Double
  /// The device or app that it came from.
  public var source: String

  /// A reading as it came, sound or not.
  public init(hour: Double, bpm: Double, source: String) {
    self.hour = hour
    self.bpm = bpm
    self.source = source
  }

  /// True if it can be a resting heart rate of this day: a finite hour within it and 30 to 220
  /// beats.
  public var isValid: Bool {
    hour >= 0 && hour < 24 && bpm >= 30 && bpm <= 220
  }
}

/// The answer of a person to "have you taken it?".
public enum HeartAnswer: Sendable, Hashable {
  /// Yes.
  case taken
  /// No.
  case missed
  /// Asked, and nothing was said.
  case none
}

/// The known facts of one person's day.
///
/// Wall clock hours have no zone: on a day with a clock change or with travel, an hour may come
/// twice or never, which makes no difference here.
public struct PatientDay: Sendable, Hashable {
  /// A running number of the calendar day.
  public var day: Int
  /// The watched medicine.
  public var agent: BetaBlocker
  /// When it is taken.
  public var slot: DosingSlot
  /// The prescribed dose relative to the usual one, so that a change of it is expected to show.
  public var dose: Double
  /// In any order; what is not valid or comes twice is left out.
  public var readings: [HeartRateReading]
  /// Steps of the whole day, where counted.
  public var steps: Int?

  /// A day; what is not said is what is most usual.
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

  /// The valid readings, each once, in an order that does not depend on how they arrived.
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

  /// Strictly before, by hour, then source, then value.
  private static func isOrdered(_ first: HeartRateReading, _ second: HeartRateReading) -> Bool {
    if first.hour != second.hour { return first.hour < second.hour }
    if first.source != second.source { return first.source < second.source }
    return first.bpm < second.bpm
  }
}
