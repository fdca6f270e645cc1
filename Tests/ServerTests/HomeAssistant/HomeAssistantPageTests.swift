// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import MQTT
import Presentation
import Storage
import Testing
import TestSupport

@testable import HomeAutomation
@testable import Operations
@testable import Web

/// The page that turns a person on for Home Assistant, and what administrators see of the broker.
@Suite struct HomeAssistantPageTests {
  private static let path = "/device/home-assistant"

  private static func links(
    of account: Account, _ harness: ServerHarness
  ) async throws -> [HomeLink] {
    let now = harness.clock.now
    return try await harness.environment.database.read { reader in
      try HomeLinkStore.all(of: account.patient, at: now, in: reader)
    }
  }

  @Test func `a person is turned on, changed and turned off`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount()
      let browser = try await harness.session(of: ann)
      let before = try await browser.open(Self.path)
      #expect(before.status == .ok && before.text.contains("REGIMEN_MQTT_URL"))
      // Without a broker, the devices page does not lead here.
      #expect(try await !browser.open("/device").text.contains(Self.path))
      let on = try await browser.post(Self.path, [:])
      #expect(on.headers[.location] == "\(Self.path)?done=on")
      let page = try await browser.open("\(Self.path)?done=on").text
      #expect(page.contains("On since") && page.contains("Stop showing"))
      #expect(try await Self.links(of: ann, harness).map(\.namesMedicine) == [false])
      let changed = try await browser.post(Self.path, ["names": "yes"])
      #expect(changed.headers[.location] == "\(Self.path)?done=changed")
      #expect(try await Self.links(of: ann, harness).map(\.namesMedicine) == [true])
      let off = try await browser.post(Self.path, ["change": "off"])
      #expect(off.headers[.location] == "\(Self.path)?done=off")
      #expect(try await browser.open(Self.path).text.contains("On since") == false)
      // Once more changes nothing.
      #expect(try await browser.post(Self.path, ["change": "off"]).status == .seeOther)
      harness.clock.advance(minutes: 40)
      let asked = try await browser.post(Self.path, [:])
      #expect(asked.headers[.location]?.hasPrefix("/account/security/prove?next=") == true)
    }
  }

  @Test func `the person sees and ends what others turned on`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount()
      let bob = try await harness.makeAccount("Bob")
      let (accounts, now, patient) = (
        harness.environment.accounts, harness.clock.now, ann.patient
      )
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .family, of: patient, to: bob.id, from: now, categories: [.medicines, .adherence],
          by: ann.id, in: writer)
      }
      harness.environment.sessions.forget()
      var relative = try await harness.session(of: bob)
      relative.person = patient
      #expect(try await relative.post(Self.path, [:]).status == .seeOther)
      let own = try await harness.session(of: ann)
      let page = try await own.open(Self.path).text
      #expect(page.contains("Turned on by others") && page.contains("Bob"))
      let end = "\(Self.path)/\(bob.id.text)/end"
      #expect(page.contains(end))
      #expect(try await own.post(end, [:]).status == .seeOther)
      #expect(try await own.post(end, [:]).status == .notFound)
      // A relative may not end what the person turned on.
      #expect(try await own.post(Self.path, [:]).status == .seeOther)
      let foreign = try await relative.post("\(Self.path)/\(ann.id.text)/end", [:])
      #expect(foreign.status == .notFound)
    }
  }

  @Test func `a replaced password ends the links of its account`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount()
      let browser = try await harness.session(of: ann)
      #expect(try await browser.post(Self.path, [:]).status == .seeOther)
      let now = harness.clock.now
      let links = try await harness.environment.database.write { writer in
        try HomeLinkStore.end(of: ann.id, in: writer)
        return try HomeLinkStore.all(at: now, in: writer)
      }
      #expect(links.isEmpty)
    }
  }

  @Test(arguments: MQTTTrouble.allCases)
  func `administrators see why there is no connection`(trouble: MQTTTrouble) async throws {
    try await ServerHarness.run { harness in
      let address = try #require(MQTTAddress("mqtt://127.0.0.1"))
      let broker = HomeBroker(
        MQTTSettings(address: address, clientID: "test"), prefix: "regimen",
        discoveryPrefix: "homeassistant")
      let now = harness.clock.now
      #expect(broker.note(.down(trouble, since: now)))
      // The same trouble goes on since it began.
      #expect(!broker.note(.down(trouble, since: now.adding(milliseconds: 10))))
      #expect(broker.condition == .down(trouble, since: now))
      for language in Language.allCases {
        let text = Localizer.of(language).text(
          "home-assistant.trouble", ["reason": .text(trouble.rawValue), "time": .text("08:00")])
        #expect(text.contains("08:00") && !text.contains("{"))
      }
      #expect(broker.note(.connected) && broker.note(.elsewhere) && !broker.note(.elsewhere))
    }
  }

  @Test func `a broker that stays out of reach is a fault`() async throws {
    try await ServerHarness.run { harness in
      let address = try #require(MQTTAddress("mqtt://127.0.0.1"))
      let broker = HomeBroker(
        MQTTSettings(address: address, clientID: "test"), prefix: "regimen",
        discoveryPrefix: "homeassistant")
      var environment = harness.environment
      #expect(!environment.brokerIsLost(at: harness.clock.now))
      var features = environment.features
      features[ifSet: HomeBroker.self] = broker
      environment = environment.with(features: features)
      let now = harness.clock.now
      #expect(!environment.brokerIsLost(at: now))
      _ = broker.note(.down(.unreachable, since: now))
      #expect(!environment.brokerIsLost(at: now.adding(milliseconds: 299_999)))
      #expect(environment.brokerIsLost(at: now.adding(milliseconds: 300_000)))
      #expect(environment.faultsNow(at: now.adding(milliseconds: 300_000)).contains(.broker))
      _ = broker.note(.connected)
      #expect(!environment.brokerIsLost(at: now.adding(milliseconds: 900_000)))
    }
  }
}
