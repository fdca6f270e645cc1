// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import People
import Plans
import Scheduling
import Storage

/// Ends a question as soon as its doses are recorded: it is not repeated, and the family is not informed that
/// no one answered.
enum WarningSilence {
  /// The maximum time between a dose and a question about it, in milliseconds.
  private static let lookBack: Int64 = 24 * 3_600_000

  /// Called with each answer and intake, in its transaction.
  static func heard(
    _ fact: AnswerFact, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  )
    throws(StorageError)
  {
    guard fact.action != .later, fact.action != .undo else { return }
    let asked: [WarningID] = try writer.query(
      """
      SELECT w.warning FROM heart_rate_warnings w
      JOIN reminders r ON r.patient = w.patient AND r.subject = w.warning
      WHERE w.patient = $1 AND w.kind = 'heart' AND w.day >= $2
        AND (w.done = 'later' OR w.answer IS NULL) AND w.is_monitored = 1 AND r.state = 'ringing'
      """, [.text(patient), .text(Zone.utc.date(at: Instant(now)).adding(days: -2).text)]
    ).values()
    for id in asked {
      guard let warning = try WarningStore.one(id, in: writer),
        try isSettled(
          warning, since: warning.doneAt ?? warning.created, now: now, in: writer)
      else { continue }
      try WarningCommands.close(warning, at: now, in: writer)
      // A question without an answer stays on the pages.
      guard warning.done == .later else { continue }
      try WarningStore.settle(
        warning.id, patient: patient, as: .recorded, at: now, in: writer)
    }
  }

  /// Returns true if, for each monitored plan with an open dose, something was recorded since.
  private static func isSettled(
    _ warning: Warning, since: Timestamp, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    let asked = try HeartRateFacts.monitoredPlans(of: warning, in: reader)
    let plans: [PlanID] = try reader.query(
      """
      SELECT plan FROM answers WHERE patient = $1 AND recorded >= $2 AND at > $3
        AND plan IS NOT NULL AND action IN ('taken', 'skipped', 'refused')
      """,
      [
        .text(warning.patient), SQLValue(since),
        SQLValue(warning.created.adding(milliseconds: -lookBack)),
      ]
    ).values()
    let answered = asked.intersection(plans)
    guard !answered.isEmpty else { return false }
    let open = try HeartRateQueries.openDoses(of: warning.patient, now: now, in: reader)
    return answered.isSuperset(of: open.map(\.plan))
  }
}

extension AnswerConsequence {
  /// Ends a heart rate warning as soon as the doses it asks about are recorded.
  package static let warnings = AnswerConsequence(
    "heart-rate warnings"
  ) { (recorded, ledger) throws(AnswerError) in
    guard let fact = recorded.fact, recorded.place.plan != nil, recorded.possible.hasWarning
    else { return }
    try storing { () throws(StorageError) in
      try WarningSilence.heard(
        fact, patient: ledger.patient, at: ledger.context.now, in: ledger.writer)
    }
  }
}
