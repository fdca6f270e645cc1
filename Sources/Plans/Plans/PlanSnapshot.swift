// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Records
import Scheduling
import Storage
import TimeZones

/// A plan as stored: its row, its slots and its request.
package struct PlanSnapshot: Sendable {
  /// The row of the plan.
  package var row: PlanRow
  /// The slots in use.
  package let slots: [PlanSlot]
  /// The highest slot id ever given.
  let highestSlot: Int
  /// The MedicationRequest as stored.
  package let request: MedicationRequestView
  /// The last intake, if the plan counts from it.
  var lastIntake: LastIntake?

  /// Returns a plan; nil if the patient has none of that id.
  package static func load(_ plan: PlanID, patient: PatientID, in reader: any SQLReader) throws
    -> PlanSnapshot?
  {
    guard let row = try PlanStore.load(plan, patient: patient, in: reader) else { return nil }
    return try load(row, in: reader)
  }

  /// Returns the plan of a row, with its slots and its request.
  package static func load(_ row: PlanRow, in reader: any SQLReader) throws -> PlanSnapshot {
    let (slots, highest) = try PlanSlotRows.load(row.plan, patient: row.patient, in: reader)
    let record = try prescription(of: row.plan, patient: row.patient, in: reader)
    let request = MedicationRequestView(try record.json())
    return PlanSnapshot(
      row: row, slots: slots, highestSlot: highest, request: request,
      lastIntake: try LastIntake.load(
        request, plan: row.plan, patient: row.patient, era: row.era, in: reader))
  }

  /// Returns the doses that the plan gives, or nil and the reason if it gives none.
  package func timeline(zones: ZoneCatalog, rhythm: DailyRhythm)
    throws -> (timeline: PlanTimeline?, reason: UnplannedReason?)
  {
    guard row.isRinging else { return (nil, row.unplanned) }
    let zone = try zones.zone(ofEra: row.zone)
    let anchor = PlanAnchor(
      instant: Instant(row.anchor), date: row.anchorDate, zone: try zones.zone(row.firstZone))
    switch TimingReader.read(request, anchor: anchor, zone: zone) {
    case .unplanned(let reason): return (nil, reason)
    case .rules(let rules):
      let timeline = PlanTimeline(
        rules: rules, slots: slots, zone: zone, rhythm: rhythm, lastIntake: lastIntake)
      return (timeline, nil)
    }
  }

  /// The plan in the form that other modules use.
  package var plan: Plan {
    Plan(
      id: row.plan, patient: row.patient, status: row.status, medicineName: row.shownName,
      unplanned: row.unplanned, policy: row.policy, zone: row.zone, era: row.era, kind: row.kind,
      version: row.requestVersion, request: request, slots: slots,
      minimumGapMilliseconds: row.minimumGap, created: row.created)
  }

  /// Returns the prescription of a plan; of a deleted one, which has ended, the last version.
  static func prescription(
    of plan: PlanID, patient: PatientID, in reader: any SQLReader
  ) throws -> StoredRecord {
    let (records, type, right) = (RecordStore(), "MedicationRequest", try planner(patient))
    do throws(RecordsError) {
      return try records.read(type, plan.text, authorization: right, in: reader)
    } catch {
      guard error == .gone else { throw error }
      let versions = try records.history(
        type, plan.text, count: 2, authorization: right, in: reader)
      guard let last = versions.first(where: { !$0.isDeleted }) else { throw RecordsError.gone }
      return last
    }
  }

  /// Authorizes the planner, a service of the host, to read the prescriptions of a patient.
  static func planner(_ patient: PatientID) throws(PlanError) -> Authorization {
    let decision = decide(
      actor: .host(accountID: .planner), action: .read, patient: patient,
      resource: "MedicationRequest", purpose: .system)
    guard case .allow(let authorization) = decision else { throw .notAuthorized }
    return authorization
  }
}
