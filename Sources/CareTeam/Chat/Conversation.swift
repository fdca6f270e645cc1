// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Encodings
import Identifiers
import Plans
import Storage

/// The two sides of a conversation.
package enum ChatSide: String, Sendable, Hashable, CaseIterable {
  /// The patient, and those who act for the patient.
  case patient
  /// The person with whom the conversation is held.
  case member

  /// The opposite side.
  package var other: ChatSide { self == .patient ? .member : .patient }
}

/// The position of an account toward the conversations of a patient.
package enum ChatStanding: Sendable, Hashable {
  /// The account acts for the patient: it sees all conversations and writes on the patient's side.
  case acting(Relationship)
  /// Messages are shared with the account: it sees only its own conversation.
  case member(Relationship)
  /// The account reads for the whole installation and writes nothing.
  case observer

  /// Returns the position of an actor; nil if it may not know of any conversation.
  ///
  /// Emergency access never opens a conversation.
  package static func of(_ actor: Actor, patient: PatientID) -> ChatStanding? {
    guard
      case .allow = decide(
        actor: actor, action: .read, patient: patient, resource: "Communication", purpose: .care)
    else { return nil }
    guard let right = actor.rights[patient] else { return .observer }
    switch right.relationship {
    case .self_, .guardian: return .acting(right.relationship)
    case .family, .practitioner: return .member(right.relationship)
    case .emergency: return nil
    }
  }

  /// The side on which the account stands; an observer reads as the patient's side.
  package var side: ChatSide {
    if case .member = self { .member } else { .patient }
  }

  /// The writer's relationship to the patient; nil if the account may not write.
  var role: Relationship? {
    switch self {
    case .acting(let role), .member(let role): role
    case .observer: nil
    }
  }
}

/// A conversation as one account sees it.
package struct Conversation: Sendable, Hashable {
  /// The identifier, which follows from the patient and the member.
  package let id: ConversationID
  /// The patient whom the conversation is about.
  package let patient: PatientID
  /// The account on the other side of the patient.
  package let member: AccountID
  /// The member's displayed name.
  package let memberName: String
  /// The member's current relationship to the patient, or the last one.
  package let relationship: Relationship
  /// True if messages are shared with the member now, so that both may write.
  package let isOpen: Bool
  /// The position of the account that sees it.
  package let standing: ChatStanding
  /// The number of the latest message; 0 before the first.
  package let lastNumber: Int64

  /// Returns the identifier of the conversation between a patient and a member.
  ///
  /// It is always the same for the two, so a conversation has an address before its first message and
  /// continues after it ended once.
  package static func id(patient: PatientID, member: AccountID) -> ConversationID {
    let digest = Fingerprint.digest(of: Array("conversation:\(patient):\(member)".utf8))
    return ConversationID(Hexadecimal.encode(Array(digest.prefix(16))))
  }
}

/// A conversation in a list.
package struct ListedConversation: Sendable, Hashable {
  /// The conversation.
  package let conversation: Conversation
  /// The number of the other side's messages that the reader has not seen.
  package let unread: Int
  /// The latest message; nil before the first.
  package let last: ChatMessage?
}

/// A reference of a message to a dose or a question.
package enum ChatLink: Sendable, Hashable {
  /// A dose.
  case dose(DoseID)
  /// A question about the monitored heart rate.
  case warning(WarningID)

  var kind: String {
    switch self {
    case .dose: "dose"
    case .warning: "warning"
    }
  }

  var target: String {
    switch self {
    case .dose(let dose): dose.text
    case .warning(let id): id.text
    }
  }

  /// Creates a reference; nil for an unknown kind, or for a target that cannot be an identifier.
  package init?(kind: String, target: String) {
    switch kind {
    case "dose":
      guard let dose = DoseID(text: target) else { return nil }
      self = .dose(dose)
    case "warning" where !target.isEmpty && target.utf8.count <= 64:
      self = .warning(WarningID(target))
    default: return nil
    }
  }

  /// Reads a reference in the form `dose:…` or `warning:…`, as pages send it.
  package init?(text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(kind: String(parts[0]), target: String(parts[1]))
  }

  /// The reference in the form `dose:…` or `warning:…`.
  package var text: String { "\(kind):\(target)" }

  /// The resource that the sender of the reference must be allowed to read.
  package var resource: String {
    switch self {
    case .dose: "Dose"
    case .warning: "Observation"
    }
  }
}

/// A message, or the remainder of one that was withdrawn.
package struct ChatMessage: Sendable, Hashable {
  /// The identifier, which is also that of the FHIR Communication.
  package let id: MessageID
  /// The conversation of the message.
  package let conversation: ConversationID
  /// The patient whom the conversation is about.
  package let patient: PatientID
  /// The position of the message in its conversation, from 1 in the order of arrival.
  package let number: Int64
  /// The UUID created by the sender's device.
  package let event: String
  /// The account that sent it.
  package let sender: AccountID
  /// The side on which the sender wrote.
  package let side: ChatSide
  /// The sender's relationship to the patient when it was sent.
  package let role: Relationship
  /// The sender's name when it was sent; empty once the message was withdrawn.
  package let senderName: String
  /// The text; empty for a photo without a caption, and once the message was withdrawn.
  package let text: String
  /// True if the message has a photo.
  package let hasPhoto: Bool
  /// The dose or question that it refers to; nil for none.
  package let link: ChatLink?
  /// The time when the server received it.
  package let sent: Timestamp
  /// The time when it was written, earlier than ``sent`` if it waited for a network.
  package let written: Timestamp
  /// The time when its sender withdrew it; nil if it was not withdrawn.
  package let withdrawn: Timestamp?
}

/// The reason why a command on messages did nothing.
package enum ChatError: Error, Sendable, Hashable {
  /// There is no such conversation or message, or the actor may not know of it.
  case notFound
  /// The actor may read but not write.
  case notAllowed
  /// Messages are no longer shared with the other side.
  case ended
  /// The message has neither text nor a photo.
  case empty
  /// The text has more than the given number of characters.
  case tooLong(maximum: Int)
  /// The reference leads to nothing, or to something that the sender may not see.
  case link
  /// The event is not a UUID.
  case event
  /// Too many messages were sent recently; another attempt can succeed after the given number of seconds.
  case tooMany(seconds: Int)
}
