// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import NIOCore
import SiteMap
import Storage
import Testing
import TestSupport

@testable import Diary
@testable import ReportPages
@testable import Web

/// The pages of the diary.
@Suite struct DiaryPageTests {
  private static let pain = "/diary/trackers/pain"

  private func person(_ harness: ServerHarness) async throws -> (Person, Browser) {
    let ann = try await Person.make(harness)
    return (ann, try await harness.session(of: ann.account))
  }

  private func entry(_ person: Person, _ tracker: String) async throws -> JSONValue {
    let listed = try await person.get("/api/v1/diary/entries?tracker=\(tracker)").json()
    return try #require(listed["entries"]?[0])
  }

  @Test func `an entry is made, listed, corrected and deleted`() async throws {
    try await ServerHarness.run { harness in
      let (ann, browser) = try await person(harness)
      #expect(try await browser.open(Address.diary).text.contains("Nothing written down yet."))
      let saved = try await browser.post(
        Self.pain, ["value": "4", "note": "Back <left>", "day": "2026-03-01", "time": "07:00"])
      #expect(saved.status == .seeOther, "\(saved.text)")
      #expect(saved.headers[.location]?.hasPrefix("\(Self.pain)?done=saved") == true)
      let page = try await browser.open(Self.pain).text
      #expect(page.contains("4 out of 10") && page.contains("Back &lt;left&gt;"))
      let id = try #require(try await entry(ann, "pain")["id"]?.string)
      let path = "/diary/entries/\(id)"
      #expect(try await browser.open(path).text.contains("Save changes"))
      let changed = try await browser.post(
        path, ["value": "5", "day": "2026-02-28", "time": "21:30"])
      #expect(changed.status == .seeOther, "\(changed.text)")
      let corrected = try await entry(ann, "pain")
      #expect(corrected["value"]?.number?.integer == 5)
      #expect(corrected["at"]?.string?.hasPrefix("2026-02-28T21:30:00") == true)
      #expect(corrected["note"] == nil)
      let versions = try await ann.get("/fhir/Observation/\(id)/_history").json()
      #expect(versions["entry"]?.array?.count == 2)
      #expect(try await browser.post("\(path)/remove", [:]).status == .seeOther)
      #expect(try await browser.open(path).status == .notFound)
      #expect(try await browser.post("\(path)/remove", [:]).status == .notFound)
      #expect(try await ann.get("/fhir/Observation/\(id)").status == .gone)
    }
  }

  @Test func `an unusual value asks, and is kept with a reason`() async throws {
    try await ServerHarness.run { harness in
      let (ann, browser) = try await person(harness)
      let path = "/diary/trackers/temperature"
      let asked = try await browser.post(path, ["value": "42,2", "unit": "celsius"])
      #expect(asked.status == .unprocessableContent, "\(asked.text)")
      #expect(asked.text.contains("Is it right?") && asked.text.contains("value=\"42,2\""))
      let refused = try await browser.post(
        path, ["value": "98.6", "unit": "celsius", "reason": "Sure"])
      #expect(refused.text.contains("This value isn’t possible."), "\(refused.text)")
      let kept = try await browser.post(
        path, ["value": "42,2", "unit": "celsius", "reason": "Measured twice"])
      #expect(kept.status == .seeOther, "\(kept.text)")
      let found = try await ann.get("/fhir/Observation?code=http%3A%2F%2Floinc.org%7C8310-5").json()
      let observation = try #require(found["entry"]?[0]?["resource"])
      #expect(observation["valueQuantity"]?["value"]?.number?.text == "42.2")
      #expect(observation["extension"]?[0]?["valueString"]?.string == "Measured twice")
    }
  }

