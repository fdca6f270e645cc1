// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Storage

/// A reason why a system that asks for decision support was not added or changed.
package enum CDSClientError: String, Error, Sendable, CaseIterable {
  /// The issuer is not an http or https address.
  case issuer
  /// The key set is not readable, or has no key for ES384 or RS384.
  case keys
  /// The key set contains a private key.
  case privateKey
  /// No system has this issuer.
  case unknown
}

/// A system, such as a hospital's record system, that may ask for decision support (CDS Hooks).
package struct CDSClient: Sendable, Hashable {
  /// The largest key set, in bytes.
  private static let largestKeySet = 64 * 1024

  /// The address by which its tokens name it.
  package let issuer: String
  /// The account whose rights apply, and whom the audit trail names.
  package let account: AccountID
  /// The text of its public keys.
  let keySet: String
  /// True if it may ask about every patient, like a token with system scope.
  package let reachesEveryPatient: Bool
  /// False while the operator keeps it from asking.
  package let isEnabled: Bool
  /// The time at which it was added.
  package let created: Timestamp
  /// The time of its last request, to the minute; nil for none.
  package let used: Timestamp?

  /// Creates a system that is added now.
  ///
  /// - Parameter keys: Its public keys as a JSON Web Key Set.
  package init(
    issuer: String, keys: JSONValue, account: AccountID, reachesEveryPatient: Bool,
    at now: Timestamp
  ) throws(CDSClientError) {
    guard Self.isIssuer(issuer) else { throw .issuer }
    let bytes = keys.bytes
    guard bytes.count <= Self.largestKeySet, let set = SigningKeys(keys) else { throw .keys }
    guard !set.hasSecrets else { throw .privateKey }
    guard set.signsAssertions else { throw .keys }
    self.issuer = issuer
    self.account = account
    keySet = String(decoding: bytes, as: UTF8.self)
    self.reachesEveryPatient = reachesEveryPatient
    isEnabled = true
    created = now
    used = nil
  }

  /// Its public keys; nil if they cannot be read.
  var keys: SigningKeys? { (try? JSONValue(parsing: keySet)).flatMap { SigningKeys($0) } }

  private static func isIssuer(_ text: String) -> Bool {
    let host = ["https://", "http://"].first { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
    return host?.isEmpty == false && text.utf8.count <= 500
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

extension CDSClient: SQLReadableRow, SQLWritableRow {
  /// The columns of `cds_clients`.
  package enum Column: Int, SQLColumn {
    case issuer, account, keySet, everyPatient, enabled, created, used
  }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>()

  /// Creates a system from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    issuer = try columns.text(.issuer)
    account = try columns.id(.account)
    keySet = try columns.text(.keySet)
    reachesEveryPatient = try columns.bool(.everyPatient)
    isEnabled = try columns.bool(.enabled)
    created = try columns.timestamp(.created)
    used = try columns.optionalTimestamp(.used)
  }

  /// Returns the value of a column.
  package func value(of column: Column) -> SQLValue {
    switch column {
    case .issuer: .text(issuer)
    case .account: .text(account)
    case .keySet: .text(keySet)
    case .everyPatient: SQLValue(reachesEveryPatient)
    case .enabled: SQLValue(isEnabled)
    case .created: SQLValue(created)
    case .used: SQLValue(used)
    }
  }
}
