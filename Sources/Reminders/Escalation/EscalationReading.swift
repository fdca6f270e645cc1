// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import TimeZones

/// The escalation choices of patients, read for many at once.
package enum EscalationReading {
  /// Returns the timings by patient; patients without choices of their own are left out.
  static func timings(_ patients: [PatientID], zones: ZoneCatalog, in reader: any SQLReader)
    throws(StorageError) -> [PatientID: EscalationTiming]
  {
    guard !patients.isEmpty else { return [:] }
    let wanted = patients.map { SQLValue.text($0) }
    var found = try quietHours(patients, zones: zones, in: reader)
    let agreed = try agreed(wanted, in: reader)
    let waiting = try EscalationStandby.waiting(wanted, in: reader)
    let own = try steps(wanted, in: reader)
    for patient in Set(own.keys).union(agreed.keys).union(waiting.keys) {
      let family = agreed[patient] ?? []
      let guardians = waiting[patient] ?? []
      // People who are no longer informed leave the policy as if they had never been in it. If this version
      // does not accept the steps of an older one, the standard policy applies.
      let kept = own[patient]?.compactMap { $0.told(family: family, guardians: guardians) }
      let escalation = kept.flatMap { try? EscalationPolicy($0) } ?? .standard
      found[patient, default: .standard].escalation = escalation.joined(by: family)
        .joined(byGuardians: guardians)
    }
    return found
  }

  /// Returns the standard policy with the quiet hours of each patient who has any.
  package static func quietHours(
    _ patients: [PatientID], zones: ZoneCatalog, in reader: any SQLReader
  )
    throws(StorageError) -> [PatientID: EscalationTiming]
  {
    guard !patients.isEmpty else { return [:] }
    let settings = try reader.query(
      """
      SELECT \(QuietHoursRow.columns) FROM escalation_settings y
      LEFT JOIN people u ON u.patient = y.patient
      WHERE y.quiet_from IS NOT NULL AND y.patient IN (
      """, [], in: patients.map { .text($0) }
    ).decode(as: QuietHoursRow.self)
    var found: [PatientID: EscalationTiming] = [:]
    for row in settings {
      var timing = EscalationTiming.standard
      timing.quiet = row.quiet
      timing.zone = row.zone.flatMap { try? zones.zone($0) } ?? .utc
      found[row.patient] = timing
    }
    return found
  }

  /// Returns true unless the patient turned off the notice about clock changes.
  package static func tellsClock(
    _ patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      "SELECT 1 FROM escalation_settings WHERE patient = $1 AND tells_clock = 0", [.text(patient)])
      == nil
  }

  /// Returns the family members who agreed, by patient, in the order of account ids.
  private static func agreed(_ patients: [SQLValue], in reader: any SQLReader)
    throws(StorageError) -> [PatientID: [AccountID]]
  {
    let rows = try reader.query(
      """
      SELECT \(EscalationAccountRow.columns) FROM escalation_agreements
      WHERE accepted IS NOT NULL AND patient IN (
      """, [], in: patients
    ).decode(as: EscalationAccountRow.self)
    return Dictionary(grouping: rows, by: \.patient).mapValues { $0.map(\.account).sorted() }
  }

  /// Returns the steps that patients set up themselves, in order.
  static func steps(_ patients: [SQLValue], in reader: any SQLReader)
    throws(StorageError) -> [PatientID: [EscalationStep]]
  {
    let rows = try reader.query(
      "SELECT \(EscalationStepRow.columns) FROM escalation_steps WHERE patient IN (", [],
      in: patients
    ).decode(as: EscalationStepRow.self)
    var found: [PatientID: [EscalationStep]] = [:]
    for row in rows.sorted(by: { $0.step < $1.step }) {
      guard let channel = ReminderChannel(rawValue: row.channel) else { continue }
      found[row.patient, default: []].append(
        EscalationStep(
          row.minutes, channel, row.recipient.text.isEmpty ? .acting : .family(row.recipient)))
    }
    return found
  }
}

extension EscalationStep {
  /// Returns the step for its recipient's current role, as family or as a waiting guardian; nil if they no
  /// longer have either.
  fileprivate func told(family: [AccountID], guardians: [AccountID]) -> EscalationStep? {
    guard let account = recipient.account else { return self }
    if family.contains(account) { return EscalationStep(minutes, channel, .family(account)) }
    if guardians.contains(account) { return EscalationStep(minutes, channel, .guardian(account)) }
    return nil
  }
}
