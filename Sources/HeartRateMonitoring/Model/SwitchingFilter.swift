// SPDX-License-Identifier: Apache-2.0

/// The belief about one person: which doses were missed recently, their condition, level and effect.
///
/// A Bayesian switching filter with eight states of the doses and three conditions (well, ill, or with a level
/// that has just moved), each with a normal belief about level, effect and residual. A day of a well person is
/// usual, wild, or like one after alcohol; these branches are merged again by their moments.
struct SwitchingFilter {
  private(set) var well: Belief
  private(set) var ill: Belief
  private(set) var moved: Belief
  private let priors: ModelPriors
  private var moves: GapMoves
  /// The chance that a state's gap has already been reported.
  private var told = ByGap()
  private var firstMisses: Double
  private var missDays: Double
  private var noise: DayNoise
  /// True if the last day had a heart rate.
  private var isObserved = false
  var probe: (Double, Double, Double) { (noise.variance, well.levelVariance[0], firstMisses / missDays) }

  /// Creates a filter that assumes an effect in bpm with a variance.
  init(effect: Double, effectVariance: Double, priors: ModelPriors) {
    self.priors = priors
    moves = GapMoves(begin: priors.missing)
    firstMisses = priors.missing * priors.missWeight
    missDays = priors.missWeight
    noise = DayNoise(priors)
    // A mean of 68 bpm, with hardly anyone more than three times 12 away from it.
    let start = Belief(
      level: 68, levelVariance: 144, effect: effect, effectVariance: effectVariance)
    well = start
    ill = start
    moved = start
    well.weight[GapState.allTaken.rawValue] = 0.87
    well.weight[GapState.manyMissed.rawValue] = 0.1
    ill.weight[GapState.allTaken.rawValue] = 0.03
  }

  /// The probabilities of the states.
  var states: ByGap { well.weight + ill.weight + moved.weight }

  /// The probability of being ill.
  var illness: Double { ill.weight.sum() }

  /// The probability that the level has just moved for good, as with another device.
  var movement: Double { moved.weight.sum() }

  /// The level if every dose was taken.
  var usualLevel: Double { well.level[0] }

  /// The expected heart rate if every dose was taken, and its variance.
  var expected: (value: Double, variance: Double) {
    (
      well.level[0] + well.residual[0],
      well.levelVariance[0] + 2 * well.levelResidual[0] + well.residualVariance[0]
    )
  }

  /// Returns the effect in a state, by the number of missed doses.
  func effect(in state: Int) -> Double { well.effect[state] }

  /// Advances by one day without any evidence.
  mutating func advance() {
    if !isObserved { noise.pause() }
    isObserved = false
    let before = states
    firstMisses += priors.countBack > 0.5 ? before[5] + before[6] : before[1]
    missDays += 1
    moves = GapMoves(begin: min(max(firstMisses / missDays, 0.004), 0.2))
    told = moves.carried(told, by: before)
    let keep = noise.keep
    let variance = noise.innovation
    let falls = well.scaled(priors.falling).fading(
      keep: keep, mean: priors.illMean, variance: variance + priors.illVariance)
    let illKeep = priors.illKeep
    let remains = ill.scaled(1 - priors.recovering).fading(
      keep: illKeep, mean: (1 - illKeep) * priors.illMean,
      variance: (1 - illKeep * illKeep) * priors.illVariance)
    let recovers = ill.scaled(priors.recovering).fading(
      keep: 0.3, mean: 0, variance: noise.variance)
    var jumps = well.scaled(priors.moving).fading(keep: keep, mean: 0, variance: variance)
    jumps.levelVariance += priors.moveVariance
    let settles = moved.scaled(priors.settling).fading(keep: keep, mean: 0, variance: variance)
    let waits = moved.scaled(1 - priors.settling).fading(keep: keep, mean: 0, variance: variance)
    let stays = well.scaled(1 - priors.falling - priors.moving).fading(
      keep: keep, mean: 0, variance: variance)
    well = Belief.mixed(Belief.mixed(stays, settles), recovers)
    ill = Belief.mixed(remains, falls)
    moved = Belief.mixed(waits, jumps)
    well.advance(moves)
    ill.advance(moves)
    moved.advance(moves)
    well.levelVariance += priors.drift
    ill.levelVariance += priors.drift
    moved.levelVariance += priors.drift
  }

