// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Queries about sites; the caller has checked that the actor may see them.
package enum SiteQueries {
  /// The doses that are listed for a medicine.
  private static let mostListed = 100
  /// The age up to which a dose without a site is asked about, in milliseconds.
  private static let reach: Int64 = 24 * 3_600_000

  /// Returns the choice for a medicine; nil if there is none.
  package static func choice(
    ofPlan plan: PlanID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> SiteChoice? {
    try reader.first(choiceStatement, [.text(patient), .text(plan)])?.decode(as: SiteChoice.self)
  }

  private static let choiceStatement = SQLStatement(
    "SELECT \(SiteChoice.columns) FROM site_choices c WHERE c.patient = $1 AND c.plan = $2")

  /// Returns the medicines whose sites are recorded, by plan.
  package static func choices(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [(plan: PlanID, choice: SiteChoice)] {
    var found: [(plan: PlanID, choice: SiteChoice)] = []
    for row in try reader.query(choicesStatement, [.text(patient)]) {
      let choice = try row.decode(as: SiteChoice.self)
      let plan: PlanID = try row.read(SitePlanRow.self, after: SiteChoice.self).id(.plan)
      found.append((plan: plan, choice: choice))
    }
    return found
  }

  private static let choicesStatement = SQLStatement(
    """
    SELECT \(SiteChoice.columns), \(SitePlanRow.columns) FROM site_choices c
    WHERE c.patient = $1 AND c.is_on = 1 ORDER BY c.plan
    """)

  /// Returns a dose; nil if no site is recorded for it.
  package static func use(
    _ administration: AdministrationID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> SiteUse? {
    try reader.first(useStatement, [.text(patient), .text(administration)])?
      .decode(as: SiteUse.self)
  }

  private static let useStatement = SQLStatement(
    "SELECT \(SiteUse.columns) FROM site_uses s WHERE s.patient = $1 AND s.administration = $2")

  /// Returns the last doses of a medicine, the latest first.
  package static func history(
    ofPlan plan: PlanID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [SiteUse] {
    try reader.query(
      historyStatement, [.text(patient), .text(plan), SQLValue(mostListed)]
    ).decode(as: SiteUse.self)
  }

  private static let historyStatement = SQLStatement(
    """
    SELECT \(SiteUse.columns) FROM site_uses s WHERE s.patient = $1 AND s.plan = $2
    ORDER BY s.used DESC, s.administration LIMIT $3
    """)

  /// Returns the recent doses without a site, and what should have been taken off, with the names of the medicines.
  package static func open(
    patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [OpenSiteUse] {
    var found: [OpenSiteUse] = []
    let rows = try reader.query(
      openStatement,
      [.text(patient), SQLValue(now.adding(milliseconds: -reach)), SQLValue(now)])
    for row in rows {
      let name = try row.read(SiteNameRow.self, after: SiteUse.self).text(.medicineName)
      found.append(OpenSiteUse(use: try row.decode(as: SiteUse.self), medicineName: name))
    }
    return found
  }

  private static let openStatement = SQLStatement(
    """
    SELECT \(SiteUse.columns), \(SiteNameRow.columns) FROM site_uses s
    JOIN plans p ON p.patient = s.patient AND p.plan = s.plan
    WHERE s.patient = $1 AND ((s.site = '' AND s.used > $2)
      OR (s.removed IS NULL AND s.remove_due <= $3))
    ORDER BY s.used, s.administration
    """)
}

/// A dose whose site or removal is still to be logged.
package struct OpenSiteUse: Sendable, Hashable {
  /// The dose.
  package let use: SiteUse
  /// The name of the medicine as shown to people.
  package let medicineName: String
}

extension SiteChoice: SQLReadableRow {
  /// The columns of a choice.
  package enum Column: Int, SQLColumn {
    case isOn, kind, sites, wearMinutes
  }

  /// The columns under the alias `c`.
  package static let columns = SQLColumns<Column>(of: "c")

  /// Reads a row.
  package init(_ row: ColumnReader<Column>) throws(StorageError) {
    let sites = try row.text(.sites).split(separator: " ")
      .compactMap { BodySite(rawValue: String($0)) }
    self.init(
      isOn: try row.bool(.isOn), kind: try row.named(.kind), sites: sites,
      wearMinutes: try row.optionalInteger(.wearMinutes).map { Int(clamping: $0) })
  }
}

extension SiteUse: SQLReadableRow {
  /// The columns of a dose with its site.
  package enum Column: Int, SQLColumn {
    case administration, plan, site, used, reactions, removeDue, removed
  }

  /// The columns under the alias `s`.
  package static let columns = SQLColumns<Column>(of: "s")

  /// Reads a row; a site that this program does not know counts as not stated.
  package init(_ row: ColumnReader<Column>) throws(StorageError) {
    self.init(
      administration: try row.id(.administration), plan: try row.id(.plan),
      site: BodySite(rawValue: try row.text(.site)), used: try row.timestamp(.used),
      reactions: try row.text(.reactions).split(separator: " ")
        .compactMap { SiteReaction(rawValue: String($0)) },
      removeDue: try row.optionalTimestamp(.removeDue),
      removed: try row.optionalTimestamp(.removed))
  }
}

/// The plan of a choice.
enum SitePlanRow: SQLRowType {
  enum Column: Int, SQLColumn { case plan }

  static let columns = SQLColumns<Column>(of: "c")
}

/// The name of the medicine of a dose.
enum SiteNameRow: SQLRowType {
  enum Column: Int, SQLColumn { case medicineName }

  static let columns = SQLColumns<Column>(
    of: "p", [.medicineName: "COALESCE(p.shown_name, p.medicine_name)"])
}
