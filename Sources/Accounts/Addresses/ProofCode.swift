// SPDX-License-Identifier: Apache-2.0

import Encodings
import Identifiers
import Storage

/// A code of six digits that is sent to a phone number.
package struct ProofCode: Sendable, Hashable {
  /// The lifetime of a code, in milliseconds.
  package static let lifetime = Int64(minutes) * SessionLimits.minute
  /// The lifetime of a code, in minutes.
  package static let minutes = 10
  /// The number of wrong attempts after which a code is invalid.
  package static let maximumTries = 5
  private static let length = 6

  /// The digits, for example `042917`.
  package let text: String

  /// Creates a random code.
  package init(random: RandomBytes) {
    // 64 bits, so that the bias between digits is negligible.
    let number = random(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
    let digits = String(number)
    text = String(repeating: "0", count: Self.length - digits.count) + digits
  }

  /// Creates a code from what was typed, with spaces and hyphens; nil for any other text.
  package init?(_ typed: String) {
    let digits = typed.unicodeScalars.filter { $0 != " " && $0 != "-" && $0 != "\u{A0}" }
    guard digits.count == Self.length, digits.allSatisfy({ ("0"..."9").contains($0) }) else {
      return nil
    }
    text = String(String.UnicodeScalarView(digits))
  }
}

/// Proves a phone number with the code that was sent to it.
extension AccountStore {
  /// The result of checking a typed code.
  package enum CodeProof: Sendable, Hashable {
    /// The number is now the account's sign-in address; carries the account as it was before.
    case proved(Account)
    case wrong
    /// No code is expected: it is too old, or was tried too often.
    case over
  }

  /// Returns the number to which a valid code was sent; nil if there is none.
  package func numberToProve(
    of account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws -> SignInName? {
    try waiting(of: account, at: now, in: reader)?.name
  }

  /// Checks a code, which can be used once; wrong ones are counted, for the code and for the account.
  ///
  /// Throws ``AccountError/emailTaken`` if another account has the number: the person with the phone may know
  /// that.
  package func prove(
    code typed: String, of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws -> CodeProof {
    let bucket = SignInThrottle.Bucket.target(attemptKey("address-code", account.text))
    try SignInThrottle.admit([bucket], at: now, in: writer)
    guard let waiting = try waiting(of: account, at: now, in: writer),
      let owner = try self.account(account, in: writer)
    else { return .over }
    guard let code = ProofCode(typed), codeIndex(code.text, waiting.digest) == waiting.index else {
      try AddressProofStore.countWrongCode(for: waiting.digest, in: writer)
      return waiting.tries + 1 < ProofCode.maximumTries ? .wrong : .over
    }
    try rename(owner, to: waiting.name, proved: now, at: now, in: writer)
    try SignInThrottle.succeeded([bucket], in: writer)
    return .proved(owner)
  }

  private func waiting(
    of account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws -> (digest: [UInt8], name: SignInName, index: [UInt8], tries: Int64)? {
    let row = try reader.first(
      Self.waitingCodeStatement,
      [.text(account), SQLValue(now), SQLValue(ProofCode.maximumTries)])
    guard let waiting = row?.read(WaitingCodeRow.self) else { return nil }
    let digest = try waiting.blob(.digest)
    let text = try cipher.open(
      try waiting.blob(.addressSealed), context: Self.proofContext(digest))
    return (
      digest, try SignInName(text), try waiting.blob(.codeIndex), try waiting.integer(.tries)
    )
  }

  private static let waitingCodeStatement = SQLStatement(
    """
    SELECT \(WaitingCodeRow.columns) FROM address_proofs
    WHERE account = $1 AND expires > $2 AND code_index IS NOT NULL AND tries < $3
    """)

  /// Returns the stored form of a code: six digits could be guessed quickly, but not without the key.
  func codeIndex(_ code: String, _ digest: [UInt8]) -> [UInt8] {
    cipher.blindIndex("\(Hexadecimal.encode(digest)) \(code)", context: "address_proofs:code")
  }

  /// The bucket of all text messages that sign-in pages send.
  var textsBucket: SignInThrottle.Bucket { .texts(attemptKey("texts", "")) }
}

enum WaitingCodeRow: SQLRowType {
  enum Column: Int, SQLColumn { case digest, addressSealed, codeIndex, tries }

  static let columns = SQLColumns<Column>()
}
