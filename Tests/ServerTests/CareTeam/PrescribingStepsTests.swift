// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import HummingbirdTesting
import Localization
import Storage
import Testing
import TestSupport

@testable import People
@testable import Plans
@testable import Prescriptions
@testable import Web

/// Prescribing in four steps: the patient's findings are on the page before anything is sent.
@Suite struct PrescribingStepsTests {
  private func count(_ harness: ServerHarness, _ sql: StaticString) async throws -> Int64? {
    try await harness.environment.database.read { try $0.first(sql)?.integer(0) }
  }

  /// Starts a draft and goes to its last step; returns the address of the draft.
  private func walked(
    _ practice: Practice, _ name: String, strength: String = "50", often: String = "once",
    times: [(String, String)] = [("dose-value", "1"), ("time", "08:00")]
  ) async throws -> String {
    let started = try await practice.browser.post(
      "\(practice.address)/prescribe",
      pairs: [
        ("name", name), ("form", "tablet"), ("strength-value", strength), ("strength-unit", "mg"),
      ])
    let first = try #require(started.headers[.location], "\(started.text)")
    #expect(first.hasSuffix("/often"))
    let draft = String(first.dropLast("/often".count))
    let chosen = try await practice.browser.post("\(draft)/often", pairs: [("often", often)])
    #expect(chosen.headers[.location] == "\(draft)/times", "\(chosen.text)")
    let set = try await practice.browser.post(
      "\(draft)/times", pairs: times + [("start", "2026-03-01")])
    #expect(set.headers[.location] == "\(draft)/check", "\(set.text)")
    return draft
  }

