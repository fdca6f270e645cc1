// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Media
import NIOCore
import Testing
import TestSupport

@testable import Presentation
@testable import Web

/// Allergies, weights and the photo on the page of details.
@Suite struct HealthProfilePageTests {
  /// A small PNG image in one colour.
  private static let picture =
    Data(
      base64Encoded: """
        iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E\
        rkJggg==
        """
    ).map { Array($0) } ?? []

  private func send(
    _ file: [UInt8], _ browser: Browser, token: String? = nil
  ) async throws -> TestResponse {
    var body: [UInt8] = []
    func part(_ name: String, _ content: [UInt8], fileName: String? = nil) {
      let file = fileName.map { "; filename=\"\($0)\"" } ?? ""
      body += "--limit\r\nContent-Disposition: form-data; name=\"\(name)\"\(file)\r\n\r\n".utf8
      body += content + Array("\r\n".utf8)
    }
    part(ForgeryGuard.field, Array((token ?? browser.formToken).utf8))
    if let person = browser.person { part(PersonChoice.guardField, Array(person.text.utf8)) }
    part("photo", file, fileName: "me.png")
    body += "--limit--\r\n".utf8
    var headers = browser.headers
    headers[.contentType] = "multipart/form-data; boundary=limit"
    return try await browser.harness.client.executeRequest(
      uri: "/me/health-profile/photo", method: .post, headers: headers,
      body: ByteBuffer(bytes: body))
  }

  @Test func `entries are stored as FHIR, listed and removed`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      _ = try await house.dose(of: house.child, medicine: "Childolol")
      let browser = house.chosen(house.child)
      let allergy = try await browser.post(
        "/me/health-profile/allergies", ["allergy": "Peanuts <raw>", "reaction": "Hives"])
      #expect(allergy.status == .seeOther, "\(allergy.text)")
      let weight = try await browser.post(
        "/me/health-profile/weights", ["weight": "12,5", "day": "2026-02-28"])
      #expect(weight.status == .seeOther, "\(weight.text)")
      let page = try await browser.open("/me/health-profile").text
      #expect(page.contains("Peanuts &lt;raw&gt;") && page.contains("Hives"))
      #expect(page.contains("12.5\u{A0}kg"))

      let token = try await harness.token(of: house.ann)
      let found = try await harness.send(
        .get, "/fhir/Observation?patient=\(house.child)", token
      ).json()
      let observation = try #require(found["entry"]?[0]?["resource"])
      #expect(observation["code"]?["coding"]?[0]?["code"]?.string == "29463-7")
      #expect(observation["valueQuantity"]?["value"]?.number?.text == "12.5")
      #expect(observation["effectiveDateTime"]?.string?.hasPrefix("2026-02-28") == true)
      let intolerances = try await harness.send(
        .get, "/fhir/AllergyIntolerance?patient=\(house.child)", token
      ).json()
      let intolerance = try #require(intolerances["entry"]?[0]?["resource"])
      #expect(intolerance["code"]?["text"]?.string == "Peanuts <raw>")
      #expect(intolerance["code"]?["coding"] == nil)
      let own = try await harness.send(
        .get, "/fhir/Observation?patient=\(house.ann.patient)", token
      ).json()
      #expect(own["total"]?.number?.text == "0")

