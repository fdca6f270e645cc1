// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import Plans

@Suite struct DoseReschedulerPropertyTests {
  @Test(arguments: 0..<24)
  func `any order of answers, moves, undo, corrections, edits and travel`(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed) &+ 47)
    let times = [["08:00", "20:00"], ["08:00", "14:00", "20:00"], ["09:00"]][seed % 3]
    let hours = [8, 5, 16][seed % 3]
    let shift = try await ReschedulingPlace(times, hours: hours, at: "2026-03-27T05:00:00+01:00")
    let place = shift.place
    // Half of the shortest distance between two doses, minus what an edit takes from it.
    let gap: Int64 = [6, 3, 12][seed % 3] * 3_600_000
    var hasTravelled = false
    for _ in 0..<18 {
      place.clock.advance(minutes: Int64.random(in: 20...240, using: &random))
      try await place.extendHorizon()
      let now = place.now
      let doses = try await shift.doses()
      switch Int.random(in: 0..<8, using: &random) {
      case 0...3:
        guard let late = doses.last(where: { $0.state == .due || $0.state == .missed }) else {
          break
        }
        try await shift.answer(late.id)
        if Int.random(in: 0..<4, using: &random) > 0 {
          try await acceptAndCheck(shift, gap: gap, random: &random, undoes: !hasTravelled)
        }
      case 4:
        if let last = doses.last(where: { $0.state == .taken }) {
          try await shift.answer(last.id, .undo, corrects: last.version)
        }
      case 5:
        if let last = doses.last(where: { $0.state == .taken }), let at = last.answer?.at {
          try await shift.answer(
            last.id, at: min(at.adding(milliseconds: 20 * 60_000), now), corrects: last.version)
        }
      case 6:
        let minute = Int.random(in: 10...40, using: &random)
        var changed = times
        changed[changed.count - 1] = "\(changed[changed.count - 1].prefix(3))\(minute)"
        try await place.edit(shift.plan, ReschedulingPlace.draft(changed, hours: hours))
      default:
        // At most once: moves by the journey itself are tested elsewhere.
        if !hasTravelled, Int.random(in: 0..<3, using: &random) == 0 {
          hasTravelled = true
          try await place.move(to: "Europe/London")
        }
      }
      #expect(try await shift.rebuilt(), "seed \(seed)")
      let all = try await shift.doses()
      #expect(Set(all.map(\.id)).count == all.count)
      // Each time comes once a day; a journey's second one within the gap is withheld.
      let names = all.filter { $0.state != .withheld }.map(\.id.occurrence.text)
      #expect(Set(names).count == names.count, "seed \(seed): \(names)")
    }
  }

  /// Accepts the proposal, checks every distance, and sometimes takes it back and checks again.
  private func acceptAndCheck(
    _ shift: ReschedulingPlace, gap: Int64, random: inout SeededGenerator, undoes: Bool
  ) async throws {
    guard let proposal = try await shift.open().first, !proposal.rescheduling.moves.isEmpty else {
      return
    }
    let before = try await shift.doses().filter { $0.due > shift.place.now }
    try await shift.decide(.moved, proposal.late.id)
    let after = try await shift.doses().filter { $0.due > shift.place.now }
    let targets = Dictionary(
      uniqueKeysWithValues: proposal.rescheduling.moves.map { ($0.dose, $0.to) })
    for dose in after {
      if let to = targets[dose.id] { #expect(dose.due == to && dose.state == .scheduled) }
    }
    let known = Set(before.map(\.id)).intersection(after.map(\.id))
    #expect(before.allSatisfy { known.contains($0.id) || targets[$0.id] != nil })
    let taken = proposal.late.answer?.at ?? shift.place.now
    let times = [taken] + after.filter { $0.state == .scheduled }.map(\.due).sorted()
    for (one, other) in zip(times, times.dropFirst()) {
      #expect(other.milliseconds - one.milliseconds >= gap - 45 * 60_000)
    }
    guard undoes, Bool.random(using: &random) else { return }
    let late = try #require(try await shift.doses().first { $0.id == proposal.late.id })
    try await shift.answer(late.id, .undo, corrects: late.version)
    let back = try await shift.doses().filter { $0.due > shift.place.now }
    #expect(back.map(\.due) == before.map(\.due))
    #expect(back.map(\.state) == before.map(\.state))
  }
}