  private func hidden(_ page: String) -> [(String, String)] {
    page.matches(of: /name="(version|warned)" value="([^"]+)"/).map {
      (String($0.output.1), String($0.output.2))
    }
  }

  @Test func `four steps send one prescription to the named person`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      let found = try await practice.browser.open("\(practice.address)/prescribe?q=metoprolo").text
      #expect(found.contains("\(practice.address)/prescribe?pick=m108&amp;name=Metoprolol"))
      let list = try await practice.browser.open(
        "\(practice.address)/prescribe/suggestions.json?q=metoprolo")
      #expect(list.text.contains("prescribe"), "\(list.text)")
      let draft = try await walked(practice, "Testolol")
      let check = try await practice.browser.open("\(draft)/check").text
      #expect(check.contains("For Ann. Step 4 of 4: Testolol 50 mg"), "\(check)")
      #expect(check.contains("08:00") && check.contains("name=\"patient-name\""))
      #expect(!check.contains("1948-05-01") && !check.contains("name=\"for-person\""))
      let fields = hidden(check)
      let wrong = try await practice.browser.post(
        "\(draft)/check",
        pairs: fields + [("patient-name", "Ann"), ("patient-birth-date", "1984-05-01")])
      #expect(wrong.status == .unprocessableContent)
      #expect(wrong.text.contains("Nothing was sent. Check whose page this is."))
      #expect(wrong.text.contains("value=\"1984-05-01\""))
      for place in ["\(practice.address)?done=sent#waiting", "\(practice.address)#waiting"] {
        let sent = try await practice.browser.post(
          "\(draft)/check", pairs: fields + Practice.identity)
        #expect(sent.headers[.location] == place, "\(sent.text)")
      }
      #expect(try await count(harness, "SELECT COUNT(*) FROM proposals") == 1)
      #expect(try await count(harness, "SELECT COUNT(*) FROM medicine_drafts") == 0)
      #expect(try await practice.annBrowser.open("/").text.contains("Testolol"))
    }
  }

  @Test func `findings are shown before sending, and severe ones confirmed`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      _ = try await practice.ann.plan("Warfarin 3 mg")
      let draft = try await walked(practice, "Ibuprofen", strength: "400")
      let check = try await practice.browser.open("\(draft)/check")
      #expect(check.status == .ok)
      #expect(check.text.contains("Severe: Warfarin 3 mg with Ibuprofen"), "\(check.text)")
      #expect(check.text.contains("name=\"findings-confirmed\""))
      #expect(check.text.contains("Allergies and illnesses aren’t shared with you"))
      let fields = hidden(check.text) + Practice.identity
      let unconfirmed = try await practice.browser.post("\(draft)/check", pairs: fields)
      #expect(unconfirmed.status == .unprocessableContent)
      #expect(unconfirmed.text.contains("Confirm that you’ve read the severe warnings"))
      #expect(try await count(harness, "SELECT COUNT(*) FROM proposals") == 0)
      let sent = try await practice.browser.post(
        "\(draft)/check", pairs: fields + [("findings-confirmed", "yes")])
      #expect(sent.status == .seeOther, "\(sent.text)")
      #expect(try await count(harness, "SELECT COUNT(*) FROM prescription_warnings") == 1)
    }
  }

  @Test func `a child's contraindications block it in the check step`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, approves: false)
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      let (child, holm) = (nursery.child, try await nursery.practitioner("Holm"))
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .practitioner, of: child, to: holm.id, from: now.adding(milliseconds: -1),
          categories: [.medicines], in: writer)
      }
      harness.environment.sessions.forget()
      let doctor = try await harness.session(of: holm)
      let address = "/care/\(child)/prescribe"
      let started = try await doctor.post(
        address,
        pairs: [
          ("name", "Aspirin"), ("form", "tablet"), ("strength-value", "100"),
          ("strength-unit", "mg"),
        ])
      let draft = String(try #require(started.headers[.location]).dropLast("/often".count))
      _ = try await doctor.post("\(draft)/often", pairs: [("often", "once")])
      _ = try await doctor.post(
        "\(draft)/times",
        pairs: [("dose-value", "1"), ("time", "08:00"), ("start", "2026-03-01")])
      let asked = try await doctor.open("\(draft)/check").text
      #expect(asked.contains("name=\"bar-shown\""), "\(asked)")
      let sent = try await doctor.post(
        "\(draft)/check", pairs: hidden(asked) + [("patient-name", "Mali")])
      #expect(sent.status == .unprocessableContent, "\(sent.text)")
      #expect(try await count(harness, "SELECT COUNT(*) FROM proposals") == 0)
      // A parent who adds it by the same steps gets the same question.
      let own = try await nursery.browser.post(
        "/medicines/new",
        pairs: [
          ("name", "Aspirin"), ("form", "tablet"), ("strength-value", "100"),
          ("strength-unit", "mg"),
        ])
      let parents = String(try #require(own.headers[.location]).dropLast("/often".count))
      _ = try await nursery.browser.post("\(parents)/often", pairs: [("often", "once")])
      _ = try await nursery.browser.post(
        "\(parents)/times",
        pairs: [("dose-value", "1"), ("time", "08:00"), ("start", "2026-03-01")])
      #expect(
        try await nursery.browser.open("\(parents)/check").text.contains("name=\"bar-shown\""))
    }
  }

  @Test
  func `a draft belongs to one practitioner and one patient`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      let draft = try await walked(practice, "Testolol")
      let other = try await harness.makeAccount("Other")
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      let (ann, bob) = (practice.patient, try await harness.makeAccount("Bob").patient)
      try await harness.environment.database.write { writer in
        try accounts.confirmPractitioner(other.id, by: "operator", at: now, in: writer)
        for (patient, doctor) in [(ann, other.id), (bob, practice.doctor.id)] {
          try accounts.grant(
            .practitioner, of: patient, to: doctor, from: now.adding(milliseconds: -1),
            categories: [.medicines], in: writer)
        }
      }
      harness.environment.sessions.forget()
      let id = try #require(draft.split(separator: "/").last)
      let others = try await harness.session(of: other)
      for (browser, address) in [
        (others, "\(draft)/check"), (practice.browser, "/care/\(bob)/prescribe/\(id)/check"),
        (practice.browser, "/medicines/new/\(id)/check"),
      ] {
        let refused = try await browser.open(address)
        #expect(refused.status == .notFound && !refused.text.contains("Testolol"), "\(address)")
        #expect(refused.text.contains("only the person who started one can open it"))
      }
      // The next step is offered only where the draft was begun.
      #expect(
        try await practice.browser.open("\(practice.address)/prescribe").text
          .contains("href=\"\(draft)/times\""))
      #expect(!(try await practice.browser.open("/medicines/new").text.contains(String(id))))
      // Once the care has ended, there is no such page.
      try await practice.endByPatient()
      #expect(try await practice.browser.open("\(draft)/check").status == .notFound)
      let late = try await practice.browser.post(
        "\(draft)/check", pairs: [("version", "3")] + Practice.identity)
      #expect(late.status == .notFound)
    }
  }

  @Test func `the long form continues the draft and sends it`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      let draft = try await walked(practice, "Testolol")
      let id = String(try #require(draft.split(separator: "/").last))
      let form = try await practice.browser.open("\(draft)/details").text
      for part in ["name=\"prescription\" value=\"\(id)\"", "value=\"Testolol\"", "08:00"] {
        #expect(form.contains(part), "\(part)")
      }
      let sent = try await practice.browser.post(
        "\(practice.address)/prescribe/details",
        pairs: Practice.medicine() + [("prescription", id)] + Practice.identity)
      #expect(sent.status == .seeOther, "\(sent.text)")
      #expect(try await count(harness, "SELECT COUNT(*) FROM medicine_drafts") == 0)
      #expect(
        try await practice.browser.open("\(draft)/check").headers[.location]
          == "\(practice.address)#waiting")
    }
  }

  @Test(arguments: Language.allCases)
  func `every step is available in every language`(language: Language) async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      let draft = try await walked(practice, "Testolol")
      var headers = practice.browser.headers
      headers[.acceptLanguage] = language.rawValue
      for address in [
        "\(practice.address)/prescribe", draft, "\(draft)/often", "\(draft)/times",
        "\(draft)/check",
      ] {
        let page = try await harness.send(.get, address, headers)
        #expect(page.status == .ok && page.text.contains("<html lang=\"\(language.rawValue)\""))
        #expect(
          page.text.firstMatch(of: /\b(add-medicine|medicines|care-team)\.[a-z]+[a-z.\-]*\b/)
            == nil, "\(address)")
      }
    }
  }
}
