// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage
import Web

/// Changes the key of sealed fields and reports the result.
struct KeyChange: Sendable {
  let environment: ServerEnvironment

  /// - Parameter newKeys: The file for the next keys, for an operator who distributes them; nil
  ///   changes the key.
  func perform(_ newKeys: String?) async throws -> MaintenanceReport {
    guard let place = environment.settings.keyPlace else {
      return MaintenanceReport(
        lines: ["The data is in memory, so there are no keys."], isWell: false)
    }
    let rotation = KeyRotation(
      database: environment.database, cipher: environment.accounts.cipher,
      witness: KeyWitness(node: environment.nodeName.current, now: environment.now))
    do {
      if let newKeys {
        let key = try await rotation.writeNext(to: newKeys, random: environment.random)
        try await audit(key)
        return MaintenanceReport(
          lines: [
            "Written: \(newKeys), with the key \(key) for new fields. Nothing has changed yet."
          ],
          isWell: true)
      }
      let result = try await rotation.perform(in: place, random: environment.random)
      try await audit(result.key)
      return report(result)
    } catch StorageError.nodesRunning {
      return MaintenanceReport(
        lines: [
          """
          Another node is running and may still use an older key. Stop it, or start it with the newest \
          keys, and try again a minute later.
          """
        ], isWell: false)
    } catch let error as StorageError {
      return MaintenanceReport(lines: [error.description], isWell: false)
    }
  }

  private func report(_ result: KeyRotation.Result) -> MaintenanceReport {
    var lines = [
      "Fields now use the key \(result.key). Encrypted again: \(result.resealed)."
    ]
    lines += result.left.map { "An old key is kept: \($0) still needs it." }
    if result.left.isEmpty {
      lines.append(
        result.isRetired
          ? "The old key was removed from keys.json. Older backups contain it."
          : "The old key is no longer needed. Write keys without it with --new-keys."
      )
    }
    if environment.database.isShared {
      lines.append("Copy keys.json to the other nodes before you start them.")
    }
    return MaintenanceReport(lines: lines, isWell: result.left.isEmpty)
  }

  private func audit(_ key: String) async throws {
    let now = environment.now()
    try await environment.database.write { writer in
      writer.audit(
        AuditEntry(
          at: now, actor: .hostOperator, kind: .update, patient: nil, resource: "FieldKey",
          resourceID: key, purpose: Purpose.administration.rawValue))
    }
  }
}
