// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Storage

/// Commands that change a person's heart rate, steps and weight.
package enum VitalCommands {
  /// The resource type for which access is decided and audited.
  package static let resource = "Observation"

  /// Stores measurements in the caller's transaction; repeating them changes nothing.
  ///
  /// - Parameter isSaid: true if a person enters them one by one, so that they count even if they were
  ///   deleted before; a device or a file cannot restore deleted ones.
  package static func take(
    _ batch: VitalBatch, patient: PatientID, isSaid: Bool = false, context: CommandContext,
    in writer: any SQLWriter
  ) throws -> VitalCounts {
    _ = try authorize(.create, patient: patient, context)
    var counts = VitalCounts()
    var changed = false
    for (key, samples) in batch.sorted {
      guard let first = samples.first else { continue }
      let known = try VitalDayStore.load(key, patient: patient, in: writer)
      var day = known ?? VitalDay(first)
      for sample in samples {
        if isSaid { day.reinstate(sample) }
        day.add(sample, to: &counts)
      }
      day.fold()
      guard day != known else { continue }
      changed = true
      try VitalDayStore.store(
        day, key, patient: patient, observation: context.newIdentifier, isNew: known == nil,
        at: context.now, in: writer)
    }
    if changed { audit(.create, patient, context, in: writer) }
    return counts
  }

  /// Chooses the source of a kind whose values count; nil selects it by the days with values.
  package static func prefer(
    _ source: String?, for metric: VitalMetric, patient: PatientID, context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    _ = try authorize(.update, patient: patient, context)
    try writer.execute(
      "DELETE FROM vital_preferences WHERE patient = $1 AND metric = $2",
      [.text(patient), .text(metric.rawValue)])
    if let source {
      try writer.execute(
        "INSERT INTO vital_preferences (patient, metric, source) VALUES ($1, $2, $3)",
        [.text(patient), .text(metric.rawValue), .text(source)])
    }
    audit(.update, patient, context, in: writer)
  }

  /// Deletes all measurements of a source.
  ///
  /// - Returns: the number of days.
  package static func remove(
    source: String, patient: PatientID, context: CommandContext, in writer: any SQLWriter
  ) throws -> Int {
    _ = try authorize(.delete, patient: patient, context)
    let sent: [String] = try writer.query(
      "SELECT observation FROM vital_observations WHERE patient = $1 AND source = $2",
      [.text(patient), .text(source)]
    ).values()
    for observation in sent {
      try ObservationRows.end(observation, patient: patient, at: context.now, in: writer)
    }
    let count = try VitalDayStore.delete(source: source, patient: patient, in: writer)
    try writer.execute(
      "DELETE FROM vital_preferences WHERE patient = $1 AND source = $2",
      [.text(patient), .text(source)])
    audit(.delete, patient, context, in: writer)
    return count
  }

  /// Withdraws everything known about a day, including sent Observations; returns false if there is nothing.
  static func takeBack(
    _ key: VitalDayKey, patient: PatientID, context: CommandContext, in writer: any SQLWriter
  ) throws -> Bool {
    guard var day = try VitalDayStore.load(key, patient: patient, in: writer) else { return false }
    let sent: [String] = try writer.query(
      """
      SELECT observation FROM vital_observations
      WHERE patient = $1 AND metric = $2 AND day = $3 AND source = $4
      """, [.text(patient), .text(key.metric.rawValue), .text(key.day), .text(key.source)]
    ).values()
    for observation in sent {
      try ObservationRows.end(observation, patient: patient, at: context.now, in: writer)
    }
    day.takeBack(at: context.now.milliseconds / 1_000)
    try VitalDayStore.store(
      day, key, patient: patient, observation: context.newIdentifier, isNew: false,
      at: context.now, in: writer)
    return true
  }

  /// Decides access to the patient's Observations.
  ///
  /// - Throws: `notFound` if the actor may not know of the patient, otherwise `notAuthorized`.
  package static func authorize(_ action: Action, patient: PatientID, _ context: CommandContext)
    throws(PlanError) -> Authorization
  {
    switch decide(
      actor: context.actor, action: action, patient: patient, resource: resource,
      purpose: context.purpose)
    {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason.concealsExistence ? .notFound : .notAuthorized
    }
  }

  static func audit(
    _ kind: AuditEntry.Kind, _ patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: kind, patient: patient,
        resource: resource, purpose: context.purpose.rawValue))
  }
}
