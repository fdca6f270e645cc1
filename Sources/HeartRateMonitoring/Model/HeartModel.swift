// SPDX-License-Identifier: Apache-2.0

/// The model: switching filters that learn one person's heart rate, effect and noise while they monitor them.
public struct HeartModel: HeartDetector {
  /// The number of days without a reading after which the person is learned anew.
  static let longestPause = 90
  /// The rise in bpm from which a day counts as raised.
  private static let rise = 3.0

  /// The worth from which it warns.
  public let threshold: Double
  private let priors: ModelPriors
  private var preference: SourcePreference
  private var filter: Ensemble?
  private var habits = ReadingHabits()
  private var steps = StepHabits()
  private var plausibility = Plausibility()
  private var firstDay = 0
  private var lastDay = 0
  private var lastMeasured = 0
  private var raisedDays = 0
  /// The raised days since the last break, for the explanation.
  private var raisedRun = 0
  private var agent = BetaBlocker.other
  private var slot = DosingSlot.morning
  private var dose = 1.0
  /// The logarithm of the odds by which recent answers "taken" lower the score.
  private var caution = 0.0
  /// The person's own false questions; nil if only the threshold counts.
  private var questions: QuestionBudget?

  /// Creates a model with a warning threshold.
  public init(
    threshold: Double, preferredSource: String? = nil, priors: ModelPriors = ModelPriors()
  ) {
    self.threshold = threshold
    self.priors = priors
    preference = SourcePreference(chosen: preferredSource)
  }

  /// Creates a model for a number of false alert days in a month: with the threshold measured on simulated
  /// cohorts, and with more caution for people who are asked in vain more often.
  public init(budget: Double, preferredSource: String? = nil) {
    self.init(threshold: DetectorThresholds.model(budget: budget), preferredSource: preferredSource)
    questions = QuestionBudget(budget)
  }

  /// Evaluates the day's evidence and warns if a warning is worth it.
  public mutating func judge(_ day: PatientDay) throws(HeartDayError) -> HeartVerdict {
    if filter != nil, day.day <= lastDay { throw .notAfter(last: lastDay) }
    for _ in 0..<(filter == nil ? 0 : min(day.day - lastDay, 60)) { caution *= priors.cautionKeep }
    questions?.begin(after: filter == nil ? 0 : day.day - lastDay)
    // Taken out while it changes, to avoid a copy.
    let (started, passed) = begin(day)
    var filter = started
    self.filter = nil
    let (readings, isNewLevel) = plausibility.checked(day.soundReadings, expected: filter.expected)
    if isNewLevel { restart(&filter, on: day.day, doubt: 400) }
    preference.note(readings, days: passed)
    let odds = steps.illnessOdds(day.steps)
    let foreseen = filter.expected
    let source = preference.preferred ?? ""
    let isMeasured = readings.contains { $0.source == source }
    let level = habits.mean(of: readings, day: day.day)
    if readings.isEmpty {
      filter.weighIllness(odds)
    } else {
      if day.day - lastMeasured > Self.longestPause { restart(&filter, on: day.day, doubt: 25) }
      if day.day - lastMeasured > longestBreak { raisedRun = 0 }
      lastMeasured = day.day
      observe(&filter, readings, day: day.day, illnessOdds: odds)
    }
    var verdict = self.verdict(day, readings, source: source, isMeasured: isMeasured, filter)
    // A low heart rate is no reason to ask, whatever the days before.
    if isMeasured, level < foreseen.value {
      verdict.score = 0
      verdict.isAlert = false
    }
    // Usual activity speaks against an illness; without counted steps, only the filter does.
    if odds < 1 || odds <= 1 && verdict.finding.cause == nil {
      askAboutAbruptRise(&verdict, foreseen)
    }
    if verdict.isAlert {
      filter.tell(AnswerLikelihood.window(slot))
      questions?.ask(verdict.finding.probability ?? 0)
    }
    steps.learn(day.steps, well: 1 - filter.illness)
    self.filter = filter
    return verdict
  }

  /// Weights the states by the answer; after one that every dose was taken, the next question needs more.
  public mutating func hear(_ answer: HeartAnswer) {
    if answer == .taken { caution += priors.caution }
    questions?.hear(answer)
    filter?.hear(AnswerLikelihood.of(answer, slot: slot))
  }

  /// Returns the filter on the day, and the number of days passed.
  private mutating func begin(_ day: PatientDay) -> (Ensemble, passed: Int) {
    let passed = filter == nil ? 0 : day.day - lastDay
    var present = filter ?? Ensemble(agent: day.agent, priors: priors)
    if filter == nil {
      firstDay = day.day
      lastMeasured = day.day
      dose = day.dose
    }
    // After two months nothing is left of the old states.
    for _ in 0..<min(passed, 60) { present.advance() }
    if day.dose != dose {
      present.titrate(from: dose, to: day.dose)
      dose = day.dose
    }
    agent = day.agent
    slot = day.slot
    lastDay = day.day
    return (present, passed)
  }

  /// Learns the level anew, without warnings at first.
  private mutating func restart(_ filter: inout Ensemble, on day: Int, doubt: Double) {
    filter.loosen(by: doubt)
    firstDay = day
    raisedDays = 0
    raisedRun = 0
  }

