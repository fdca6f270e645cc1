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
        .unprocessableContent, code: "value", detail: "The alarm is not valid.",
        issues: issues.map {
          FHIRIssue(
            severity: .error, code: .value, expression: $0.rawValue, diagnostics: $0.rawValue)
        })
    case .tooMany(let maximum):
      Failure(.conflict, code: "conflict", detail: "A person has \(maximum) alarms at most.")
    case .versionConflict(let current):
      Failure(
        .conflict, code: "conflict", detail: "It has changed meanwhile.",
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
      Failure(.conflict, code: "answered", detail: "Another answer came first.")
    case .cancelled: Failure(.conflict, code: "cancelled", detail: "It was called off.")
    case .minutesOutOfRange(let maximum):
      .wrong(
        "minutes", maximum > 0 ? "must be from 1 to \(maximum)" : "no longer fit: answer instead")
    case .missingMinutes: .wrong("minutes", "must be given with later")
    case .eventUsedElsewhere: .wrong("event", "was used before for something else")
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
