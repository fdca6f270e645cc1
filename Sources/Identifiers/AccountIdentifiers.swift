// SPDX-License-Identifier: Apache-2.0

/// An account: someone who signs in, or the operator on the host.
package struct AccountID: Identifier {
  /// The account's identifier, or one of the fixed names for the program and its operator.
  package let text: String

  /// Creates the identifier of an account from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A browser session or a token, as its owner sees it listed, without its secret.
package struct SessionID: Identifier {
  /// The identifier of the session or token; knowing it gives no access.
  package let text: String

  /// Creates the identifier of a session or token from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// An invitation to share a patient's data.
package struct InvitationID: Identifier {
  /// The identifier of the invitation.
  package let text: String

  /// Creates the identifier of an invitation from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A passkey of an account.
package struct PasskeyID: Identifier {
  /// The identifier of the passkey.
  package let text: String

  /// Creates the identifier of a passkey from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// One emergency access of a practitioner.
package struct EmergencyID: Identifier {
  /// The identifier of the emergency access.
  package let text: String

  /// Creates the identifier of an emergency access from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// The client id of an app that people connect.
package struct AppID: Identifier {
  /// The identifier as text.
  package let text: String

  /// Creates an identifier from text.
  package init(_ text: String) {
    self.text = text
  }
}

/// The identifier of the access that a person gave to an app.
package struct AppGrantID: Identifier {
  /// The identifier as text.
  package let text: String

  /// Creates an identifier from text.
  package init(_ text: String) {
    self.text = text
  }
}

/// The names of the program and the operator in places where an account is recorded.
extension AccountID {
  /// The host, acting on every patient.
  package static let host = AccountID("host")
  /// A person who runs commands on the host.
  package static let hostOperator = AccountID("operator")
  /// The server, on a schedule.
  package static let server = AccountID("server")
  /// The program, planning doses.
  package static let planner = AccountID("planner")
  /// The first visit, before any account exists.
  package static let setup = AccountID("setup")
  /// The generator of the demonstration's data.
  package static let demonstration = AccountID("demo")
  /// A reader of an emergency card, who needs no account.
  package static let emergencyCard = AccountID("emergency-card")
  /// A person whose account is not known, in the audit trail.
  package static let unknown = AccountID("unknown")
}
