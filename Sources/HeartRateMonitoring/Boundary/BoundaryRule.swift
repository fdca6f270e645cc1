// SPDX-License-Identifier: Apache-2.0

/// The thesis's rule: ask if the afternoon's resting heart rate exceeds a limit.
public struct BoundaryRule: HeartDetector {
  /// The movement of the limit over time.
  public enum Movement: Sendable, Hashable {
    /// It stays where the first fourteen days, the person or a provider set it.
    case fixed
    /// It follows the average at a gap, within the bounds of `BoundarySafety`.
    case dynamic
  }

  /// The movement of the limit over time.
  public let movement: Movement
  /// The distance of the limit above the average, in bpm.
  public let gap: Double
  /// The readings that count.
  public let window: ReadingWindow
  /// The rule by which a limit that no one set starts wider than the gap.
  public let convergence: GapConvergence?
  /// The limit in force, once there is one.
  public private(set) var boundary: Boundary?
  private var preference: SourcePreference
  private var safety = BoundarySafety()
  private var averages = DailyAverages()
  private var firstDay: Int?
  private var lastDay = 0
  private var doses = MonitoredDoses.allTaken
  private var lastMissed: Int?
  private var daysOver = 0
  private var lastMeasured = 0
  private var lastLow = false

  /// Creates a rule with a gap, and optionally a limit that someone set.
  public init(
    _ movement: Movement, gap: Double, window: ReadingWindow = .afternoon,
    boundary: Boundary? = nil, convergence: GapConvergence? = nil,
    preferredSource: String? = nil
  ) {
    self.movement = movement
    self.gap = gap
    self.window = window
    self.boundary = boundary
    self.convergence = convergence
    preference = SourcePreference(chosen: preferredSource)
  }

  /// Creates a rule for a number of false alert days in a month, as measured on simulated cohorts.
  public init(_ movement: Movement, budget: Double, preferredSource: String? = nil) {
    let gap =
      movement == .fixed
      ? DetectorThresholds.boundary(budget: budget) : DetectorThresholds.dynamic(budget: budget)
    self.init(movement, gap: gap, preferredSource: preferredSource)
  }

  /// The advice for the person about the limit; nil if there is none.
  public var advice: BoundaryAdvice? {
    if safety.asksForProvider { return .seeProvider }
    guard let boundary, let average = averages.average else { return nil }
    return .about(boundary, average: average)
  }

  /// Sets the records of the monitored doses of the last 48 hours, for the next day; without it only the
  /// answers count.
  public mutating func note(_ doses: MonitoredDoses) { self.doses = doses }

  /// Compares the day's mean with the limit.
  public mutating func judge(_ day: PatientDay) throws(HeartDayError) -> HeartVerdict {
    let first = firstDay ?? day.day
    if firstDay != nil, day.day <= lastDay { throw .notAfter(last: lastDay) }
    let passed = firstDay == nil ? 0 : day.day - lastDay
    firstDay = first
    lastDay = day.day
    let readings = day.soundReadings
    preference.note(readings, days: passed)
    let counted = window.counted(readings, source: preference.preferred ?? "")
    guard !counted.isEmpty else {
      return HeartVerdict(
        isAlert: false, score: 0,
        finding: HeartRateFinding(
          silence: .notMeasured, usual: averages.average, boundary: boundary?.value))
    }
    let value = counted.reduce(0) { $0 + $1.bpm } / Double(counted.count)
    let isLearning = day.day - first < learningDays
    if !isLearning { settle(day.day) }
    let usual = averages.average
    var finding = HeartRateFinding(heartRate: value, usual: usual, boundary: boundary?.value)
    let isProviders = boundary?.owner == .provider
    if boundary == nil || isLearning && !isProviders { finding.silence = .learning }
    if day.dose <= 0 { finding.silence = .noDose }
    let over = boundary.map { value - $0.value } ?? 0
    let isOver = over > 0
    if day.day - lastMeasured > longestBreak { daysOver = 0 }
    lastMeasured = day.day
    daysOver = isOver ? daysOver + 1 : 0
    finding.daysRaised = daysOver
    if !isOver || isLearning && !isProviders { averages.add(value) }
    // Each bpm over the average counts the same, whatever the gap.
    let distance = over + gap - 8
    let score = finding.silence == nil ? 1 / (1 + Exponential.of(-distance / 3)) : 0
    return HeartVerdict(isAlert: finding.silence == nil && isOver, score: score, finding: finding)
  }

  /// Counts each yes, and prevents the limit from rising for two days after a no.
  public mutating func hear(_ answer: HeartAnswer) {
    switch answer {
    case .taken: safety.noteYes(day: lastDay)
    case .missed: lastMissed = lastDay
    case .none: break
    }
  }

  /// Sets the limit for the day: the first one and, if it moves, the next.
  private mutating func settle(_ day: Int) {
    guard let average = averages.average else { return }
    let known = day - (firstDay ?? day) - learningDays
    let gap = convergence?.gap(afterDays: known, toward: self.gap) ?? self.gap
    guard let present = boundary else {
      boundary = Boundary(value: average + gap, owner: .own)
      return
    }
    if movement == .fixed { return }
    let saidMissed = lastMissed.map { day - $0 <= 2 } ?? false
    boundary = safety.moved(
      present, toward: average + gap, day: day, doses: saidMissed ? .inDoubt : doses)
  }
}

/// The average of the last days below the limit.
struct DailyAverages: Sendable, Hashable {
  static let span = 14
  private var values: [Double] = []

  /// The average; nil with fewer than three days.
  var average: Double? {
    values.count < 3 ? nil : values.reduce(0, +) / Double(values.count)
  }

  mutating func add(_ value: Double) {
    if values.count == Self.span { values.removeFirst() }
    values.append(value)
  }
}
