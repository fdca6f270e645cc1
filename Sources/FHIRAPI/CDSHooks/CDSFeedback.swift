// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Web

/// The answer of a person to a card.
struct CDSFeedback: Sendable, Hashable {
  /// The person's decision about the card.
  enum Outcome: String, Sendable {
    case accepted, overridden
  }

  /// The most answers in one request.
  static let most = 100

  /// The UUID of the card, in lower case.
  let card: String
  /// The decision about the card.
  let outcome: Outcome
  /// The reason for dismissing it; nil if none was given.
  let reason: CDSCard.OverrideReason?

  /// The answer in words for the audit trail, without the person's comment, which may be about the patient.
  var text: String {
    [card, outcome.rawValue, reason?.rawValue].compactMap(\.self).joined(separator: " ")
  }

  /// Reads a body with answers.
  ///
  /// - Throws: ``Failure`` 400 that names the wrong member.
  static func all(in body: JSONValue) throws -> [CDSFeedback] {
    guard let list = body["feedback"]?.array, (1...most).contains(list.count) else {
      throw Failure.badRequest("value", "feedback must be a list of 1 to \(most) answers.")
    }
    return try list.enumerated().map { place, item in
      func wrong(_ member: String, _ expected: String) -> Failure {
        .badRequest("value", "feedback[\(place)].\(member) must be \(expected).")
      }
      guard let card = item["card"]?.string.flatMap({ UUID(uuidString: $0) }) else {
        throw wrong("card", "the UUID of a card")
      }
      guard let outcome = item["outcome"]?.string.flatMap({ Outcome(rawValue: $0) }) else {
        throw wrong("outcome", "accepted or overridden")
      }
      guard item["outcomeTimestamp"]?.string?.isEmpty == false else {
        throw wrong("outcomeTimestamp", "the time of the answer")
      }
      let reason = item["overrideReason"]?["reason"]
      let known = reason?["code"]?.string.flatMap { CDSCard.OverrideReason(rawValue: $0) }
      return CDSFeedback(
        card: card.uuidString.lowercased(), outcome: outcome,
        reason: reason == nil || outcome == .accepted ? nil : known ?? .other)
    }
  }
}
