// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import SiteMap
import Testing
import TestSupport

@testable import Web

/// The strength next to the name of a medicine, on every kind of page that names one.
///
/// This finds places that read the name from the prescription instead of the shown name.
@Suite struct StrengthShownTests {
  private static let name = "Unmistakablol"
  private static let shown = "Unmistakablol 50 mg"

  /// Fails if a page names the medicine without its strength, or not at all.
  private static func expectStrength(_ page: TestResponse, _ address: String) {
    #expect(page.status == .ok, "\(address): \(page.text)")
    // In a form, the name is a separate field from the strength.
    let text = page.text.replacing(/value="Unmistakablol"/, with: "")
    let named = text.components(separatedBy: name).count - 1
    let complete = text.components(separatedBy: shown).count - 1
    #expect(complete > 0, "\(address) does not name it")
    #expect(named == complete, "\(address) names it \(named - complete) times without strength")
  }

  @Test func `a proposal and every patient page`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      let sent = try await practice.browser.post(
        "\(practice.address)/prescribe/details",
        pairs: Practice.medicine(Self.name) + Practice.identity)
      #expect(sent.status == .seeOther, "\(sent.text)")
      let proposal = try await practice.annBrowser.open("/")
      Self.expectStrength(proposal, "/ with a proposal")
      let form = try #require(proposal.text.firstMatch(of: /action="(\/proposals\/[^"]+)"/)?.1)
      let taken = try await practice.annBrowser.post(String(form), ["action": "accept"])
      let place = try #require(taken.headers[.location])
      let plan = try #require(place.firstMatch(of: /\/medicines\/([^?]+)/)?.1)
      let doses = try await practice.ann.get("/api/v1/doses?\(Person.today)").json()
      let dose = try #require(doses["doses"]?[0]?["id"]?.string)
      let counted = try await practice.annBrowser.post(
        "/stock/new",
        pairs: [
          ("medicine", String(plan)), ("unit", "tablet"), ("amount", "8"), ("form", "blister"),
        ])
      #expect(counted.status == .seeOther, "\(counted.text)")
      harness.clock.advance(minutes: 65)
      for address in [
        "/", "/doses/\(dose)", "/doses/\(dose)/advice", Address.ring, "/nightstand",
        Address.simpleView, Address.medicines, "/medicines/\(plan)", "/medicines/\(plan)/pause",
        "/medicines/\(plan)/stop", "/medicines/\(plan)/reminders", "/medicines/\(plan)/appearance",
        Address.supply, "/entry", Address.report, Address.emergencyCard,
        "\(Address.search)?q=unmistak",
      ] {
        Self.expectStrength(try await practice.annBrowser.open(address), address)
      }
      let answer = try await practice.annBrowser.post("/doses/\(dose)/answers", ["action": "taken"])
      #expect(answer.status == .seeOther, "\(answer.text)")
      let done = try #require(answer.headers[.location])
      for address in [done, Address.history, "\(Address.history).csv", "\(Address.report).csv"] {
        Self.expectStrength(try await practice.annBrowser.open(address), address)
      }
    }
  }

  @Test func `practitioner pages`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      let plan = try await practice.prescribed(Self.name)
      for address in [
        practice.address, "\(practice.address)/report", "\(practice.address)/plans/\(plan)/end",
      ] {
        Self.expectStrength(try await practice.browser.open(address), address)
      }
    }
  }

  @Test func `a notification that may show names`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      _ = try await practice.prescribed(Self.name)
      _ = try await practice.ann.subscribe("ann")
      let allowed = try await practice.annBrowser.post("/reminders/quiet", ["names": "yes"])
      #expect(allowed.status == .seeOther, "\(allowed.text)")
      harness.clock.advance(minutes: 61)
      await harness.ring()
      let push = try #require(harness.outbox.pushes.last?.payload)
      let words = (push["title"]?.string ?? "") + " " + (push["body"]?.string ?? "")
      #expect(words.contains(Self.shown), "\(words)")
    }
  }
}
