// SPDX-License-Identifier: Apache-2.0

/// Merges a person's intakes into the fewest times of day that keep the plans and the interaction list.
///
/// It only proposes. Doses, amounts and days stay, and doses stay in their part of the day. As few as
/// possible leave it, only to keep an interval of the list, and a medicine that needs an interval to a meal
/// leaves it last. Rules that are kept now are kept afterwards. Running it again on an accepted proposal
/// proposes nothing more.
package enum SimplificationPlanner {
  /// The maximum number of rounds; each starts from the last result and has fewer times, or fewer broken
  /// rules.
  private static let mostRounds = 6

  /// Returns the proposal for a situation.
  package static func propose(_ situation: IntakeSituation) -> IntakeProposal {
    var work = IntakeWork()
    return propose(situation, &work)
  }

  /// Returns the proposal for a situation.
  ///
  /// - Parameter work: the budget of all rounds together.
  static func propose(
    _ situation: IntakeSituation, _ work: inout IntakeWork
  ) -> IntakeProposal {
    var current = situation
    current.medicines.sort { ($0.name, $0.id) < ($1.name, $1.id) }
    let start = current
    var isExhaustive = true
    for _ in 0..<mostRounds where !work.isUsedUp {
      let timed = current.medicines.filter { !$0.intakes.isEmpty }
      var search = IntakeSearch(current, timed, work)
      let found = search.run()
      work = search.work
      isExhaustive = isExhaustive && found.isExhaustive
      let minutes = Dictionary(
        zip(timed.map(\.id), found.minutes), uniquingKeysWith: { first, _ in first })
      var next = current
      for index in next.medicines.indices {
        let medicine = next.medicines[index]
        guard let own = minutes[medicine.id], own != medicine.minutes else { continue }
        next.medicines[index] = medicine.moved(to: own)
      }
      if next == current { break }
      current = next
    }
    return IntakeProposal(
      before: start, after: current, isExhaustive: isExhaustive && !work.isUsedUp)
  }
}
