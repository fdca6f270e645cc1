// SPDX-License-Identifier: Apache-2.0

import Access
import Encodings
import Identifiers
import Storage

/// Authenticator codes and recovery codes in the database.
extension AccountStore {
  /// The number of recovery codes that are created at a time.
  package static let recoveryCodeCount = 10

  /// Returns the second factors of an account.
  package func secondFactor(
    of account: AccountID, in reader: any SQLReader
  ) throws(StorageError) -> SecondFactorState {
    let row = try reader.first(Self.secondFactorStatement, [.text(account)])
    return try row?.decode() ?? SecondFactorState()
  }

  private static let secondFactorStatement = SQLStatement("SELECT \(SecondFactorState.columns)")

  /// Returns the encrypted seed of an app that is being set up, to carry in a form.
  package func sealOffer(
    _ seed: [UInt8], to account: AccountID, at now: Timestamp
  ) throws(StorageError) -> String {
    let text = "\(now.milliseconds):\(Hexadecimal.encode(seed))"
    return Base64URL.encode(try cipher.seal(text, context: Self.offerContext(account)))
  }

  /// Returns the seed that a form returned within an hour; nil for anything else.
  package func openOffer(
    _ text: String, to account: AccountID, at now: Timestamp
  ) -> [UInt8]? {
    guard text.utf8.count < 1000, let sealed = Base64URL.decode(text),
      let opened = try? cipher.open(sealed, context: Self.offerContext(account))
    else { return nil }
    let parts = opened.split(separator: ":")
    guard parts.count == 2, let made = Int64(parts[0]),
      (0...3_600_000).contains(now.milliseconds - made),
      let seed = Hexadecimal.decode(String(parts[1])), seed.count == OneTimeCode.seedLength
    else { return nil }
    return seed
  }

  /// Adds an authenticator app after its first code was typed, replacing an earlier one.
  ///
  /// Returns false if the code is wrong.
  package func setUpCodeApp(
    seed: [UInt8], code: String, of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard let step = OneTimeCode(seed: seed).step(of: code, at: now, after: -1) else {
      return false
    }
    try writer.execute("DELETE FROM code_apps WHERE account = $1", [.text(account)])
    try writer.execute(
      "INSERT INTO code_apps (account, seed_sealed, last_step, created) VALUES ($1, $2, $3, $4)",
      [
        .text(account),
        .blob(try cipher.seal(Hexadecimal.encode(seed), context: Self.seedContext(account))),
        .integer(step), SQLValue(now),
      ])
    auditFactor("CodeApp", .create, account, at: now, in: writer)
    return true
  }

  /// Removes the authenticator app; returns false if there is none.
  package func removeCodeApp(
    of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let gone = try writer.execute("DELETE FROM code_apps WHERE account = $1", [.text(account)])
    guard gone > 0 else { return false }
    try forgetUnneededCodes(of: account, in: writer)
    auditFactor("CodeApp", .delete, account, at: now, in: writer)
    return true
  }

  /// Creates ten recovery codes and returns them; earlier ones become invalid.
  package func makeRecoveryCodes(
    of account: AccountID, random: RandomBytes, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> [RecoveryCode] {
    try writer.execute("DELETE FROM recovery_codes WHERE account = $1", [.text(account)])
    var codes: [RecoveryCode] = []
    for _ in 0..<Self.recoveryCodeCount {
      let code = RecoveryCode(random: random)
      try writer.execute(
        "INSERT INTO recovery_codes (account, code_hash, used) VALUES ($1, $2, NULL)",
        [.text(account), .blob(recoveryHash(code, of: account))])
      codes.append(code)
    }
    auditFactor("RecoveryCodes", .create, account, at: now, in: writer)
    return codes
  }

  /// Uses a code of the app or a recovery code, each valid once; returns nil for any other text.
  package func takeCode(
    _ typed: String, of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> ProofKind? {
    if let code = RecoveryCode(typed: typed) {
      let taken = try writer.execute(
        """
        UPDATE recovery_codes SET used = $1
        WHERE account = $2 AND code_hash = $3 AND used IS NULL
        """, [SQLValue(now), .text(account), .blob(recoveryHash(code, of: account))])
      return taken == 1 ? .recoveryCode : nil
    }
    let row = try writer.first(Self.codeAppStatement, [.text(account)])
    guard let app = row?.read(CodeAppRow.self) else { return nil }
    let opened = try cipher.open(try app.blob(.seedSealed), context: Self.seedContext(account))
    let last = try app.integer(.lastStep)
    guard typed.utf8.count <= 16, let seed = Hexadecimal.decode(opened),
      let step = OneTimeCode(seed: seed).step(of: typed, at: now, after: last)
    else { return nil }
    // Another node may have used the same code in the meantime.
    let taken = try writer.execute(
      "UPDATE code_apps SET last_step = $1 WHERE account = $2 AND last_step < $1",
      [.integer(step), .text(account)])
    return taken == 1 ? .code : nil
  }

  private static let codeAppStatement = SQLStatement(
    "SELECT \(CodeAppRow.columns) FROM code_apps WHERE account = $1 /*postgresql FOR UPDATE */")

  /// Deletes the app and every recovery code of an account.
  static func deleteCodes(of account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM code_apps WHERE account = $1", [.text(account)])
    try writer.execute("DELETE FROM recovery_codes WHERE account = $1", [.text(account)])
  }

  /// Deletes recovery codes if no second factor is left that they could replace.
  func forgetUnneededCodes(of account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    guard try !secondFactor(of: account, in: writer).isSetUp else { return }
    try writer.execute("DELETE FROM recovery_codes WHERE account = $1", [.text(account)])
  }

  func auditFactor(
    _ resource: String, _ kind: AuditEntry.Kind, _ account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: kind, patient: nil, resource: resource,
        resourceID: account.text, version: nil, purpose: Purpose.administration.rawValue,
        outcome: .success))
  }

  private func recoveryHash(_ code: RecoveryCode, of account: AccountID) -> [UInt8] {
    cipher.blindIndex("\(account):\(code.folded)", context: "recovery_codes:code")
  }

  private static func seedContext(_ account: AccountID) -> String { "code_apps:\(account):seed" }
  private static func offerContext(_ account: AccountID) -> String { "code-app-offer:\(account)" }
}

extension SecondFactorState: SQLReadableRow {
  /// The counts for the account `$1`.
  package enum Column: Int, SQLColumn { case codeApps, passkeys, recoveryCodes }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>(
    [
      .codeApps: "(SELECT COUNT(*) FROM code_apps WHERE account = $1)",
      .passkeys: "(SELECT COUNT(*) FROM passkeys WHERE account = $1)",
      .recoveryCodes: "(SELECT COUNT(*) FROM recovery_codes WHERE account = $1 AND used IS NULL)",
    ])

  /// Creates a state from a row of counts.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    self.init(
      codeApps: try columns.integer(.codeApps), passkeys: try columns.integer(.passkeys),
      recoveryCodes: try columns.integer(.recoveryCodes))
  }

  init(codeApps: Int64, passkeys: Int64, recoveryCodes: Int64) {
    self.init(
      hasCodeApp: codeApps > 0, passkeys: Int(clamping: passkeys),
      recoveryCodes: Int(clamping: recoveryCodes))
  }
}

enum CodeAppRow: SQLRowType {
  enum Column: Int, SQLColumn { case seedSealed, lastStep }

  static let columns = SQLColumns<Column>()
}
