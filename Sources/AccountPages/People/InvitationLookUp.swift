// SPDX-License-Identifier: Apache-2.0

import Accounts
import Localization
import People
import Presentation
import Storage
import Web

/// Finds the invitation for a code, and delays repeated attempts.
struct InvitationLookUp: Sendable {
  let call: Call
  /// The throttling buckets for attempts, until one opens an invitation.
  let buckets: [SignInThrottle.Bucket]

  /// An invitation with its names.
  struct Offer: Sendable {
    let invitation: GrantInvitation
    let patientName: String
    let inviterName: String
  }

  /// The outcome of a look-up.
  enum Answer: Sendable {
    case offer(Offer)
    case refused(Refusal)
  }

  /// A reason that a code opens no invitation.
  enum Refusal: Sendable, Hashable {
    case standing(InvitationStanding)
    case tooMany(seconds: Int)

    /// Returns the reason in one sentence.
    func message(_ localizer: Localizer) -> String {
      switch self {
      case .tooMany(let seconds):
        localizer.text("sign-in.too-many", ["minutes": .number((seconds + 59) / 60)])
      case .standing(.open), .standing(.unknown): PeopleText.refusal(.codeRefused, localizer)
      case .standing(.used): localizer.text("people.code-state", ["state": "used"])
      case .standing(.expired): localizer.text("people.code-state", ["state": "expired"])
      case .standing(.withdrawn): localizer.text("people.code-state", ["state": "withdrawn"])
      case .standing(.forSomeoneElse):
        localizer.text("people.code-state", ["state": "someone-else"])
      }
    }
  }

  /// Returns the open invitation for a code, or the reason why there is none.
  func find(_ text: String) async throws -> Answer {
    let (environment, now) = (call.environment, call.now)
    do {
      try await environment.codeThrottle.admit(buckets, at: now)
    } catch AccountError.tooManyAttempts(let seconds) {
      return .refused(.tooMany(seconds: seconds))
    }
    guard let code = InvitationCode(typed: text) else { return .refused(.standing(.unknown)) }
    let answer = try await environment.database.read { reader -> Answer in
      let accounts = environment.accounts
      let standing = try accounts.standing(of: code, at: now, in: reader)
      guard case .open(let invitation) = standing else { return .refused(.standing(standing)) }
      return .offer(
        Offer(
          invitation: invitation,
          patientName: try PeopleQueries.name(invitation.patient, in: reader) ?? "",
          inviterName: try accounts.account(invitation.invitedBy, in: reader)?.displayName ?? ""))
    }
    if case .offer = answer { try await environment.codeThrottle.succeeded(buckets) }
    return answer
  }
}
