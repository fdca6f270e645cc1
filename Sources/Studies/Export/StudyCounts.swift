// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// The counts of a study, in which small cells are marked.
package struct StudyCounts: Sendable, Hashable {
  /// True while people can join.
  package let isOpen: Bool
  /// The people who take part.
  package let taking: String
  /// The people who withdrew.
  package let withdrawn: String
  /// The places that were allocated, also of people who were erased since.
  package let allocated: String

  /// Returns the counts of a study.
  package static func read(
    _ authorization: StudyAuthorization, in reader: any SQLReader
  ) throws -> StudyCounts {
    guard let row = try StudyQueries.study(authorization.study, in: reader) else {
      throw StudyError.notFound
    }
    func count(_ sql: StaticString) throws -> String {
      StudyTally.cell(try reader.first(sql, [.text(row.study)])?.value() ?? 0)
    }
    return StudyCounts(
      isOpen: row.closed == nil,
      taking: try count(
        "SELECT COUNT(*) FROM study_participants WHERE study = $1 AND withdrawn IS NULL"),
      withdrawn: try count(
        "SELECT COUNT(*) FROM study_participants WHERE study = $1 AND withdrawn IS NOT NULL"),
      allocated: StudyTally.cell(row.allocated))
  }
}
