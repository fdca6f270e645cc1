// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Foundation
import HealthData
import HTTPTypes
import HummingbirdTesting
import Knowledge
import Records
import Storage
import Testing
import TestSupport

@testable import Presentation

@Suite struct InteractionPageTests {
  private func add(
    _ house: DoseHouse, _ name: String, id: String = "6a0f7c0e-0000-4000-8000-000000000001",
    _ more: [(String, String)] = []
  ) async throws -> TestResponse {
    try await house.browser.submitForm(
      "/medicines/new/details",
      [
        ("plan", id), ("name", name), ("form", "tablet"), ("strength-unit", "mg"),
        ("dose-value", "1"), ("schedule", "times"), ("time", "08:00"), ("start", "2026-03-01"),
        ("policy", "follow"),
      ] + more)
  }

  private func keys(_ page: String) -> [(String, String)] {
    page.matches(of: /name="warned" value="([^"]+)"/).map { ("warned", String($0.output.1)) }
  }

  @Test func `a warning is shown before saving, blocks nothing, and stays`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Warfarin 3 mg"])
      let asked = try await add(house, "Ibuprofen")
      #expect(asked.status == .ok, "\(asked.text)")
      #expect(asked.text.contains("Severe: Warfarin 3 mg with Ibuprofen"))
      #expect(asked.text.contains("<p>Together they can cause serious bleeding.</p>"))
      #expect(asked.text.contains("Family Practice Notebook"))
      #expect(asked.text.contains("our list, version 2026-11-26"))
      #expect(!asked.text.contains("I058"))
      #expect(asked.text.contains("checked against the source"))
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 1)
      let seen = keys(asked.text)
      #expect(!seen.isEmpty)
      let saved = try await add(house, "Ibuprofen", seen + [("doctor-knows", "yes")])
      let address = try #require(saved.headers[.location], "\(saved.text)")
      let plan = String(address.split(separator: "?")[0])
      let page = try await house.browser.open(plan).text
      #expect(page.contains("Severe: Warfarin 3 mg with Ibuprofen"))
      #expect(
        page.contains("My doctor knows about this.")
          && page.contains(/Ann \([^)]*\): My doctor knows/))
      // It can be undone; the warning is there before and after.
      let key = try #require(seen.first { $0.1.contains("i058") }).1
      let back = try await house.browser.submitForm(
        "/interactions/known",
        [("warning", key), ("action", "take-back"), ("return", "\(plan)#interactions")])
      #expect(back.headers[.location] == "\(plan)#interactions")
      let after = try await house.browser.open("/interactions").text
      #expect(after.contains("Severe: Warfarin 3 mg with Ibuprofen") && !after.contains("Ann said"))
      #expect(
        try await house.count(
          "SELECT COUNT(*) FROM interaction_notes WHERE taken_back IS NOT NULL") >= 1)
    }
  }

  @Test func `unlisted medicines are named, and nothing is called safe`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Foozolin", "Paracetamol"])
      let page = try await house.browser.open("/interactions").text
      #expect(page.contains("Not in our list, so not checked: Foozolin"))
      #expect(page.contains("One pair of medicines isn’t in our list."))
      // Nothing is called safe, but for the warning that silence doesn’t mean it.
      let rest = page.lowercased().replacing("doesn’t mean it’s safe to take", with: "")
      #expect(rest.count < page.count && !rest.contains(" safe"))
      #expect(try await add(house, "Barozol").status == .seeOther)
    }
  }

  @Test func `allergies, illnesses and age are checked`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Ibuprofen"])
      _ = try await house.browser.post("/me/health-profile/allergies", ["allergy": "penicillin"])
      let stated = try await house.browser.submitForm(
        "/interactions/conditions", [("condition", "cond:heart_failure"), ("condition", "cond:x")])
      #expect(stated.status == .seeOther)
      #expect(try await house.count("SELECT COUNT(*) FROM stated_conditions") == 1)
      let page = try await house.browser.open("/interactions").text
      #expect(page.contains("Severe: Ibuprofen with heart failure"))
      let asked = try await add(house, "Amoxicillin")
      #expect(asked.status == .ok && asked.text.contains("belongs to the same group as penicillin"))
      let none = try await house.browser.submitForm("/interactions/conditions", [])
      #expect(none.status == .seeOther)
      #expect(try await house.count("SELECT COUNT(*) FROM stated_conditions") == 0)
    }
  }

  @Test func `an ingredient's limit adds up several products`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      for (number, name) in ["Panadol", "Tylenol"].enumerated() {
        var answer = try await add(
          house, name, id: "6a0f7c0e-0000-4000-8000-00000000000\(number + 1)",
          [("strength-value", "500")])
        if answer.status == .ok {
          answer = try await add(
            house, name, id: "6a0f7c0e-0000-4000-8000-00000000000\(number + 1)",
            [("strength-value", "500")] + keys(answer.text))
        }
        #expect(answer.status == .seeOther, "\(answer.text)")
      }
      let wrong = try await house.browser.post(
        "/interactions/limits",
        ["ingredient": "paracetamol", "most": "much", "unit": "mg", "hours": "24"])
      #expect(wrong.status == .unprocessableContent && wrong.text.contains("for example 4000"))
      let set = try await house.browser.post(
        "/interactions/limits",
        ["ingredient": "paracetamol", "most": "800", "unit": "mg", "hours": "24"])
      #expect(set.status == .seeOther)
      func take(_ number: Int, confirm: Bool = false) async throws -> TestResponse {
        try await harness.send(
          .post, "/api/v1/administrations", house.token,
          json: [
            "patient": .string(house.account.patient),
            "medicine": .string("6a0f7c0e-0000-4000-8000-00000000000\(number)"),
            "at": "2026-03-01T06:00:00Z", "taken": true,
            "amount": ["value": 1, "unit": "tablet"], "confirm": .bool(confirm),
          ])
      }
      #expect(try await take(1).status == .created)
      let beyond = try await take(2)
      #expect(beyond.status == .conflict, "\(beyond.text)")
      #expect(try await take(2, confirm: true).status == .created)
      let page = try await house.browser.open("/interactions").text
      #expect(page.contains("At most 800 mg in 24 hours, set by Ann"), "\(page)")
      #expect(
        page.contains("Taken in that time: 1000 mg in 2 doses")
          || page.contains("1,000 mg in 2 doses"))
      let gone = try await house.browser.post(
        "/interactions/limits",
        ["ingredient": "paracetamol", "most": "", "unit": "mg", "hours": "24"])
      #expect(gone.status == .seeOther)
      #expect(try await house.count("SELECT COUNT(*) FROM ingredient_limits") == 0)
    }
  }

  @Test func `stopping or pausing a beta-blocker warns not to stop abruptly`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Bisoprolol 5 mg"])
      let plan = try #require(house.doses.first?.split(separator: "_").first)
      for action in ["stop", "pause"] {
        let page = try await house.browser.open("/medicines/\(plan)/\(action)").text
        #expect(page.contains("Reduce the dose step by step with your doctor."), "\(action)")
      }
    }
  }

  // MARK: The operator's file

  private static let heading = Interaction.columns.joined(separator: ",")
  private static let row =
    #"x1,drug,our drug,C07AB07,their drug,N02BE01,moderate,,"watch; ask",,2,Our pharmacy,https://example.org/,read,no"#

  private func load(_ text: String) throws -> InteractionSource {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "regimen-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent(InteractionSource.fileName).path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return InteractionSource.load(path)
  }

  @Test func `the operator's file is used without its invalid rows`() throws {
    let text = "# version spring\r\n\(Self.heading)\r\n\(Self.row)\r\nx2,cure\r\n"
    let source = try load(text)
    let own = try #require(source.list.own, "\(String(describing: source.problem))")
    #expect(source.problem == nil && own.count == 1 && own.version == "spring")
    #expect(own.refused.map(\.problem.code) == ["cells"] && own.refused.first?.line == 4)
  }

  @Test func `an unreadable file leaves the shipped list in use`() throws {
    #expect(InteractionSource.load("/nowhere/at-all.csv").problem == .unreadable)
    #expect(try load("a,b\n1,2\n").problem == .heading)
    #expect(try load("").problem == .table(.empty))
    #expect(try load("a,b\u{0}\n").problem == .table(.binary))
    #expect(InteractionSource.load("/nowhere/at-all.csv").list.interactions.count == 119)
  }
}
