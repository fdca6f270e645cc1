// SPDX-License-Identifier: Apache-2.0

import Web

/// The operator's decision on who can create an account in the browser.
package enum SignUpPolicy: String, Sendable, Hashable, CaseIterable {
  /// Everyone who reaches the server.
  case open
  /// Whoever has an invitation to a person; each invitation makes at most one account.
  case invitation
  /// Nobody: accounts are created on the host.
  case closed
}

extension ServerSettings {
  /// The policy for new accounts; by invitation if the operator says nothing.
  package var signUp: SignUpPolicy {
    get { features[ifSet: SignUpPolicy.self] ?? .invitation }
    set { features[ifSet: SignUpPolicy.self] = newValue }
  }
}