  @Test func `mistakes are shown next to their fields`() async throws {
    try await ServerHarness.run { harness in
      let (_, browser) = try await person(harness)
      let mistakes: [(KeyValuePairs<String, String>, String)] = [
        ([:], "Enter a value."),
        (["value": "much"], "Enter a value of this kind"),
        (["value": "11"], "This value isn’t possible."),
        (["value": "3", "day": "yesterday", "time": "07:00"], "Enter a day"),
        (["value": "3", "day": "2026-03-01", "time": "25:00"], "Enter a time"),
        (["value": "3", "day": "2026-03-09", "time": "07:00"], "The time is in the future."),
      ]
      for (fields, message) in mistakes {
        let answer = try await browser.post(Self.pain, fields)
        #expect(answer.status == .unprocessableContent, "\(fields)")
        #expect(answer.text.contains(message), "\(fields)")
      }
      let pressure = try await browser.post(
        "/diary/trackers/blood-pressure", ["value": "80", "lower": "120"])
      #expect(pressure.text.contains("must be smaller"), "\(pressure.text)")
      #expect(try await browser.open("/diary/trackers/none").status == .notFound)
      #expect(try await browser.post("/diary/trackers/none", ["value": "1"]).status == .notFound)
    }
  }

  @Test func `trackers in use are on Today, own ones too`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      // A full day stays short: before the diary is used, Today has one link to it.
      let unused = try await house.browser.open("/").text
      #expect(unused.components(separatedBy: "href=\"/diary").count == 2)
      #expect(unused.contains("href=\"/diary/trackers/symptom\""))
      let symptom = try await house.browser.open("/diary/trackers/symptom").text
      #expect(symptom.contains("What do you notice?"))
      #expect(try await house.browser.open(Address.progress).text.contains("href=\"/diary\""))
      let made = try await house.browser.post(
        "/diary/trackers", ["name": "Itching", "scale": "yes-no"])
      let address = try #require(made.headers[.location]?.split(separator: "?").first)
      #expect(try await house.browser.post(String(address), ["value": "yes"]).status == .seeOther)
      #expect(
        try await house.browser.post(
          "/diary/trackers/blood-pressure", ["value": "131", "lower": "82"]
        ).status == .seeOther)
      let today = try await house.browser.open("/").text
      #expect(today.contains("Itching") && today.contains("/diary/trackers/blood-pressure"))
      let again = try await house.browser.post(
        "/diary/trackers", ["name": "itching", "scale": "score"])
      #expect(again.text.contains("This name is already in your diary."))
      let odd = try await house.browser.post("/diary/trackers", ["name": "Odd"])
      #expect(odd.text.contains("Choose how you want to answer."))
      let ended = try await house.browser.post("\(address)/end", [:])
      #expect(ended.status == .seeOther)
      #expect(!(try await house.browser.open("/").text).contains("Itching"))
      let page = try await house.browser.open(Address.diary).text
      #expect(page.contains("No longer in use") && page.contains("131/82"))
    }
  }

  @Test func `a chart has the unit in which the person enters values`() async throws {
    try await ServerHarness.run { harness in
      let (_, browser) = try await person(harness)
      let path = "/diary/trackers/weight"
      for (value, day) in [("154", "2026-02-27"), ("152", "2026-02-28")] {
        let saved = try await browser.post(
          path, ["value": value, "unit": "pounds", "day": day, "time": "08:00"])
        #expect(saved.status == .seeOther, "\(saved.text)")
      }
      let page = try await browser.open(path).text
      #expect(page.contains("2 values, from 152 to 154."), "\(page)")
      #expect(page.contains("<polyline class=\"heart-value\""))
      #expect(try await browser.open("/me/health-profile").text.contains("68.9"))
    }
  }

  @Test func `a reminder is an alarm of the person`() async throws {
    try await ServerHarness.run { harness in
      let (ann, browser) = try await person(harness)
      let path = "/diary/trackers/pulse"
      _ = try await browser.post(path, ["value": "66"])
      let added = try await browser.post("\(path)/reminders", ["reminder": "20:15"])
      #expect(added.status == .seeOther, "\(added.text)")
      let alarms = try await ann.get("/api/v1/alarms").json()
      #expect(alarms["alarms"]?[0]?["label"]?.string == "Pulse: time for your entry")
      #expect(try await browser.open(path).text.contains("20:15"))
      let wrong = try await browser.post("\(path)/reminders", ["reminder": "noon"])
      #expect(wrong.status == .unprocessableContent)
    }
  }

  /// A small PNG image in one colour.
  private static let picture =
    Data(
      base64Encoded: """
        iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E\
        rkJggg==
        """
    ).map { Array($0) } ?? []

  private func send(_ file: [UInt8], to path: String, _ browser: Browser) async throws
    -> TestResponse
  {
    var body: [UInt8] = []
    func part(_ name: String, _ content: [UInt8], fileName: String? = nil) {
      let file = fileName.map { "; filename=\"\($0)\"" } ?? ""
      body += "--limit\r\nContent-Disposition: form-data; name=\"\(name)\"\(file)\r\n\r\n".utf8
      body += content + Array("\r\n".utf8)
    }
    part(ForgeryGuard.field, Array(browser.formToken.utf8))
    part("photo", file, fileName: "rash.png")
    body += "--limit--\r\n".utf8
    var headers = browser.headers
    headers[.contentType] = "multipart/form-data; boundary=limit"
    return try await browser.harness.client.executeRequest(
      uri: path, method: .post, headers: headers, body: ByteBuffer(bytes: body))
  }

  @Test func `photos are encoded anew, sealed, and deleted with their entry`() async throws {
    try await ServerHarness.run { harness in
      let (ann, browser) = try await person(harness)
      _ = try await browser.post(
        "/diary/trackers/symptom", ["value": "Rash", "strength": "3"])
      let id = try #require(try await entry(ann, "symptom")["id"]?.string)
      let path = "/diary/entries/\(id)"
      let sent = try await send(Self.picture, to: "\(path)/photos", browser)
      #expect(sent.status == .seeOther, "\(sent.text)")
      let page = try await browser.open(path).text
      let source = try #require(page.firstMatch(of: /src="(\/diary\/entries\/[^"]+)"/)?.output.1)
      let photo = try await browser.open(String(source))
      #expect(photo.status == .ok && photo.headers[.contentType] == "image/jpeg")
      #expect(photo.headers[.cacheControl] == "no-store")
      let sealed = try await harness.environment.database.read { reader in
        try reader.first("SELECT bytes_sealed FROM diary_photos", [])?.blob(0)
      }
      #expect(sealed?.first != 0xFF)
      let odd = try await send(Array("no picture".utf8), to: "\(path)/photos", browser)
      #expect(odd.status == .unprocessableContent, "\(odd.text)")
      let other = try await harness.session(of: try await harness.makeAccount("Bob"))
      #expect(try await other.open(String(source)).status == .notFound)
      #expect(try await send(Self.picture, to: "\(path)/photos", other).status == .notFound)
      #expect(try await browser.post("\(path)/remove", [:]).status == .seeOther)
      let left = try await harness.environment.database.read { reader in
        try reader.query("SELECT photo FROM diary_photos", []).count
      }
      #expect(left == 0)
    }
  }

  @Test func `family sees entries only with the diary`() async throws {
    try await ServerHarness.run { harness in
      let (ann, browser) = try await person(harness)
      _ = try await browser.post(Self.pain, ["value": "9"])
      let bob = try await harness.makeAccount("Bob")
      var page = try await harness.session(of: bob)
      page.person = ann.account.patient
      let accounts = harness.environment.accounts
      let before = harness.clock.now.adding(milliseconds: -1_000)
      let shared: [(category: DataCategory, status: HTTPResponse.Status)] = [
        (.medicines, .notFound), (.heartRate, .notFound), (.diary, .ok),
      ]
      for (category, status) in shared {
        try await harness.environment.database.write { writer in
          try accounts.grant(
            .family, of: ann.account.patient, to: bob.id, from: before, categories: [category],
            by: "account", in: writer)
        }
        harness.environment.sessions.forget()
        let seen = try await page.open(Self.pain)
        #expect(seen.status == status, "\(category)")
        #expect(seen.text.contains("9 out of 10") == (status == .ok))
        let post = try await page.post(Self.pain, ["value": "1"])
        #expect([.forbidden, .notFound].contains(post.status), "\(category)")
      }
    }
  }
}
