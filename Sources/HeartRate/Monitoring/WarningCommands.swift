// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Observations
import People
import Reminders
import Storage

/// What a person says to a warning.
package enum WarningCommands {
  /// Hours after which a warning may be repeated.
  package static let laterHours = 1...4

  /// Keeps the answer; the first one counts, and the question is not asked again.
  ///
  /// It records nothing of any dose.
  package static func answer(
    _ answer: Warning.Answer, to id: WarningID, _ context: CommandContext, in writer: any SQLWriter
  ) throws -> Warning {
    let warning = try one(id, context, in: writer)
    guard warning.answer == nil else { return warning }
    try WarningStore.answer(
      answer, to: id, patient: warning.patient, by: context.byName, at: context.now, in: writer)
    try close(warning, at: context.now, in: writer)
    for consequence in context.consequences[WarningConsequence.self] {
      try consequence.carryOut(warning.patient, context.now, writer)
    }
    HeartRateCommands.audit(warning.patient, context, in: writer)
    return try one(id, context, in: writer)
  }

  /// Reminds once more in some hours, or not at all.
  package static func remind(
    inHours hours: Int?, of id: WarningID, _ context: CommandContext, in writer: any SQLWriter
  ) throws -> Warning {
    let warning = try one(id, context, in: writer)
    if let hours, !laterHours.contains(hours) { throw HeartRateError.value }
    // Asked once: what was chosen stays, and only a No leads to the choice.
    guard warning.answer == .no, warning.done == nil else { return warning }
    let done: Warning.Done = hours == nil ? .nothing : .later
    try WarningStore.settle(
      id, patient: warning.patient, as: done, at: context.now, in: writer)
    if let hours, let row = try ReminderStore.one(id.text, in: writer) {
      let starts = context.now.adding(milliseconds: Int64(hours) * 3_600_000)
      try ReminderStore.update(
        row.next(
          starts: starts, due: starts,
          ends: starts.adding(milliseconds: HeartRateEngine.worthMilliseconds)), in: writer)
    } else {
      try close(warning, at: context.now, in: writer)
    }
    HeartRateCommands.audit(warning.patient, context, in: writer)
    return try one(id, context, in: writer)
  }

  /// The reminder falls silent on every device.
  static func close(_ warning: Warning, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    guard var row = try ReminderStore.one(warning.id.text, in: writer), row.state == .ringing else {
      return
    }
    let before = row.outcome
    row.close(.answered, at: now)
    try ReminderStore.update(row, in: writer)
    try DeliveryStore.finish(row, wasOutcome: before, now: now, in: writer)
  }

  private static func one(
    _ id: WarningID, _ context: CommandContext, in reader: any SQLReader
  ) throws -> Warning {
    guard let warning = try WarningStore.one(id, in: reader) else { throw HeartRateError.notFound }
    _ = try VitalCommands.authorize(.update, patient: warning.patient, context)
    return warning
  }
}
