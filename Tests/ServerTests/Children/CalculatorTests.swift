// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Knowledge
import Localization
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Prescriptions
@testable import Web

/// The dose calculator: off until someone approves the table, and no number without the necessary
/// data.
@Suite struct CalculatorTests {
  private let texts = Localizer.of(.en)
  private let bottle = "paracetamol 120/5"
  private var ask: String { texts.text("children.ask-title") }

  @Test func `no number is shown before a practitioner approves it`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, approves: false)
      let off = try await nursery.ask(bottle)
      #expect(off.contains(ask) && off.contains("No practitioner here"))
      #expect(!off.contains("7.5 mL"))

      // Without confirmation, there is no such button and no such address.
      let list = try await nursery.open("/knowledge/doses").text
      #expect(list.contains("source not checked again"))
      #expect(!list.contains("name=\"version\""))
      let table = "/knowledge/doses/paracetamol-uk-120"
      let refused = try await nursery.browser.post(table, ["action": "approve", "version": "1"])
      #expect(refused.status == .notFound)

      let doctor = try await nursery.practitioner("Berg")
      let session = try await harness.session(of: doctor)
      #expect(
        try await session.post(table, ["action": "approve", "version": "7"]).status == .conflict)
      let approved = try await session.post(table, ["action": "approve", "version": "1"])
      #expect(approved.status == .seeOther, "\(approved.text)")
      let on = try await nursery.ask(bottle)
      #expect(on.contains("7.5 mL") && on.contains("180 mg"))
      #expect(on.contains("approved by Berg"))
      // The day's maximum has a source that was not reread, which the reader is told.
      #expect(on.contains(texts.text("dose-tables.not-read")))
      #expect(try await session.open("/knowledge/doses").text.contains("approved by Berg"))

      // Withdrawn by anyone, it is off at once; approved again, and off when the account is no
      // longer confirmed.
      let other = try await harness.session(of: try await nursery.practitioner("Holm"))
      _ = try await other.post(table, ["action": "withdraw"])
      #expect(try await nursery.ask(bottle).contains("No practitioner here"))
      harness.clock.advance(minutes: 1)
      _ = try await session.post(table, ["action": "approve", "version": "1"])
      #expect(try await nursery.ask(bottle).contains("7.5 mL"))
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      try await harness.environment.database.write { writer in
        try accounts.endPractitioner(doctor.id, by: "operator", at: now, in: writer)
      }
      #expect(try await nursery.ask(bottle).contains("No practitioner here"))
    }
  }

  @Test func `a new version or text needs a new approval`() async throws {
    try await ServerHarness.run { harness in
      _ = try await Nursery.make(harness)
      let tables = Handbook.shipped.doseTables
      let count = try await harness.environment.database.read { reader in
        try DoseApprovals.inForce(tables, in: reader).count
      }
      #expect(count == tables.count)
      let (other, changed) = try await harness.environment.database.write { writer in
        try writer.execute("UPDATE dose_approvals SET version = version + 1", [])
        let other = try DoseApprovals.inForce(tables, in: writer).count
        try writer.execute("UPDATE dose_approvals SET version = version - 1, content = 'other'", [])
        return (other, try DoseApprovals.inForce(tables, in: writer).count)
      }
      #expect(other == 0 && changed == 0)
      #expect(Set(tables.map(\.fingerprint)).count == tables.count)
    }
  }

  @Test func `doses from every product count`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness)
      #expect(try await nursery.ask(bottle).contains("4 doses left"))
      _ = try await nursery.browser.post(
        "\(nursery.home)/new", pairs: nursery.syrup("Calpol", times: ["07:00", "13:00"]))
      let calpol = try #require(try await nursery.plans().first)
      _ = try await nursery.browser.post(
        "/entry",
        [
          "medicine": calpol.id.text, "date": "2026-03-01", "time": "06:30", "outcome": "taken",
          "amount-value": "7.5",
        ])
      let page = try await nursery.ask(bottle)
      #expect(page.contains("Not before 10:30"), "\(page)")
      #expect(page.contains("Already given: 180 mg") && page.contains("3 doses left"))
      #expect(page.contains("Calpol 24 mg/mL, 7.5 mL: 06:30 by Ann"))
      // For an unknown value there is no number.
      _ = try await nursery.browser.post(
        "/entry",
        [
          "medicine": "other", "name": "Grandmother’s drops", "date": "2026-03-01",
          "time": "06:40", "outcome": "taken",
        ])
      let unknown = try await nursery.ask(bottle)
      #expect(unknown.contains(ask) && !unknown.contains("3 doses left"))
    }
  }

  @Test(arguments: ["paracetamol 120/5", "ibuprofen 100/5", "other"])
  func `each country has its own tables once it is chosen`(bottle: String) async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, region: .th)
      let page = try await nursery.open("\(nursery.home)/dose?bottle=\(QueryText.encode(bottle))")
      switch bottle {
      // 16 kg: the row from 16 to 25 kg.
      case "paracetamol 120/5": #expect(page.text.contains("10 mL"))
      // Thailand has no table, so there is no choice.
      case "ibuprofen 100/5": #expect(page.status == .seeOther)
      default: #expect(page.text.contains(ask))
      }
      let unchosen = try await nursery.browser.open(
        "\(nursery.home)/dose?bottle=\(QueryText.encode(bottle))"
      ).text
      #expect(!unchosen.contains("id=\"result\""))
    }
  }

  @Test func `from fever to a dose to the schedule`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness)
      let fever = try await nursery.open("/knowledge/topics/fever").text
      #expect(fever.contains("href=\"\(nursery.home)/dose?topic=fever\""))
      let result = try await nursery.open(
        "\(nursery.home)/dose?topic=fever&bottle=\(QueryText.encode(bottle))"
      ).text
      let link = try #require(result.firstMatch(of: /href="(\/children\/[^"]+\/new\?[^"]+)"/)?.1)
      let form = try await nursery.open(String(link).replacing("&amp;", with: "&")).text
      #expect(form.contains("value=\"paracetamol\"") && form.contains("value=\"7\""))
      #expect(form.contains("value=\"0.5\" selected"))
      #expect(form.contains("name=\"when\""))
      #expect(
        form.firstMatch(of: /name="when"[^>]*checked/) == nil,
        "no schedule is chosen beforehand")
      let colic = try await nursery.open("/knowledge/topics/colic").text
      #expect(colic.contains("href=\"\(nursery.home)/new?need="))
    }
  }
}
