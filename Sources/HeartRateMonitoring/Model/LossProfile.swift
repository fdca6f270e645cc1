// SPDX-License-Identifier: Apache-2.0

/// The share of the effect that is lost at an hour of the day in each state, by the kinetics of an agent
/// taken at a time of day.
struct LossProfile {
  private static let all: [LossProfile] = BetaBlocker.allCases.flatMap { agent in
    DosingSlot.allCases.map { LossProfile(agent, $0) }
  }

  /// The loss for each hour of the day; above 1 in a rebound.
  private let byHour: [ByGap]

  static func of(_ agent: BetaBlocker, _ slot: DosingSlot) -> LossProfile {
    all[agent.rawValue * DosingSlot.allCases.count + slot.rawValue]
  }

  /// Returns the loss at an hour, interpolated between full hours.
  func at(_ hour: Double) -> ByGap {
    let low = min(max(Int(hour), 0), 23)
    let share = min(max(hour - Double(low), 0), 1)
    return byHour[low] * (1 - share) + byHour[low + 1] * share
  }

  /// Returns the effect of a dose relative to the usual one: half the dose keeps four fifths of it.
  static func response(_ dose: Double) -> Double {
    let bounded = dose.isFinite ? min(max(dose, 0), 1000) : 1
    return 1.35 * bounded / (bounded + 0.35)
  }

  private init(_ agent: BetaBlocker, _ slot: DosingSlot) {
    byHour = (0...24).map { hour in
      var losses = ByGap()
      let hour = Double(hour)
      let usual = Self.lowering(agent, slot, .allTaken, hour)
      for state in GapState.allCases {
        losses[state.rawValue] = usual - Self.lowering(agent, slot, state, hour)
      }
      return losses
    }
  }

  private static func lowering(
    _ agent: BetaBlocker, _ slot: DosingSlot, _ state: GapState, _ hour: Double
  ) -> Double {
    let elimination = Exponential.logarithm(2) / agent.halfLife
    let absorption = agent.absorption
    // The mean over a day is 1 when every dose is taken.
    let height =
      24 * absorption * elimination / (absorption - elimination) / Double(slot.hours.count)
    // For one dose: the remainder at its hour of the day, then the daily decay.
    let daily = (Exponential.of(-elimination * 24), Exponential.of(-absorption * 24))
    let missed = state.missed
    var concentration = 0.0
    for due in slot.hours {
      var left = (
        Exponential.of(-elimination * (hour - due)), Exponential.of(-absorption * (hour - due))
      )
      for back in 0..<10 {
        // With an evening dose, the one that shows today is yesterday's.
        let shown = slot == .evening ? back - 1 : back
        let isTaken = shown >= missed.count || shown >= 0 && !missed[shown]
        if isTaken, back > 0 || hour > due { concentration += left.0 - left.1 }
        left.0 *= daily.0
        left.1 *= daily.1
      }
    }
    return response(max(0, concentration * height)) - rebound(agent, slot, state, hour)
  }

  private static func rebound(
    _ agent: BetaBlocker, _ slot: DosingSlot, _ state: GapState, _ hour: Double
  ) -> Double {
    guard let first = state.missed.first, first else { return 0 }
    var days = Double(state.missed.count)
    if slot != .evening, hour < slot.hours[0] { days -= 1 }
    return days < 1 ? 0 : agent.rebound * (1 - Exponential.of(-(days - 0.5) / 1.5))
  }
}
