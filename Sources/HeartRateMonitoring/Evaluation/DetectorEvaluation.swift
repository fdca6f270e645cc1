// SPDX-License-Identifier: Apache-2.0

/// The comparison of the methods on labelled people.
public struct DetectorEvaluation: Sendable {
  /// A method by its name on the command line.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    case boundary
    case dynamic
    case model

    /// Returns a detector with a threshold: bpm above the average, or the worth of a question.
    func detector(threshold: Double) -> any HeartDetector {
      switch self {
      case .boundary: BoundaryRule(.fixed, gap: threshold)
      case .dynamic: BoundaryRule(.dynamic, gap: threshold)
      case .model: HeartModel(threshold: threshold)
      }
    }

    /// Returns a detector as the program uses it for a budget.
    func detector(budget: Double) -> any HeartDetector {
      switch self {
      case .boundary: BoundaryRule(.fixed, budget: budget)
      case .dynamic: BoundaryRule(.dynamic, budget: budget)
      case .model: HeartModel(budget: budget)
      }
    }

    /// Returns the threshold that the program uses for a budget.
    func threshold(budget: Double) -> Double {
      switch self {
      case .boundary: DetectorThresholds.boundary(budget: budget)
      case .dynamic: DetectorThresholds.dynamic(budget: budget)
      case .model: DetectorThresholds.model(budget: budget)
      }
    }

    /// The thresholds from the most to the least alerts.
    var range: ClosedRange<Double> { self == .model ? 0.002...0.999 : 0.5...40 }
  }

  /// A share with its interval, which 95 % of resampled groups of people fall into.
  public struct Interval: Sendable, Hashable {
    /// The value among all people.
    public var value: Double
    /// The lower end.
    public var low: Double
    /// The upper end.
    public var high: Double
  }

  /// One method at one threshold.
  public struct Result: Sendable {
    /// The method.
    public let method: Method
    /// The threshold that was used.
    public let threshold: Double
    /// The sum over all people.
    public let counts: LapseCounts
    /// The counts of each person.
    let people: [LapseCounts]

    /// Returns a figure with its interval by resampling people; nil if it does not exist.
    public func interval(seed: UInt64 = 1, _ figure: (LapseCounts) -> Double?) -> Interval? {
      guard let value = figure(counts), !people.isEmpty else { return nil }
      var random = SplitMix(state: seed)
      var values: [Double] = []
      for _ in 0..<400 {
        var sum = LapseCounts()
        for _ in people.indices { sum.add(people[random.below(people.count)]) }
        if let resampled = figure(sum) { values.append(resampled) }
      }
      values.sort()
      guard !values.isEmpty else { return Interval(value: value, low: value, high: value) }
      return Interval(
        value: value, low: values[values.count / 40],
        high: values[min(values.count - 1, values.count - 1 - values.count / 40)])
    }
  }

  private let people: [LabelledPerson]

  /// Creates an evaluation of people.
  public init(_ people: [LabelledPerson]) { self.people = people }

  /// Runs a method with a threshold over everyone.
  public func result(_ method: Method, threshold: Double) -> Result {
    result(method, threshold: threshold, method.detector(threshold: threshold))
  }

  private func result(
    _ method: Method, threshold: Double, _ detector: any HeartDetector
  ) -> Result {
    var each: [LapseCounts] = []
    var sum = LapseCounts()
    for person in people {
      let counts = LapseCounts(person, alerts: Self.verdicts(person, detector).map(\.isAlert))
      each.append(counts)
      sum.add(counts)
    }
    return Result(method: method, threshold: threshold, counts: sum, people: each)
  }

  /// Runs a method as the program does for a budget.
  public func shipped(_ method: Method, budget: Double) -> Result {
    result(
      method, threshold: method.threshold(budget: budget), method.detector(budget: budget))
  }

  /// Runs a method with the lowest threshold whose false alert days are within the budget on this data, so that
  /// methods are compared at the same burden.
  public func matched(_ method: Method, budget: Double) -> Result {
    var (low, high) = (method.range.lowerBound, method.range.upperBound)
    var best = result(method, threshold: high)
    for _ in 0..<9 {
      let middle = method == .model ? (low * high).squareRoot() : (low + high) / 2
      let tried = result(method, threshold: middle)
      if tried.counts.falseDaysAMonth > budget {
        low = middle
      } else {
        high = middle
        best = tried
      }
    }
    return best
  }

  /// Returns how well the model's probability is calibrated, with the program's threshold for a budget.
  public func calibration(budget: Double) -> CalibrationCurve {
    var curve = CalibrationCurve()
    for person in people {
      let verdicts = Self.verdicts(person, HeartModel(budget: budget))
      for index in verdicts.indices where verdicts[index].finding.silence == nil {
        guard let probability = verdicts[index].finding.probability else { continue }
        let isEvening = person.days[index].day.slot == .evening
        let before = index > 0 && person.days[index - 1].isMissed
        // An evening dose shows on the next day; after a morning dose the day after counts too.
        curve.add(
          probability, isMissing: isEvening ? before : before || person.days[index].isMissed)
      }
    }
    return curve
  }

  private static func verdicts(
    _ person: LabelledPerson, _ detector: any HeartDetector
  ) -> [HeartVerdict] {
    var detector = detector
    return person.days.map { day in
      guard let verdict = try? detector.judge(day.day) else {
        return HeartVerdict(
          isAlert: false, score: 0, finding: HeartRateFinding(silence: .notMeasured))
      }
      if verdict.isAlert, let answer = day.answer { detector.hear(answer) }
      return verdict
    }
  }
}

/// Reproducible random numbers for resampling.
struct SplitMix {
  var state: UInt64

  /// Returns a number from 0 to below a limit.
  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Int(mixed % UInt64(max(limit, 1)))
  }
}
