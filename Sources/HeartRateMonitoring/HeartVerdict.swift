// SPDX-License-Identifier: Apache-2.0

/// The verdict of a detector on a day.
public struct HeartVerdict: Sendable, Hashable {
  /// True if the person should be asked "have you taken it today?".
  public var isAlert: Bool
  /// The score from 0 to 1, comparable between the days and people of one detector.
  ///
  /// The model weighs the probability that a warning would find a gap not reported yet against that of a
  /// false one.
  public var score: Double
  /// The finding, for the one sentence that explains a warning.
  public var finding: HeartRateFinding

  /// Creates a verdict with its finding.
  public init(isAlert: Bool, score: Double, finding: HeartRateFinding) {
    self.isAlert = isAlert
    self.score = score
    self.finding = finding
  }
}

/// The finding of a detector on a day, as numbers that other modules put into words.
public struct HeartRateFinding: Sendable, Hashable {
  /// The reason why a day could raise no warning, however high the heart rate.
  public enum Silence: Sendable, Hashable {
    /// There is no valid reading of the preferred source, or none within the required window.
    case notMeasured
    /// Too few days are known.
    case learning
    /// No dose is monitored, because the recorded one is zero.
    case noDose
  }

  /// A cause other than a missed dose that is so likely that nothing is asked.
  public enum Cause: Sendable, Hashable {
    /// An illness, or anything else that raises the heart rate for some days.
    case illness
    /// The usual heart rate has changed for good, as with another device.
    case newLevel
  }

  /// The reason why no judgment was possible; nil if there is none.
  public var silence: Silence?
  /// The day's resting heart rate in bpm.
  public var heartRate: Double?
  /// The person's usual heart rate in bpm when every dose is taken.
  public var usual: Double?
  /// The limit in force in bpm, for the methods that have one.
  public var boundary: Double?
  /// The number of consecutive doses that may be missing, in the most probable state with a missed dose; 0 on
  /// a quiet day.
  public var dosesInDoubt: Int
  /// The day's steps as a share of the usual ones.
  public var stepsShare: Double?
  /// The probability that an illness explains it, from 0 to 1.
  public var illness: Double?
  /// The calibrated probability that a dose is missing or was until now, from 0 to 1; nil for methods without.
  public var probability: Double?
  /// The other cause that is likely; nil if there is none.
  public var cause: Cause?
  /// The number of measured days in a row, up to this one, with a raised heart rate.
  public var daysRaised: Int
  /// True if this person's heart rate says little about their doses.
  public var isUnmoved: Bool

  /// Creates a finding from known values.
  public init(
    silence: Silence? = nil, heartRate: Double? = nil, usual: Double? = nil,
    boundary: Double? = nil,
    dosesInDoubt: Int = 0, stepsShare: Double? = nil, illness: Double? = nil,
    probability: Double? = nil, cause: Cause? = nil, daysRaised: Int = 0, isUnmoved: Bool = false
  ) {
    self.silence = silence
    self.heartRate = heartRate
    self.usual = usual
    self.boundary = boundary
    self.dosesInDoubt = dosesInDoubt
    self.stepsShare = stepsShare
    self.illness = illness
    self.probability = probability
    self.cause = cause
    self.daysRaised = daysRaised
    self.isUnmoved = isUnmoved
  }
}

/// A reason why a day was rejected; the detector is unchanged.
public enum HeartDayError: Error, Sendable, Hashable {
  /// The day is not after the last one.
  case notAfter(last: Int)
}

/// A detector that monitors one person, one day at a time.
///
/// It is a value: keep the one from before a day to judge that day again when more readings arrive.
public protocol HeartDetector: Sendable {
  /// Judges a day, which must be after the last one.
  mutating func judge(_ day: PatientDay) throws(HeartDayError) -> HeartVerdict
  /// Processes the person's answer about the day judged last.
  mutating func hear(_ answer: HeartAnswer)
}

/// The number of days from one measured day to the next after which raised days are counted anew.
let longestBreak = 3

/// The number of days without warnings, because the person's usual heart rate is not known yet.
public let learningDays = 14
