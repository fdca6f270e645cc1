// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Encodings
import Identifiers
import Plans
import Storage

/// The two sides of a conversation.
package enum ChatSide: String, Sendable, Hashable, CaseIterable {
  /// The patient, and whoever acts in the patient's place.
  case patient
  /// The one person with whom it is held.
  case member

  package var other: ChatSide { self == .patient ? .member : .patient }
}

/// How somebody stands to the conversations of a patient.
package enum ChatStanding: Sendable, Hashable {
  /// Acts for the patient: sees all of them, and writes on the patient's side.
  case acting(Relationship)
  /// Has messages shared: sees the own conversation alone.
  case member(Relationship)
  /// Reads for the whole installation, and writes nothing.
  case observer

  /// Nil where none of them may be known of: looks in an emergency see no conversation.
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

  package var side: ChatSide {
    if case .member = self { .member } else { .patient }
  }

  /// What the one who writes is to the patient; nil where nothing may be written.
  var role: Relationship? {
    switch self {
    case .acting(let role), .member(let role): role
    case .observer: nil
    }
  }
}

/// One conversation as somebody finds it.
package struct Conversation: Sendable, Hashable {
  package let id: ConversationID
  package let patient: PatientID
  /// The account on the other side of the patient.
  package let member: AccountID
  package let memberName: String
  /// What the member is, or was, to the patient.
  package let relationship: Relationship
  /// Whether messages are shared with the member now, so that both may write.
  package let isOpen: Bool
  package let standing: ChatStanding
  /// The number of the latest message; 0 before the first.
  package let lastNumber: Int64

  /// The same for as long as there are this patient and this account: a conversation has its address before
  /// its first message, and goes on where it ended.
  package static func id(patient: PatientID, member: AccountID) -> ConversationID {
    let digest = Fingerprint.digest(of: Array("conversation:\(patient):\(member)".utf8))
    return ConversationID(Hexadecimal.encode(Array(digest.prefix(16))))
  }
}

/// A conversation in a list.
package struct ListedConversation: Sendable, Hashable {
  package let conversation: Conversation
  /// Messages of the other side that the reader has not seen.
  package let unread: Int
  package let last: ChatMessage?
}

/// What a message points to.
package enum ChatLink: Sendable, Hashable {
  case dose(DoseID)
  /// A question of the watched heart rate, by its id.
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

  /// Nil for a kind that is not known and for a dose that cannot be one.
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

  /// The form in which a page sends it, `dose:…`.
  package init?(text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(kind: String(parts[0]), target: String(parts[1]))
  }

  package var text: String { "\(kind):\(target)" }

  /// The resource that shows what it points to.
  package var resource: String {
    switch self {
    case .dose: "Dose"
    case .warning: "Observation"
    }
  }
}

/// A message, or what is left of one that was taken back.
package struct ChatMessage: Sendable, Hashable {
  package let id: MessageID
  package let conversation: ConversationID
  package let patient: PatientID
  /// From 1, in the order in which messages came.
  package let number: Int64
  package let event: String
  package let sender: AccountID
  package let side: ChatSide
  package let role: Relationship
  /// The sender's name as it was; empty once the message was taken back.
  package let senderName: String
  /// Empty for a photo without words, and once it was taken back.
  package let text: String
  package let hasPhoto: Bool
  package let link: ChatLink?
  package let sent: Timestamp
  /// Earlier than ``sent`` where it waited for a network.
  package let written: Timestamp
  package let withdrawn: Timestamp?
}

/// Why a command on messages did nothing.
package enum ChatError: Error, Sendable, Hashable {
  /// No such conversation or message, or none that the actor may know of.
  case notFound
  /// The actor reads and does not write.
  case notAllowed
  /// Messages are not shared with the other side any more.
  case ended
  case empty
  case tooLong(maximum: Int)
  /// What it points to is not there, or the sender may not see it.
  case link
  case event
  /// So many messages were sent lately; nothing is lost, and another try is worth it in so many seconds.
  case tooMany(seconds: Int)
}
