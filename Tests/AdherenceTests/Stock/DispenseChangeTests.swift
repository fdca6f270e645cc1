// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Prescriptions
@testable import Supply

/// Dispenses that change afterwards, and dispenses that are distinguished from them.
@Suite struct DispenseChangeTests {
  typealias Base = DispenseTests

  private static let fifty = #"{"value":50,"unit":"tablet"}"#

  private static func corrected(_ place: TestPlace, _ id: StockID) async throws
    -> [DispenseCorrection]
  {
    let stock = try await Base.stock(place, id)
    return try await place.database.read { try DispenseQueries.corrected(in: stock, in: $0) }
  }

  @Test func `the first day's count may include stock added that day`() async throws {
    let (place, id) = try await Base.world()
    _ = try await place.take(Base.file(Base.dispense(handedOver: "2026-03-02")))
    #expect(try await Base.offers(place, id).map(\.isCountedSince) == [true])
  }

  @Test func `a corrected prescription is applied`() async throws {
    let (place, id) = try await Base.world()
    let plan = try #require(try await Base.stock(place, id).uses.first?.medicine)
    let brand = #""medicationCodeableConcept":{"text":"Brand X"}"#
    func file(_ prescription: String) -> String {
      Base.file(
        Base.dispense(medicine: brand, prescription: "MedicationRequest/\(prescription)"))
    }
    _ = try await place.take(file("another"))
    #expect(try await Base.offers(place, id).isEmpty)
    #expect(try await place.take(file(plan)).changedDispenses == 1)
    #expect(try await Base.offers(place, id).count == 1)
    #expect(try await place.take(file(plan)).unchangedDispenses == 1)
  }

  @Test(
    arguments: [
      ("2026-03", "2026-03-04"), ("2026", "2026-03-04"), ("2026-02", nil), ("2025", nil),
    ] as [(String, String?)])
  func `a month or year means its last day, but not after its receipt`(
    said: String, day: String?
  ) async throws {
    let (place, id) = try await Base.world()
    _ = try await place.take(Base.file(Base.dispense(handedOver: said)))
    let days = try await Base.offers(place, id).map { $0.dispense.handedOver?.text }
    let expected: [String?] = day == nil ? [] : [day]
    #expect(days == expected)
    // A later repetition is the same one, decided or not.
    for offer in try await Base.offers(place, id) { _ = try await Base.accept(place, id, offer) }
    place.clock.set("2026-03-09T10:00:00+01:00")
    _ = try await place.take(Base.file(Base.dispense(quantity: Self.fifty, handedOver: said)))
    #expect(try await Base.offers(place, id).isEmpty)
    #expect(try await place.count("stock_dispenses") == 1)
  }

