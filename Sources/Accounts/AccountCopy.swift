// SPDX-License-Identifier: Apache-2.0

import FHIR
import Localization
import Storage

extension AccountStore {
  /// What is kept of the accounts whose own patient this is, with nothing that signs anybody in.
  package func copies(
    ofPatient patient: String, in reader: any SQLReader
  ) throws -> [(account: String, copy: JSONObject)] {
    try ids(ofPatient: patient, in: reader).compactMap { id in
      guard let account = try account(id, in: reader) else { return nil }
      var copy = JSONObject()
      copy["id"] = .string(id)
      copy["email"] = .string(account.email)
      copy["name"] = .string(account.displayName)
      copy["administrator"] = .bool(account.isAdministrator)
      copy["language"] = account.language.map { .string($0.rawValue) }
      copy["sessions"] = .array(
        try reader.query(
          "SELECT created, expires FROM sessions WHERE account = $1 ORDER BY created",
          [.text(id)]
        ).map { row in
          [
            "created": .string(Self.text(try row.timestamp(0))),
            "expires": .string(Self.text(try row.timestamp(1))),
          ]
        })
      copy["tokens"] = .array(
        try reader.query(
          "SELECT scope, created FROM tokens WHERE account = $1 ORDER BY created", [.text(id)]
        ).map { row in
          [
            "scope": .string(try row.text(0)),
            "created": .string(Self.text(try row.timestamp(1))),
          ]
        })
      return (id, copy)
    }
  }

  /// The accounts whose own patient this is.
  package func ids(
    ofPatient patient: String, in reader: any SQLReader
  ) throws(StorageError) -> [String] {
    try reader.query(
      "SELECT account FROM accounts WHERE patient = $1 ORDER BY account", [.text(patient)]
    ).map { row throws(StorageError) in try row.text(0) }
  }

  private static func text(_ instant: Timestamp) -> String {
    FHIRDateTime.instantText(milliseconds: instant.milliseconds, offsetMinutes: 0)
  }
}
