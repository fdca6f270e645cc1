// SPDX-License-Identifier: Apache-2.0

/// Filters with different assumptions about one person, weighted by how well each foretold the days.
///
/// Together they are a prior over people: most react as the agent's label says, some eliminate it slowly, and in
/// some the heart barely reacts.
struct Ensemble {
  private struct Member {
    var filter: SwitchingFilter
    let speed: LossProfile.Speed
    let isUnmoved: Bool
    /// The logarithm of its weight.
    var evidence: Double
  }

  private var members: [Member]
  private var shares: [Double]
  var probe: (Double, Double, Double) { (members[0].filter.probe.0, members[0].filter.probe.1, members[0].filter.probe.2) }

  init(agent: BetaBlocker, priors: ModelPriors) {
    let effect = agent.usualEffect
    let spread = effect * priors.effectSpread
    let kinds: [(LossProfile.Speed, Bool, Double)] = [
      (.usual, false, 1 - priors.unmoved - priors.slow), (.slow, false, priors.slow),
      (.usual, true, priors.unmoved),
    ]
    members = kinds.filter { $0.2 > 0 }.map { speed, isUnmoved, share in
      Member(
        filter: SwitchingFilter(
          effect: isUnmoved ? 1 : effect, effectVariance: isUnmoved ? 1 : spread * spread,
          priors: priors),
        speed: speed, isUnmoved: isUnmoved, evidence: Exponential.logarithm(share))
    }
    shares = []
    weigh()
  }

  /// The probabilities of the states of the doses.
  var states: ByGap { mean { $0.states } }

  /// The probability of each state whose gap has not been reported.
  var untold: ByGap { mean { $0.untold } }

  /// The probability of being ill.
  var illness: Double { mean { $0.illness } }

  /// The probability that the level has just moved for good.
  var movement: Double { mean { $0.movement } }

  /// The level if every dose was taken.
  var usualLevel: Double { mean { $0.usualLevel } }

  /// The expected heart rate if every dose was taken, and its variance.
  var expected: (value: Double, variance: Double) {
    (mean { $0.expected.value }, mean { $0.expected.variance })
  }

  /// The probability that the person's heart barely reacts to the medicine.
  var unmoved: Double {
    var sum = 0.0
    for (member, share) in zip(members, shares) where member.isUnmoved { sum += share }
    return sum
  }

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

  mutating func hear(_ likelihood: ByGap) {
    for index in members.indices {
      members[index].evidence += members[index].filter.hear(likelihood)
    }
    weigh()
  }

  mutating func observe(
    _ parts: [PartMean], agent: BetaBlocker, slot: DosingSlot, response: Double, illnessOdds: Double
  ) {
    for index in members.indices {
      let profile = LossProfile.of(agent, slot, members[index].speed)
      let losses = parts.map { profile.at($0.hour) * response }
      members[index].evidence += members[index].filter.observe(
        parts, losses: losses, illnessOdds: illnessOdds)
    }
    weigh()
  }

  private mutating func weigh() {
    let most = members.reduce(-Double.infinity) { max($0, $1.evidence) }
    // Old days fade slowly, and no assumption is ever ruled out.
    for index in members.indices {
      members[index].evidence = max((members[index].evidence - most) * 0.998, -7)
    }
    shares = members.map { Exponential.of($0.evidence) }
    let sum = shares.reduce(0, +)
    for index in shares.indices { shares[index] /= sum }
  }

  private func mean(_ value: (SwitchingFilter) -> Double) -> Double {
    var sum = 0.0
    for (member, share) in zip(members, shares) { sum += share * value(member.filter) }
    return sum
  }

  private func mean(_ value: (SwitchingFilter) -> ByGap) -> ByGap {
    var sum = ByGap()
    for (member, share) in zip(members, shares) { sum += share * value(member.filter) }
    return sum
  }
}
