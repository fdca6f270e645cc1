// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Knowledge
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Prescriptions
@testable import Web

/// Ann with her child of nearly four years, and a practitioner who approves tables.
struct Nursery: Sendable {
  let house: Household
  let region: Region

  var harness: ServerHarness { house.harness }
  var child: PatientID { house.child }
  /// Ann's browser on the child's pages.
  var browser: Browser { house.chosen(child) }
  var home: String { "/children/\(child)" }

  static func make(
    _ harness: ServerHarness, region: Region = .uk, weight: String? = "16", approves: Bool = true
  ) async throws -> Nursery {
    let nursery = Nursery(house: try await Household.make(harness), region: region)
    if let weight {
      let saved = try await nursery.browser.post("\(nursery.home)/weight", ["weight": weight])
      #expect(saved.status == .seeOther, "\(saved.text)")
    }
    if approves { try await nursery.approveAll() }
    return nursery
  }

  /// Returns an account that an administrator has confirmed.
  func practitioner(_ name: String = "Berg") async throws -> Account {
    let account = try await harness.makeAccount(name)
    let (accounts, now) = (harness.environment.accounts, harness.clock.now)
    try await harness.environment.database.write { writer in
      try accounts.confirmPractitioner(account.id, by: "operator", at: now, in: writer)
    }
    return account
  }

  func approveAll() async throws {
    let account = try await practitioner()
    let (accounts, now) = (harness.environment.accounts, harness.clock.now)
    try await harness.environment.database.write { writer in
      for table in Handbook.shipped.doseTables {
        try DoseApprovals.approve(
          table, version: table.version, by: account.id, name: account.displayName, at: now,
          accounts: accounts, in: writer)
      }
    }
  }

  /// Opens a page under the rules of the region.
  func open(_ address: String) async throws -> TestResponse {
    var headers = browser.headers
    headers[.cookie] = (headers[.cookie] ?? "") + "; \(Preferences.regionCookie)=\(region.rawValue)"
    return try await harness.send(.get, address, headers)
  }

  func ask(_ bottle: String) async throws -> String {
    try await open("\(home)/dose?bottle=\(QueryText.encode(bottle))").text
  }

  /// Returns the plans of a child, newest last.
  func plans(of patient: PatientID? = nil) async throws -> [Plan] {
    let patient = patient ?? child
    return try await harness.environment.database.read { reader in
      try PlanQueries.all(patient: patient, in: reader)
    }
  }

  /// Returns the fields of a syrup's form.
  func syrup(
    _ name: String = "Paracetamol", whole: String = "7", fraction: String = "0.5",
    unit: String = "milliliter", mass: String = "120", volume: String = "5",
    times: [String] = ["08:00", "14:00", "20:00"]
  ) -> [(String, String)] {
    [
      ("name", name), ("strength-mg", mass), ("strength-ml", volume), ("whole", whole),
      ("fraction", fraction), ("unit", unit), ("when", "times"), ("start", "2026-03-01"),
    ] + times.map { ("time", $0) }
  }
}
