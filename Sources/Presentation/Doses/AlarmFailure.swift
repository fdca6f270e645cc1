// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Reminders
import Web

extension AlarmError: FailureConvertible {
  /// The response to a failed command on an alarm.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .invalid(let issues):
      Failure(
        .unprocessableContent, code: "value", detail: "The alarm is not valid. See issues.",
        issues: issues.map {
          FHIRIssue(
            severity: .error, code: .value, expression: $0.rawValue,
            diagnostics: "is missing or not allowed")
        })
    case .tooMany(let maximum):
      Failure(
        .conflict, code: "conflict",
        detail: "A person can have \(maximum) alarms. Remove one first.")
    case .versionConflict(let current):
      Failure(
        .conflict, code: "conflict", detail: "The alarm has changed. Read it again.",
        members: ["version": .number(JSONNumber(current))])
    case .storage(let error): error.failure
    }
  }
}

extension AlertError: FailureConvertible {
  /// The response to a failed answer to an alert.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .answered:
      Failure(.conflict, code: "answered", detail: "This alert is already answered.")
    case .cancelled: Failure(.conflict, code: "cancelled", detail: "This alert was cancelled.")
    case .minutesOutOfRange(let maximum):
      .wrong(
        "minutes",
        maximum > 0 ? "must be from 1 to \(maximum)" : "is no longer allowed; send another action")
    case .missingMinutes: .wrong("minutes", "is required with later")
    case .eventUsedElsewhere: .wrong("event", "was used for something else; send a new UUID")
    case .storage(let error): error.failure
    }
  }
}

extension ReminderError: FailureConvertible {
  /// The response to a failed command on a delivery or a device.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .storage(let error): error.failure
    }
  }
}
