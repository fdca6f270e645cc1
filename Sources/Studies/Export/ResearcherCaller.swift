// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage

/// The researcher behind a request, found by the token that opens one study and nothing else.
package struct ResearcherCaller: Sendable {
  /// The researcher.
  package let researcher: StudyResearcher
  private let actor: Actor

  /// Finds the researcher of a token; nil if it is unknown or was revoked.
  package static func find(
    _ token: Secret, in reader: any SQLReader
  ) throws(StorageError) -> ResearcherCaller? {
    guard token.text.hasPrefix(Secret.researcherPrefix),
      let researcher = try StudyQueries.researcher(token: token.digest, in: reader)
    else { return nil }
    let actor = Actor(
      accountID: AccountID("researcher-\(researcher.researcher)"), kind: .token, rights: [:],
      scope: .research(researcher.study))
    return ResearcherCaller(researcher: researcher, actor: actor)
  }

  /// Returns the permission for the counts (`read`) or the export of the study.
  ///
  /// - Throws: ``DenialReason`` if it is denied.
  package func authorize(_ action: Access.Action) throws -> StudyAuthorization {
    switch decideStudy(actor: actor, action: action, study: researcher.study) {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason
    }
  }
}
