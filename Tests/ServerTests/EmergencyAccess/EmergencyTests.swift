// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Channels
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Web

/// Emergency access: with a reason, visible to everyone concerned, over in an hour.
@Suite struct EmergencyTests {
  private static let password = "a long enough password"
  private static let reason = "Found unconscious, brought in by ambulance."

  /// Ann with a medicine and a birth date, a confirmed doctor, and an administrator.
  private struct Ward: Sendable {
    let harness: ServerHarness
    let ann: Account
    let doctor: Account
    let administrator: Account
    let browser: Browser

    func open(
      name: String = "Ann", born: String = "1948-07-16", id: String = "",
      reason: String = EmergencyTests.reason, password: String = EmergencyTests.password
    ) async throws -> TestResponse {
      try await browser.post(
        "/emergency",
        [
          "name": name, "birth-date": born, "patient": id, "reason": reason,
          "password": password,
        ])
    }

    /// The doctor's browser on Ann's pages.
    var atAnn: Browser {
      var other = browser
      other.person = ann.patient
      return other
    }
  }

  private func ward(
    confirmed: Bool = true, _ test: @escaping @Sendable (Ward) async throws -> Void
  ) async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let doctor = try await harness.makeAccount("Doctor")
      let administrator = try await harness.makeAccount("Eve", isAdministrator: true)
      let environment = harness.environment
      let (accounts, now) = (environment.accounts, harness.clock.now)
      let hash = try await environment.signIn.hash(
        newPassword: Self.password, rules: PasswordRules(minimum: 8), context: [])
      try await environment.database.write { writer in
        try accounts.setPassword(hash, of: doctor.id, at: now, in: writer)
      }
      let own = try await harness.session(of: ann)
      let page = try await own.open("/me/health-profile").text
      let version = try #require(page.firstMatch(of: /name="version" value="(\d+)"/)?.1)
      let saved = try await own.post(
        "/me/health-profile", ["birth-date": "1948-07-16", "version": String(version)])
      #expect(saved.status == .seeOther, "\(saved.text)")
      let token = try await harness.token(of: ann)
      let created = try await harness.send(
        .post, "/fhir/MedicationRequest", token,
        json: MatrixPlan.resource(of: ann, id: nil))
      #expect(created.status == .created)
      _ = try await own.post("/me/health-profile/allergies", ["allergy": "Penicillin"])
      if confirmed {
        let confirming = try await harness.session(of: administrator).post(
          "/practitioners", ["email": "doctor@example.org"])
        #expect(confirming.status == .seeOther, "\(confirming.text)")
      }
      try await test(
        Ward(
          harness: harness, ann: ann, doctor: doctor, administrator: administrator,
          browser: try await harness.session(of: doctor)))
    }
  }

  private func entries(_ ward: Ward) async throws -> [String] {
    try await ward.harness.environment.database.read { reader in
      try reader.query(
        """
        SELECT kind, COALESCE(patient, '-'), outcome FROM audit WHERE kind = 'break-glass'
        ORDER BY sequence
        """
      ).map { "\(try $0.text(0)) \(try $0.text(1)) \(try $0.text(2))" }
    }
  }

  @Test func `a confirmed practitioner gets an hour of read-only access`() async throws {
    try await ward { ward in
      #expect(try await ward.atAnn.open("/medicines").text.contains(MatrixPlan.secretName) == false)
      let opened = try await ward.open()
      #expect(opened.status == .seeOther, "\(opened.text)")
      let address = try #require(opened.headers[.location])
      #expect(
        opened.headers[values: .setCookie].contains {
          $0.hasPrefix("\(PersonChoice.cookie)=\(ward.ann.patient)")
        })
      let overview = try await ward.atAnn.open(address)
      #expect(overview.status == .ok)
      #expect(overview.text.contains("Penicillin") && overview.text.contains("16 July 1948"))
      for page in ["/medicines", "/", "/history"] {
        let answer = try await ward.atAnn.open(page)
        #expect(answer.status == .ok, "\(page)")
        #expect(answer.text.contains("60 minutes left"), "the banner of \(page)")
        #expect(!answer.text.contains("action=\"/medicines"), "\(page)")
      }
      #expect(try await ward.atAnn.open("/medicines").text.contains(MatrixPlan.secretName))
      for (page, fields) in [
        ("/medicines/new", ["name": "x"]), ("/entry", ["name": "x"]),
        ("/me/health-profile/allergies", ["allergy": "x"]), ("/privacy/export", [:]),
        ("/people/share", ["relationship": "family"]),
      ] as [(String, [String: String])] {
        let answer = try await ward.atAnn.post(page, pairs: fields.map { ($0.key, $0.value) })
        #expect([.forbidden, .notFound].contains(answer.status), "\(page): \(answer.status)")
      }
      for page in ["/privacy/access-log", "/privacy/emergencies", "/people/share"] {
        #expect(try await ward.atAnn.open(page).status != .ok, "\(page)")
      }
      // A token of the account has no access.
      let token = try await ward.harness.token(of: ward.doctor)
      let found = try await ward.harness.send(
        .get, "/fhir/MedicationRequest?patient=\(ward.ann.patient)", token)
      #expect(!found.text.contains(MatrixPlan.secretName))

      ward.harness.clock.advance(minutes: 59)
      try await ward.harness.proveAgain()
      #expect(try await ward.atAnn.open(address).text.contains("1 minute left"))
      ward.harness.clock.advance(minutes: 1)
      #expect(try await ward.atAnn.open(address).status == .notFound)
      #expect(
        try await ward.atAnn.open("/medicines").text.contains(MatrixPlan.secretName) == false)
    }
  }

  @Test func `no attempt reveals a person before it is recorded`() async throws {
    try await ward { ward in
      // Missing fields get the same text for everyone, without a search.
      for (name, reason, password) in [
        ("Ann", "short", Self.password), ("Nobody", "short", Self.password),
        ("Ann", Self.reason, "wrong"), ("Nobody", Self.reason, "wrong"),
      ] {
        let answer = try await ward.open(name: name, reason: reason, password: password)
        #expect(answer.status == .unprocessableContent)
        #expect(!answer.text.contains("No one matches exactly"))
      }
      #expect(try await entries(ward) == [])
      for (name, born, id) in [
        ("Nobody", "1948-07-16", ""), ("Ann", "1948-07-17", ""), ("An", "1948-07-16", ""),
        ("", "", "nonsense"),
      ] {
        let answer = try await ward.open(name: name, born: born, id: id)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("No one matches exactly"), "\(name) \(born) \(id)")
      }
      let missed = "break-glass - denied"
      #expect(try await entries(ward) == [missed, missed, missed, missed])
      let opened = try await ward.open(name: "", born: "", id: ward.ann.patient.text)
      #expect(opened.status == .seeOther, "\(opened.text)")
      #expect(try await entries(ward).last == "break-glass \(ward.ann.patient) success")
    }
  }

  @Test func `representatives and administrators are notified at once`() async throws {
    try await ward { ward in
      let harness = ward.harness
      for account in [ward.ann, ward.administrator] {
        let token = try await harness.token(of: account)
        _ = try await harness.send(
          .post, "/api/v1/push-subscriptions", token, json: Person.subscription(account.id.text))
      }
      await harness.ring()
      let before = harness.outbox.pushes.count
      #expect(try await ward.open().status == .seeOther)
      await harness.ring()
      let kinds = harness.outbox.pushes.dropFirst(before).map { $0.payload["kind"]?.string ?? "" }
      #expect(kinds.sorted() == ["emergency", "review"])
      for push in harness.outbox.pushes {
        let text = String(decoding: push.message.payload, as: UTF8.self)
        #expect(!text.contains("unconscious") && !text.contains("Doctor"))
      }
      #expect(harness.outbox.mails.count == 2, "to mailboxes as well")

      let ann = try await harness.session(of: ward.ann)
      #expect(try await ann.open("/").text.contains("in an emergency"))
      let told = try await ann.open("/privacy/emergencies").text
      #expect(told.contains("Doctor") && told.contains(Self.reason))
      #expect(try await ann.open("/privacy/access-log").text.contains("In an emergency"))
      let audit = try await harness.send(
        .get, "/fhir/AuditEvent?patient=\(ward.ann.patient)", harness.token(of: ward.ann))
      #expect(audit.text.contains("\"BTG\""))

      let eve = try await harness.session(of: ward.administrator)
      #expect(try await eve.open("/").text.contains("One emergency to review"))
      let list = try await eve.open("/emergencies").text
      #expect(list.contains(Self.reason) && !list.contains(MatrixPlan.secretName))
      let action = try #require(list.firstMatch(of: /action="(\/emergencies\/[^"]+)"/)?.1)
      #expect(try await eve.post(String(action), [:]).status == .seeOther)
      #expect(!(try await eve.open("/").text).contains("One emergency to review"))
      #expect(try await eve.open("/emergencies").text.contains("Reviewed"))
    }
  }

  @Test func `only practitioners confirmed by others have emergency access`() async throws {
    try await ward(confirmed: false) { ward in
      #expect(try await ward.browser.open("/emergency").status == .notFound)
      #expect(try await ward.open().status == .notFound)
      #expect(try await ward.browser.open("/practitioners").status == .notFound)
      let eve = try await ward.harness.session(of: ward.administrator)
      for email in ["eve@example.org", "nobody@example.org", "nonsense", ""] {
        let answer = try await eve.post("/practitioners", ["email": email])
        #expect(answer.status == .unprocessableContent, "\(email)")
      }
      #expect(
        try await eve.post("/practitioners", ["email": "doctor@example.org"]).status == .seeOther)
      let opened = try await ward.open()
      #expect(opened.status == .seeOther)
      let address = try #require(opened.headers[.location])
      let ended = try await eve.post("/practitioners/\(ward.doctor.id)/end", [:])
      #expect(ended.status == .seeOther)
      #expect(try await ward.atAnn.open(address).status == .notFound)
      #expect(try await ward.browser.open("/emergency").status == .notFound)
      // Confirmed again, earlier accesses stay closed.
      _ = try await eve.post("/practitioners", ["email": "doctor@example.org"])
      #expect(try await ward.atAnn.open(address).status == .notFound)
    }
  }

  @Test func `only the practitioner can end the access early`() async throws {
    try await ward { ward in
      let address = try #require(try await ward.open().headers[.location])
      let ann = try await ward.harness.session(of: ward.ann)
      #expect(try await ann.post("\(address)/end", [:]).status == .notFound)
      #expect(try await ann.open(address).status == .notFound)
      #expect(try await ward.browser.post("\(address)/end", [:]).status == .seeOther)
      #expect(try await ward.atAnn.open(address).status == .notFound)
    }
  }
}
