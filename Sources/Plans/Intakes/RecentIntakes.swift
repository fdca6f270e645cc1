// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A patient's intakes since an instant, read once for all queries about them.
///
/// For a patient with more than ``most`` intakes nothing is kept, and each query reads its own limited range.
package struct RecentIntakes: Sendable {
  /// An intake with its ingredients and, if it was extra, its reason.
  package struct Entry: Sendable {
    /// The intake.
    package let intake: Intake
    /// The ingredient keys, one a line, as in the `ingredients` column.
    package let ingredients: String
    /// True if it answered no dose.
    package let isExtra: Bool
    /// The reason given for an intake that answered no dose.
    package let reason: String?
  }

  /// The maximum number of intakes kept: more than a week of ten medicines twice a day.
  static let most = 200

  /// The instant after which intakes were read, exclusive.
  let after: Timestamp
  /// The intakes in order of time; nil if there are too many.
  private let entries: [Entry]?

  static func read(
    of patient: PatientID, after: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> RecentIntakes {
    let rows = try reader.query(
      statement, [.text(patient), SQLValue(after), SQLValue(most + 1)])
    guard rows.count <= most else { return RecentIntakes(after: after, entries: nil) }
    var entries: [Entry] = []
    entries.reserveCapacity(rows.count)
    for row in rows.reversed() {
      let taken = row.read(TakenRow.self)
      entries.append(
        Entry(
          intake: try Intake(taken), ingredients: try taken.text(.ingredients),
          isExtra: taken[.occurrence] == .null,
          reason: try row.read(ExtraReasonRow.self, after: TakenRow.self).optionalText(.reason)))
    }
    return RecentIntakes(after: after, entries: entries)
  }

  private static let statement = SQLStatement(
    """
    SELECT \(TakenRow.columns), \(ExtraReasonRow.columns)
    FROM intakes i WHERE i.patient = $1 AND i.taken > $2
    ORDER BY i.taken DESC, i.administration DESC LIMIT $3
    """)

  /// Returns all intakes after an instant, in order of time; nil if not all of them are known.
  package func since(_ instant: Timestamp) -> [Entry]? {
    guard instant >= after else { return nil }
    return entries?.filter { $0.intake.taken > instant }
  }

  /// Returns the intakes of a medicine strictly nearer to an instant than a given time; nil if not all of
  /// them are known.
  func near(
    _ at: Timestamp, plan: PlanID?, ingredients: Set<String>, within milliseconds: Int64,
    excluding dose: DoseID?
  ) -> [Intake]? {
    guard milliseconds > 0 else { return [] }
    let until = at.adding(milliseconds: milliseconds)
    return since(at.adding(milliseconds: -milliseconds))?.filter { entry in
      guard entry.intake.taken < until, dose == nil || entry.intake.dose != dose else {
        return false
      }
      return plan != nil && entry.intake.plan == plan
        || !Ingredient.contents(column: entry.ingredients).isDisjoint(with: ingredients)
    }.map(\.intake)
  }
}

/// The reason given for an intake that answered no dose, which follows the columns of the intake `i`.
enum ExtraReasonRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case reason
  }

  static let columns = SQLColumns<Column>(
    of: "i",
    [
      .reason: """
      CASE WHEN i.occurrence IS NULL THEN (
        SELECT MAX(a.reason) FROM answers a
        WHERE a.patient = i.patient AND a.at = i.taken AND a.occurrence IS NULL
          AND a.administration = i.administration AND a.action = 'taken') END
      """
    ])
}
