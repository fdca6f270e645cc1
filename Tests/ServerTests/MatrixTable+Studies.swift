// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Localization
import Storage
import TestSupport

@testable import Studies
@testable import Web

extension MatrixTable {
  /// The pages of studies, and the addresses of researchers, which only take their own tokens.
  static let studies = Set(
    """
    open GET /api/v1/research/counts
    open GET /api/v1/research/files
    open GET /api/v1/research/files/:file
    closed GET /studies
    closed GET /studies/:study
    closed GET /studies/:study/consent.pdf
    closed GET /studies/:study/join
    closed POST /studies/:study/join
    closed POST /studies/:study/withdraw
    """.split(separator: "\n").map(String.init))
}

extension MatrixPlan {
  /// The study in which accounts of the matrix take part.
  static let study = StudyID("reminders-2026")
  /// The first places of its order are in the arm that changes nothing.
  private static let seed = [UInt8](repeating: 12, count: 32)

  /// Lets an account take part, signed with the secret as its name; the study is loaded unless it is.
  static func takePart(_ harness: ServerHarness, _ account: Account) async throws {
    let (environment, now) = (harness.environment, harness.clock.now)
    let commands = StudyCommands(accounts: environment.accounts)
    let file = try StudyFile(Array(StudySample.text.utf8))
    let actor = Actor(
      accountID: account.id, kind: .session, relationships: [account.patient: .self_],
      scope: .session)
    let context = environment.commandContext(for: actor, byName: secretName, now: now)
    let request = StudyCommands.Request(
      version: 1, language: .en, answers: ["phone": true], understanding: ["leave": "yes"],
      name: secretName)
    try await environment.database.write { writer in
      if try StudyQueries.study(study, in: writer) == nil {
        try commands.load(file, seed: seed, by: "operator", at: now, in: writer)
      }
      try commands.join(
        study, account.patient, request,
        candidate: StudyCandidate(age: 40, hasMedicine: true), context, in: writer)
    }
  }

  /// Adds a researcher to the study, and returns the token.
  static func addResearcher(_ harness: ServerHarness) async throws -> Secret {
    let secret = Secret(text: "\(Secret.researcherPrefix)matrix")
    let commands = StudyCommands(accounts: harness.environment.accounts)
    let now = harness.clock.now
    try await harness.environment.database.write { writer in
      try commands.addResearcher(
        "researcher", name: "Dr. Example", to: study, token: secret, by: "operator", at: now,
        in: writer)
    }
    return secret
  }
}
