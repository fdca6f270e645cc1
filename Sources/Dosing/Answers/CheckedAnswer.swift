// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Storage

/// The answer in force of a dose, as the rules and the records need it.
struct AnswerInForce: Sendable, Hashable {
  let id: AnswerID
  let action: AnswerAction
  let at: Timestamp
  let recorded: Timestamp
  let by: String
  let reason: String?
  let amount: Amount?
  /// The version of the dose that this answer created.
  let doseVersion: Int64
  /// The MedicationAdministration; nil for `later`.
  let administration: AdministrationID?
}

/// A request whose fields have been checked; fields that the client left out are nil.
package struct CheckedAnswer: Sendable, Hashable {
  let action: AnswerAction
  let event: String?
  let at: Timestamp?
  let reason: String?
  let minutes: Int?
  let amount: Amount?
  let corrects: Int64?
  let confirm: Bool

  /// Checks the fields of a request against the server's clock.
  ///
  /// - Throws: `invalid` for a future or impossible time, a long reason, a malformed event, or
  /// `later` without minutes.
  package init(_ request: AnswerRequest, now: Timestamp) throws(AnswerError) {
    action = request.action
    event = try AnswerInput.event(request.event)
    at = try request.at.map { given throws(AnswerError) in
      try AnswerInput.time(given, now: now)
    }
    reason = try AnswerInput.reason(request.reason)
    if action == .later {
      guard let minutes = request.minutes else { throw .invalid(.missingMinutes) }
      self.minutes = minutes
    } else {
      minutes = nil
    }
    amount = action == .taken ? request.amount : nil
    corrects = request.corrects
    confirm = request.confirm
  }

  /// Returns true if the answer in force already contains everything in this request.
  func saysNothingBeyond(_ inForce: AnswerInForce) -> Bool {
    guard action == inForce.action, at == nil || at == inForce.at else { return false }
    guard reason == nil || reason == inForce.reason else { return false }
    return amount.map { $0.isSameQuantity(as: inForce.amount) } ?? true
  }
}

extension Amount {
  /// Returns true if value and unit are written the same; a stored answer has no unit code.
  func isSameQuantity(as other: Amount?) -> Bool {
    value == other?.value && unit == other?.unit
  }

  var asStoredWithAnswers: Amount? {
    Amount(value: value, unit: unit)
  }
}

/// An answer in the form in which it is recorded.
package struct AnswerFact: Sendable, Hashable {
  /// The identifier of the answer, created when it is recorded.
  package let id: AnswerID
  /// The answer, or `undo`.
  package let action: AnswerAction
  /// The UUID of the button press in lower case; nil if the request had none.
  package let event: String?
  /// The time at which it happened, as reported.
  package let at: Timestamp
  /// The person's own words; nil if none were given.
  package let reason: String?
  /// The amount taken; nil if it was not taken or not stated.
  package let amount: Amount?
  /// The minutes by which the reminder was postponed; nil unless the action is `later`.
  package let minutes: Int?
  /// The version that it gives the dose; nil if it repeats an answer or names no dose.
  package let doseVersion: Int64?
  /// The version of the dose whose answer it replaces or takes back; nil if it corrects none.
  package let corrects: Int64?
  /// The MedicationAdministration that belongs to the answer; nil if none does, as for `later`.
  package let administration: AdministrationID?

  /// Creates an answer from its fields.
  package init(
    id: AnswerID, action: AnswerAction, event: String?, at: Timestamp, reason: String?,
    amount: Amount?, minutes: Int?, doseVersion: Int64?, corrects: Int64?,
    administration: AdministrationID?
  ) {
    self.id = id
    self.action = action
    self.event = event
    self.at = at
    self.reason = reason
    self.amount = amount
    self.minutes = minutes
    self.doseVersion = doseVersion
    self.corrects = corrects
    self.administration = administration
  }
}
