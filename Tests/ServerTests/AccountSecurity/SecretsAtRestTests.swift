// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Channels
import Encodings
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Localization
import Storage
import Synchronization
import Testing
import TestSupport

@testable import AccountPages
@testable import Operations
@testable import Presentation
@testable import Reminders
@testable import Web

/// Creates everything that grants access or must be sealed, then searches every file in the data
/// folder for its bytes.
@Suite struct SecretsAtRestTests {
  /// Secrets that must not be found anywhere, by name.
  final class Markers: Sendable {
    private let state = Mutex<[(name: String, bytes: [UInt8])]>([])

    func add(_ name: String, _ text: String) {
      #expect(text.utf8.count >= 8, "\(name) is too short to be searched for")
      state.withLock { $0.append((name, Array(text.utf8))) }
    }

    func add(_ name: String, bytes: [UInt8]) {
      state.withLock { $0.append((name, bytes)) }
      add(name, Hexadecimal.encode(bytes))
      add(name, Base64URL.encode(bytes))
    }

    /// Adds a secret as it is sent, and without its prefix.
    func add(_ name: String, secret: String) {
      add(name, String(secret.drop { $0 != "_" }.dropFirst()))
    }

    var count: Int { state.withLock { $0.count } }

    /// Returns the secrets found in each file below a folder.
    func found(below folder: String) throws -> [String] {
      let files = try #require(FileManager.default.enumerator(atPath: folder))
      var found: [String] = []
      var searched = 0
      for case let name as String in files {
        let path = "\(folder)/\(name)"
        guard let content = FileManager.default.contents(atPath: path), !content.isEmpty else {
          continue
        }
        searched += 1
        for marker in state.withLock({ $0 }) where content.range(of: Data(marker.bytes)) != nil {
          found.append("\(marker.name) in \(name)")
        }
      }
      #expect(searched >= 2, "database and log")
      return found
    }
  }

  @Test func `no secret or sealed field is readable in the data folder`() async throws {
    let folder = try #require(TemporaryFolder.make())
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let markers = Markers()
    let clock = TestClock()
    let fake = FakeProvider { clock.now }
    try await ServerHarness.run(providers: fake.providers, data: folder, clock: clock) { harness in
      let house = try await AccountSecurityHouse(harness, "Unmistakablanne")
      try await accountSecurity(house, markers)
      try await links(house, markers)
      try await provider(harness, fake, house, markers)
      try await channels(harness, house, markers)
      _ = try await BackupRunner(environment: harness.environment).run(
        .command, to: folder + "/one.backup", secret: .passphrase("a passphrase of this test"))
      let found = try markers.found(below: folder)
      #expect(found == [])
    }
    // Closed, with the write-ahead log merged.
    #expect(try markers.found(below: folder) == [])
    #expect(markers.count >= 30)
    // This proves that the search works: names are not sealed.
    let control = Markers()
    control.add("name", "Unmistakablanne")
    #expect(try control.found(below: folder).contains("name in regimen.sqlite"))
  }

  /// Creates the sign-in secrets: password, session, second step, codes, tokens, known device.
  private func accountSecurity(_ house: AccountSecurityHouse, _ markers: Markers) async throws {
    let harness = house.harness
    markers.add("address", house.account.email)
    markers.add("password", AccountSecurityHouse.password)
    markers.add("session", secret: house.browser.secret.text)
    let signedIn = try await house.signIn()
    for cookie in signedIn.headers[values: .setCookie] {
      markers.add("cookie of a sign-in", secret: String(cookie.prefix { $0 != ";" }))
    }
    let offer = try await house.browser.open("/account/security/codes").hidden("offer")
    let seed = try #require(
      harness.environment.accounts.openOffer(offer, to: house.account.id, at: harness.clock.now))
    markers.add("seed of codes", bytes: seed)
    let shown = try await house.browser.post(
      "/account/security/codes",
      ["offer": offer, "code": OneTimeCode(seed: seed).code(at: harness.clock.now)])
    let codes = shown.text.matches(of: /<strong>([2-9A-Z]{4}(?:-[2-9A-Z]{4}){2})<\/strong>/)
    #expect(codes.count == 10)
    for code in codes {
      markers.add("recovery code", String(code.1))
      markers.add("recovery code", code.1.filter { $0 != "-" })
    }
    let pending = try await house.signIn()
    markers.add("pending sign-in", secret: try pending.cookie())
    let made = try await house.browser.post("/account/tokens", ["label": "Watch", "days": "30"])
    let token = try #require(made.text.firstMatch(of: /rgt_[\w-]{43}/)).0
    // Its prefix is stored, so that its owner recognizes it.
    markers.add("token", String(token.dropFirst(8)))
    let begun = try await house.browser.post("/account/security/device", [:])
    let page = try #require(begun.headers[.location])
    let (accounts, now) = (harness.environment.accounts, harness.clock.now)
    let letIn = try await harness.environment.database.read { reader in
      try accounts.deviceSignIn(
        id: String(page.split(separator: "/").last ?? ""), of: house.account.id, at: now,
        in: reader)
    }
    markers.add("device sign-in", secret: try #require(letIn).secret.text)
  }

