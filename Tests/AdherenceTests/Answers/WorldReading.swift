// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Scheduling
import Storage
import TestSupport

@testable import Plans

/// A MedicationAdministration as it is stored.
struct StoredAdministration: Sendable, Hashable {
  let id: AdministrationID
  let version: Int64
  let status: String
  let json: JSONValue
}

extension AnswerWorld {
  /// Returns all current MedicationAdministrations, in the order in which they were created.
  func administrations() async throws -> [StoredAdministration] {
    let rows = try await database.read { reader in
      try reader.query(
        """
        SELECT id, version, body FROM resources
        WHERE type = 'MedicationAdministration' AND patient = $1
        """, [.text(Self.patient)]
      ).map { row in
        let json = try JSONValue(parsing: Array(row.text(2).utf8))
        return StoredAdministration(
          id: try row.id(0), version: try row.integer(1), status: json["status"]?.string ?? "",
          json: json)
      }
    }
    return rows.sorted { Self.number($0.id.text) < Self.number($1.id.text) }
  }

  private static func number(_ identifier: String) -> Int {
    Int(identifier.split(separator: "-").last ?? "") ?? .max
  }

  /// Returns everything that answers wrote, as text, to compare two moments.
  func snapshot() async throws -> [String] {
    try await database.read { reader in
      try [
        reader.query("SELECT * FROM doses ORDER BY plan, era, occurrence").map(Self.text),
        reader.query("SELECT * FROM answers ORDER BY answer").map(Self.text),
        reader.query("SELECT * FROM intakes ORDER BY administration").map(Self.text),
        reader.query("SELECT id, version, body FROM resources ORDER BY type, id").map(Self.text),
      ].flatMap { $0 }
    }
  }

  private static func text(_ row: SQLRow) -> String {
    (0..<row.count).map { "\(row[$0])" }.joined(separator: "|")
  }

  /// Returns the versions of a dose in the audit trail, in order.
  func auditedVersions(of dose: DoseID) async throws -> [Int64] {
    try await database.read { reader in
      try reader.query(
        """
        SELECT version FROM audit
        WHERE kind = 'answer' AND resource = 'Dose' AND resource_id = $1 ORDER BY sequence
        """, [.text(dose.text)]
      ).map { try $0.integer(0) }
    }
  }
}
