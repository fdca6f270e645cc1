// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The statements that change the tables `site_choices` and `site_uses`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
enum SiteStore {
  static func keep(
    _ choice: SiteChoice, ofPlan plan: PlanID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    let row = NewSiteChoiceRow(patient: patient, plan: plan, choice: choice)
    try writer.execute(keepChoice, row.values)
  }

  private static let keepChoice = SQLStatement(
    """
    INSERT INTO site_choices (\(NewSiteChoiceRow.columns))
    VALUES (\(NewSiteChoiceRow.placeholders))
    ON CONFLICT (patient, plan) DO UPDATE SET is_on = excluded.is_on, kind = excluded.kind,
      sites = excluded.sites, wear_minutes = excluded.wear_minutes
    """)

  /// Adds a dose whose site is not stated yet, or changes the time of one.
  static func keep(
    _ use: SiteUse, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    let row = NewSiteUseRow(patient: patient, use: use)
    try writer.execute(keepUse, row.values)
  }

  private static let keepUse = SQLStatement(
    """
    INSERT INTO site_uses (\(NewSiteUseRow.columns)) VALUES (\(NewSiteUseRow.placeholders))
    ON CONFLICT (patient, administration) DO UPDATE SET plan = excluded.plan,
      used = excluded.used, remove_due = excluded.remove_due
    WHERE site_uses.removed IS NULL
    """)

  static func set(
    _ site: BodySite, _ reactions: [SiteReaction], of use: SiteUse, patient: PatientID,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE site_uses SET site = $1, reactions = $2
      WHERE patient = $3 AND administration = $4
      """,
      [
        .text(site.rawValue), .text(reactions.map(\.rawValue).joined(separator: " ")),
        .text(patient), .text(use.administration),
      ])
  }

  static func remove(
    _ use: SiteUse, at removed: Timestamp, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE site_uses SET removed = $1 WHERE patient = $2 AND administration = $3",
      [SQLValue(removed), .text(patient), .text(use.administration)])
  }

  static func delete(
    _ administration: AdministrationID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM site_uses WHERE patient = $1 AND administration = $2",
      [.text(patient), .text(administration)])
  }
}

/// A row of `site_choices`.
struct NewSiteChoiceRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, isOn, kind, sites, wearMinutes
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let plan: PlanID
  let choice: SiteChoice

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .plan: .text(plan)
    case .isOn: SQLValue(choice.isOn)
    case .kind: .text(choice.kind.rawValue)
    case .sites: .text(choice.text)
    case .wearMinutes: SQLValue(choice.wearMinutes)
    }
  }
}

/// A row of `site_uses`, as it is written with the dose.
struct NewSiteUseRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, administration, plan, site, used, reactions, removeDue
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let use: SiteUse

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .administration: .text(use.administration)
    case .plan: .text(use.plan)
    case .site: .text(use.site?.rawValue ?? "")
    case .used: SQLValue(use.used)
    case .reactions: .text(use.reactions.map(\.rawValue).joined(separator: " "))
    case .removeDue: SQLValue(use.removeDue)
    }
  }
}
