// SPDX-License-Identifier: Apache-2.0

import Secrecy

/// A provider with whose accounts people can sign in, as the operator configured it.
package struct SignInProvider: Sendable, Hashable {
  /// The protocol with which a provider identifies people.
  package enum Kind: Sendable, Hashable {
    /// OpenID Connect, by the address of its issuer.
    case openID(issuer: String)
    /// Facebook's OAuth, which issues no ID token; the server asks Facebook whom the access token
    /// belongs to.
    case facebook(FacebookAddresses)
  }

  /// The name in addresses and settings: 1 to 32 lower-case letters and digits.
  package let name: String
  /// The name on the button.
  package let label: String
  /// The protocol of the provider.
  package let kind: Kind
  /// The identifier of this server at the provider.
  package let clientID: String
  /// The secret of this server at the provider; nil if PKCE is its only proof.
  package let clientSecret: Concealed<String>?

  /// Creates a provider from the operator's settings.
  package init(
    name: String, label: String, kind: Kind, clientID: String, clientSecret: Concealed<String>?
  ) {
    self.name = name
    self.label = label
    self.kind = kind
    self.clientID = clientID
    self.clientSecret = clientSecret
  }

  /// The issuer within which its subjects are unique.
  var issuer: String {
    switch kind {
    case .openID(let issuer): issuer
    case .facebook: "https://www.facebook.com"
    }
  }

  /// Returns true if a text can be a provider's name: 1 to 32 lower-case letters and digits.
  package static func isName(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }
}

/// The addresses of Facebook's dialog and Graph API; settings, so that a test server can replace
/// them.
package struct FacebookAddresses: Sendable, Hashable {
  /// The page on which people agree to sign in.
  package let dialog: String
  /// The address that issues tokens and answers questions about them, without a slash at the end.
  package let graph: String

  /// Creates the addresses, by default those of Graph API version 23.0.
  package init(
    dialog: String = "https://www.facebook.com/v23.0/dialog/oauth",
    graph: String = "https://graph.facebook.com/v23.0"
  ) {
    self.dialog = dialog
    self.graph = graph
  }
}

/// The reason that a provider did not identify someone.
package enum ProviderError: Error, Sendable, Hashable {
  /// The provider is unreachable or gives an invalid answer.
  case unreachable
  /// The provider refused the code: it was used before, has expired, or belongs to another visit.
  case refused
  /// The provider's answer failed a check; the text names it for the log.
  case untrustworthy(String)
}
