// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import Identifiers
import Records
import Storage
import Web

/// A check that the stored data are complete and consistent.
package struct Verification: Sendable {
  let environment: ServerEnvironment
  /// The path of a file of anchors that were collected elsewhere.
  var anchors: String?

  /// Creates a check of a server's database.
  ///
  /// - Parameter anchors: The path of a file of audit anchors that were collected elsewhere; nil
  ///   without one.
  package init(environment: ServerEnvironment, anchors: String? = nil) {
    self.environment = environment
    self.anchors = anchors
  }

  /// Returns one line for each part that was checked, followed by the first faults found in it.
  package func report() async throws -> MaintenanceReport {
    var report = MaintenanceReport(lines: [], isWell: true)
    let damage = try await environment.database.damage()
    report.add("database", damage)
    if damage.isEmpty, try await !environment.database.canCheckIndexes() {
      report.lines.append("      \(Self.uncheckedIndexes)")
    }
    try await look("rows against schema rules", &report, rules)
    try await look("audit trail", &report, audit)
    try await look("records against the audit trail", &report, records)
    try await look("doses and intakes", &report, projections)
    try await look("encrypted fields", &report, sealedFields)
    if !damage.isEmpty || environment.database.knownDamage != nil {
      report.lines.append(Self.damageAdvice)
    }
    return report
  }

  /// The advice for a damaged database.
  static let damageAdvice =
    "The database is damaged. Stop the server, copy the data folder, and restore the last backup:"
    + " docs/operate.md, A damaged database."

  /// The advice if PostgreSQL cannot compare its indexes with their tables.
  static let uncheckedIndexes =
    "indexes were not checked: PostgreSQL's amcheck is missing, or this user may not use it."
    + " See docs/operate.md, A damaged database."

  /// Checks one part; damage in it does not stop the other parts.
  private func look(
    _ subject: String, _ report: inout MaintenanceReport,
    _ part: (inout MaintenanceReport) async throws -> Void
  ) async throws {
    do {
      try await part(&report)
    } catch {
      guard Failure(mapping: error)?.code == Failure.damageCode else { throw error }
      report.add(subject, ["stored data cannot be read"])
    }
  }

  private func rules(_ report: inout MaintenanceReport) async throws {
    report.add(
      "rows against schema rules", try await environment.database.brokenRules())
  }

  private func audit(_ report: inout MaintenanceReport) async throws {
    let begun = environment.uptime()
    let audit = try await environment.database.verifyAudit(collected: anchors)
    let milliseconds = (environment.uptime() &- begun) / 1_000_000
    report.add(
      "audit trail, \(audit.rows) rows in \(milliseconds) ms", audit.problems.map { "\($0)" },
      count: audit.problemCount)
    if let range = audit.outside {
      report.lines.append(
        "      anchors elsewhere: \(range.count), from row \(range.first) to row \(range.last)")
    }
  }

  private func records(_ report: inout MaintenanceReport) async throws {
    let seal = environment.database.contentSeal
    let found = try await environment.database.read { try RecordAuditCheck.perform(seal, in: $0) }
    report.add(
      "records against the audit trail, \(found.versions) versions, \(found.digests) with a digest",
      found.faults.map { "\($0)" }, count: found.faultCount)
  }

  private func projections(_ report: inout MaintenanceReport) async throws {
    let faults = try await environment.database.read { try ProjectionCheck.faults(in: $0) }
    for kind in ProjectionFault.Kind.allCases {
      let ids = faults.filter { $0.kind == kind }.map(\.id)
      report.add(Self.name(kind), ids)
    }
    if !faults.isEmpty {
      report.lines.append("To put doses, intakes and supply right, run regimen rebuild.")
    }
  }

  private func sealedFields(_ report: inout MaintenanceReport) async throws {
    let sealed = try await sample(environment.accounts, in: environment.database)
    report.add("encrypted fields, \(sealed.tried) tried", sealed.faults)
  }

  /// Recomputes derived data from the recorded facts, and reports the corrections; the search index is built anew.
  func rebuild() async throws -> MaintenanceReport {
    let now = environment.now()
    let zones = environment.zones
    let result = try await environment.database.write { writer in
      let result = try ProjectionRebuild.perform(now: now, zones: zones, in: writer)
      _ = try RecordIndexUpgrade.rebuild(in: writer)
      writer.audit(
        AuditEntry(
          at: now, actor: .hostOperator, kind: .administration, patient: nil,
          resource: "Projections",
          purpose: Purpose.administration.rawValue))
      return result
    }
    environment.live.reminders.ring()
    guard !result.isUnchanged else {
      return MaintenanceReport(lines: ["Everything was already right."], isWell: true)
    }
    return MaintenanceReport(
      lines: [
        "Doses corrected: \(result.doses).",
        "Intakes removed: \(result.intakesRemoved), added: \(result.intakesAdded).",
        "Plans with new upcoming doses: \(result.plans).",
        "Plans that now have doses: \(result.plansBegun).",
        "Months with new statistics: \(result.statistics).",
        "Stocks and packs corrected: \(result.stocks).",
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

/// Decrypts a sample of the fields sealed with the keys of the data folder.
func sample(
  _ accounts: AccountStore, in database: Database
) async throws -> (tried: Int, faults: [String]) {
  try await database.read { try accounts.openSample(100, in: $0) }
}

extension MaintenanceReport {
  /// Adds the number of items checked, and the first faults.
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
