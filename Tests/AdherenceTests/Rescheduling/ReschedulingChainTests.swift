// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import Plans

@Suite struct ReschedulingChainTests {
  static let hour: Int64 = 3_600_000

  static func at(_ hours: Double) -> Timestamp {
    Timestamp("2026-03-01T00:00:00+01:00").adding(milliseconds: Int64(hours * Double(hour)))
  }

  static func coming(_ hours: [Double], fixed: Set<Int> = []) -> [ComingDose] {
    hours.enumerated().map { index, value in
      ComingDose(
        id: DoseID(plan: "p", era: 1, occurrence: .running(Int64(index))), due: at(value),
        isFixed: fixed.contains(index))
    }
  }

  /// Returns the new times of a chain; nil if it does not return to the pattern.
  static func times(
    taken: Double, hours: Double, _ due: [Double], fixed: Set<Int> = [], beyond: Double? = nil,
    floor: Double? = nil
  ) -> [Timestamp]? {
    switch ReschedulingChain(
      taken: at(taken), distance: Int64(hours * Double(hour)), floor: floor.map { at($0) },
      coming: coming(due, fixed: fixed), beyond: beyond.map { at($0) })
    {
    case .nothing: []
    case .moves(let moves): moves.map(\.to)
    case .tooNear: nil
    }
  }

  @Test func `only the doses that have to move do, as little as possible`() {
    #expect(Self.times(taken: 11, hours: 8, [20, 32, 44]) == [])
    #expect(Self.times(taken: 12, hours: 8, [20, 32, 44]) == [])
    #expect(Self.times(taken: 13, hours: 8, [20, 32, 44]) == [Self.at(21)])
    #expect(Self.times(taken: 19, hours: 8, [20, 32, 44]) == [Self.at(27), Self.at(35)])
    #expect(
      Self.times(taken: 10.5, hours: 5, [14, 20, 32]) == [Self.at(15.5), Self.at(20.5)])
  }

  @Test func `without a way back to the pattern, the person decides`() {
    #expect(Self.times(taken: 13, hours: 12, [20, 32, 44], beyond: 56) == nil)
    #expect(Self.times(taken: 13, hours: 12, [20, 32, 44]) == [25, 37, 49].map { Self.at($0) })
    let chain = ReschedulingChain(
      taken: Self.at(13), distance: 12 * Self.hour, coming: Self.coming([20, 32]),
      beyond: Self.at(44))
    #expect(chain == .tooNear(due: Self.at(44), earliest: Self.at(49)))
    // A dose that someone has acted on stays where it is.
    #expect(Self.times(taken: 19, hours: 8, [20, 32], fixed: [1]) == nil)
    #expect(Self.times(taken: 13, hours: 8, [20, 32], fixed: [1]) == [Self.at(21)])
    #expect(Self.times(taken: 13, hours: 8, [20, 32], fixed: [0]) == nil)
  }

  @Test func `no dose moves before one taken, and seconds are ignored`() {
    #expect(Self.times(taken: 13, hours: 8, [20, 32], floor: 23) == [Self.at(23)])
    #expect(Self.times(taken: 11, hours: 8, [20, 32], floor: 23) == [])
    let odd = ReschedulingChain(
      taken: Self.at(13).adding(milliseconds: 1), distance: 8 * Self.hour,
      coming: Self.coming([20]), beyond: nil)
    guard case .moves(let moves) = odd else {
      Issue.record("\(odd)")
      return
    }
    #expect(moves.map(\.to) == [Self.at(21).adding(milliseconds: 60_000)])
    #expect(Self.times(taken: 5, hours: 8, []) == [])
    // The next dose of such a plan is beyond the planned doses, but still too close.
    #expect(Self.times(taken: 12, hours: 72, [], beyond: 72) == nil)
    #expect(Self.times(taken: 0, hours: 72, [], beyond: 72) == [])
  }
}
