// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import HTTPTypes
import Scheduling
import Web

extension AnswerError: FailureConvertible {
  /// The response to a failed answer, with times of the dose in UTC.
  package var failure: Failure { Failure(answer: self, zone: .utc) }
}

extension Failure {
  /// Creates the response of the API to an answer that was not recorded.
  ///
  /// - Parameter zone: The time zone of the times in the response.
  package init(answer error: AnswerError, zone: Zone) {
    let writer = DoseJSON(zone: zone)
    switch error {
    case .notFound, .notAuthorized: self = .notFound
    case .answered(let dose):
      self.init(
        .conflict, code: "answered",
        detail:
          "This dose is already answered. To replace the answer, send its version in corrects.",
        members: ["dose": writer.json(dose)])
    case .stale(let dose):
      self.init(
        .conflict, code: "stale",
        detail: "The answer in corrects was replaced. Read the dose again.",
        members: ["dose": writer.json(dose)])
    case .cancelled(let dose):
      self.init(
        .conflict, code: "cancelled", detail: "This dose was cancelled.",
        members: ["dose": writer.json(dose)])
    case .confirm(let question):
      var members: [String: JSONValue] = [
        "taken": .array(question.intakes.map(writer.json))
      ]
      if !question.breaches.isEmpty {
        members["limits"] = .array(question.breaches.map(writer.json))
      }
      members["early"] = question.early.map(writer.json)
      self.init(
        .conflict, code: "confirm",
        detail: "\(Self.reason(question)) Send confirm: true to record it.", members: members)
    case .invalid(let issue): self.init(issue)
    case .records(let error): self = error.failure
    case .storage(let error): self = error.failure
    }
  }

  private static func reason(_ question: IntakeQuestion) -> String {
    if !question.breaches.isEmpty { return "This dose exceeds the plan's limits." }
    if !question.intakes.isEmpty {
      return "The same ingredient was taken less than the minimum gap ago."
    }
    return "This dose is due in more than an hour."
  }

  private init(_ issue: AnswerIssue) {
    let (field, detail): (String, String) =
      switch issue {
      case .futureTime: ("at", "must not be in the future")
      case .timeOutOfRange: ("at", "must be in the years 1 to 9999")
      case .reasonTooLong(let maximum): ("reason", "must have at most \(maximum) characters")
      case .missingMinutes: ("minutes", "is required with later")
      case .minutesOutOfRange(let maximum):
        (
          "minutes",
          maximum > 0
            ? "must be from 1 to \(maximum), so that the dose stays within its late window and gap"
            : "is not allowed: this dose can no longer be snoozed"
        )
      case .badEvent: ("event", "must be a UUID")
      case .eventUsedElsewhere: ("event", "was used for another answer; send a new UUID")
      case .missingMedicine: ("medicine", "must be a plan's id or a name")
      case .medicineTooLong(let maximum): ("medicine", "must have at most \(maximum) characters")
      }
    self.init(
      .unprocessableContent, code: "value", detail: "\(field) \(detail).",
      issues: [
        FHIRIssue(severity: .error, code: .value, expression: field, diagnostics: detail)
      ])
  }
}
