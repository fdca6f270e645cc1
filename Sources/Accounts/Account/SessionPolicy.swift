// SPDX-License-Identifier: Apache-2.0

import Storage

/// The kind of device on which a session was opened.
package enum SessionKind: String, Sendable, CaseIterable {
  /// The person's own phone or computer, which stays signed in.
  case trusted
  /// A shared device.
  case passing
}

/// A proof of a person's identity.
package enum ProofKind: String, Sendable, CaseIterable {
  case password
  /// A code of the authenticator app.
  case code
  case recoveryCode = "recovery-code"
  case passkey
  /// A link from the operator or by mail, used to choose a password.
  case link
  /// A confirmation on another device of the same account.
  case device
  /// The first visit, with the code that the server printed.
  case setup

  /// True if something in addition to a password was proved.
  package var isSecondFactor: Bool {
    switch self {
    case .code, .recoveryCode, .passkey: true
    case .password, .link, .device, .setup: false
    }
  }
}

/// The limits on the length of a session, in milliseconds.
package struct SessionLimits: Sendable, Hashable {
  /// The longest time without a request.
  package let idle: Int64
  /// The longest time in total.
  package let absolute: Int64

  /// Returns the limits of a session: short for practitioners, who see others' data, and long on a
  /// family's own phone.
  package static func limits(_ kind: SessionKind, isPractitioner: Bool) -> SessionLimits {
    if isPractitioner { return SessionLimits(idle: 15 * minute, absolute: 12 * hour) }
    switch kind {
    case .trusted: return SessionLimits(idle: 30 * day, absolute: 365 * day)
    case .passing: return SessionLimits(idle: hour, absolute: 24 * hour)
    }
  }

  /// The longest time for which any session is kept without a request, in milliseconds.
  package static let longestIdle = 30 * day

  static let minute: Int64 = 60_000
  static let hour = 60 * minute
  static let day = 24 * hour
}

/// The facts about the session of a request.
package struct SessionFacts: Sendable, Hashable {
  /// The kind of device on which the session was opened.
  package let kind: SessionKind
  /// The time at which the session was opened.
  package let created: Timestamp
  /// The time of the last request, to the minute.
  package let seen: Timestamp
  /// The time at which the owner last proved their identity.
  package let proved: Timestamp
  /// The latest proof of identity.
  package let proof: ProofKind
  /// The second factors of the account.
  package let secondFactor: SecondFactorState
  /// True if the account must have a second factor: an administrator or a practitioner.
  package let needsSecondFactor: Bool
  /// True if an administrator has confirmed the account as a practitioner's.
  package var isConfirmedPractitioner = false

  /// Returns true if the account must set up a second factor before this session can do anything
  /// else.
  ///
  /// A session of a first visit or of an invitation has a day for that.
  package func mustSetUp(at now: Timestamp) -> Bool {
    guard needsSecondFactor, !secondFactor.isSetUp else { return false }
    switch proof {
    case .setup, .link: return now.milliseconds - created.milliseconds >= SessionLimits.day
    default: return true
    }
  }
}

/// The recent proof that is required before a sensitive action (step-up).
package struct ProofPolicy: Sendable, Hashable {
  /// The maximum age of the proof when the page is opened, in milliseconds.
  package let within: Int64
  /// The maximum age of the proof when the form is sent, in milliseconds: longer, so that nothing
  /// typed is lost.
  package let withinForSending: Int64
  /// True if a password is not enough.
  package let needsSecondFactor: Bool

  /// Creates a policy with the maximum age of the proof, in minutes, for opening the page and for
  /// sending its form.
  package init(withinMinutes: Int64, sendingWithinMinutes: Int64, needsSecondFactor: Bool = false) {
    within = withinMinutes * SessionLimits.minute
    withinForSending = sendingWithinMinutes * SessionLimits.minute
    self.needsSecondFactor = needsSecondFactor
  }

  /// The policy for a copy of everything, for erasing, for changes to signing in, and for another
  /// person's data.
  package static let recent = ProofPolicy(withinMinutes: 15, sendingWithinMinutes: 30)
  /// The policy for running the server.
  package static let administration = ProofPolicy(
    withinMinutes: 15, sendingWithinMinutes: 30, needsSecondFactor: true)
  /// The policy for access without a grant in an emergency.
  package static let emergency = ProofPolicy(
    withinMinutes: 5, sendingWithinMinutes: 5, needsSecondFactor: true)

  /// Returns true if the proof of a session is enough.
  ///
  /// An account without a second factor is asked only for its password, and is asked elsewhere to set one up.
  package func isMet(by session: SessionFacts, at now: Timestamp, isSending: Bool) -> Bool {
    let age = now.milliseconds - session.proved.milliseconds
    // A proof from the future comes from a clock that was set back, so it does not count.
    guard (-SessionLimits.minute...(isSending ? withinForSending : within)).contains(age) else {
      return false
    }
    return !needsSecondFactor || !session.secondFactor.isSetUp || session.proof.isSecondFactor
  }
}
