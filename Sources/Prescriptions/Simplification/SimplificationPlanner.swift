// SPDX-License-Identifier: Apache-2.0

/// Merges the intakes of a person into the fewest times of day that keep what plans and the list of interactions say.
///
/// Nothing of it is done: it proposes. Medicines keep their doses, amounts and days, and doses stay in the part of
/// the day in which they are; one leaves it only where hours of the list are not kept otherwise, as few as can be, and
/// one that needs hours to a meal last. What is kept now is kept afterwards. A proposal that is taken over leaves
/// nothing more to propose.
package enum SimplificationPlanner {
  /// How often it begins anew from what it found; each time fewer times, or fewer rules unkept.
  private static let mostRounds = 6

  package static func propose(_ situation: IntakeSituation) -> IntakeProposal {
    var work = IntakeWork()
    return propose(situation, &work)
  }

  /// - Parameter work: what all rounds together may cost.
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
