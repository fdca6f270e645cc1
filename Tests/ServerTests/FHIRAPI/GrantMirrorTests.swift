// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

/// Grants as other systems read them: Consent, CareTeam and RelatedPerson.
@Suite struct GrantMirrorTests {
  private func resources(
    _ type: String, of patient: PatientID, _ headers: HTTPFields, _ harness: ServerHarness
  ) async throws -> [JSONValue] {
    let answer = try await harness.send(.get, "/fhir/\(type)?patient=\(patient)", headers)
    #expect(answer.status == .ok, "\(answer.text)")
    return (try answer.json()["entry"]?.array ?? []).compactMap { $0["resource"] }
  }

  @Test func `each grant is listed with a stable id until it ends`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let token = try await harness.token(of: house.ann)
      let bob = try await harness.makeAccount("Bob")
      let doctor = try await harness.makeAccount("Doctor")
      _ = try await house.connect(bob, .family, categories: [.medicines, .heartRate])
      _ = try await house.connect(doctor, .practitioner, categories: [.medicines])

      let consents = try await resources("Consent", of: house.child, token, harness)
      #expect(consents.count == 3)
      for consent in consents {
        #expect(consent["status"]?.string == "active")
        #expect(consent["patient"]?["reference"]?.string == "Patient/\(house.child)")
        #expect(consent["meta"]?["tag"]?[0]?["code"]?.string == "grants")
        let id = try #require(consent["id"]?.string)
        #expect(FHIRIdentifierText.isValidResourceID(id))
        let read = try await harness.send(.get, "/fhir/Consent/\(id)", token)
        #expect(try read.json() == consent)
      }
      func classes(_ name: String) -> [String] {
        let found = consents.first {
          $0["provision"]?["actor"]?[0]?["reference"]?["display"]?.string == name
        }
        return (found?["provision"]?["class"]?.array ?? []).compactMap { $0["code"]?.string }
      }
      #expect(classes("Bob") == ["Medication", "MedicationRequest", "Observation"])
      #expect(classes("Doctor") == ["Medication", "MedicationRequest"])
      #expect(classes("Ann") == [])

      let related = try await resources("RelatedPerson", of: house.child, token, harness)
      #expect(
        Set(related.compactMap { $0["name"]?[0]?["text"]?.string }) == ["Ann", "Bob"])
      let teams = try await resources("CareTeam", of: house.child, token, harness)
      #expect(teams.count == 1)
      #expect(teams.first?["participant"]?.array?.count == 3)
      for participant in teams.first?["participant"]?.array ?? [] {
        guard let reference = participant["member"]?["reference"]?.string else { continue }
        #expect(try await harness.send(.get, "/fhir/\(reference)", token).status == .ok)
      }

      // Shared differently, the id stays; after the end, the resource is gone.
      let before = Set(consents.compactMap { $0["id"]?.string })
      let browser = house.chosen(house.child)
      _ = try await browser.post(
        "/people/access/\(bob.id)",
        ["relationship": "family", "action": "share", "category": "stock"])
      let shared = try await resources("Consent", of: house.child, token, harness)
      #expect(Set(shared.compactMap { $0["id"]?.string }) == before)
      _ = try await browser.post(
        "/people/access/\(bob.id)", ["relationship": "family", "action": "end"])
      let ended = try await resources("Consent", of: house.child, token, harness)
      #expect(ended.count == 2)
      let gone = before.subtracting(ended.compactMap { $0["id"]?.string })
      for id in gone {
        #expect(try await harness.send(.get, "/fhir/Consent/\(id)", token).status == .notFound)
      }
    }
  }

  @Test func `only representatives can read grants, and no one can write them`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let own = try await harness.token(of: house.ann)
      let bob = try await harness.makeAccount("Bob")
      _ = try await house.connect(bob, .family, categories: DataCategory.allCases)
      let token = try await harness.token(of: bob)
      let eve = try await harness.token(of: try await harness.makeAccount("Eve"))
      let ids = try await resources("Consent", of: house.child, own, harness)
      let id = try #require(ids.first?["id"]?.string)
      for headers in [token, eve] {
        for type in ["Consent", "CareTeam", "RelatedPerson"] {
          #expect(try await resources(type, of: house.child, headers, harness).isEmpty)
        }
        #expect(try await harness.send(.get, "/fhir/Consent/\(id)", headers).status == .notFound)
      }
      let posted = try await harness.send(
        .post, "/fhir/Consent", own,
        json: ["resourceType": "Consent", "patient": ["reference": "Patient/x"]])
      #expect(posted.status == .methodNotAllowed)
      let nobody = try await harness.send(.get, "/fhir/Consent?patient=a&patient=b", own)
      #expect(try nobody.json()["total"] == 0)
      try await harness.send(.get, "/fhir/Consent?patient:x=1", own)
        .expectOutcome(.badRequest, "not-supported", at: "patient:x")
      let read = try await harness.send(.get, "/fhir/Consent/\(id)", own)
      let tag = try #require(read.headers[.eTag])
      let again = try await harness.send(
        .get, "/fhir/Consent/\(id)", own.with([.ifNoneMatch: tag]))
      #expect(again.status == .notModified)
      let history = try await harness.send(.get, "/fhir/Consent/\(id)/_history", own).json()
      #expect(history["total"] == 1 && history["type"] == "history")
    }
  }
}
