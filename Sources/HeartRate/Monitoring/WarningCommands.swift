// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Observations
import People
import Reminders
import Storage

/// A person's answers to warnings.
package enum WarningCommands {
  /// The hours after which a warning can be repeated.
  package static let laterHours = 1...4

  /// Records the answer and ends the reminder; no dose is recorded.
  ///
  /// The first answer counts: a later one changes nothing.
  ///
  /// - Returns: The warning as it now is.
  /// - Throws: ``HeartRateError/notFound`` if there is no such warning.
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

  /// Repeats a warning that was answered "no" after some hours, or ends it.
  ///
  /// The first choice counts: a later one, or one before the answer "no", changes nothing.
  ///
  /// - Parameter hours: Within ``laterHours``; nil ends the warning.
  /// - Returns: The warning as it now is.
  /// - Throws: ``HeartRateError/value`` for another number of hours, and
  ///   ``HeartRateError/notFound`` if there is no such warning.
  package static func remind(
    inHours hours: Int?, of id: WarningID, _ context: CommandContext, in writer: any SQLWriter
  ) throws -> Warning {
    let warning = try one(id, context, in: writer)
    if let hours, !laterHours.contains(hours) { throw HeartRateError.value }
    // Asked once: the choice stays, and only the answer "no" leads to it.
    guard warning.answer == .no, warning.done == nil else { return warning }
    let done: Warning.Done = hours == nil ? .nothing : .later
    try WarningStore.settle(
      id, patient: warning.patient, as: done, at: context.now, in: writer)
    if let hours, let row = try ReminderStore.one(ReminderID(id.text), in: writer) {
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

  /// Ends the reminder on every device.
  static func close(_ warning: Warning, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    guard var row = try ReminderStore.one(ReminderID(warning.id.text), in: writer),
      row.state == .ringing
    else {
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
