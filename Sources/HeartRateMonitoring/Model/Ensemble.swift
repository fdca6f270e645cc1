// SPDX-License-Identifier: Apache-2.0

/// Filters with different assumptions about one person, weighted by how well each foretold the days.
///
/// Together they are a prior over people: most react as the agent's label says, and in some the heart barely
/// reacts.
struct Ensemble {
  private struct Member {
    var filter: SwitchingFilter
    let isUnmoved: Bool
    /// The logarithm of its weight.
    var evidence: Double
    var share: Double
  }

  private var members: [Member]

  init(agent: BetaBlocker, priors: ModelPriors) {
    let effect = agent.usualEffect
    let spread = effect * priors.effectSpread
    members = [(false, 1 - priors.unmoved), (true, priors.unmoved)].map { isUnmoved, share in
      Member(
        filter: SwitchingFilter(
          effect: isUnmoved ? 1 : effect, effectVariance: isUnmoved ? 1 : spread * spread,
          priors: priors),
        isUnmoved: isUnmoved, evidence: Exponential.logarithm(share), share: share)
    }
  }

  /// The probabilities of the states of the doses.
  var states: ByGap { mean { $0.states } }

  /// The probability of each state whose gap has not been reported.
  var untold: ByGap { mean { $0.untold } }

  /// The probability of being ill, or of another cause that lasts for days.
  var illness: Double { mean { $0.illness } }

  /// The probability that the level has just moved for good.
  var movement: Double { mean { $0.movement } }

  /// The level if every dose was taken.
  var usualLevel: Double { mean { $0.usualLevel } }

  /// The day's heart rate if every dose was taken, and its variance.
  var expected: Estimate {
    Estimate(value: mean { $0.expected.value }, variance: mean { $0.expected.variance })
  }

  /// The probability that the person's heart barely reacts to the medicine.
  var unmoved: Double { members.reduce(0) { $0 + ($1.isUnmoved ? $1.share : 0) } }

  mutating func advance() { for index in members.indices { members[index].filter.advance() } }

  mutating func titrate(from old: Double, to new: Double) {
    for index in members.indices { members[index].filter.titrate(from: old, to: new) }
  }

  mutating func tell(_ window: ByGap) {
    for index in members.indices { members[index].filter.tell(window) }
  }

  mutating func loosen(by variance: Double) {
    for index in members.indices { members[index].filter.loosen(by: variance) }
  }

  mutating func weighIllness(_ odds: Double) {
    for index in members.indices { members[index].filter.weighIllness(odds) }
  }

  /// Weights the states by the person's answer.
  mutating func hear(_ likelihood: ByGap) {
    for index in members.indices {
      members[index].evidence += members[index].filter.hear(likelihood)
    }
    weigh()
  }

  /// Processes the day's means; see ``SwitchingFilter``.
  mutating func observe(_ parts: [PartMean], losses: [ByGap], illnessOdds: Double) {
    for index in members.indices {
      members[index].evidence += members[index].filter.observe(
        parts, losses: losses, illnessOdds: illnessOdds)
    }
    weigh()
  }

  private mutating func weigh() {
    let most = members.reduce(-Double.infinity) { max($0, $1.evidence) }
    var sum = 0.0
    for index in members.indices {
      // Old days fade slowly, and no assumption is ever ruled out.
      members[index].evidence = max((members[index].evidence - most) * 0.998, -7)
      members[index].share = Exponential.of(members[index].evidence)
      sum += members[index].share
    }
    for index in members.indices { members[index].share /= sum }
  }

  private func mean(_ value: (SwitchingFilter) -> Double) -> Double {
    members.reduce(0) { $0 + $1.share * value($1.filter) }
  }

  private func mean(_ value: (SwitchingFilter) -> ByGap) -> ByGap {
    members.reduce(ByGap()) { $0 + $1.share * value($1.filter) }
  }
}