  /// Applies a change of the recorded dose.
  mutating func titrate(from old: Double, to new: Double) {
    let difference = LossProfile.response(old) - LossProfile.response(new)
    well.titrate(by: difference)
    ill.titrate(by: difference)
    moved.titrate(by: difference)
  }

  /// Records a warning: any gap in the window is now known.
  mutating func tell(_ window: ByGap) { told = pointwiseMax(told, window) }

  /// Returns the probability of each state whose gap has not been reported.
  var untold: ByGap { states * (1 - told) }

  /// Processes the day's means and returns the logarithm of their likelihood.
  ///
  /// `losses` has for each the share of the effect that is lost in each state.
  mutating func observe(_ parts: [PartMean], losses: [ByGap], illnessOdds: Double) -> Double {
    let doubt = priors.lossDoubt
    var usual = Branch(well)
    usual.take(parts, losses: losses, doubt: doubt)
    var wild = Branch(well)
    wild.belief.residualVariance += 8 * noise.variance
    wild.take(parts, losses: losses, doubt: doubt)
    var outlier = Branch(well)
    outlier.take(
      parts, losses: losses, doubt: doubt, passing: (priors.outlierMean, priors.outlierVariance))
    var sick = Branch(ill)
    sick.take(parts, losses: losses, doubt: doubt)
    var other = Branch(moved)
    other.take(parts, losses: losses, doubt: doubt)
    let least = pointwiseMin(
      pointwiseMin(pointwiseMin(usual.misfit, outlier.misfit), pointwiseMin(sick.misfit, wild.misfit)),
      other.misfit
    ).min()
    usual.weigh(least: least, factor: 1 - priors.outlierChance - priors.wildChance)
    outlier.weigh(least: least, factor: priors.outlierChance)
    wild.weigh(least: least, factor: priors.wildChance)
    sick.weigh(least: least, factor: illnessOdds)
    other.weigh(least: least, factor: 1)
    let others =
      outlier.belief.weight.sum() + wild.belief.weight.sum() + sick.belief.weight.sum()
      + other.belief.weight.sum()
    well = Belief.mixed(Belief.mixed(usual.belief, wild.belief), outlier.belief)
    ill = sick.belief
    moved = other.belief
    let sum = normalise()
    if sum > 0 {
      noise.learn(from: usual.belief, among: others)
      isObserved = true
    }
    return Exponential.logarithm(sum) - least / 2
  }

  /// Weights the states by the person's answer and returns the logarithm of its likelihood.
  mutating func hear(_ likelihood: ByGap) -> Double {
    well.weight *= likelihood
    ill.weight *= likelihood
    moved.weight *= likelihood
    return Exponential.logarithm(normalise())
  }

  /// Weights only illness, on a day without heart rate.
  mutating func weighIllness(_ odds: Double) {
    ill.weight *= odds
    _ = normalise()
  }

  /// Accepts that a level may have changed by any cause, with a variance.
  mutating func loosen(by variance: Double) {
    well.levelVariance += variance
    ill.levelVariance += variance
    moved.levelVariance += variance
  }

  /// Makes the weights sum to 1 and returns their sum before; 0 if nothing fits.
  private mutating func normalise() -> Double {
    let sum = states.sum()
    guard sum > 0, sum.isFinite else {
      // Nothing fits: reset the states and keep what was learned.
      well.weight = ByGap()
      ill.weight = ByGap()
      moved.weight = ByGap()
      well.weight[0] = 0.95
      ill.weight[0] = 0.05
      return 0
    }
    well.weight /= sum
    ill.weight /= sum
    moved.weight /= sum
    return sum
  }
}
