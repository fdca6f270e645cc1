// SPDX-License-Identifier: Apache-2.0

/// The belief about one person: which doses were missed recently, whether they are ill, their level and
/// effect.
///
/// A Bayesian switching filter with eight states of the doses and two of health, each with a normal belief
/// about level and effect. Each day has a usual branch, an outlier branch, such as after alcohol, and an
/// illness branch, which are merged again by their moments.
struct SwitchingFilter {
  private(set) var well: Belief
  private(set) var ill: Belief
  private let priors: ModelPriors
  private var moves: GapMoves
  /// The chance that a state's gap has already been reported.
  private var told = ByGap()
  private var firstMisses: Double
  private var missDays: Double
  private var daySquares: Double
  private var dayCount: Double
  /// The day's contribution in the most probable state, for learning how parts of the day differ.
  private(set) var usualToday: Double

  init(agent: BetaBlocker, priors: ModelPriors) {
    self.priors = priors
    moves = GapMoves(begin: priors.missing)
    firstMisses = priors.missing * priors.missWeight
    missDays = priors.missWeight
    // A mean of 68 bpm, with hardly anyone more than three times 12 away from it.
    let start = Belief(
      level: 68, levelVariance: 144, effect: agent.usualEffect,
      effectVariance: priors.effectVariance)
    well = start
    ill = start
    well.weight[GapState.allTaken.rawValue] = 0.87
    well.weight[GapState.manyMissed.rawValue] = 0.1
    ill.weight[GapState.allTaken.rawValue] = 0.03
    daySquares = priors.dayVariance * priors.dayWeight
    dayCount = priors.dayWeight
    usualToday = 68
  }

  /// The learned variance of a usual day's contribution.
  var dayVariance: Double { daySquares / dayCount }

  /// The probabilities of the states.
  var states: ByGap { well.weight + ill.weight }

  /// The probability of being ill.
  var illness: Double { ill.weight.sum() }

  /// The level if every dose was taken.
  var usualLevel: Double { well.level[0] }

  /// Returns the effect in a state, by the number of missed doses.
  func effect(in state: Int) -> Double { well.effect[state] }

  /// Advances by one day without any evidence.
  mutating func advance() {
    let before = states
    firstMisses += before[1]
    missDays += 1
    moves = GapMoves(begin: min(max(firstMisses / missDays, 0.004), 0.2))
    told = moves.carried(told, by: before)
    let stays = well.scaled(1 - priors.falling)
    let falls = well.scaled(priors.falling)
    let recovers = ill.scaled(priors.recovering)
    let remains = ill.scaled(1 - priors.recovering)
    well = Belief.mixed(stays, recovers)
    ill = Belief.mixed(remains, falls)
    well.advance(moves)
    ill.advance(moves)
    well.levelVariance += priors.drift
    ill.levelVariance += priors.drift
  }

  /// Applies a change of the recorded dose.
  mutating func titrate(from old: Double, to new: Double) {
    let difference = LossProfile.response(old) - LossProfile.response(new)
    well.titrate(by: difference)
    ill.titrate(by: difference)
  }

  /// Records a warning: any gap in the window is now known.
  mutating func tell(_ window: ByGap) { told = pointwiseMax(told, window) }

  /// Returns the probability that a warning now would be the first about a gap, compared with a false one.
  func worth(_ window: ByGap) -> Double {
    let missing = states * window
    let fresh = (missing * (1 - told)).sum()
    let wrong = max(0, 1 - missing.sum())
    return fresh <= 0 ? 0 : min(1, fresh / (fresh + wrong))
  }

  /// Processes the day's means.
  ///
  /// `losses` has for each the share of the effect that is lost in each state.
  mutating func observe(_ parts: ArraySlice<PartMean>, losses: [ByGap], illnessOdds: Double) {
    let variance = dayVariance
    var usual = Branch(well, added: 0, variance: variance)
    var outlier = Branch(
      well, added: priors.outlierMean, variance: variance + priors.outlierVariance)
    var sick = Branch(ill, added: priors.illMean, variance: variance + priors.illVariance)
    usual.take(parts, losses: losses, doubt: priors.lossDoubt)
    outlier.take(parts, losses: losses, doubt: priors.lossDoubt)
    sick.take(parts, losses: losses, doubt: priors.lossDoubt)
    let least = pointwiseMin(pointwiseMin(usual.misfit, outlier.misfit), sick.misfit).min()
    usual.weigh(least: least, factor: 1 - priors.outlierChance)
    outlier.weigh(least: least, factor: priors.outlierChance)
    sick.weigh(least: least, factor: illnessOdds)
    learn(from: usual, among: outlier.belief.weight.sum() + sick.belief.weight.sum())
    well = Belief.mixed(usual.belief, outlier.belief)
    ill = sick.belief
    normalise()
  }

  /// Weights the states by the person's answer.
  mutating func hear(_ likelihood: ByGap) {
    well.weight *= likelihood
    ill.weight *= likelihood
    normalise()
  }

  /// Weights only illness, on a day without heart rate.
  mutating func weighIllness(_ odds: Double) {
    ill.weight *= odds
    normalise()
  }

  private mutating func learn(from usual: Branch, among others: Double) {
    let weight = usual.belief.weight
    let sum = weight.sum()
    guard sum > 0 else { return }
    let share = sum / (sum + others)
    let squares = weight * (usual.added * usual.added + usual.addedVariance)
    daySquares += share * squares.sum() / sum
    dayCount += share
    // Old days fade, so that the last half year counts.
    if dayCount > 150 {
      daySquares *= 150 / dayCount
      dayCount = 150
    }
    usualToday = usual.belief.level[0] + usual.added[0]
  }

  private mutating func normalise() {
    let sum = well.weight.sum() + ill.weight.sum()
    guard sum > 0, sum.isFinite else {
      // Nothing fits: reset the states and keep what was learned.
      well.weight = ByGap()
      ill.weight = ByGap()
      well.weight[0] = 0.95
      ill.weight[0] = 0.05
      return
    }
    well.weight /= sum
    ill.weight /= sum
  }
}
