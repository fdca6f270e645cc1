// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

/// The forms of a supply: input is kept, refills are correct, and a dispense is one press.
@Suite struct StockFormTests {
  private static func house(
    _ harness: ServerHarness, more: [(String, String)] = []
  ) async throws -> (DoseHouse, plan: PlanID, address: String) {
    let house = try await DoseHouse(harness, plans: ["Metoprolol"])
    let plan = try #require(house.doses[0].split(separator: "_").first.map { PlanID(String($0)) })
    let fields = [
      ("medicine", plan.text), ("unit", "tablet"), ("amount", "30"), ("form", "blister"),
    ]
    let answer = try await house.browser.post("/stock/new", pairs: fields + more)
    let address = try #require(answer.headers[.location], "\(answer.text)")
    return (house, plan, String(address.prefix { $0 != "?" }))
  }

  private static func lot(_ page: String) throws -> String {
    String(try #require(page.firstMatch(of: /name="lot-([^"]+)"/)?.output.1))
  }

  /// Returns the field of an offer that identifies its content.
  private static func seen(_ page: String) throws -> String {
    String(try #require(page.firstMatch(of: /name="seen" value="([^"]+)"/)?.output.1))
  }

  @Test func `an error keeps the input and is shown next to its field`() async throws {
    try await ServerHarness.run { harness in
      let (house, _, address) = try await Self.house(harness)
      let lot = try Self.lot(try await house.browser.open(address).text)
      let days = try await house.browser.post(
        address,
        [
          "do": "days", "lot": lot, "suffix": "-1", "expires-1": "2027-01-31",
          "opened-1": "2031-05-05",
        ])
      #expect(days.status == .unprocessableContent)
      #expect(days.text.contains("href=\"#field-opened-1\""))
      #expect(days.text.contains("id=\"field-opened-1-error\""))
      #expect(
        days.text.contains("value=\"2031-05-05\"") && days.text.contains("value=\"2027-01-31\""))
      let nonsense = try await house.browser.post(
        address, ["do": "days", "lot": lot, "suffix": "-1", "expires-1": "31/1/27"])
      #expect(nonsense.text.contains("value=\"31/1/27\""))
      #expect(nonsense.text.contains("href=\"#field-expires-1\""))
      let count = try await house.browser.post(address, ["do": "count", "lot-\(lot)": "twelve"])
      #expect(count.status == .unprocessableContent)
      #expect(count.text.contains("value=\"twelve\""))
      #expect(count.text.contains("href=\"#field-lot-\(lot)\""))
      #expect(count.text.contains("id=\"field-lot-\(lot)-error\""))
      let loss = try await house.browser.post(
        address, ["do": "remove", "kind": "thrown-away", "lot": lot, "lost-amount": "99"])
      #expect(
        loss.text.contains("href=\"#field-lost-amount\"") && loss.text.contains("value=\"99\""))
      // Nothing was saved, and an empty pack is a valid count.
      #expect(try await house.browser.open(address).text.contains("30 tablets left"))
      let none = try await house.browser.post(address, ["do": "count", "lot-\(lot)": "0,0"])
      #expect(none.status == .seeOther, "\(none.text)")
      #expect(try await house.browser.open(address).text.contains("none left"))
    }
  }

  @Test func `prescription packs use it up, and then a new one is requested`() async throws {
    try await ServerHarness.run { harness in
      let (house, _, address) = try await Self.house(
        harness, more: [("repeats", "2"), ("lead-days", "3"), ("doctor-weeks", "2")])
      var page = try await house.browser.open(address).text
      #expect(page.contains("2 refills left") && page.contains("name=\"prescribed\""))
      let bought = try await house.browser.post(
        address, ["do": "pack", "amount": "10", "asks-prescription": "yes"])
      #expect(bought.status == .seeOther)
      page = try await house.browser.open(address).text
      #expect(page.contains("2 refills left"))
      #expect(page.contains("not on prescription"))
      let prescribed = try await house.browser.post(
        address,
        ["do": "pack", "amount": "1", "asks-prescription": "yes", "prescribed": "yes"])
      #expect(prescribed.status == .seeOther)
      page = try await house.browser.open(address).text
      #expect(page.contains("1 refill left"))
      #expect(try await house.browser.post(address, ["do": "pack"]).status == .seeOther)
      // 42 tablets, two a day: three weeks, of which three days and two weeks are needed.
      page = try await house.browser.open(address).text
      #expect(page.contains("Ask for a new prescription by"))
      let shopping = try await house.browser.open("/stock/shopping").text
      #expect(shopping.contains("Ask for a new prescription by"))
      let list = try await harness.send(.get, "/api/v1/stock", house.token).json()
      #expect(list["stocks"]?[0]?["prescriptionBy"]?.string != nil)
      #expect(list["stocks"]?[0]?["repeatsLeft"] == 0)
      let wrong = try await house.browser.post(
        address,
        ["do": "settings", "name": "Metoprolol", "form": "blister", "doctor-weeks": "99"])
      #expect(wrong.status == .unprocessableContent && wrong.text.contains("value=\"99\""))
      #expect(wrong.text.contains("href=\"#field-doctor-weeks\""))
    }
  }

