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
import Storage
import Testing
import TestSupport

@testable import MedicinePages
@testable import Presentation
@testable import Web

/// The appearance of a medicine: entered on its page and in its form, shown with its doses.
@Suite struct AppearancePageTests {
  /// A small PNG image in one colour.
  private static let picture =
    Data(
      base64Encoded: """
        iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E\
        rkJggg==
        """
    ).map { Array($0) } ?? []

  private static let said = [
    "look": "yes", "look-shape": "round", "look-color": "white", "look-score": "yes",
    "look-imprint": "A <b>",
  ]
  private static let words =
    "Round tablet, white, with a line to break it at, marked “A &lt;b&gt;”"

  private func send(
    _ file: [UInt8], _ browser: Browser, to address: String, token: String? = nil
  ) async throws -> TestResponse {
    var body: [UInt8] = []
    func part(_ name: String, _ content: [UInt8], fileName: String? = nil) {
      let file = fileName.map { "; filename=\"\($0)\"" } ?? ""
      body += "--limit\r\nContent-Disposition: form-data; name=\"\(name)\"\(file)\r\n\r\n".utf8
      body += content + Array("\r\n".utf8)
    }
    part(ForgeryGuard.field, Array((token ?? browser.formToken).utf8))
    if let person = browser.person { part(PersonChoice.guardField, Array(person.text.utf8)) }
    part(AppearancePhotos.field, file, fileName: "tablet.png")
    body += "--limit--\r\n".utf8
    var headers = browser.headers
    headers[.contentType] = "multipart/form-data; boundary=limit"
    return try await browser.harness.client.executeRequest(
      uri: address, method: .post, headers: headers, body: ByteBuffer(bytes: body))
  }

  @Test func `an appearance is shown where doses are logged and can be changed`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let dose = house.doses[0]
      let plan = try #require(dose.split(separator: "_").first.map(String.init))
      let address = "/medicines/\(plan)/appearance"
      #expect(!(try await house.browser.open("/").text).contains("look-line"))
      #expect(try await house.browser.open(address).text.contains("Round tablet"))
      let saved = try await house.browser.post(address, pairs: Self.said.map { ($0.key, $0.value) })
      #expect(saved.headers[.location] == "\(address)?done=saved", "\(saved.text)")
      harness.clock.advance(minutes: 61)
      for page in [
        "/", "/doses/\(dose)", "/ring", "/simple", "/medicines", "/medicines/\(plan)", "/report",
        "/emergency-card", address,
      ] {
        let text = try await house.browser.open(page).text
        #expect(text.contains(Self.words), "\(page)")
        #expect(text.contains("<svg class=\"look\""), "\(page)")
        #expect(!text.contains("A <b>"), "\(page)")
      }
      let form = try await house.browser.open("/medicines/\(plan)/edit").text
      #expect(form.contains("value=\"round\" checked") && form.contains("value=\"A &lt;b&gt;\""))
      // The prescription stays unchanged.
      let request = try await harness.send(.get, "/fhir/MedicationRequest/\(plan)", house.token)
      #expect(try request.json()["meta"]?["versionId"]?.string == "1")

      let list = try await harness.send(.get, "/api/v1/looks", house.token).json()
      let look = try #require(list["looks"]?[0])
      #expect(look["plan"]?.string == plan && look["shape"]?.string == "round")
      #expect(look["colors"]?[0]?.string == "white" && look["imprint"]?.string == "A <b>")
      #expect(look["scored"] == true && look["photos"]?.array == [])
      #expect(look["text"]?.string?.hasPrefix("Round tablet, white") == true)

