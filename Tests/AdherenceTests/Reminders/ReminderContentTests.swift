// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Localization
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import People
@testable import Plans
@testable import Reminders

@Suite("Reminder texts")
struct ReminderContentTests {
  private static let now = Timestamp("2026-03-02T08:00:00+01:00")
  private let account = AccountID("9d3c9f70-3c53-4f07-a1ce-9d62a3f8b004")

  private func content(
    _ kind: ReminderKind = .doses, language: Language = .en, count: Int = 1, label: String? = nil,
    hoursAgo: Int64 = 0, needsReview: Bool = false
  ) throws -> ReminderContent {
    let doses = (0..<count).map { index in
      ReminderContent.NamedDose(
        key: DoseKey(
          patient: "p", plan: "0f7d6f3e-7a4e-4ab1-9c6e-0123456789\(10 + index)", era: 1,
          occurrence: "20260302-1"),
        due: Self.now.adding(milliseconds: Int64(index) * 60_000 - hoursAgo * 3_600_000))
    }
    return ReminderContent(
      delivery: "5a3c9f70-3c53-4f07-a1ce-9d62a3f8b001",
      patient: "7b3c9f70-3c53-4f07-a1ce-9d62a3f8b002",
      subject: "8c3c9f70-3c53-4f07-a1ce-9d62a3f8b003", kind: kind, language: language,
      zone: try ZoneCatalog().zone("Europe/Berlin"), due: doses.first?.due ?? Self.now,
      doses: doses, label: label, needsReview: needsReview, now: Self.now)
  }

  @Test func `the payload matches the contract`() throws {
    let content = try content(count: 2)
    let payload = try JSONValue(
      parsing: content.payload(baseURL: "https://r.example", account: account).full)
    #expect(payload["kind"] == "doses" && payload["web_push"] == 8030)
    #expect(payload["delivery"]?.string == content.delivery.text)
    #expect(payload["doses"]?.array?.compactMap(\.string) == content.doses.map(\.id))
    #expect(payload["dose"]?.string == content.doses.first?.id)
    #expect(payload["plans"]?.array?.count == 2)
    #expect(payload["patient"]?.string == content.patient.text)
    #expect(payload["account"]?.string == account.text)
    #expect(payload["due"] == "2026-03-02T08:00:00+01:00")
    #expect(payload["tag"]?.string == content.tag && content.tag.count == 32)
    #expect(payload["title"] == "Time for the 08:00 dose")
    #expect(payload["body"] == "Due 08:00 and 08:01. Open to answer.")
    let declared = payload["notification"]
    #expect(declared?["title"] == payload["title"] && declared?["body"] == payload["body"])
    #expect(declared?["navigate"]?.string == "https://r.example/ring/\(content.subject)")
    #expect(declared?["tag"] == payload["tag"])
  }

  @Test(arguments: Language.allCases, ReminderKind.allCases)
  func `every language fits and mentions only times`(
    language: Language, kind: ReminderKind
  ) throws {
    let base = "https://a-rather-long-name.family.example.org:8443"
    let content = try content(
      kind, language: language, count: kind == .test ? 0 : 16, label: "AE", hoursAgo: 30)
    let (full, small) = content.payload(baseURL: base, account: account)
    #expect(full.count <= 3_000 && small.count <= 2_000)
    let payload = try JSONValue(parsing: full)
    #expect(payload["doses"]?.array?.count == content.doses.count)
    let mail = content.mail(baseURL: base)
    for text in [payload["title"]?.string, payload["body"]?.string, mail.text, mail.html] {
      let text = try #require(text)
      #expect(!text.contains("reminders.") && !text.contains("{"))
    }
    #expect(mail.subject.hasPrefix("AE: ") && !mail.subject.contains("\n"))
    #expect(mail.text.contains(base + content.path) && mail.html.contains(base + content.path))
    // A review has no time, because the list shows it; nor has a question about today.
    let isTimeless = [
      .test, .review, .prescription, .warning, .wear, .news, .nudge, .message, .stock, .clock,
    ].contains(kind)
    #expect(isTimeless || mail.text.contains("02:00"))
  }

  @Test(arguments: [
    (
      Language.en, "Your prescription changed",
      "Check it before you take anything. Due 08:00 and 08:01."
    ),
    (.de, "Ihre Verordnung hat sich geändert", "Erst ansehen, dann einnehmen. Geplant 08:00"),
    (.nb, "Resepten din er endret", "Se på den før du tar noe. Skal tas 08"),
    (.th, "ใบสั่งยาของคุณเปลี่ยนไป", "กรุณาดูก่อนใช้ยา กำหนด 08"),
    (.tr, "Reçeteniz değişti", "Almadan önce kontrol edin. Saati: 08"),
  ])
  func `a changed prescription must be viewed before it is answered`(
    language: Language, title: String, body: String
  ) throws {
    let content = try content(language: language, count: 2, needsReview: true)
    let (full, small) = content.payload(baseURL: "https://r.example", account: account)
    for bytes in [full, small] {
      let payload = try JSONValue(parsing: bytes)
      #expect(payload["title"]?.string == title && payload["actions"]?.array == [])
      #expect(payload["body"]?.string?.hasPrefix(body) == true, "\(payload.text)")
    }
    #expect(
      try JSONValue(parsing: self.content().payload(baseURL: "", account: account).full)["actions"]
        == nil)
    let many = try self.content(
      language: language, count: 16, label: "AE", hoursAgo: 30, needsReview: true)
    let base = "https://a-rather-long-name.family.example.org:8443"
    let large = many.payload(baseURL: base, account: account)
    #expect(large.full.count <= 3_000 && large.small.count <= 2_000)
    #expect(try JSONValue(parsing: large.full)["doses"]?.array?.count == 16)
    let mail = content.mail(baseURL: base)
    #expect(mail.subject == title && mail.text.contains(body))
  }

  @Test func `a long summary names what fits`() throws {
    let content = try content(.summary, count: 60, hoursAgo: 20)
    let (full, small) = content.payload(baseURL: "https://r.example", account: account)
    #expect(full.count <= 3_000 && small.count <= 2_000)
    let payload = try JSONValue(parsing: full)
    let named = payload["doses"]?.array?.compactMap(\.string) ?? []
    #expect(named.count > 16 && named == content.doses.prefix(named.count).map(\.id))
    #expect(payload["title"]?.string?.contains("Time") == false)
    #expect(payload["body"]?.string?.contains("to") == true)
  }

  @Test func `html is escaped`() throws {
    let mail = try content(label: "<b>\"&'").mail(baseURL: "https://r.example/?a=1&b=2")
    #expect(!mail.html.contains("<b>") && mail.html.contains("&lt;b&gt;&quot;&amp;&#39;"))
    #expect(mail.html.contains("a=1&amp;b=2"))
  }

  @Test(
    arguments: [
      ("Ann Example", "AE"), ("ann", "A"), ("  ", nil), ("สมชาย ใจดี", "สใ"), ("A B C", "AB"),
    ] as [(String, String?)])
  func `a label is two initials`(name: String, label: String?) {
    #expect(PersonLabel().text(of: name, .of(.en))?.count == label?.count)
  }
}