  private static func dispense(
    _ house: DoseHouse, _ id: String = "d1", status: String = "completed",
    quantity: JSONValue = ["value": 98, "unit": "tablet"]
  ) -> JSONValue {
    [
      "resourceType": "MedicationDispense", "status": .string(status),
      "identifier": [["system": "urn:pharmacy", "value": .string(id)]],
      "medicationCodeableConcept": ["text": "Metoprolol"],
      "subject": ["reference": .string("Patient/\(house.account.patient)")],
      "quantity": quantity, "whenHandedOver": "2026-03-01",
    ]
  }

  @Test func `a dispensed pack is offered and added once with one press`() async throws {
    try await ServerHarness.run { harness in
      let (house, _, address) = try await Self.house(harness, more: [("repeats", "2")])
      let sent = try await harness.send(
        .post, "/fhir/MedicationDispense", house.token, json: Self.dispense(house))
      #expect(sent.status == .created, "\(sent.text)")
      let id = try #require(try sent.json()["id"]?.string)
      let again = try await harness.send(
        .post, "/fhir/MedicationDispense", house.token, json: Self.dispense(house))
      #expect(try again.status == .ok && again.json()["id"]?.string == id)
      let found = try await harness.send(
        .get, "/fhir/MedicationDispense?status=completed", house.token)
      #expect(found.text.contains(id))
      #expect(try await house.browser.open("/stock").text.contains("is ready to add"))
      var page = try await house.browser.open(address).text
      #expect(page.contains("Your pharmacy gave you 98 tablets on"))
      #expect(page.contains("name=\"expires-d0\"") && !page.contains("name=\"amount-d0\""))
      let seen = try Self.seen(page)
      let list = try await harness.send(.get, "/api/v1/stock", house.token).json()
      #expect(list["stocks"]?[0]?["offers"]?[0]?["dispense"]?.string == id)
      let wrong = try await house.browser.post(
        address,
        ["do": "dispense", "dispense": id, "suffix": "-d0", "seen": seen, "expires-d0": "soon"])
      #expect(wrong.status == .unprocessableContent)
      #expect(wrong.text.contains("value=\"soon\""))
      #expect(wrong.text.contains("href=\"#field-expires-d0\""))
      let old = try await house.browser.post(
        address,
        [
          "do": "dispense", "dispense": id, "suffix": "-d0", "seen": seen,
          "expires-d0": "2026-01-31",
        ])
      #expect(old.text.contains("name=\"confirmed-d0\""))
      let added = try await house.browser.post(
        address,
        [
          "do": "dispense", "dispense": id, "suffix": "-d0", "seen": seen,
          "expires-d0": "2028-01-31",
        ])
      #expect(added.status == .seeOther, "\(added.text)")
      page = try await house.browser.open(try #require(added.headers[.location])).text
      #expect(page.contains("128 tablets left") && !page.contains("Your pharmacy gave you"))
      #expect(page.contains("1 refill left"))
      let twice = try await house.browser.post(
        address, ["do": "dispense", "dispense": id, "suffix": "-d0"])
      #expect(twice.status == .notFound)
      // The pharmacy withdraws it: the person is asked, and nothing changes automatically.
      var gone = Self.dispense(house, status: "entered-in-error")
      gone["id"] = .string(id)
      let changed = try await harness.send(
        .put, "/fhir/MedicationDispense/\(id)", house.token, json: gone)
      #expect(changed.status == .ok, "\(changed.text)")
      page = try await house.browser.open(address).text
      #expect(page.contains("didn’t give you this pack") && page.contains("128 tablets left"))
    }
  }

  @Test func `other units are explained, and declined packs stay away`() async throws {
    try await ServerHarness.run { harness in
      let (house, _, address) = try await Self.house(harness)
      let sent = try await harness.send(
        .post, "/fhir/MedicationDispense", house.token,
        json: Self.dispense(house, quantity: ["value": 2, "unit": "box"]))
      let id = try #require(try sent.json()["id"]?.string, "\(sent.text)")
      let page = try await house.browser.open(address).text
      #expect(page.contains("in this unit. Enter what’s in the pack."))
      let empty = try await house.browser.post(
        address,
        ["do": "dispense", "dispense": id, "suffix": "-d0", "seen": try Self.seen(page)])
      #expect(empty.status == .unprocessableContent)
      #expect(empty.text.contains("href=\"#field-amount-d0\""))
      let declined = try await house.browser.post(address, ["do": "decline", "dispense": id])
      #expect(declined.status == .seeOther)
      let without = try await house.browser.open(address).text
      #expect(!without.contains("gave you"))
      let error = try await harness.send(
        .post, "/fhir/MedicationDispense", house.token,
        json: Self.dispense(house, "e1", status: "entered-in-error"))
      #expect(error.status == .unprocessableContent)
      var noPatient = Self.dispense(house, "e2")
      noPatient["subject"] = nil
      let nobody = try await harness.send(
        .post, "/fhir/MedicationDispense", house.token, json: noPatient)
      #expect(nobody.status == .unprocessableContent)
      let other = try await harness.makeAccount("Bob")
      let foreign = try await harness.send(
        .post, "/fhir/MedicationDispense", harness.token(of: other),
        json: Self.dispense(house, "e3"))
      #expect(foreign.status == .notFound)
    }
  }

  @Test func `pharmacy corrections are shown before and after adding`() async throws {
    try await ServerHarness.run { harness in
      let (house, plan, address) = try await Self.house(harness)
      let sent = try await harness.send(
        .post, "/fhir/MedicationDispense", house.token, json: Self.dispense(house))
      let id = try #require(try sent.json()["id"]?.string, "\(sent.text)")
      func put(_ tablets: Int) async throws {
        var resource = Self.dispense(
          house, quantity: ["value": .number(JSONNumber(tablets)), "unit": "tablet"])
        resource["id"] = .string(id)
        resource["authorizingPrescription"] = [
          ["reference": .string("MedicationRequest/\(plan)")]
        ]
        let changed = try await harness.send(
          .put, "/fhir/MedicationDispense/\(id)", house.token, json: resource)
        #expect(changed.status == .ok, "\(changed.text)")
      }
      func add(_ seen: String) async throws -> (status: HTTPResponse.Status, text: String) {
        let answer = try await house.browser.post(
          address,
          [
            "do": "dispense", "dispense": id, "suffix": "-d0", "seen": seen,
            "expires-d0": "2028-01-31",
          ])
        return (answer.status, answer.text)
      }
      let old = try Self.seen(try await house.browser.open(address).text)
      try await put(50)
      let refused = try await add(old)
      #expect(refused.status == .unprocessableContent)
      #expect(refused.text.contains("has changed this. Check it again"))
      #expect(refused.text.contains("gave you 50 tablets"))
      #expect(refused.text.contains("30 tablets left"))
      #expect(try await add(try Self.seen(refused.text)).status == .seeOther)
      try await put(40)
      let page = try await house.browser.open(address).text
      #expect(page.contains("corrected the amount") && page.contains("80 tablets left"))
      #expect(page.contains("It was 50 tablets when") && page.contains("is now 40 tablets"))
    }
  }

  @Test func `too many prescriptions for one dispense are refused`() async throws {
    try await ServerHarness.run { harness in
      let (house, _, _) = try await Self.house(harness)
      func sent(_ id: String, _ names: [String]) async throws -> (HTTPResponse.Status, String) {
        var resource = Self.dispense(house, id)
        resource["authorizingPrescription"] = .array(
          names.map { name -> JSONValue in
            ["reference": .string("MedicationRequest/\(name)")]
          })
        let answer = try await harness.send(
          .post, "/fhir/MedicationDispense", house.token, json: resource)
        return (answer.status, answer.text)
      }
      let many = try await sent("many", (0..<21).map { "r\($0)" })
      #expect(many.0 == .unprocessableContent)
      #expect(many.1.contains("at most 20 different prescriptions"))
      #expect(many.1.contains("MedicationDispense.authorizingPrescription"))
      let same = try await sent("same", Array(repeating: "r1", count: 21))
      #expect(same.0 == .created, "\(same.1)")
      let most = try await sent("most", (0..<20).map { "r\($0)" })
      #expect(most.0 == .created, "\(most.1)")
    }
  }
}
