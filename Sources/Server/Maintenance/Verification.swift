// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import Storage

/// Looks whether the stored data are whole and fit together.
package struct Verification: Sendable {
  let environment: ServerEnvironment

  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// One line for each thing looked at, with what was found.
  package func report() async throws -> MaintenanceReport {
    var report = MaintenanceReport(lines: [], isWell: true)
    report.add("database", try await environment.database.damage())
    let begun = environment.uptime()
    let audit = try await environment.database.verifyAudit()
    let milliseconds = (environment.uptime() &- begun) / 1_000_000
    report.add(
      "audit trail, \(audit.rows) rows in \(milliseconds) ms", audit.problems.map { "\($0)" },
      count: audit.problemCount)
    let faults = try await environment.database.read { try ProjectionCheck.faults(in: $0) }
    for kind in ProjectionFault.Kind.allCases {
      let ids = faults.filter { $0.kind == kind }.map(\.id)
      report.add(Self.name(kind), ids)
    }
    let sealed = try await sample(environment.accounts, in: environment.database)
    report.add("sealed fields, \(sealed.tried) tried", sealed.faults)
    if !faults.isEmpty {
      report.lines.append("What follows from the facts can be made anew: regimen rebuild.")
    }
    return report
  }

  /// Makes anew what follows from the facts, and says what was put right.
  func rebuild() async throws -> MaintenanceReport {
    let now = environment.now()
    let zones = environment.zones
    let result = try await environment.database.write { writer in
      let result = try ProjectionRebuild.perform(now: now, zones: zones, in: writer)
      writer.audit(
        AuditEntry(
          at: now, actor: "operator", kind: .administration, patient: nil, resource: "Projections",
          purpose: Purpose.administration.rawValue))
      return result
    }
    environment.live.reminders.ring()
    guard !result.isUnchanged else {
      return MaintenanceReport(lines: ["Everything was as the facts say."], isWell: true)
    }
    return MaintenanceReport(
      lines: [
        "Doses put right: \(result.doses).",
        "Intakes removed: \(result.intakesRemoved), added: \(result.intakesAdded).",
        "Plans whose doses to come were made anew: \(result.plans).",
        "Plans that give doses from now on: \(result.plansBegun).",
        "Months whose figures were made anew: \(result.figures).",
        "Stocks and packs put right: \(result.stocks).",
      ], isWell: true)
  }

  private static func name(_ kind: ProjectionFault.Kind) -> String {
    switch kind {
    case .dose: "doses against their answers"
    case .doseMissing: "answers against their doses"
    case .intakeUnfounded: "intakes against answers and records"
    case .intakeMissing: "answers and records against intakes"
    case .recordMissing: "answers against their records"
    case .stockBalance: "packs of stocks against their ledgers"
    case .stockCount: "counts of stocks against their ledgers"
    }
  }
}

/// Opens some of the fields that are sealed with the keys of the data folder.
func sample(
  _ accounts: AccountStore, in database: Database
) async throws -> (tried: Int, faults: [String]) {
  try await database.read { try accounts.openSample(100, in: $0) }
}

extension MaintenanceReport {
  /// Adds what was looked at, and the first things found.
  mutating func add(_ subject: String, _ findings: [String], count: Int? = nil) {
    let count = count ?? findings.count
    guard count > 0 else {
      lines.append("ok    \(subject)")
      return
    }
    isWell = false
    lines.append("FAIL  \(subject): \(count)")
    lines += findings.prefix(10).map { "        \($0)" }
  }
}
