// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Records
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Adherence
@testable import Plans
@testable import Prescriptions
@testable import Supply

/// Dispenses: offered, added once, declined permanently, withdrawn by their source.
@Suite struct DispenseTests {
  typealias Fix = ImportFixtures

  static func dispense(
    _ id: String = "d1", status: String = "completed", quantity: String? = nil,
    handedOver: String? = "2026-03-03", medicine: String? = nil, prescription: String? = nil,
    identifier: String? = nil
  ) -> String {
    let named = medicine ?? #""medicationCodeableConcept":{"text":"Bisoprolol"}"#
    let amount = quantity ?? #"{"value":98,"unit":"tablets","code":"{tbl}"}"#
    let link = prescription.map { #""authorizingPrescription":[{"reference":"\#($0)"}],"# } ?? ""
    let day = handedOver.map { #","whenHandedOver":"\#($0)""# } ?? ""
    let value = identifier ?? id
    let key =
      value.isEmpty ? "" : #""identifier":[{"system":"urn:pharmacy","value":"\#(value)"}],"#
    return
      #"{"resourceType":"MedicationDispense","id":"\#(id)",\#(key)"status":"\#(status)",\#(named),\#(link)"subject":{"reference":"urn:uuid:11111111-1111-4111-8111-111111111111"},"quantity":\#(amount)\#(day)}"#
  }

  static func file(_ dispenses: String...) -> String {
    Fix.bundle([Fix.patient] + dispenses.map { Fix.entry($0) })
  }

  /// Creates a world in which Ann counts her tablets on 2 March.
  static func world(repeats: Int? = nil) async throws -> (TestPlace, StockID) {
    let place = try await TestPlace(at: "2026-03-02T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00"]))
    let commands = StockCommands(owner: TestPlace.patient, context: place.context)
    let id = try await place.database.write { writer in
      try commands.create(
        StockDraft(name: "Bisoprolol", unit: StockUnit(unit: "tablet"), repeats: repeats),
        pack: StockPack(amount: tablets(10)),
        uses: [StockUse(patient: TestPlace.patient, medicine: plan.id.text)], in: writer)
    }
    place.clock.set("2026-03-04T10:00:00+01:00")
    return (place, id)
  }

  static func tablets(_ count: Int64) -> StockQuantity {
    StockQuantity(millionths: count * 1_000_000)
  }

  static func stock(_ place: TestPlace, _ id: StockID) async throws -> Stock {
    try await place.database.read { reader in
      try #require(try StockRows.one(id, owner: TestPlace.patient, in: reader))
    }
  }

  static func offers(_ place: TestPlace, _ id: StockID) async throws -> [DispenseOffer] {
    let zones = place.zones
    return try await place.database.read { reader in
      let stock = try #require(try StockRows.one(id, owner: TestPlace.patient, in: reader))
      return try DispenseQueries.offers(for: stock, zones: zones, in: reader)
    }
  }

  static func accept(
    _ place: TestPlace, _ id: StockID, _ offer: DispenseOffer, amount: StockQuantity? = nil,
    actor: Actor? = nil
  ) async throws -> String {
    let context = actor.map { place.context($0) } ?? place.context
    let pack = StockPack(amount: amount ?? offer.quantity ?? .zero)
    return try await place.database.write { writer in
      try StockCommands(owner: TestPlace.patient, context: context).accept(
        offer.dispense.id, of: TestPlace.patient, seen: offer.version, as: pack, to: id,
        in: writer)
    }
  }

