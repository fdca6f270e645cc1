// SPDX-License-Identifier: Apache-2.0
import Dosing
import FHIR
import Identifiers
import Localization
import Plans
import Scheduling
import Storage
import Testing
import TestSupport

/// Prescriptions whose bounds had passed before they arrived.
struct EndedPlanTests {
  private static let moment = "2026-03-01T12:00:00+01:00"

  private static func request(_ members: String) throws -> JSONValue {
    medicationRequest(timing: try JSONValue(parsing: #"{"repeat":{\#(members)}}"#))
  }

  @Test(arguments: [
    (
      #""timeOfDay":["08:00:00"],"boundsPeriod":{"start":"2025-02-21","end":"2025-03-03"}"#,
      "ended:2025-03-03"
    ),
    (
      #""period":8,"periodUnit":"h","boundsPeriod":{"start":"2025-02-21","end":"2025-03-03"}"#,
      "ended:2025-03-03"
    ),
    // Without a start, which would be today.
    (#""timeOfDay":["08:00:00"],"boundsPeriod":{"end":"2025-03-03"}"#, "ended:2025-03-03"),
    // Ten doses, all of them over.
    (
      #""timeOfDay":["08:00:00"],"count":10,"boundsPeriod":{"start":"2025-02-21"}"#,
      "ended:2025-03-02"
    ),
    // Today's only dose was four hours ago.
    (
      #""timeOfDay":["08:00:00"],"boundsPeriod":{"start":"2026-03-01","end":"2026-03-01"}"#,
      "ended:2026-03-01"
    ),
  ])
  func `bounds in the past give a reason instead of silence`(
    members: String, code: String
  ) async throws {
    let place = try await TestPlace(at: Self.moment)
    let plan = try await place.receive(Self.request(members))
    #expect(plan.unplanned?.code == code)
    let listing = try await place.listing(
      from: "2025-01-01T00:00:00+01:00", until: "2026-03-08T00:00:00+01:00")
    #expect(listing.doses.isEmpty)
    #expect(listing.unplanned.map(\.reason.code) == [code])
  }

  @Test(arguments: [
    #""timeOfDay":["08:00:00"],"boundsPeriod":{"start":"2025-02-21","end":"2026-03-02"}"#,
    #""timeOfDay":["20:00:00"],"boundsPeriod":{"start":"2026-03-01","end":"2026-03-01"}"#,
    #""timeOfDay":["08:00:00"],"boundsPeriod":{"start":"2027-03-01","end":"2027-03-08"}"#,
  ])
  func `bounds that reach past now give doses`(members: String) async throws {
    let place = try await TestPlace(at: Self.moment)
    #expect(try await place.receive(Self.request(members)).unplanned == nil)
  }

  @Test func `a plan that gave doses and has run out needs no reason`() async throws {
    let place = try await TestPlace(at: Self.moment)
    let request = try Self.request(
      #""timeOfDay":["20:00:00"],"boundsPeriod":{"start":"2026-03-01","end":"2026-03-01"}"#)
    #expect(try await place.receive(request, id: "p").unplanned == nil)
    place.clock.advance(milliseconds: 3 * 86_400_000)
    try await place.extendHorizon()
    #expect(try await place.receive(request, id: "p").unplanned == nil)
  }

  @Test func `a later end starts the doses`() async throws {
    let place = try await TestPlace(at: Self.moment)
    let past = try Self.request(
      #""timeOfDay":["20:00:00"],"boundsPeriod":{"start":"2025-02-21","end":"2025-03-03"}"#)
    #expect(try await place.receive(past, id: "p").unplanned != nil)
    let later = try Self.request(
      #""timeOfDay":["20:00:00"],"boundsPeriod":{"start":"2025-02-21","end":"2026-03-02"}"#)
    #expect(try await place.receive(later, id: "p").unplanned == nil)
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-08T00:00:00+01:00")
    #expect(
      listing.lines == [
        "2026-03-01T20:00:00+01:00 scheduled", "2026-03-02T20:00:00+01:00 scheduled",
      ])
  }

  @Test func `the stored form is read again, and a wrong one is not`() throws {
    let date = try #require(CivilDate(text: "2025-03-03"))
    let reason = UnplannedReason.ended(on: date)
    #expect(UnplannedReason(code: reason.code) == reason)
    #expect(UnplannedReason(code: "ended") == nil)
    #expect(UnplannedReason(code: "ended:soon") == nil)
    #expect(
      reason.text(Localizer.of(.en)) == "Its period ended on 3 March 2025, so it gives no doses.")
  }
}
