// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import HTTPTypes
import Plans
import Web

extension PlanError: FailureConvertible {
  /// The response to a failed command on a plan.
  package var failure: Failure {
    switch self {
    case .notFound, .notAuthorized, .foreignSubject: .notFound
    case .invalid(let issues):
      .unprocessable(
        "invalid",
        "Not valid: "
          + issues.map { "\($0.field.rawValue): \($0.reason.rawValue)" }.joined(separator: "; "))
    case .invalidResource(let issues):
      Failure(
        .unprocessableContent, code: "invalid", detail: Failure.summary(of: issues),
        issues: issues)
    case .versionConflict(let current): .versionConflict(current)
    case .tooOften(let breach):
      Failure(
        .unprocessableContent, code: "business-rule", detail: breach.issue.diagnostics,
        issues: [breach.issue])
    case .unusualAmounts(let found): Self.unusual(found)
    case .supplyUnanswered(let question): Self.unanswered(question)
    case .tooManyDoses:
      .unprocessable(
        "too-costly",
        "More than \(DoseListing.most) doses fall in this period. Ask for a shorter one.")
    case .zone: .unprocessable("value", "This server does not know the time zone.")
    case .unreadableRecord:
      Failure(.internalServerError, code: "exception", detail: "A stored resource cannot be read.")
    case .reasonMissing: .unprocessable("required", "Send a reason.")
    case .notMovable: .unprocessable("value", "This dose cannot be moved.")
    case .moveOutOfRange: .unprocessable("value", "The dose cannot be moved to this time.")
    case .alreadyStopped:
      Failure(.conflict, code: "stopped", detail: "This medicine is already stopped.")
    case .records(let error): error.failure
    case .storage(let error): error.failure
    }
  }

  private static func unanswered(_ question: SupplyQuestion) -> Failure {
    let issue = question.issue(.error, note: "Send supply: stop or go-on.")
    return Failure(
      .unprocessableContent, code: "supply", detail: issue.diagnostics, issues: [issue])
  }

  private static func unusual(_ found: [AmountFinding]) -> Failure {
    let issues = found.map { $0.issue(.error) }
    return Failure(
      .unprocessableContent, code: "business-rule", detail: Failure.summary(of: issues),
      issues: issues)
  }
}