  @Test func `a dispensed pack is offered, added only once and can be undone`() async throws {
    let (place, id) = try await Self.world()
    let file = Self.file(Self.dispense())
    #expect(try await place.take(file).offered == 1)
    let offer = try #require(try await Self.offers(place, id).first)
    #expect(offer.quantity == Self.tablets(98) && !offer.isCountedSince)
    #expect(offer.dispense.handedOver?.text == "2026-03-03")
    #expect(try await place.take(file).unchangedDispenses == 1)
    #expect(try await Self.offers(place, id).count == 1)
    let act = try await Self.accept(place, id, offer)
    #expect(try await Self.stock(place, id).total == Self.tablets(108))
    #expect(try await place.take(file).unchangedDispenses == 1)
    #expect(try await Self.offers(place, id).isEmpty)
    await #expect(throws: StockError.notFound) { _ = try await Self.accept(place, id, offer) }
    let commands = StockCommands(owner: TestPlace.patient, context: place.context)
    try await place.database.write { try commands.undo(act, of: id, in: $0) }
    #expect(try await Self.stock(place, id).total == Self.tablets(10))
    // Undone, it is offered again; declined, never.
    let again = try #require(try await Self.offers(place, id).first)
    try await place.database.write { writer in
      try commands.decline(again.dispense.id, of: TestPlace.patient, from: id, in: writer)
    }
    _ = try await place.take(Self.file(Self.dispense(quantity: #"{"value":50,"unit":"tablet"}"#)))
    #expect(try await Self.offers(place, id).isEmpty)
    #expect(try await place.count("resources WHERE type = 'MedicationDispense'") == 1)
    #expect(try await place.database.read { try ProjectionCheck.faults(in: $0) }.isEmpty)
  }

  private static func delete(
    _ dispense: DispenseID, _ place: TestPlace, ifVersion: Int64? = nil
  ) async throws -> Int64? {
    let context = place.context
    return try await place.database.write { writer in
      try DispenseRemoval.delete(
        dispense, patient: TestPlace.patient, ifVersion: ifVersion, context: context, in: writer)
    }
  }

  @Test func `a deleted dispense takes its pack out of the supply`() async throws {
    let (place, id) = try await Self.world()
    let file = Self.file(Self.dispense())
    _ = try await place.take(file)
    let offer = try #require(try await Self.offers(place, id).first)
    _ = try await Self.accept(place, id, offer)
    await #expect(throws: RecordsError.versionConflict(current: 1)) {
      _ = try await Self.delete(offer.dispense.id, place, ifVersion: 2)
    }
    #expect(try await Self.stock(place, id).total == Self.tablets(108))
    #expect(try await Self.delete(offer.dispense.id, place, ifVersion: 1) == 2)
    #expect(try await Self.stock(place, id).total == Self.tablets(10))
    #expect(try await Self.delete(offer.dispense.id, place) == nil)
    // Neither the same nor a changed version brings it back.
    for again in [file, Self.file(Self.dispense(handedOver: "2026-03-04"))] {
      #expect(try await place.take(again).offered == 0)
    }
    #expect(try await Self.offers(place, id).isEmpty)
    #expect(try await place.count("resources WHERE type = 'MedicationDispense'") == 0)
    #expect(try await place.database.read { try ProjectionCheck.faults(in: $0) }.isEmpty)
  }

  @Test func `an offer disappears with its dispense`() async throws {
    let (place, id) = try await Self.world()
    _ = try await place.take(Self.file(Self.dispense()))
    let offer = try #require(try await Self.offers(place, id).first)
    #expect(try await Self.delete(offer.dispense.id, place) == 2)
    #expect(try await Self.offers(place, id).isEmpty)
  }

  @Test func `a pack that was counted since keeps its dispense`() async throws {
    let (place, id) = try await Self.world()
    _ = try await place.take(Self.file(Self.dispense()))
    let offer = try #require(try await Self.offers(place, id).first)
    _ = try await Self.accept(place, id, offer)
    let commands = StockCommands(owner: TestPlace.patient, context: place.context)
    let lot = try #require(try await Self.stock(place, id).lots.last).id
    try await place.database.write {
      try commands.count([lot: Self.tablets(90)], of: id, in: $0)
    }
    await #expect(throws: DispenseRemovalError.counted) {
      _ = try await Self.delete(offer.dispense.id, place)
    }
    #expect(try await place.count("resources WHERE type = 'MedicationDispense'") == 1)
    // A supply that is no longer tracked keeps its ledger, but not the record.
    try await place.database.write { try commands.end(id, in: $0) }
    #expect(try await Self.delete(offer.dispense.id, place) == 2)
  }

  @Test func `a pack in another unit asks for the amount`() async throws {
    let (place, id) = try await Self.world()
    _ = try await place.take(Self.file(Self.dispense(quantity: #"{"value":2,"unit":"box"}"#)))
    let offer = try #require(try await Self.offers(place, id).first)
    #expect(offer.quantity == nil && offer.dispense.amount?.value == "2")
    await #expect(throws: StockError.invalid([.amount])) {
      _ = try await Self.accept(place, id, offer)
    }
    _ = try await Self.accept(place, id, offer, amount: Self.tablets(60))
    #expect(try await Self.stock(place, id).total == Self.tablets(70))
  }

  @Test func `expiry date and lot come from the contained medicine`() async throws {
    let (place, id) = try await Self.world()
    let inside =
      ##""contained":[{"resourceType":"Medication","id":"m","code":{"text":"bisoprolol"},"batch":{"lotNumber":"A 1","expirationDate":"2028-02"}}],"medicationReference":{"reference":"#m"}"##
    _ = try await place.take(Self.file(Self.dispense(medicine: inside)))
    let offer = try #require(try await Self.offers(place, id).first)
    #expect(offer.dispense.expires?.text == "2028-02-29" && offer.dispense.label == "A 1")
  }

  @Test func `a withdrawn dispense disappears, and its pack is questioned`() async throws {
    let (place, id) = try await Self.world()
    #expect(
      try await place.take(Self.file(Self.dispense("d0", status: "entered-in-error"))).offered == 0)
    _ = try await place.take(Self.file(Self.dispense("d1"), Self.dispense("d2")))
    _ = try await place.take(Self.file(Self.dispense("d1", status: "cancelled")))
    let left = try await Self.offers(place, id)
    #expect(left.count == 1)
    let act = try await Self.accept(place, id, left[0])
    _ = try await place.take(Self.file(Self.dispense("d2", status: "entered-in-error")))
    let stock = try await Self.stock(place, id)
    #expect(stock.total == Self.tablets(108))
    let withdrawn = try await place.database.read {
      try DispenseQueries.withdrawn(from: stock, in: $0)
    }
    #expect(withdrawn.map(\.act) == [act])
    let commands = StockCommands(owner: TestPlace.patient, context: place.context)
    try await place.database.write { try commands.undo(act, of: id, in: $0) }
    #expect(try await Self.offers(place, id).isEmpty)
    // A dispense that is not handed out yet is not offered.
    _ = try await place.take(Self.file(Self.dispense("d3", status: "preparation")))
    #expect(try await Self.offers(place, id).isEmpty)
    _ = try await place.take(Self.file(Self.dispense("d3")))
    #expect(try await Self.offers(place, id).count == 1)
  }

  @Test func `only new dispenses of the same medicine are offered`() async throws {
    let (place, id) = try await Self.world()
    let other = #""medicationCodeableConcept":{"text":"Ramipril"}"#
    _ = try await place.take(
      Self.file(
        Self.dispense("old", handedOver: "2026-03-01"), Self.dispense("other", medicine: other)))
    #expect(try await Self.offers(place, id).isEmpty)
    // Identified by its prescription, whatever its name.
    let plan = try #require(try await Self.stock(place, id).uses.first?.medicine)
    let brand = #""medicationCodeableConcept":{"text":"Brand X"}"#
    _ = try await place.take(
      Self.file(
        Self.dispense("brand", medicine: brand, prescription: "MedicationRequest/\(plan)")))
    #expect(try await Self.offers(place, id).map(\.dispense.medicineName) == ["Brand X"])
    let commands = StockCommands(owner: TestPlace.patient, context: place.context)
    try await place.database.write { writer in
      let stock = try #require(try StockRows.one(id, owner: TestPlace.patient, in: writer))
      try commands.count([stock.lots[0].id: Self.tablets(9)], of: id, in: writer)
    }
    #expect(try await Self.offers(place, id).map(\.isCountedSince) == [true])
  }

  @Test func `only packs on the prescription use up a repeat`() async throws {
    let (place, id) = try await Self.world(repeats: 3)
    let commands = StockCommands(owner: TestPlace.patient, context: place.context)
    let bought = try await place.database.write { writer in
      try commands.add(
        StockPack(amount: Self.tablets(30), isPrescribed: false), to: id, in: writer)
    }
    #expect(try await Self.stock(place, id).repeats == 3)
    try await place.database.write {
      _ = try commands.add(StockPack(amount: Self.tablets(30)), to: id, in: $0)
    }
    #expect(try await Self.stock(place, id).repeats == 2)
    _ = try await place.take(Self.file(Self.dispense()))
    let offer = try #require(try await Self.offers(place, id).first)
    let act = try await Self.accept(place, id, offer)
    #expect(try await Self.stock(place, id).repeats == 1)
    try await place.database.write { try commands.undo(act, of: id, in: $0) }
    try await place.database.write { try commands.undo(bought, of: id, in: $0) }
    #expect(try await Self.stock(place, id).repeats == 2)
  }

  @Test func `no one without access to the stock can add a pack`() async throws {
    let (place, id) = try await Self.world()
    _ = try await place.take(Self.file(Self.dispense()))
    let offer = try #require(try await Self.offers(place, id).first)
    let family = Actor(
      accountID: "eve", kind: .session, relationships: [TestPlace.patient: .family], scope: .session
    )
    await #expect(throws: StockError.notAuthorized) {
      _ = try await Self.accept(place, id, offer, actor: family)
    }
    #expect(try await Self.offers(place, id).count == 1)
  }
}