  /// Creates the secrets that are sent or passed on: invitations, forgotten passwords, addresses.
  private func links(_ house: AccountSecurityHouse, _ markers: Markers) async throws {
    let harness = house.harness
    let administration = Administration(environment: harness.environment)
    let invitation = try await administration.perform(.invite(email: house.account.email))
    markers.add("invitation", secret: invitation)
    _ = try await administration.perform(
      .createAccount(email: "+47 999 88 777", password: nil, isAdministrator: false))
    markers.add("phone number", "+4799988777")
    markers.add("phone number", "99988777")
    let service = AccountSecurityMailService(environment: harness.environment)
    try await service.perform(AccountSecurityMail.Wish(email: house.account.email, language: .en))
    let mail = try #require(harness.outbox.mails.last)
    markers.add(
      "link of a forgotten password",
      secret: String(try #require(mail.text.firstMatch(of: /rgi_[\w-]+/)).0))
    let asked = try await house.browser.post(
      "/account/security/address", ["address": "unmistakablew@example.org"])
    #expect(asked.headers[.location] == "/account/security?address=sent", "\(asked.text)")
    markers.add("new address", "unmistakablew@example.org")
    var errands = harness.environment.accountSecurityMail.errands.makeAsyncIterator()
    guard case .proof(_, let link, _) = try #require(await errands.next()) else {
      Issue.record("the link is on its way")
      return
    }
    markers.add("link that proves an address", secret: link)
    let code = InvitationCode(random: harness.environment.random)
    let actor = Actor(
      accountID: house.account.id, kind: .session,
      relationships: [house.account.patient: .self_], scope: .session)
    let (accounts, patient, now) = (
      harness.environment.accounts, house.account.patient, harness.clock.now
    )
    _ = try await harness.environment.database.write { writer in
      try accounts.invite(
        .init(.family, categories: [.medicines]), of: patient, id: "an-invitation", code: code,
        by: actor, at: now, in: writer)
    }
    markers.add("code of an invitation", code.text)
    markers.add("code of an invitation", code.text.filter { $0 != "-" })
  }

  /// Creates the secrets exchanged with a provider.
  private func provider(
    _ harness: ServerHarness, _ fake: FakeProvider, _ house: AccountSecurityHouse,
    _ markers: Markers
  ) async throws {
    for headers in [HTTPFields(), house.browser.headers] {
      let visit = try await ProviderVisitor.begin(harness, fake, headers)
      markers.add("state of a visit", visit.state)
      markers.add("cookie of a visit", String(visit.cookie.drop { $0 != "=" }.dropFirst()))
    }
    let visit = try await ProviderVisitor.begin(harness, fake, house.browser.headers)
    let page = try await ProviderVisitor.comeBack(harness, visit, house.browser.headers)
    let ticket = try #require(page.text.firstMatch(of: /name="ticket" value="([^"]+)"/)).1
    markers.add("ticket of an identity", String(ticket))
  }

  /// Creates the secrets of channels: push, ntfy, links that answer.
  private func channels(
    _ harness: ServerHarness, _ house: AccountSecurityHouse, _ markers: Markers
  ) async throws {
    let ann = try await Person.make(harness)
    let device = try await house.browser.open("/device")
    #expect(device.status == .ok)
    let subscribed = try await harness.send(
      .post, "/api/v1/push-subscriptions", try await harness.token(of: house.account),
      json: Person.subscription("unmistakablendpoint"))
    #expect(subscribed.status == .created, "\(subscribed.text)")
    markers.add("push endpoint", "unmistakablendpoint")
    markers.add("push key", try #require(Outbox.keys["p256dh"]?.string))
    markers.add("push key", try #require(Outbox.keys["auth"]?.string))
    let context = harness.environment.reminderContext(at: harness.clock.now)
    _ = try await harness.environment.database.write { writer in
      try ChannelAddresses.add(
        ChannelSettings(
          server: "https://ntfy.example", topic: "unmistakabletopic",
          token: "tk_unmistakablekey"), form: .ntfy, host: "ntfy.example",
        account: house.account.id, context, in: writer)
    }
    markers.add("ntfy topic", "unmistakabletopic")
    markers.add("ntfy token", "tk_unmistakablekey")
    let before = harness.outbox.mails.count
    _ = try await ann.event("2026-03-01T07:05:00Z")
    harness.clock.advance(minutes: 5)
    await harness.ring()
    let mails = harness.outbox.mails.dropFirst(before)
    let links = mails.flatMap { $0.text.matches(of: /(?:rga|rgm)_[\w-]+/).map { String($0.0) } }
    #expect(links.count >= 4, "three answers and the way out")
    for link in links { markers.add("link in a reminder", secret: link) }
  }
}
