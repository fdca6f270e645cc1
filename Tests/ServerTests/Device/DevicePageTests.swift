// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import FHIR
import HTML
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import Storage
import Testing
import TestSupport

@testable import DosePages
@testable import Reminders
@testable import Web

@Suite struct DevicePageTests {
  /// Sets a device up for an account, as its browser would.
  static func add(
    _ label: String?, for account: Account, _ harness: ServerHarness
  ) async throws -> DeviceID {
    let context = context(harness)
    return try await harness.environment.database.write { writer in
      try PushSubscriptions.add(
        PushSubscriptionDetails(
          endpoint: "https://push.example/\(label ?? "none")", p256dh: "key", auth: "secret",
          host: "push.example", label: label, session: nil),
        account: account.id, context, in: writer
      ).id
    }
  }

  static func context(_ harness: ServerHarness) -> ReminderContext {
    let environment = harness.environment
    return ReminderContext(
      now: harness.clock.now, newIdentifier: environment.newIdentifier, zones: environment.zones,
      accounts: environment.accounts, mailIsPossible: true, publicURL: "https://home.example",
      sources: .all)
  }

  @Test func `only its owner can test, confirm and remove a device`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let other = try await harness.session(of: harness.makeAccount("Bob"))
      let none = try await browser.open("/device")
      #expect(none.text.contains("None yet."))
      let id = try await Self.add("Firefox, Linux <b>", for: ann, harness)
      let page = try await browser.open("/device")
      #expect(page.text.contains("Firefox, Linux &lt;b&gt;"))
      #expect(page.text.contains("Not confirmed yet."))
      #expect(page.text.contains("action=\"/device/\(id)/test\""))
      #expect(!(try await other.open("/device").text.contains(id.text)))
      for action in ["test", "confirm", "remove"] {
        #expect(try await other.post("/device/\(id)/\(action)", [:]).status == .notFound)
      }

      let tested = try await browser.post("/device/\(id)/test", [:])
      #expect(tested.headers[.location] == "/device?done=tested")
      #expect(
        try await browser.open("/device?done=tested").text.contains("Test sent."))
      let planned = try await harness.environment.database.read { reader in
        try reader.first("SELECT COUNT(*) FROM deliveries WHERE address = $1", [.text(id)])?
          .integer(0)
      }
      #expect(planned == 1)
      let confirmed = try await browser.post("/device/\(id)/confirm", [:])
      #expect(confirmed.headers[.location] == "/device?done=confirmed")
      #expect(try await browser.open("/device").text.contains("Last confirmed: 07:00"))
      let removed = try await browser.post("/device/\(id)/remove", [:])
      #expect(removed.headers[.location] == "/device?done=removed")
      #expect(!(try await browser.open("/device").text.contains(id.text)))
      #expect(try await browser.post("/device/\(id)/remove", [:]).status == .notFound)
    }
  }

  @Test func `Today links to the test until confirmed and again after a week`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let words = "Reminders might not reach you"
      #expect(try await house.browser.open("/").text.contains(words))
      let id = try await Self.add("Phone", for: house.account, harness)
      #expect(try await house.browser.open("/").text.contains(words))
      _ = try await house.browser.post("/device/\(id)/confirm", [:])
      #expect(!(try await house.browser.open("/").text.contains(words)))
      harness.clock.advance(minutes: 7 * 24 * 60 + 1)
      #expect(try await house.browser.open("/").text.contains(words))
    }
  }

  @Test func `a tap on a test opens the page and confirms the device`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      #expect(try await browser.open("/device?delivery=x").text.contains("The test arrived."))
      #expect(!(try await browser.open("/device").text.contains("The test arrived.")))
    }
  }

  @Test func `the displayed clock is the server's`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let clock = try await browser.open("/device/clock").json()
      #expect(clock["now"] == .number(JSONNumber(harness.clock.now.milliseconds)))
    }
  }

  @Test(arguments: Language.allCases)
  func `every check and platform has its texts`(language: Language) {
    let page = DeviceView(
      devices: [], isAskedForTest: true, localizer: .of(language), token: FormToken("t"),
      isPlain: true
    ).markup.text
    #expect(page.matches(of: /data-check=/).count == 6)
    #expect(page.matches(of: /data-platform=/).count == 3)
    #expect(!page.contains("device."))
    #expect(!page.contains("data-pass=\"\""))
  }
}
