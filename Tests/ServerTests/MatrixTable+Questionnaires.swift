// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Identifiers
import Storage

@testable import Web

extension MatrixTable {
  /// The addresses of questionnaires. Those below `/questionnaires` name no person.
  static let questionnaires = Set(
    """
    closed GET /api/v1/questionnaires
    closed GET /api/v1/questionnaires/:questionnaire
    closed POST /api/v1/questionnaires/:questionnaire/responses
    closed GET /care/:patient/questionnaires
    closed POST /care/:patient/questionnaires
    closed GET /questionnaires
    closed GET /questionnaires/:questionnaire
    closed POST /questionnaires/:questionnaire
    closed POST /questionnaires/:questionnaire/end
    closed GET /questionnaires/:questionnaire/history
    closed GET /questionnaires/:questionnaire/schedule
    closed POST /questionnaires/:questionnaire/schedule
    closed GET /questionnaires/check
    closed POST /questionnaires/check
    """.split(separator: "\n").map(String.init))
}

extension MatrixPlan {
  /// Returns answers for the plan's owner, if a route takes them.
  func questionnaireBody(of route: Route) -> JSONValue? {
    guard route.path == "/api/v1/questionnaires/:questionnaire/responses" else { return nil }
    return ["patient": .string(account.patient.text), "answers": ["forgot": "never"]]
  }
}
