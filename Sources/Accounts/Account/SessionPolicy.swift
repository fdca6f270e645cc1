// SPDX-License-Identifier: Apache-2.0

import Storage

/// On whose device a session was opened.
package enum SessionKind: String, Sendable, CaseIterable {
  /// The person's own phone or computer, which stays signed in.
  case trusted
  /// A device that others use too.
  case passing
}

/// How somebody proved who they are.
package enum ProofKind: String, Sendable, CaseIterable {
  case password
  /// A code of the authenticator app.
  case code
  case recoveryCode = "recovery-code"
  case passkey
  /// A link from the operator or by mail, with which a password was chosen.
  case link
  /// Another device of the same account said yes.
  case device
  /// The first visit, with the code that the server printed.
  case setup

  /// Whether something besides a password was shown.
  package var isSecondFactor: Bool {
    switch self {
    case .code, .recoveryCode, .passkey: true
    case .password, .link, .device, .setup: false
    }
  }
}

/// How long a session lasts, in milliseconds.
package struct SessionLimits: Sendable, Hashable {
  /// Without a request.
  package let idle: Int64
  /// Whatever happens.
  package let absolute: Int64

  /// The limits of a session: short for those who see others' data, long on a family's own phone.
  package static func limits(_ kind: SessionKind, isPractitioner: Bool) -> SessionLimits {
    if isPractitioner { return SessionLimits(idle: 15 * minute, absolute: 12 * hour) }
    switch kind {
    case .trusted: return SessionLimits(idle: 30 * day, absolute: 365 * day)
    case .passing: return SessionLimits(idle: hour, absolute: 24 * hour)
    }
  }

  /// The longest that any session is kept without a request.
  package static let longestIdle = 30 * day

  static let minute: Int64 = 60_000
  static let hour = 60 * minute
  static let day = 24 * hour
}

/// What is known of the session that a request came with.
package struct SessionFacts: Sendable, Hashable {
  package let kind: SessionKind
  package let created: Timestamp
  /// The last request, to the minute.
  package let seen: Timestamp
  /// When its owner last showed who they are, and with what.
  package let proved: Timestamp
  package let proof: ProofKind
  package let secondFactor: SecondFactorState
  /// Whether the account may do without a second factor.
  package let needsSecondFactor: Bool

  /// Whether the account must set up a second factor before this session goes anywhere else.
  ///
  /// The session of a first visit or of an invitation may look around for a day.
  package func mustSetUp(at now: Timestamp) -> Bool {
    guard needsSecondFactor, !secondFactor.isSetUp else { return false }
    switch proof {
    case .setup, .link: return now.milliseconds - created.milliseconds >= SessionLimits.day
    default: return true
    }
  }
}

/// What must have been shown lately before something grave is done (step-up).
package struct ProofPolicy: Sendable, Hashable {
  /// How old the proof may be when the page is opened, in milliseconds.
  package let within: Int64
  /// How old when its form is sent: what was typed in the meantime is not lost.
  package let withinForSending: Int64
  /// Whether a password is not enough.
  package let needsSecondFactor: Bool

  package init(withinMinutes: Int64, sendingWithinMinutes: Int64, needsSecondFactor: Bool = false) {
    within = withinMinutes * SessionLimits.minute
    withinForSending = sendingWithinMinutes * SessionLimits.minute
    self.needsSecondFactor = needsSecondFactor
  }

  /// A copy of everything, erasing, how one signs in, what belongs to another person.
  package static let recent = ProofPolicy(withinMinutes: 15, sendingWithinMinutes: 30)
  /// Running the server.
  package static let administration = ProofPolicy(
    withinMinutes: 15, sendingWithinMinutes: 30, needsSecondFactor: true)
  /// Looking without a grant in an emergency.
  package static let emergency = ProofPolicy(
    withinMinutes: 5, sendingWithinMinutes: 5, needsSecondFactor: true)

  /// Whether a session has shown enough.
  ///
  /// An account without a second factor is asked for its password: it is led to set one up elsewhere.
  package func isMet(by session: SessionFacts, at now: Timestamp, isSending: Bool) -> Bool {
    let age = now.milliseconds - session.proved.milliseconds
    // A proof from the future is one of a clock that was set back: it proves nothing.
    guard (-SessionLimits.minute...(isSending ? withinForSending : within)).contains(age) else {
      return false
    }
    return !needsSecondFactor || !session.secondFactor.isSetUp || session.proof.isSecondFactor
  }
}
