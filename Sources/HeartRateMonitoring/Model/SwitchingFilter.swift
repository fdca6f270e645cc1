// SPDX-License-Identifier: Apache-2.0

/// The belief about one person: which doses were missed recently, their condition, level and effect.
///
/// A Bayesian switching filter with eight states of the doses and three conditions (well, ill, or with a level
/// that has just moved), each with a normal belief about level, effect and residual. A well person's day is
/// usual, wild, or like one after alcohol; these branches are merged again by their moments.
struct SwitchingFilter {
  private(set) var well: Belief
  private(set) var ill: Belief
  private(set) var moved: Belief
  private let priors: ModelPriors
  private var moves: GapMoves
  /// The chance that a state's gap has already been reported.
  private var told = ByGap()
  private var gaps: Double
  private var days: Double
  private var noise: DayNoise

  /// Creates a filter that assumes an effect in bpm with a variance.
  init(effect: Double, effectVariance: Double, priors: ModelPriors) {
    self.priors = priors
    moves = GapMoves(begin: priors.missing)
    gaps = priors.missing * priors.missWeight
    days = priors.missWeight
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

  /// The probability of each state whose gap has not been reported.
  var untold: ByGap { states * (1 - told) }

  /// The probability of being ill, or of another cause that lasts for days.
  var illness: Double { ill.weight.sum() }

  /// The probability that the level has just moved for good, as with another device.
  var movement: Double { moved.weight.sum() }

  /// The level if every dose was taken.
  var usualLevel: Double { well.level[0] }

  /// The day's heart rate if every dose was taken, and its variance.
  var expected: Estimate {
    Estimate(
      value: well.level[0] + well.residual[0],
      variance: well.levelVariance[0] + 2 * well.levelResidual[0] + well.residualVariance[0])
  }

  /// Advances by one day without any evidence.
  mutating func advance() {
    let before = states
    // A gap is counted when it ends: by then more days have shown whether it was one.
    gaps += before[GapState.backAfterOne.rawValue] + before[GapState.backAfterMore.rawValue]
    days += 1
    moves = GapMoves(begin: min(max(gaps / days, 0.004), 0.2))
    told = moves.carried(told, by: before)
    let variance = noise.variance
    let falls = well.scaled(priors.falling).starting(
      keep: 0, mean: priors.illMean, variance: variance + priors.illVariance)
    let keep = priors.illKeep
    let remains = ill.scaled(1 - priors.recovering).starting(
      keep: keep, mean: (1 - keep) * priors.illMean,
      variance: (1 - keep * keep) * priors.illVariance)
    let recovers = ill.scaled(priors.recovering).starting(keep: 0.3, mean: 0, variance: variance)
    let fresh = well.starting(keep: 0, mean: 0, variance: variance)
    var jumps = fresh.scaled(priors.moving)
    jumps.levelVariance += priors.moveVariance
    let waiting = moved.starting(keep: 0, mean: 0, variance: variance)
    let settles = waiting.scaled(priors.settling)
    let stays = fresh.scaled(1 - priors.falling - priors.moving)
    well = Belief.mixed(Belief.mixed(stays, settles), recovers)
    ill = Belief.mixed(remains, falls)
    moved = Belief.mixed(waiting.scaled(1 - priors.settling), jumps)
    well.advance(moves)
    ill.advance(moves)
    moved.advance(moves)
    loosen(by: priors.drift)
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
      pointwiseMin(pointwiseMin(usual.misfit, wild.misfit), outlier.misfit),
      pointwiseMin(sick.misfit, other.misfit)
    ).min()
    usual.weigh(least: least, factor: 1 - priors.outlierChance - priors.wildChance)
    wild.weigh(least: least, factor: priors.wildChance)
    outlier.weigh(least: least, factor: priors.outlierChance)
    sick.weigh(least: least, factor: illnessOdds)
    other.weigh(least: least, factor: 1)
    let unusual =
      wild.belief.weight + outlier.belief.weight + sick.belief.weight + other.belief.weight
    well = Belief.mixed(Belief.mixed(usual.belief, wild.belief), outlier.belief)
    ill = sick.belief
    moved = other.belief
    let sum = normalise()
    if sum > 0 { noise.learn(from: usual.belief, among: unusual.sum()) }
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

  /// Accepts that the level may have changed for any reason.
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
