// SPDX-License-Identifier: Apache-2.0

import Secrecy

/// Somewhere else where people can sign in, as the operator configured it.
package struct SignInProvider: Sendable, Hashable {
  /// How it says who somebody is.
  package enum Kind: Sendable, Hashable {
    /// OpenID Connect, by the address of its issuer.
    case openID(issuer: String)
    /// Facebook's OAuth, which gives a token that is asked about instead of an ID token.
    case facebook(FacebookAddresses)
  }

  /// Its place in addresses and settings: small letters and digits.
  package let name: String
  /// What the button calls it.
  package let label: String
  package let kind: Kind
  package let clientID: String
  /// Nil for a client that has none and proves itself by PKCE alone.
  package let clientSecret: Concealed<String>?

  package init(
    name: String, label: String, kind: Kind, clientID: String, clientSecret: Concealed<String>?
  ) {
    self.name = name
    self.label = label
    self.kind = kind
    self.clientID = clientID
    self.clientSecret = clientSecret
  }

  /// What its subjects are numbered within.
  var issuer: String {
    switch kind {
    case .openID(let issuer): issuer
    case .facebook: "https://www.facebook.com"
    }
  }

  /// Whether a text can be a name.
  package static func isName(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }
}

/// Where Facebook's parts are; settings, so that anything can stand in for them.
package struct FacebookAddresses: Sendable, Hashable {
  /// The page on which people agree.
  package let dialog: String
  /// What tokens are fetched from and asked about at, without a slash at the end.
  package let graph: String

  package init(
    dialog: String = "https://www.facebook.com/v23.0/dialog/oauth",
    graph: String = "https://graph.facebook.com/v23.0"
  ) {
    self.dialog = dialog
    self.graph = graph
  }
}

/// Why a provider did not say who somebody is.
package enum ProviderError: Error, Sendable, Hashable {
  /// It cannot be reached or does not answer as it should.
  case unreachable
  /// The code was refused: used before, too old, or not of this visit.
  case refused
  /// What it said of the person is not believed.
  case untrustworthy(String)
}
