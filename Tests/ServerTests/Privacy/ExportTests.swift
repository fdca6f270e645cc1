// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import NIOCore
import Storage
import Testing
import TestSupport

@testable import Operations
@testable import Web

/// An export of everything about a person.
@Suite struct ExportTests {
  private func export(_ browser: Browser) async throws -> (TestResponse, ZipContent) {
    let answer = try await browser.post("/privacy/export", [:])
    #expect(answer.status == .ok)
    return (answer, try ZipContent(Array(buffer: answer.body)))
  }

  @Test func `the export has everything and is logged beforehand`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let plan = try await MatrixPlan.make(harness, of: ann)
      let token = try await harness.token(of: ann)
      var changed = MatrixPlan.resource(of: ann, id: plan.plan.text)
      changed["note"] = [["text": "second version"]]
      let put = try await harness.send(
        .put, "/fhir/MedicationRequest/\(plan.plan)", token, json: changed)
      #expect(put.status == .ok)
      let (answer, zip) = try await export(try await harness.session(of: ann))
      #expect(answer.headers[.contentType] == "application/zip")
      #expect(
        answer.headers[.contentDisposition] == "attachment; filename=\"regimen-export.zip\"")

      let bundle = try JSONValue(parsing: Array(#require(zip.text("fhir-history.json")).utf8))
      #expect(bundle["type"]?.string == "history")
      let entries = try #require(bundle["entry"]?.array)
      let versions = entries.filter { $0["resource"]?["id"]?.string == plan.plan.text }
      #expect(versions.compactMap { $0["resource"]?["meta"]?["versionId"]?.string } == ["2", "1"])
      #expect(versions.first?["request"]?["method"]?.string == "PUT")
      #expect(entries.contains { $0["resource"]?["resourceType"]?.string == "Patient" })

      let names = zip.files.map(\.name)
      for name in [
        "about.txt", "doses.csv", "who-looked.csv", "account.json", "data/answers.csv",
        "data/intakes.csv", "data/doses.csv", "data/plans.csv", "data/people.csv",
        "data/proposals.csv", "data/deliveries.csv", "data/grants.csv",
      ] { #expect(names.contains(name), "\(name)") }
      #expect(zip.text("doses.csv")?.contains(MatrixPlan.secretName) == true)
      #expect(zip.text("account.json")?.contains("ann@example.org") == true)
      let looked = try #require(zip.text("who-looked.csv"))
      #expect(looked.contains(",export,Export,"), "the export itself is on record")
      let upload = try #require(names.first { $0.hasPrefix("uploads/") })
      #expect(zip.text(upload)?.contains(MatrixPlan.secretName) == true)
      let tables = try await harness.environment.database.patientTables().map(\.name)
      #expect(tables.count > 15 && !tables.contains("audit"))
    }
  }

  @Test func `the export has no active formulas and no credentials`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["=cmd|' /C calc'!A0"])
      _ = try await house.answer(0, ["action": "skipped", "reason-words": "@SUM(1)"])
      let (_, zip) = try await export(house.browser)
      for file in zip.files where file.name.hasSuffix(".csv") {
        let text = String(decoding: file.content, as: UTF8.self)
        for line in text.components(separatedBy: "\r\n") {
          for cell in line.components(separatedBy: ",") {
            let first = cell.drop { $0 == "\"" || $0 == " " }.first
            #expect(first != "=" && first != "@", "\(file.name): \(line)")
          }
        }
      }
      let everything = zip.files.map { String(decoding: $0.content, as: UTF8.self) }.joined()
      #expect(!everything.contains(house.browser.secret.text))
      let header = zip.files.map { String(decoding: $0.content.prefix(400), as: UTF8.self) }
      #expect(!header.contains { $0.contains("_sealed") || $0.contains("digest") })
    }
  }

  @Test func `the export has no data of others and needs the form's token`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      _ = try await MatrixPlan.make(harness, of: ann)
      let bob = try await harness.makeAccount("Bob")
      let (_, zip) = try await export(try await harness.session(of: bob))
      let everything = zip.files.map { String(decoding: $0.content, as: UTF8.self) }.joined()
      #expect(!everything.contains(MatrixPlan.secretName))
      #expect(!everything.contains(ann.patient.text) && !everything.contains(ann.id.text))
      let browser = try await harness.session(of: ann)
      let forged = try await browser.post("/privacy/export", [:], token: "wrong")
      #expect(forged.status == .forbidden)
      #expect(try await browser.open("/privacy/export").status == .methodNotAllowed)
      let count = try await harness.environment.database.read { reader in
        try reader.first(
          "SELECT COUNT(*) FROM audit WHERE kind = 'export' AND patient = $1",
          [.text(ann.patient)])?.integer(0)
      }
      #expect(count == 0)
    }
  }

  @Test func `the operator's copy is the same and never overwrites a file`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      _ = try await MatrixPlan.make(harness, of: ann)
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "regimen-export-\(harness.environment.newIdentifier())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = folder.appending(path: "ann.zip").path
      let maintenance = Maintenance(environment: harness.environment)
      let report = try await maintenance.perform(.export(patient: ann.patient, to: path))
      #expect(report.isWell && report.lines.count == 1)
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      #expect(try ZipContent(bytes).files.map(\.name).contains("data/answers.csv"))
      let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(rights as? Int == 0o600)
      await #expect(throws: Failure.self) {
        try await maintenance.perform(.export(patient: ann.patient, to: path))
      }
      await #expect(throws: Failure.self) {
        try await maintenance.perform(.export(patient: "nobody", to: path + "2"))
      }
      #expect(!FileManager.default.fileExists(atPath: path + "2"))
    }
  }
}
