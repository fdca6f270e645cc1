// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Localization
import Storage

extension AccountStore {
  /// Returns the data of the accounts whose own patient this is, without anything that could be
  /// used to sign in.
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
        try reader.query(Self.sessionsStatement, [.text(id)]).map { row -> JSONValue in
          let session = row.read(CopiedSessionRow.self)
          return [
            "created": .string(Self.text(try session.timestamp(.created))),
            "expires": .string(Self.text(try session.timestamp(.expires))),
          ]
        })
      copy["tokens"] = .array(
        try reader.query(Self.tokensStatement, [.text(id)]).map { row -> JSONValue in
          let token = row.read(CopiedTokenRow.self)
          return [
            "scope": .string(try token.text(.scope)),
            "created": .string(Self.text(try token.timestamp(.created))),
            "beginning": .string(try token.text(.prefix)),
            "label": .string(try token.text(.label)),
            "expires": Self.value(try token.optionalTimestamp(.expires)),
            "used": Self.value(try token.optionalTimestamp(.used)),
          ]
        })
      copy["apps"] = .array(
        try allConnectedApps(of: id, in: reader).map { app -> JSONValue in
          [
            "name": .string(app.name),
            "patient": app.grant.patient.map { JSONValue.string($0.text) } ?? .null,
            "scope": .string(app.grant.scopes.text),
            "created": .string(Self.text(app.grant.created)),
            "expires": .string(Self.text(app.grant.expires)),
            "ended": Self.value(app.grant.ended), "used": Self.value(app.grant.used),
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

  private static let sessionsStatement = SQLStatement(
    "SELECT \(CopiedSessionRow.columns) FROM sessions WHERE account = $1 ORDER BY created")

  private static let tokensStatement = SQLStatement(
    "SELECT \(CopiedTokenRow.columns) FROM tokens WHERE account = $1 ORDER BY created")

  /// Returns the accounts whose own patient this is.
  package func ids(
    ofPatient patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [AccountID] {
    try reader.query(
      "SELECT account FROM accounts WHERE patient = $1 ORDER BY account", [.text(patient)]
    ).values()
  }

  /// Returns the ways to sign in besides the password, without anything that could be used to sign in.
  private func secondStep(of account: AccountID, in reader: any SQLReader) throws -> JSONValue {
    let app = try reader.first(
      "SELECT created FROM code_apps WHERE account = $1", [.text(account)])
    let codes = try reader.query(
      "SELECT used FROM recovery_codes WHERE account = $1 ORDER BY used", [.text(account)]
    ).values(as: Timestamp?.self)
    return [
      "codeAppSince": Self.value(try app?.value(as: Timestamp.self)),
      "passkeys": .array(
        try passkeys(of: account, in: reader).map { passkey in
          [
            "name": .string(passkey.name), "created": .string(Self.text(passkey.created)),
            "used": Self.value(passkey.used),
          ]
        }),
      "recoveryCodesUsed": .array(
        codes.compactMap(\.self).map { .string(Self.text($0)) }),
      "recoveryCodesLeft": .number(JSONNumber(codes.count { $0 == nil })),
    ]
  }

  private static func value(_ instant: Timestamp?) -> JSONValue {
    instant.map { .string(text($0)) } ?? .null
  }

  private static func text(_ instant: Timestamp) -> String {
    FHIRDateTime.instantText(milliseconds: instant.milliseconds, offsetMinutes: 0)
  }
}

enum CopiedSessionRow: SQLRowType {
  enum Column: Int, SQLColumn { case created, expires }

  static let columns = SQLColumns<Column>()
}

enum CopiedTokenRow: SQLRowType {
  enum Column: Int, SQLColumn { case scope, created, prefix, label, expires, used }

  static let columns = SQLColumns<Column>()
}
