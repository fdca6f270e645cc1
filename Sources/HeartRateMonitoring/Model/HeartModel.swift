// SPDX-License-Identifier: Apache-2.0

/// The model: a switching filter that learns one person's heart rate, effect and noise while it monitors
/// them.
public struct HeartModel: HeartDetector {
  /// The probability from which it warns.
  public let threshold: Double
  private let priors: ModelPriors
  private var preference: SourcePreference
  private var filter: Ensemble?
  var learned: (Double, Double, Double, Double) { (filter!.probe.0, habits.readingVariance, filter!.probe.1, filter!.probe.2) }
  private var habits: ReadingHabits
  private var steps = StepHabits()
  private var firstDay = 0
  private var lastDay = 0
  private var agent = BetaBlocker.other
  private var slot = DosingSlot.morning
  private var dose = 1.0

  /// Creates a model with a warning threshold.
  public init(
    threshold: Double, preferredSource: String? = nil, priors: ModelPriors = ModelPriors()
  ) {
    self.threshold = threshold
    self.priors = priors
    habits = ReadingHabits(priors)
    preference = SourcePreference(chosen: preferredSource)
  }

  /// Creates a model for a number of false alert days in a month, as measured on simulated cohorts.
  public init(budget: Double, preferredSource: String? = nil) {
    self.init(threshold: DetectorThresholds.model(budget: budget), preferredSource: preferredSource)
  }

  /// Evaluates the day's evidence and warns if a warning is worth it.
  public mutating func judge(_ day: PatientDay) throws(HeartDayError) -> HeartVerdict {
    if filter != nil, day.day <= lastDay { throw .notAfter(last: lastDay) }
    let passed = begin(day)
    let readings = day.soundReadings
    preference.note(readings, days: passed)
    guard var filter else {
      return HeartVerdict(isAlert: false, score: 0, finding: HeartRateFinding())
    }
    let odds = steps.illnessOdds(day.steps)
    let source = preference.preferred ?? ""
    let isMeasured = readings.contains { $0.source == source }
    let expected = filter.expected
    if readings.isEmpty {
      filter.weighIllness(odds)
    } else {
      habits.compare(readings, day: day.day, expected: expected)
      filter.observe(
        habits.parts(of: readings, day: day.day), agent: agent, slot: slot,
        response: LossProfile.response(dose), illnessOdds: odds)
      let trust = filter.states[0] * (1 - filter.illness - filter.movement)
      habits.learn(from: readings, day: day.day, expected: filter.expected, trust: trust)
    }
    self.filter = filter
    let verdict = self.verdict(day, readings, source: source, isMeasured: isMeasured, filter)
    if verdict.isAlert { self.filter?.tell(AnswerLikelihood.window(slot)) }
    steps.learn(day.steps, well: 1 - filter.illness)
    return verdict
  }

  /// Weights the states by the answer.
  public mutating func hear(_ answer: HeartAnswer) {
    filter?.hear(AnswerLikelihood.of(answer, slot: slot))
  }

  /// Advances the filter to the day and returns the number of days passed.
  private mutating func begin(_ day: PatientDay) -> Int {
    let passed = filter == nil ? 0 : day.day - lastDay
    if filter == nil {
      filter = Ensemble(agent: day.agent, priors: priors)
      firstDay = day.day
      dose = day.dose
    }
    // After two months nothing is left of the old states.
    for _ in 0..<min(passed, 60) { filter?.advance() }
    if day.dose != dose {
      filter?.titrate(from: dose, to: day.dose)
      dose = day.dose
    }
    agent = day.agent
    slot = day.slot
    lastDay = day.day
    return passed
  }

  private func verdict(
    _ day: PatientDay, _ readings: [HeartRateReading], source: String, isMeasured: Bool,
    _ filter: Ensemble
  ) -> HeartVerdict {
    let states = filter.states
    let window = AnswerLikelihood.window(slot)
    let value: ByGap = [
      0, 1, priors.valueLong, priors.valueLong, priors.valueLong, 1, priors.valueLong, 0]
    let fresh = (filter.untold * window * value).sum()
    let wrong = max(0, 1 - (states * window).sum())
    var score = fresh <= 0 ? 0 : min(1, fresh / (fresh + wrong))
    var finding = HeartRateFinding(usual: filter.usualLevel, illness: filter.illness)
    finding.probability = min(max((states * window).sum(), 0), 1)
    if day.dose <= 0 {
      finding.silence = .noDose
      score = 0
    } else if !isMeasured {
      finding.silence = .notMeasured
    } else if day.day - firstDay < learningDays {
      finding.silence = .learning
    }
    if isMeasured {
      var sum = 0.0
      var count = 0.0
      for reading in readings where reading.source == source {
        sum += habits.corrected(reading, day: day.day)
        count += 1
      }
      finding.heartRate = sum / count
    }
    if let usual = steps.usual, let counted = day.steps, counted >= 50 {
      finding.stepsShare = Double(counted) / usual
    }
    let isAlert = finding.silence == nil && score >= threshold
    finding.dosesInDoubt =
      isAlert || states[1] + states[2] + states[3] + states[4] > 0.5 ? Self.doses(states) : 0
    return HeartVerdict(isAlert: isAlert, score: score, finding: finding)
  }

  /// Returns the most probable number of consecutive missing doses, given that any is missing.
  private static func doses(_ states: ByGap) -> Int {
    var most = 1
    for count in 2...4 where states[count] > states[most] { most = count }
    return most
  }
}

/// The probability of each answer in each state.
enum AnswerLikelihood {
  private static let whenTaken = (taken: 0.88, missed: 0.025)
  private static let whenMissed = (taken: 0.15, missed: 0.70)
  private static let nextMissed: ByGap = [0.03, 0.3, 0.55, 0.75, 0.78, 0.03, 0.03, 0.03]
  private static let missedNow: ByGap = [0, 1, 1, 1, 1, 0, 0, 0]

  /// Returns the days on which a question is right: one dose is missing, or was until now.
  static func window(_ slot: DosingSlot) -> ByGap {
    slot == .evening ? [0, 1, 1, 1, 1, 0, 0, 0] : [0, 1, 1, 1, 1, 1, 1, 0]
  }

  static func of(_ answer: HeartAnswer, slot: DosingSlot) -> ByGap {
    // In the evening "today" may mean the dose that shows, yesterday's, or the one still to come.
    let missed = slot == .evening ? missedNow * 0.6 + nextMissed * 0.4 : missedNow
    let taken = 1 - missed
    return switch answer {
    case .taken: missed * whenMissed.taken + taken * whenTaken.taken
    case .missed: missed * whenMissed.missed + taken * whenTaken.missed
    case .none:
      missed * (1 - whenMissed.taken - whenMissed.missed) + taken
        * (1 - whenTaken.taken - whenTaken.missed)
    }
  }
}
