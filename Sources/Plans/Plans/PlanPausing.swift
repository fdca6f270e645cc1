// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import People
import Records
import Storage

extension PlanCommands {
  /// The system of the code that marks a hold as the person's own, which the person may end.
  static let pauseSystem = "urn:regimen:pause"

  /// Pauses a plan: future doses are cancelled until it is resumed.
  ///
  /// Nothing changes if it is already on hold.
  ///
  /// - Parameter reason: at most 500 characters; may be empty.
  package static func pause(
    _ plan: PlanID, reason: String, ifVersion: Int64? = nil, context: CommandContext,
    in writer: any SQLWriter
  ) throws(PlanError) -> Plan {
    try planning {
      let before = try existing(plan, in: writer)
      _ = try authorize(.update, patient: before.row.patient, context)
      guard !hasEnded(before.row.status) else { throw PlanError.alreadyStopped }
      if before.row.status == "on-hold" { return before.plan }
      let words = DraftText.trimmed(reason)
      guard words.count <= 500 else { throw PlanError.reasonMissing }
      var status: JSONValue = ["coding": [["system": .string(pauseSystem), "code": "paused"]]]
      if !words.isEmpty { status["text"] = .string(words) }
      return try changeStatus(
        of: before, to: "on-hold", reason: status, ifVersion: ifVersion, context, in: writer)
    }
  }

  /// Resumes a plan that is on hold; doses begin again from now.
  ///
  /// Nothing changes if it is already active.
  ///
  /// - Throws: `notAuthorized` if a practitioner who still treats the person put the prescription
  ///   on hold.
  package static func resume(
    _ plan: PlanID, ifVersion: Int64? = nil, context: CommandContext, in writer: any SQLWriter
  ) throws(PlanError) -> Plan {
    try planning {
      let before = try existing(plan, in: writer)
      _ = try authorize(.update, patient: before.row.patient, context)
      guard !hasEnded(before.row.status) else { throw PlanError.alreadyStopped }
      if before.row.status == "active" { return before.plan }
      guard try mayResume(before.plan, at: context.now, in: writer) else {
        throw PlanError.notAuthorized
      }
      return try changeStatus(
        of: before, to: "active", reason: nil, ifVersion: ifVersion, context, in: writer)
    }
  }

  /// Returns true if the person may resume a plan on hold: it was paused here, or the practitioner
  /// who put it on hold no longer treats the person.
  package static func mayResume(
    _ plan: Plan, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    guard plan.status == "on-hold" else { return false }
    if plan.isPausedHere { return true }
    let held: HoldRow? = try reader.first(
      heldStatement, [.text(plan.patient), .text(plan.id)])?.decode()
    guard let held, held.sourceKey.hasPrefix("\(Prescriber.prescriptionSystem)|") else {
      return false
    }
    let grant = try reader.first(
      """
      SELECT 1 FROM grants WHERE patient = $1 AND account = $2 AND relationship = 'practitioner'
        AND starts <= $3 AND (ends IS NULL OR ends > $3)
      """, [.text(plan.patient), .text(held.createdBy), SQLValue(now)])
    return grant == nil
  }

  private static let heldStatement = SQLStatement(
    """
    SELECT \(HoldRow.columns) FROM proposals
    WHERE patient = $1 AND plan = $2 AND kind = 'stopped' AND state = 'accepted'
    ORDER BY decided DESC, proposal DESC LIMIT 1
    """)

  /// Sets the status of a plan, with the reason stored in the request.
  ///
  /// - Parameters:
  ///   - status: "stopped", "on-hold" or "active".
  ///   - reason: the `statusReason`, a CodeableConcept; nil removes it.
  package static func changeStatus(
    of found: PlanSnapshot, to status: String, reason: JSONValue?, ifVersion: Int64? = nil,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws -> Plan {
    var before = found
    let patient = before.row.patient
    let authorization = try authorize(.update, patient: patient, context)
    let person = try person(patient, in: writer)
    var resource = before.request.json
    resource["status"] = .string(status)
    resource["statusReason"] = reason
    let change = change(context, writer)
    try change.settle(&before, rhythm: person.rhythm)
    let record = try RecordStore().update(
      resource, type: "MedicationRequest", id: before.row.plan.text, ifVersion: ifVersion,
      authorization: authorization, at: context.now, in: writer)
    return try change.take(
      record, into: before, person: person, policy: nil, named: [:], pairsInOrder: true
    ).plan
  }
}

extension Plan {
  /// True if it is on hold because the person paused it here.
  package var isPausedHere: Bool {
    guard status == "on-hold" else { return false }
    let codings = request.json["statusReason"]?["coding"]?.array ?? []
    return codings.contains { $0["system"]?.string == PlanCommands.pauseSystem }
  }
}

/// The proposal that put a plan on hold: who made it, and where it came from.
struct HoldRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case createdBy, sourceKey
  }

  static let columns = SQLColumns<Column>()

  let createdBy: String
  let sourceKey: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    createdBy = try row.text(.createdBy)
    sourceKey = try row.text(.sourceKey)
  }
}
