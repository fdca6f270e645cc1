// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Storage

/// The measures with which the page of a medicine's effect opens, and the visit report with it.
package struct EffectChoice: Sendable, Hashable {
  /// The greatest length of a key, in characters.
  package static let longest = 400

  /// The first measure.
  package let measure: EffectMeasure
  /// The second one; nil for none.
  package let second: EffectMeasure?

  /// Creates a choice; a second measure that is the same as the first is none.
  package init(_ measure: EffectMeasure, second: EffectMeasure? = nil) {
    self.measure = measure
    self.second = second == measure ? nil : second
  }

  /// Reads keys; nil if the first one is no measure.
  package init?(measure: String, second: String?) {
    func read(_ key: String) -> EffectMeasure? {
      key.unicodeScalars.count <= Self.longest ? EffectMeasure(key: key) : nil
    }
    guard let first = read(measure) else { return nil }
    self.init(first, second: second.flatMap(read))
  }

  /// The keys of the measures, the first one first.
  package var keys: [String] { [measure, second].compactMap { $0?.key } }
}

/// Keeps the choice of each medicine; it never changes what a report or page may show.
package enum EffectChoices {
  /// The resource name of a choice in the audit trail.
  private static let resource = "EffectChoice"

  /// Keeps the choice of a medicine, in place of the one before.
  ///
  /// - Throws: `DenialReason` for those who may not change the medicine, and an error of the store if there is no such
  ///   plan.
  package static func keep(
    _ choice: EffectChoice, ofPlan plan: PlanID, patient: PatientID, context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    let decision = decide(
      actor: context.actor, action: .update, patient: patient, resource: "MedicationRequest",
      purpose: context.purpose)
    if case .deny(let reason) = decision { throw reason }
    guard try self.choice(ofPlan: plan, patient: patient, in: writer) != choice else { return }
    let row = NewEffectChoiceRow(patient: patient, plan: plan, choice: choice)
    try writer.execute(keepStatement, row.values)
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: .update, patient: patient,
        resource: resource, resourceID: plan.text, purpose: context.purpose.rawValue))
  }

  private static let keepStatement = SQLStatement(
    """
    INSERT INTO effect_choices (\(NewEffectChoiceRow.columns))
    VALUES (\(NewEffectChoiceRow.placeholders))
    ON CONFLICT (patient, plan) DO UPDATE SET measure = excluded.measure,
      second_measure = excluded.second_measure
    """)

  /// Returns the choice of a medicine; nil if there is none.
  package static func choice(
    ofPlan plan: PlanID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> EffectChoice? {
    try reader.first(choiceStatement, [.text(patient), .text(plan)])?
      .decode(as: EffectChoiceRow.self).choice
  }

  private static let choiceStatement = SQLStatement(
    "SELECT \(EffectChoiceRow.columns) FROM effect_choices WHERE patient = $1 AND plan = $2")

  /// Returns the choices of medicines that are taken now, by plan.
  package static func current(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [(plan: PlanID, choice: EffectChoice)] {
    let rows: [EffectChoiceRow] = try reader.query(currentStatement, [.text(patient)]).decode()
    var found: [(plan: PlanID, choice: EffectChoice)] = []
    for row in rows {
      guard let choice = row.choice else { continue }
      found.append((plan: row.plan, choice: choice))
    }
    return found
  }

  private static let currentStatement = SQLStatement(
    """
    SELECT \(EffectChoiceRow.columns) FROM effect_choices
    WHERE patient = $1 AND plan IN (
      SELECT p.plan FROM plans p WHERE p.patient = $1 AND p.status IN ('active', 'on-hold'))
    ORDER BY plan
    """)
}

/// A choice with its plan.
struct EffectChoiceRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case plan, measure, secondMeasure }

  static let columns = SQLColumns<Column>()

  let plan: PlanID
  let choice: EffectChoice?

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    plan = try row.id(.plan)
    choice = EffectChoice(
      measure: try row.text(.measure), second: try row.optionalText(.secondMeasure))
  }
}

/// A row of `effect_choices` as it is written.
struct NewEffectChoiceRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case patient, plan, measure, secondMeasure }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let plan: PlanID
  let choice: EffectChoice

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .plan: .text(plan)
    case .measure: .text(choice.measure.key)
    case .secondMeasure: choice.second.map { .text($0.key) } ?? .null
    }
  }
}