  private mutating func observe(
    _ filter: inout Ensemble, _ readings: [HeartRateReading], day: Int, illnessOdds: Double
  ) {
    habits.compare(readings, day: day, expected: filter.expected)
    let parts = habits.parts(of: readings, day: day)
    let profile = LossProfile.of(agent, slot)
    let response = LossProfile.response(dose)
    filter.observe(
      parts, losses: parts.map { profile.at($0.hour) * response }, illnessOdds: illnessOdds)
    let trust = filter.states[0] * (1 - filter.illness - filter.movement)
    habits.learn(from: readings, day: day, expected: filter.expected, trust: trust)
  }

  private mutating func verdict(
    _ day: PatientDay, _ readings: [HeartRateReading], source: String, isMeasured: Bool,
    _ filter: Ensemble
  ) -> HeartVerdict {
    let states = filter.states
    let window = AnswerLikelihood.window(slot)
    let missing = min(max((states * window).sum(), 0), 1)
    var finding = HeartRateFinding(
      usual: filter.usualLevel, illness: filter.illness,
      probability: Calibration.calibrated(missing), cause: cause(filter),
      isUnmoved: filter.unmoved > priors.unmovedLimit)
    if day.dose <= 0 {
      finding.silence = .noDose
    } else if !isMeasured {
      finding.silence = .notMeasured
    } else if day.day - firstDay < learningDays {
      finding.silence = .learning
    }
    if isMeasured { describe(readings.filter { $0.source == source }, &finding, day.day) }
    if let usual = steps.usual, let counted = day.steps, counted >= 50 {
      finding.stepsShare = Double(counted) / usual
    }
    let long = priors.longValue
    let value: ByGap = [0, 1, long, long, long, 1, long, 0]
    let fresh = (filter.untold * window * value).sum()
    let isWorthless = finding.silence == .noDose || finding.cause != nil || fresh <= 0
    let score =
      isWorthless
      ? 0 : cautious(fresh / (fresh + 1 - missing), isUnmoved: finding.isUnmoved)
    let isAlert = finding.silence == nil && score >= threshold && score > 0
    finding.dosesInDoubt =
      isAlert || states[1] + states[2] + states[3] + states[4] > 0.5 ? Self.doses(states) : 0
    return HeartVerdict(isAlert: isAlert, score: score, finding: finding)
  }

  /// Returns a score after recent answers that every dose was taken, and for a heart that hardly reacts.
  private func cautious(_ score: Double, isUnmoved: Bool) -> Double {
    let bounded = min(max(score, 0), 1)
    let doubt =
      caution + (questions?.caution ?? 0) + (isUnmoved ? priors.unmovedCaution : 0)
    return bounded / (bounded + (1 - bounded) * Exponential.of(doubt))
  }

  /// Raises the score of the first day of a rise that is too large for a missed dose, without a sign of illness.
  ///
  /// Otherwise a larger rise could ask less than a smaller one, because hardly anything explains it.
  private func askAboutAbruptRise(_ verdict: inout HeartVerdict, _ foreseen: Estimate) {
    guard raisedDays == 1, verdict.finding.silence != .noDose, let rate = verdict.finding.heartRate,
      let usual = verdict.finding.usual
    else { return }
    let far = rate - usual - 2 - 4 * foreseen.variance.squareRoot()
    let least = cautious(
      0.6 / (1 + Exponential.of(-far / 2)), isUnmoved: verdict.finding.isUnmoved)
    guard least > verdict.score else { return }
    verdict.score = least
    verdict.isAlert = verdict.finding.silence == nil && least >= threshold
    verdict.finding.cause = nil
    if verdict.isAlert { verdict.finding.dosesInDoubt = max(verdict.finding.dosesInDoubt, 1) }
  }

  /// Adds the mean of the day's readings, the usual value at their hours, and the number of raised days.
  private mutating func describe(
    _ readings: [HeartRateReading], _ finding: inout HeartRateFinding, _ day: Int
  ) {
    var sum = 0.0
    var corrected = 0.0
    for reading in readings {
      sum += reading.bpm
      corrected += habits.corrected(reading, day: day)
    }
    let count = Double(readings.count)
    let usual = (finding.usual ?? 0) + (sum - corrected) / count
    finding.heartRate = sum / count
    finding.usual = usual
    let isRaised = sum / count - usual >= Self.rise
    raisedDays = isRaised ? raisedDays + 1 : 0
    raisedRun = isRaised ? raisedRun + 1 : 0
    finding.daysRaised = raisedRun
  }

  /// Returns a cause that is likelier than a missed dose and obvious enough to ask nothing.
  private func cause(_ filter: Ensemble) -> HeartRateFinding.Cause? {
    guard filter.illness + filter.movement >= priors.causeLimit else { return nil }
    return filter.illness >= filter.movement ? .illness : .newLevel
  }

  /// Returns the most probable number of consecutive missing doses, given that any is missing.
  private static func doses(_ states: ByGap) -> Int {
    var most = 1
    for count in 2...4 where states[count] > states[most] { most = count }
    return most
  }
}
