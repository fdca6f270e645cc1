// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// An ``Alert`` that a questionnaire can be answered: told once, quietly, like an advance notice. Its page answers it.
package enum QuestionnaireAlert {
  /// The kind of reminder by which it is told.
  package static let kind = ReminderKind.lead
  private static let prefix = "questionnaire."

  /// Returns the alert about one occasion of a questionnaire, which is opened once.
  package static func alert(
    of assignment: QuestionnaireAssignmentID, occasion: Int, patient: PatientID, due: Timestamp,
    ends: Timestamp
  ) -> NewAlert {
    let source = source(of: assignment, occasion: occasion)
    return NewAlert(
      patient: patient, id: AlertID(source), kind: kind, source: source, due: due, ends: ends)
  }

  /// Returns the source of the alert about one occasion.
  package static func source(of assignment: QuestionnaireAssignmentID, occasion: Int) -> String {
    "\(prefix)\(occasion).\(assignment)"
  }

  /// Returns true for an alert about a questionnaire.
  package static func isOne(_ alert: AlertID) -> Bool { alert.text.hasPrefix(prefix) }
}
