// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Localization
import Storage

extension AccountStore {
  /// What is kept of the accounts whose own patient this is, with nothing that signs anybody in.
  package func copies(
    ofPatient patient: PatientID, in reader: any SQLReader
  ) throws -> [(account: AccountID, copy: JSONObject)] {
    try ids(ofPatient: patient, in: reader).compactMap { id in
      guard let account = try account(id, in: reader) else { return nil }
      var copy = JSONObject()
      copy["id"] = .string(id.text)
      copy[account.isByPhone ? "phone" : "email"] = .string(account.email)
      copy["addressProved"] = Self.value(try addressProved(of: id, in: reader))
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
          """
          SELECT scope, created, prefix, label, expires, used FROM tokens WHERE account = $1
          ORDER BY created
          """, [.text(id)]
        ).map { row in
          [
            "scope": .string(try row.text(0)),
            "created": .string(Self.text(try row.timestamp(1))),
            "beginning": .string(try row.text(2)), "label": .string(try row.text(3)),
            "expires": Self.value(try row.optionalTimestamp(4)),
            "used": Self.value(try row.optionalTimestamp(5)),
          ]
        })
      copy["secondStep"] = try secondStep(of: id, in: reader)
      copy["identities"] = .array(
        try identities(of: id, in: reader).map { identity in
          [
            "provider": .string(identity.provider), "label": .string(identity.label),
            "created": .string(Self.text(identity.created)),
          ]
        })
      return (id, copy)
    }
  }

  /// The accounts whose own patient this is.
  package func ids(
    ofPatient patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [AccountID] {
    try reader.query(
      "SELECT account FROM accounts WHERE patient = $1 ORDER BY account", [.text(patient)]
    ).map { row throws(StorageError) in try row.id(0) }
  }

  /// What opens the account besides its password, with nothing that could be used to.
  private func secondStep(of account: AccountID, in reader: any SQLReader) throws -> JSONValue {
    let app = try reader.first(
      "SELECT created FROM code_apps WHERE account = $1", [.text(account)])
    let codes = try reader.query(
      "SELECT used FROM recovery_codes WHERE account = $1 ORDER BY used", [.text(account)])
    return [
      "codeAppSince": Self.value(try app?.timestamp(0)),
      "passkeys": .array(
        try passkeys(of: account, in: reader).map { passkey in
          [
            "name": .string(passkey.name), "created": .string(Self.text(passkey.created)),
            "used": Self.value(passkey.used),
          ]
        }),
      "recoveryCodesUsed": .array(
        try codes.compactMap { try $0.optionalTimestamp(0) }.map { .string(Self.text($0)) }),
      "recoveryCodesLeft": .number(
        JSONNumber(try codes.filter { try $0.optionalTimestamp(0) == nil }.count)),
    ]
  }

  private static func value(_ instant: Timestamp?) -> JSONValue {
    instant.map { .string(text($0)) } ?? .null
  }

  private static func text(_ instant: Timestamp) -> String {
    FHIRDateTime.instantText(milliseconds: instant.milliseconds, offsetMinutes: 0)
  }
}
