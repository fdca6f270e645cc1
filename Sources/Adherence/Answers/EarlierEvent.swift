// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// What an event did when it first came.
struct EarlierEvent: Sendable, Hashable {
  let plan: PlanID?
  let era: Int64?
  let occurrence: String?
  let action: String
  let administration: AdministrationID?

  func isFor(_ dose: DoseID, _ action: AnswerAction) -> Bool {
    plan == dose.plan && era == dose.era && occurrence == dose.occurrence.text
      && self.action == action.rawValue
  }

  /// The dose that it answered; nil when it answered none.
  var dose: DoseID? {
    guard let plan, let era, let occurrence else { return nil }
    return DoseID(text: "\(plan)_\(era)_\(occurrence)")
  }

  static func read(
    _ event: String, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> EarlierEvent? {
    let row = try reader.first(
      """
      SELECT plan, era, occurrence, action, administration FROM answers
      WHERE patient = $1 AND event = $2
      """, [.text(patient), .text(event)])
    guard let row else { return nil }
    return EarlierEvent(
      plan: try row.optionalID(0), era: try row.optionalInteger(1),
      occurrence: try row.optionalText(2), action: try row.text(3),
      administration: try row.optionalID(4))
  }
}
