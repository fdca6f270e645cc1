// SPDX-License-Identifier: Apache-2.0

import Web

/// The operator's decision on who can create an account in the browser.
package enum SignUpPolicy: String, Sendable, Hashable, CaseIterable {
  /// Everyone who can reach the server.
  case open
  /// Anyone with an invitation to a person; each invitation creates at most one account.
  case invitation
  /// No one: accounts are created on the host.
  case closed
}

extension ServerSettings {
  /// The policy for new accounts; by invitation if the operator set none.
  package var signUp: SignUpPolicy {
    get { features[ifSet: SignUpPolicy.self] ?? .invitation }
    set { features[ifSet: SignUpPolicy.self] = newValue }
  }
}
