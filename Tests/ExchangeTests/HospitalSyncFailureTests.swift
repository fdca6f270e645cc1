// SPDX-License-Identifier: Apache-2.0

import FHIR
import Plans
import Prescriptions
import Storage
import Testing
import TestSupport

@testable import Exchange

/// Fetches that fail because of this server, or bring data that would break a rule of its database.
@Suite struct HospitalSyncFailureTests {
  @Test func `prescriptions that later share an identifier are both kept`() async throws {
    let place = try await HospitalPlace()
    try await place.command { try $0.set(.all, of: "c1") }
    place.hospital.prescribe("1", name: "Bisoprolol 2.5 mg", identifier: "A")
    place.hospital.prescribe("2", name: "Zinc", identifier: "B")
    _ = try await place.fetch()
    let plans = try await place.plans()
    #expect(plans.count == 2)
    place.hospital.prescribe(
      "2", name: "Zinc", updated: "2026-03-01T03:00:00Z", identifier: "B", further: "A")
    place.hospital.prescribe("3", name: "Ramipril 5 mg", updated: "2026-03-01T03:00:00Z")
    let after = try await place.fetch()
    #expect(after.trouble == nil && after.synced == place.place.now)
    #expect(
      try await place.plans().map(\.medicineName).sorted()
        == ["Bisoprolol 2.5 mg", "Ramipril 5 mg", "Zinc"])
    // The shared identifier belongs to neither; the address still works.
    place.hospital.prescribe(
      "1", name: "Bisoprolol 2.5 mg", times: ["09:00:00"], updated: "2026-03-01T04:00:00Z",
      identifier: "A")
    #expect(try await place.fetch().trouble == nil)
    let first = try #require(plans.first { $0.medicineName == "Bisoprolol 2.5 mg" })
    let changed = try #require(try await place.plans().first { $0.id == first.id })
    #expect(changed.request.dosages.first?.timing?.timeOfDay == ["09:00:00"])
    #expect(try await place.plans().count == 3)
  }

  static let failures: [any Error & Sendable] = [
    StorageError.diskFull, ImportError.storage(.inputOutput(code: 10)), Unforeseen(),
  ]

  struct Unforeseen: Error {}

  @Test(arguments: failures.indices)
  func `an error of this server is shown, retried and recovered`(index: Int) async throws {
    var place = try await HospitalPlace()
    try await place.command { try $0.set(.all, of: "c1") }
    place.hospital.prescribe("1", name: "Zinc", identifier: "A")
    let failure = Self.failures[index]
    place.asksFirst = { _, _, _, _ in throw failure }
    try await place.sync()
    let now = place.place.now
    let first = try await place.load()
    #expect(first.trouble == "not-saved" && first.state == .working && first.synced == nil)
    #expect(first.failures == 1 && first.nextAt == now.adding(milliseconds: 60_000))
    place.place.clock.advance(minutes: 1)
    try await place.sync()
    let second = try await place.load()
    #expect(second.failures == 2)
    #expect(second.nextAt == place.place.now.adding(milliseconds: 120_000))
    #expect(try await place.plans().isEmpty)
    // No mark has advanced: the next fetch brings everything.
    place.asksFirst = { _, _, _, _ in false }
    place.place.clock.advance(minutes: 2)
    try await place.sync()
    let after = try await place.load()
    #expect(after.trouble == nil && after.failures == 0 && after.synced == place.place.now)
    #expect(try await place.plans().map(\.medicineName) == ["Zinc"])
    let asked = place.hospital.requests("GET", "MedicationRequest?").map(\.url)
    #expect(asked.count == 3 && asked.allSatisfy { !$0.contains("_lastUpdated") })
  }

  @Test func `an abandoned fetch is claimed again without an error`() async throws {
    var place = try await HospitalPlace()
    try await place.command { try $0.set(.all, of: "c1") }
    place.hospital.prescribe("1", name: "Zinc", identifier: "A")
    place.asksFirst = { _, _, _, _ in throw CancellationError() }
    let stopped = place
    await #expect(throws: CancellationError.self) { try await stopped.sync() }
    let left = try await place.load()
    #expect(left.trouble == nil && left.failures == 0 && left.synced == nil)
  }
}
