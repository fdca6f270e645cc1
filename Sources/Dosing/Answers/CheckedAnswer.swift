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
  /// The version of the dose that this answer made.
  let doseVersion: Int64
  /// The MedicationAdministration; nil for `later`.
  let administration: AdministrationID?
}

/// A request whose fields have been checked; what the client left open is nil.
package struct CheckedAnswer: Sendable, Hashable {
  let action: AnswerAction
  let event: String?
  let at: Timestamp?
  let reason: String?
  let minutes: Int?
  let amount: Amount?
  let corrects: Int64?
  let confirm: Bool

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

  /// Whether the answer in force already holds all that this request states.
  func saysNothingBeyond(_ inForce: AnswerInForce) -> Bool {
    guard action == inForce.action, at == nil || at == inForce.at else { return false }
    guard reason == nil || reason == inForce.reason else { return false }
    return amount.map { $0.isSameQuantity(as: inForce.amount) } ?? true
  }
}

extension Amount {
  /// Whether value and unit are written the same; a stored answer keeps no unit code.
  func isSameQuantity(as other: Amount?) -> Bool {
    value == other?.value && unit == other?.unit
  }

  var asStoredWithAnswers: Amount? {
    Amount(value: value, unit: unit)
  }
}

/// An answer as it goes into the records.
package struct AnswerFact: Sendable, Hashable {
  package let id: AnswerID
  package let action: AnswerAction
  package let event: String?
  package let at: Timestamp
  package let reason: String?
  package let amount: Amount?
  package let minutes: Int?
  /// The version of the dose that it makes; nil when it repeats what was already so.
  package let doseVersion: Int64?
  /// The version whose answer it replaces or takes back.
  package let corrects: Int64?
  package let administration: AdministrationID?

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