      let changed = try await house.browser.post(address, ["look": "yes", "look-shape": "patch"])
      #expect(changed.status == .seeOther)
      #expect(try await house.browser.open("/").text.contains("<span>Patch</span>"))
      #expect(try await house.browser.post(address, ["look": "yes"]).status == .seeOther)
      #expect(!(try await house.browser.open("/").text).contains("look-line"))
    }
  }

  @Test func `contradictions are shown next to their field, and input stays`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try #require(house.doses[0].split(separator: "_").first.map(String.init))
      let address = "/medicines/\(plan)/appearance"
      for (fields, message) in [
        (["look-color": "white"], "Choose a shape first"),
        (["look-shape": "star"], "Choose from the list"),
        (["look-shape": "drops", "look-score": "yes"], "Untick the line"),
        (["look-shape": "drops", "look-imprint": "A1"], "Leave the letters out"),
        (["look-shape": "capsule", "look-second-color": "red"], "two different colours"),
        (
          ["look-shape": "round", "look-imprint": String(repeating: "A", count: 21)],
          "at most 20 letters"
        ),
      ] {
        let answer = try await house.browser.post(
          address, pairs: [("look", "yes")] + fields.map { ($0.key, $0.value) })
        #expect(answer.status == .unprocessableContent, "\(fields)")
        #expect(answer.text.contains(message) && answer.text.contains("field-error"), "\(fields)")
        if let typed = fields["look-imprint"] { #expect(answer.text.contains("\"\(typed)\"")) }
      }
      #expect(!(try await house.browser.open("/").text).contains("look-line"))
    }
  }

  @Test func `the medicine form asks for it, and a form without it keeps it`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: try await harness.makeAccount("Ann"))
      let plan = "11111111-1111-4111-8111-111111111111"
      var fields = [
        "plan": plan, "name": "Unlistedol", "form": "tablet", "dose-value": "1",
        "schedule": "times", "time": "08:00", "start": "2026-03-01", "policy": "follow",
      ]
      fields.merge(["look": "yes", "look-color": "white"]) { first, _ in first }
      let wrong = try await browser.post(
        "/medicines/new/details", pairs: fields.map { ($0.key, $0.value) })
      #expect(wrong.status == .unprocessableContent)
      #expect(wrong.text.contains("Choose a shape first"))
      #expect(
        wrong.text.contains("value=\"Unlistedol\"")
          && wrong.text.contains("value=\"white\" selected"))
      fields["look-shape"] = "oval"
      let added = try await browser.post(
        "/medicines/new/details", pairs: fields.map { ($0.key, $0.value) })
      #expect(added.status == .seeOther, "\(added.text)")
      #expect(try await browser.open("/medicines").text.contains("Oval tablet, white"))

      fields["plan"] = nil
      fields["version"] = "1"
      fields["look"] = nil
      fields["time"] = "09:00"
      let edited = try await browser.post(
        "/medicines/\(plan)/edit", pairs: fields.map { ($0.key, $0.value) })
      #expect(edited.status == .seeOther, "\(edited.text)")
      #expect(try await browser.open("/medicines").text.contains("Oval tablet, white"))
    }
  }

  @Test
  func `a photo is re-encoded in two sizes, shown to those who see the medicine, and exported`()
    async throws
  {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let (plan, dose) = try await house.dose(of: house.child, medicine: "Childolol")
      let (bob, cleo) = (
        try await harness.makeAccount("Bob"), try await harness.makeAccount("Cleo")
      )
      let eve = try await harness.session(of: try await harness.makeAccount("Eve"))
      let family = try await house.connect(bob, .family, categories: [.medicines])
      let stockOnly = try await house.connect(cleo, .family, categories: [.stock])
      let browser = house.chosen(house.child)
      let form = "/medicines/\(plan)/appearance/photos/1"
      let sent = try await send(Self.picture, browser, to: form)
      #expect(
        sent.headers[.location] == "/medicines/\(plan)/appearance?done=photo#photos", "\(sent.text)"
      )
      let page = try await browser.open("/doses/\(dose)").text
      let address = String(
        try #require(page.firstMatch(of: /src="(\/appearance\/[^"]+)"/)?.1, "on the dose's page"))
      #expect(
        page.contains("alt=\"Photo 1 of Childolol\" width=\"1\" height=\"1\" loading=\"lazy\""))
      for shown in ["/children/\(house.child)", "/", "/medicines"] {
        #expect(try await browser.open(shown).text.contains("\(address)?size=small"), "\(shown)")
      }
      for one in [address, "\(address)?size=small"] {
        let seen = try await family.open(one)
        #expect(seen.status == .ok && seen.headers[.contentType] == "image/jpeg")
        #expect(seen.headers[.cacheControl] == "no-store")
        #expect(Array(buffer: seen.body).starts(with: [0xFF, 0xD8, 0xFF]))
        // The product at home is independent of the appearance.
        #expect(try await stockOnly.open(one).status == .notFound)
        #expect(try await eve.open(one).status == .notFound)
        #expect(try await harness.send(.get, one).status == .seeOther)
      }
      let own = address.replacing(house.child.text, with: house.ann.patient.text)
      #expect(try await browser.open(own).status == .notFound, "a photo is found by its person")
      // A viewer changes nothing.
      #expect(
        [.forbidden, .notFound].contains(try await send(Self.picture, family, to: form).status))
      #expect(try await send(Self.picture, browser, to: form, token: "wrong").status == .forbidden)
      #expect(
        try await send(Self.picture, browser, to: "/medicines/\(plan)/appearance/photos/4").status
          == .notFound)

      let export = try await browser.post("/privacy/export", [:])
      let zip = try ZipContent(Array(buffer: export.body))
      let large = try await browser.open(address)
      #expect(
        zip.files.first { $0.name == "medicine-photos/\(plan)-1.jpg" }?.content
          == Array(buffer: large.body))

      // A replacement has another address; after removal neither exists.
      #expect(try await send(Self.picture, browser, to: form).status == .seeOther)
      #expect(try await browser.open(address).status == .notFound)
      #expect(try await browser.post("\(form)/remove", [:]).status == .seeOther)
      #expect(!(try await browser.open("/doses/\(dose)").text).contains("/appearance/"))
    }
  }

  @Test func `a file that isn't a photo is refused with a message and status`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try #require(house.doses[0].split(separator: "_").first.map(String.init))
      var bomb = Self.picture
      // Returns the width in the PNG header.
      for place in 16..<24 { bomb[place] = 0x7F }
      for (file, status) in [
        ([], HTTPResponse.Status.unprocessableContent),
        (Array("<svg onload=alert(1)>".utf8), .unsupportedMediaType),
        (Array(Self.picture.prefix(40)), .unprocessableContent), (bomb, .unprocessableContent),
        ([UInt8](repeating: 0xFF, count: PhotoReader.maximumFile + 1), .contentTooLarge),
      ] {
        let answer = try await send(
          file, house.browser, to: "/medicines/\(plan)/appearance/photos/2")
        #expect(answer.status == status, "\(file.count) bytes: \(answer.status)")
        #expect(answer.text.contains("field-error"))
      }
      #expect(!(try await house.browser.open("/").text).contains("/appearance/"))
    }
  }
}
