// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// An app that people connect through SMART App Launch.
package struct App: Sendable, Hashable {
  /// The way in which an app proves who it is.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// An app on a device or in a browser, which cannot keep a secret.
    case open = "public"
    /// An app with a server of its own, which has a secret or a key.
    case confidential
    /// A program that acts without a person, with a key.
    case backend
  }

  /// The operator's decision about an app.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// Registered, and waiting for the operator's approval.
    case pending
    case enabled
    case disabled
  }

  /// The client id, which is not secret.
  package let id: AppID
  /// The name that people read.
  package let name: String
  /// The way in which it proves who it is.
  package let kind: Kind
  /// The operator's decision.
  package let state: State
  /// The exact addresses to which people may be sent back.
  package let redirects: [String]
  /// The most that it may ask for.
  package let scopes: SMARTScopes
  /// The addresses that describe the app and start it.
  package let addresses: AppAddresses
  /// The digest of its secret; nil without one.
  package let secretDigest: [UInt8]?
  /// Its public keys as a JSON Web Key Set; nil without them.
  package let keySet: String?
  /// The address of its public keys; nil without one.
  package let keySetAddress: String?
  /// The account in whose name a backend service acts; nil for other apps.
  package let account: AccountID?
  /// The time of its registration.
  package let created: Timestamp

  /// True if the app has a key with which it signs assertions.
  package var hasKeys: Bool { keySet != nil || keySetAddress != nil }

  /// Returns true if a secret is the app's.
  package func hasSecret(_ secret: Secret) -> Bool { secretDigest == secret.digest }
}

/// The addresses that describe an app and start it, each nil if the app has none.
package struct AppAddresses: Sendable, Hashable {
  /// The page of the app that begins a launch.
  package var launch: String?
  /// Its picture.
  package var logo: String?
  /// Its privacy policy.
  package var policy: String?
  /// Its terms of use.
  package var terms: String?

  /// Creates a set of addresses.
  package init(
    launch: String? = nil, logo: String? = nil, policy: String? = nil, terms: String? = nil
  ) {
    self.launch = launch
    self.logo = logo
    self.policy = policy
    self.terms = terms
  }
}

extension App: SQLReadableRow, SQLWritableRow {
  /// The columns of an app.
  package enum Column: Int, SQLColumn {
    case app, name, kind, state, redirects, scopes, launchAddress, logoAddress, policyAddress
    case termsAddress, secretDigest, keySet, keySetAddress, account, created
  }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>()

  /// Creates an app from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    id = try columns.id(.app)
    name = try columns.text(.name)
    kind = try columns.named(.kind)
    state = try columns.named(.state)
    redirects = try columns.text(.redirects).split(separator: "\n").map(String.init)
    scopes = SMARTScopes(parsing: try columns.text(.scopes))
    addresses = AppAddresses(
      launch: try columns.optionalText(.launchAddress),
      logo: try columns.optionalText(.logoAddress),
      policy: try columns.optionalText(.policyAddress),
      terms: try columns.optionalText(.termsAddress))
    secretDigest = try columns.optionalBlob(.secretDigest)
    keySet = try columns.optionalText(.keySet)
    keySetAddress = try columns.optionalText(.keySetAddress)
    account = try columns.optionalID(.account)
    created = try columns.timestamp(.created)
  }

  /// Returns the stored value of a column.
  package func value(of column: Column) -> SQLValue {
    switch column {
    case .app: .text(id)
    case .name: .text(name)
    case .kind: .text(kind.rawValue)
    case .state: .text(state.rawValue)
    case .redirects: .text(redirects.joined(separator: "\n"))
    case .scopes: .text(scopes.text)
    case .launchAddress: SQLValue(addresses.launch)
    case .logoAddress: SQLValue(addresses.logo)
    case .policyAddress: SQLValue(addresses.policy)
    case .termsAddress: SQLValue(addresses.terms)
    case .secretDigest: SQLValue(secretDigest)
    case .keySet: SQLValue(keySet)
    case .keySetAddress: SQLValue(keySetAddress)
    case .account: SQLValue(account)
    case .created: SQLValue(created)
    }
  }
}

/// A reason why a change of the registered apps was refused.
package enum AppError: Error, Sendable, Hashable {
  /// No app has this client id.
  case unknown
  /// The name is missing or too long.
  case name(maximum: Int)
  /// A redirect address is not https, or http on the same device.
  case redirect(String)
  /// The app needs at least one redirect address, or has too many.
  case redirectCount(maximum: Int)
  /// Another address is not an https address.
  case address(String)
  /// Scopes are missing, unknown, or not for this kind of app.
  case scopes(String)
  /// The app needs public keys, or has some that cannot be used.
  case keys
  /// A backend service needs an account.
  case account
}
