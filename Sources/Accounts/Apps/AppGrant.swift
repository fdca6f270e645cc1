// SPDX-License-Identifier: Apache-2.0

import Access
import Encodings
import Identifiers
import Storage

/// The access that a person gave to an app.
///
/// Its tokens are one family and end together.
package struct AppGrant: Sendable, Hashable {
  /// The identifier of the grant.
  package let id: AppGrantID
  /// The app that has the access.
  package let app: AppID
  /// The account that gave it.
  package let account: AccountID
  /// The person for whom the app was started; nil for none.
  package let patient: PatientID?
  /// The permissions of the app.
  package let scopes: SMARTScopes
  /// The time at which it was given.
  package let created: Timestamp
  /// The end of the access.
  package let expires: Timestamp
  /// The time at which it was ended early; nil if it was not.
  package let ended: Timestamp?
  /// The time of the last use, to the minute; nil for none.
  package let used: Timestamp?

  /// Creates a grant; without further details it is open and unused.
  package init(
    id: AppGrantID, app: AppID, account: AccountID, patient: PatientID?, scopes: SMARTScopes,
    created: Timestamp, expires: Timestamp, ended: Timestamp? = nil, used: Timestamp? = nil
  ) {
    self.id = id
    self.app = app
    self.account = account
    self.patient = patient
    self.scopes = scopes
    self.created = created
    self.expires = expires
    self.ended = ended
    self.used = used
  }

  /// Returns true if the grant gives access at an instant.
  package func isOpen(at now: Timestamp) -> Bool { ended == nil && expires > now }
}

extension AppGrant: SQLReadableRow {
  /// The columns of a grant.
  package enum Column: Int, SQLColumn {
    case appGrant, app, account, patient, scopes, created, expires, ended, used
  }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>(of: "g")

  /// Creates a grant from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    id = try columns.id(.appGrant)
    app = try columns.id(.app)
    account = try columns.id(.account)
    patient = try columns.optionalID(.patient)
    scopes = SMARTScopes(parsing: try columns.text(.scopes))
    created = try columns.timestamp(.created)
    expires = try columns.timestamp(.expires)
    ended = try columns.optionalTimestamp(.ended)
    used = try columns.optionalTimestamp(.used)
  }
}

/// The kinds of tokens that an app gets.
package enum AppTokenKind: String, Sendable, Hashable, CaseIterable {
  case access, refresh
}

/// The facts of an authorization request that its code is bound to.
package struct AppCodeRequest: Sendable, Hashable {
  /// The challenge of PKCE, made with S256.
  package let challenge: String
  /// The address to which the code is sent.
  package let redirect: String
  /// The app's value for the ID token; nil for none.
  package let nonce: String?
  /// The time at which the person last proved who they are.
  package let proved: Timestamp
  /// The key with which alone the code can be exchanged, by its thumbprint; nil for any.
  package let keyThumbprint: String?

  /// Creates the facts of a request.
  package init(
    challenge: String, redirect: String, nonce: String?, proved: Timestamp,
    keyThumbprint: String? = nil
  ) {
    self.challenge = challenge
    self.redirect = redirect
    self.nonce = nonce
    self.proved = proved
    self.keyThumbprint = keyThumbprint
  }

  /// Returns true for a challenge of S256, or the thumbprint of a key: 43 characters that encode 32 bytes.
  package static func isChallenge(_ text: String) -> Bool {
    text.utf8.count == 43 && Base64URL.decode(text)?.count == 32
  }

  /// Returns true if a verifier belongs to a challenge (RFC 7636 section 4.6).
  package static func isVerifier(_ text: String, of challenge: String) -> Bool {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        true
      default: false
      }
    }
    guard isPlain, (43...128).contains(text.utf8.count) else { return false }
    return Base64URL.encode(Fingerprint.digest(of: Array(text.utf8))) == challenge
  }
}

/// The lifetimes of codes, tokens and grants.
package enum AppLifetimes {
  /// The lifetime of a code, in milliseconds.
  package static let code: Int64 = 60_000
  /// The lifetime of an access token, in milliseconds.
  package static let access: Int64 = 3_600_000
  /// The lifetime of the context of a launch, in milliseconds.
  package static let launch: Int64 = 300_000
  /// The lifetimes of a grant with `offline_access` that people choose from, in days.
  package static let offlineDays = [30, 90, 365]

  /// Returns the end of a grant made now.
  ///
  /// - Parameter days: The chosen lifetime of offline access; nil for access of an hour.
  package static func end(days: Int?, at now: Timestamp) -> Timestamp {
    now.adding(milliseconds: days.map { Int64($0) * 24 * 3_600_000 } ?? access)
  }
}