      let id = try #require(observation["id"]?.string)
      // Not on the pages of another person.
      let elsewhere = try await house.chosen(house.ann.patient)
        .post("/me/health-profile/weights/\(id)/remove", [:])
      #expect(elsewhere.status == .notFound)
      let removed = try await browser.post("/me/health-profile/weights/\(id)/remove", [:])
      #expect(removed.status == .seeOther)
      #expect(!(try await browser.open("/me/health-profile").text).contains("12.5\u{A0}kg"))
      #expect(try await harness.send(.get, "/fhir/Observation/\(id)", token).status == .notFound)
    }
  }

  @Test func `an allergy to a current medicine has its code`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let token = try await harness.token(of: ann)
      var request = MatrixPlan.resource(of: ann, id: nil)
      request["medicationCodeableConcept"] = [
        "coding": [["system": "http://www.whocc.no/atc", "code": "J01CA04"]],
        "text": "Amoxicillin",
      ]
      let created = try await harness.send(.post, "/fhir/MedicationRequest", token, json: request)
      #expect(created.status == .created)
      let browser = try await harness.session(of: ann)
      _ = try await browser.post("/me/health-profile/allergies", ["allergy": " AMOXICILLIN "])
      let found = try await harness.send(.get, "/fhir/AllergyIntolerance", token).json()
      let code = found["entry"]?[0]?["resource"]?["code"]
      #expect(code?["text"]?.string == "AMOXICILLIN")
      #expect(code?["coding"]?[0]?["code"]?.string == "J01CA04")
    }
  }

  @Test func `impossible values are refused next to their field`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      for (weight, day) in [
        ("", "2026-02-28"), ("heavy", "2026-02-28"), ("0", "2026-02-28"), ("651", "2026-02-28"),
        ("-3", "2026-02-28"), ("62.5", "2026-03-02"), ("62.5", "1700-01-01"), ("62.5", ""),
        ("62.5", "2026-02-30"), ("1e3", "2026-02-28"),
      ] {
        let answer = try await browser.post(
          "/me/health-profile/weights", ["weight": weight, "day": day])
        #expect(answer.status == .unprocessableContent, "\(weight) on \(day)")
        #expect(answer.text.contains("field-error"), "\(weight) on \(day)")
      }
      for name in ["", "   ", String(repeating: "x", count: 201)] {
        let answer = try await browser.post("/me/health-profile/allergies", ["allergy": name])
        #expect(answer.status == .unprocessableContent)
      }
      _ = try await browser.post("/me/health-profile/allergies", ["allergy": "Latex"])
      let again = try await browser.post("/me/health-profile/allergies", ["allergy": "latex "])
      #expect(again.status == .unprocessableContent)
      let token = try await harness.token(of: ann)
      let found = try await harness.send(.get, "/fhir/Observation", token).json()
      #expect(found["total"]?.number?.text == "0")
    }
  }

  @Test func `a photo is re-encoded, protected and erased with the person`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await harness.makeAccount("Bob")
      let eve = try await harness.makeAccount("Eve")
      let family = try await house.connect(bob, .family, categories: [.stock])
      let browser = house.chosen(house.child)
      let sent = try await send(Self.picture, browser)
      #expect(sent.status == .seeOther, "\(sent.text)")
      let page = try await browser.open("/").text
      let address = try #require(
        page.firstMatch(of: /src="(\/people\/photo\/[^"]+)"/)?.1, "in the switcher")
      #expect(address.contains(house.child.text))
      let shown = try await family.open(String(address))
      #expect(shown.status == .ok && shown.headers[.contentType] == "image/jpeg")
      #expect(shown.headers[.cacheControl] == "no-store")
      #expect(Array(buffer: shown.body).starts(with: [0xFF, 0xD8, 0xFF]))
      #expect(try await harness.session(of: eve).open(String(address)).status == .notFound)
      #expect(try await harness.send(.get, String(address)).status == .seeOther)
      // A viewer changes nothing.
      #expect(try await send(Self.picture, family).status == .forbidden)
      #expect(try await send(Self.picture, browser, token: "wrong").status == .forbidden)

      let export = try await browser.post("/privacy/export", [:])
      let zip = try ZipContent(Array(buffer: export.body))
      #expect(zip.files.first { $0.name == "photo.jpg" }?.content == Array(buffer: shown.body))

      let removed = try await browser.post("/me/health-profile/photo/remove", [:])
      #expect(removed.status == .seeOther)
      #expect(try await browser.open(String(address)).status == .notFound)
    }
  }

  @Test func `a file that isn't a photo is refused with a message`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: try await harness.makeAccount("Ann"))
      for (file, status) in [
        ([], HTTPResponse.Status.unprocessableContent),
        (Array("<svg onload=alert(1)>".utf8), .unprocessableContent),
        (Array(Self.picture.prefix(40)), .unprocessableContent),
        ([UInt8](repeating: 0xFF, count: PhotoReader.maximumFile + 1), .contentTooLarge),
      ] {
        let answer = try await send(file, browser)
        #expect(answer.status == status, "\(answer.status)")
        #expect(answer.text.contains("field-error"))
      }
      #expect(!(try await browser.open("/").text).contains("/people/photo/"))
    }
  }
}