  @Test func `a changed amount of an added pack is shown and can be corrected`() async throws {
    let (place, id) = try await Base.world()
    _ = try await place.take(Base.file(Base.dispense()))
    let offer = try #require(try await Base.offers(place, id).first)
    let act = try await Base.accept(place, id, offer)
    // The same content in another form is not new.
    _ = try await place.take(
      Base.file(Base.dispense(quantity: #"{"value":98.0,"unit":"tablet"}"#)))
    #expect(try await Self.corrected(place, id).isEmpty)
    _ = try await place.take(Base.file(Base.dispense(quantity: Self.fifty)))
    let corrections = try await Self.corrected(place, id)
    #expect(corrections.map(\.before?.value) == ["98"])
    #expect(corrections.map(\.dispense.amount?.value) == ["50"])
    #expect(corrections.map(\.dispense.act) == [act])
    #expect(try await Base.stock(place, id).total == Base.tablets(108))
    let commands = StockCommands(owner: TestPlace.patient, context: place.context)
    try await place.database.write { try commands.undo(act, of: id, in: $0) }
    #expect(try await Self.corrected(place, id).isEmpty)
    #expect(try await Base.offers(place, id).map(\.quantity) == [Base.tablets(50)])
  }

  @Test func `adding a pack that changed since it was shown adds nothing`() async throws {
    let (place, id) = try await Base.world()
    _ = try await place.take(Base.file(Base.dispense()))
    let shown = try #require(try await Base.offers(place, id).first)
    _ = try await place.take(Base.file(Base.dispense(quantity: Self.fifty)))
    await #expect(throws: StockError.invalid([.dispense])) {
      _ = try await Base.accept(place, id, shown)
    }
    #expect(try await Base.stock(place, id).total == Base.tablets(10))
    let now = try #require(try await Base.offers(place, id).first)
    _ = try await Base.accept(place, id, now)
    #expect(try await Base.stock(place, id).total == Base.tablets(60))
  }

  @Test func `an identifier shared within a file identifies none of its entries`() async throws {
    let (place, id) = try await Base.world()
    let file = Base.file(
      Base.dispense("a", identifier: "rx"), Base.dispense("b", identifier: "rx"))
    #expect(try await place.take(file).offered == 2)
    #expect(try await Base.offers(place, id).count == 2)
    #expect(try await place.take(file).unchangedDispenses == 2)
  }

  @Test func `the same id with another medicine is another prescription`() async throws {
    let (place, id) = try await Base.world()
    let other = #""medicationCodeableConcept":{"text":"Ramipril"}"#
    let first = Base.file(Base.dispense("1", medicine: other, identifier: ""))
    let second = Base.file(Base.dispense("1", identifier: ""))
    _ = try await place.take(first)
    #expect(try await place.take(second).offered == 1)
    #expect(try await place.count("resources WHERE type = 'MedicationDispense'") == 2)
    #expect(try await Base.offers(place, id).map(\.dispense.medicineName) == ["Bisoprolol"])
    #expect(try await place.take(first).unchangedDispenses == 1)
  }

  @Test func `a known name with another day counts as new`() async throws {
    let (place, id) = try await Base.world()
    _ = try await place.take(Base.file(Base.dispense(handedOver: "2026-03-02")))
    // Not decided yet: the source has corrected the day.
    let first = Base.file(Base.dispense())
    #expect(try await place.take(first).changedDispenses == 1)
    let offer = try #require(try await Base.offers(place, id).first)
    _ = try await Base.accept(place, id, offer)
    place.clock.set("2026-04-02T10:00:00+02:00")
    let second = Base.file(Base.dispense(handedOver: "2026-04-01"))
    #expect(try await place.take(second).offered == 1)
    let later = try #require(try await Base.offers(place, id).first)
    #expect(later.dispense.handedOver?.text == "2026-04-01")
    #expect(later.dispense.id != offer.dispense.id)
    for file in [first, second] {
      #expect(try await place.take(file).unchangedDispenses == 1)
    }
    // The newest with that key is withdrawn, and nothing else changes.
    _ = try await place.take(
      Base.file(Base.dispense(status: "cancelled", handedOver: "2026-04-01")))
    #expect(try await Base.offers(place, id).isEmpty)
    #expect(try await Base.stock(place, id).total == Base.tablets(108))
    #expect(try await place.count("stock_dispenses WHERE is_withdrawn = 1") == 1)
  }

  @Test func `at most twenty different prescriptions are kept`() throws {
    let links = (0..<60).map { #"{"reference":"MedicationRequest/\#($0 / 2)"}"# }
    let text = Base.dispense().replacing(
      #""subject":"#,
      with: #""authorizingPrescription":[\#(links.joined(separator: ","))],"subject":"#)
    let dispense = try #require(ImportFixtures.file(Base.file(text)).dispenses.first)
    #expect(dispense.requestKeys.count == 20 && Set(dispense.requestKeys).count == 20)
  }

  @Test func `entries without a day come last on every database`() async throws {
    let (place, id) = try await Base.world()
    _ = try await place.take(
      Base.file(
        Base.dispense("none", handedOver: nil), Base.dispense("old"),
        Base.dispense("new", handedOver: "2026-03-04")))
    let days = try await Base.offers(place, id).map { $0.dispense.handedOver?.text }
    #expect(days == ["2026-03-04", "2026-03-03", nil])
  }
}
