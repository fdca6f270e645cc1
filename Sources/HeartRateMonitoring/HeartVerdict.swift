// SPDX-License-Identifier: Apache-2.0

/// The judgment of a detector about a day.
public struct HeartVerdict: Sendable, Hashable {
  /// True if the person should be asked "have you taken it today?".
  public var isAlert: Bool
  /// From 0 to 1, comparable between the days and people of one detector.
  ///
  /// The model's weighs the probability that a warning would find a gap not warned of yet against that of a false one.
  public var score: Double
  /// The finding, for the one sentence that explains a warning.
  public var finding: HeartRateFinding

  /// A verdict with what was seen.
  public init(isAlert: Bool, score: Double, finding: HeartRateFinding) {
    self.isAlert = isAlert
    self.score = score
    self.finding = finding
  }
}

/// The finding of a detector on a day, as numbers that others put into words.
public struct HeartRateFinding: Sendable, Hashable {
  /// Why a day could raise no warning, however high the heart rate.
  public enum Silence: Sendable, Hashable {
    /// No valid reading of the preferred source, within the window where there is one.
    case notMeasured
    /// Too few days are known.
    case learning
    /// Nothing is watched: the recorded dose is none.
    case noDose
  }

  /// Why nothing could be said, where that is so.
  public var silence: Silence?
  /// The day's resting heart rate in bpm.
  public var heartRate: Double?
  /// The usual heart rate of the person when every dose is taken.
  public var usual: Double?
  /// The limit in force, for the methods that have one.
  public var boundary: Double?
  /// The number of consecutive doses that may be missing, by the most probable state in which any
  /// is; 0 on a quiet day.
  public var dosesInDoubt: Int
  /// Steps of the day as a share of the usual ones.
  public var stepsShare: Double?
  /// The probability that an illness explains it, from 0 to 1.
  public var illness: Double?

  /// A finding of what is known.
  public init(
    silence: Silence? = nil, heartRate: Double? = nil, usual: Double? = nil,
    boundary: Double? = nil,
    dosesInDoubt: Int = 0, stepsShare: Double? = nil, illness: Double? = nil
  ) {
    self.silence = silence
    self.heartRate = heartRate
    self.usual = usual
    self.boundary = boundary
    self.dosesInDoubt = dosesInDoubt
    self.stepsShare = stepsShare
    self.illness = illness
  }
}

/// Why a day was refused; nothing was changed by it.
public enum HeartDayError: Error, Sendable, Hashable {
  /// The day is not after the last one.
  case notAfter(last: Int)
}

/// Watches one person, a day at a time.
///
/// A value: keep the one from before a day to judge that day anew when more readings arrive.
public protocol HeartDetector: Sendable {
  /// Judges a day, which must be after the last one.
  mutating func judge(_ day: PatientDay) throws(HeartDayError) -> HeartVerdict
  /// Hears what the person said when asked on the day judged last.
  mutating func hear(_ answer: HeartAnswer)
}

/// The days in which nothing is said: a person's usual heart rate is not known yet.
public let learningDays = 14
