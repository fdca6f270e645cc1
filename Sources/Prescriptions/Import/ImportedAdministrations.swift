// SPDX-License-Identifier: Apache-2.0
import Access
import Dosing
import FHIR
import Foundation
import Identifiers
import People
import Plans
import Records
import Scheduling
import Storage
import TimeZones

/// Imports doses given elsewhere as records, answers and intakes, each once.
package enum ImportedAdministrations {
  /// The result of importing an administration.
  package enum Outcome: String, Sendable, Hashable, CaseIterable {
    case recorded, unchanged, corrected, ignored
  }

  /// The result for one administration, with its record.
  package struct Result: Sendable {
    /// The result.
    package let outcome: Outcome
    /// The identifier of the record, which may have been deleted here; nil if there is none, such as for an
    /// entry in error.
    package let administration: AdministrationID?
    /// The record, if this import wrote it.
    package var record: StoredRecord?
  }

  /// Imports an administration and links it to the plan of its prescription, if that is known.
  package static func take(
    _ administration: ImportAdministration, patient: PatientID, context: CommandContext,
    in writer: any SQLWriter
  ) throws(ImportError) -> Result {
    try read(administration, patient: patient, context: context, in: writer) { try $0.take() }
  }

  /// Updates a record to the current content of its source; returns nil if the record did not come under
  /// the same key.
  package static func correct(
    _ record: AdministrationID, to administration: ImportAdministration, patient: PatientID,
    context: CommandContext, in writer: any SQLWriter
  ) throws(ImportError) -> Result? {
    try read(administration, patient: patient, context: context, in: writer) { incoming in
      guard incoming.earlier?.id == record else { return nil }
      return try incoming.take()
    }
  }

  private static func read<Value>(
    _ administration: ImportAdministration, patient: PatientID, context: CommandContext,
    in writer: any SQLWriter, _ work: (IncomingAdministration) throws -> Value
  ) throws(ImportError) -> Value {
    try ProposalCommands.importing {
      let content: JSONValue
      do throws(ImportProblemReason) {
        content = try administration.resource(of: patient)
      } catch {
        throw ImportError.problem(error)
      }
      let incoming = try IncomingAdministration(
        administration: administration, resource: content, patient: patient, context: context,
        writer: writer)
      return try work(incoming)
    }
  }

  /// Links earlier imported administrations to a prescription that became a plan, by the keys that belong
  /// only to this plan.
  static func link(
    _ keys: [String], to plan: PlanID, patient: PatientID, context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    var linked: [AdministrationID] = []
    for key in keys {
      let rows: [UnlinkedAdministration] = try writer.query(
        unlinkedStatement, [.text(patient), .text(key), .text(plan)]
      ).decode()
      for row in rows {
        let administration = row.administration
        try writer.execute(
          """
          UPDATE imported_administrations SET plan = $1 WHERE patient = $2 AND source_key = $3
          """, [.text(plan), .text(patient), .text(row.sourceKey)])
        try AnswerStore.link(administration, to: plan, patient: patient, in: writer)
        try revise(administration, patient: patient, context: context, in: writer) { resource in
          resource["request"] = ["reference": .string("MedicationRequest/\(plan)")]
        }
        linked.append(administration)
      }
    }
    guard !linked.isEmpty else { return }
    try AnswerLedger(patient: patient, zone: nil, context: context, writer: writer)
      .record(AnswerRecorded(at: .plan(plan), fact: nil, intake: .linked(linked)))
  }

  private static let unlinkedStatement = SQLStatement(
    """
    SELECT \(UnlinkedAdministration.columns) FROM imported_administrations
    WHERE patient = $1 AND request_key = $2 AND plan IS NULL
      AND EXISTS (SELECT 1 FROM plan_sources s
        WHERE s.patient = imported_administrations.patient
          AND s.source_key = imported_administrations.request_key AND s.plan = $3)
      AND EXISTS (SELECT 1 FROM resources r
        WHERE r.type = 'MedicationAdministration' AND r.patient = imported_administrations.patient
          AND r.id = imported_administrations.administration)
    """)

  /// Writes a new version of an imported record.
  @discardableResult
  ///
  /// Returns nil, and changes nothing, if the record was deleted.
  static func revise(
    _ administration: AdministrationID, patient: PatientID, context: CommandContext,
    in writer: any SQLWriter, _ change: (inout JSONValue) -> Void
  ) throws -> StoredRecord? {
    let records = RecordStore()
    let reading = try AnswerAccess.authorization(.read, patient: patient, context: context)
    let updating = try AnswerAccess.authorization(.update, patient: patient, context: context)
    let record: StoredRecord
    do throws(RecordsError) {
      record = try records.read(
        AdministrationResource.type, administration.text, authorization: reading, in: writer)
    } catch {
      guard error == .gone else { throw error }
      return nil
    }
    var resource = try record.json()
    change(&resource)
    return try records.update(
      resource, type: AdministrationResource.type, id: administration.text,
      ifVersion: record.version, replacing: record, authorization: updating, at: context.now,
      in: writer)
  }
}

/// An administration of a file that is being imported.
private struct IncomingAdministration {
  let administration: ImportAdministration
  let resource: JSONValue
  let view: MedicationAdministrationView
  let patient: PatientID
  let context: CommandContext
  let writer: any SQLWriter
  let zone: String
  /// The earlier record of it, with the digest of its content at that time.
  let earlier: (id: AdministrationID, digest: String)?
  /// The plan of its prescription's first key.
  let firstPlan: PlanID?

  init(
    administration: ImportAdministration, resource: JSONValue, patient: PatientID,
    context: CommandContext, writer: any SQLWriter
  ) throws {
    self.administration = administration
    self.resource = resource
    view = MedicationAdministrationView(resource)
    self.patient = patient
    self.writer = writer
    let row = try writer.first(
      Self.earlierStatement,
      [
        .text(administration.keys.first), SQLValue(administration.requestKeys.first),
        SQLValue(administration.requestKeys.first.flatMap(PlanSources.own)), .text(patient),
      ])?.read(EarlierAdministrationRow.self)
    guard let row else { throw ImportError.notFound }
    zone = try row.text(.zone)
    earlier = try row.optionalID(.administration).map { (id: AdministrationID) in
      (id, try row.text(.digest))
    }
    firstPlan = try row.optionalID(.plan)
    let name = resource["performer"]?[0]?["actor"]?["display"]?.string
    self.context = CommandContext(
      actor: context.actor, byName: name ?? context.byName, now: context.now,
      newIdentifier: context.newIdentifier, zones: context.zones,
      consequences: context.consequences, purpose: context.purpose)
  }

  private static let earlierStatement = SQLStatement(
    """
    SELECT \(EarlierAdministrationRow.columns) FROM people u
    LEFT JOIN imported_administrations i ON i.patient = u.patient AND i.source_key = $1
    LEFT JOIN plan_sources s ON s.patient = u.patient AND s.source_key = $2
    LEFT JOIN plans p ON p.patient = u.patient AND p.plan = $3
    WHERE u.patient = $4
    """)

  func take() throws -> ImportedAdministrations.Result {
    let right = try AnswerAccess.authorization(.create, patient: patient, context: context)
    if let earlier {
      if earlier.digest == administration.digest {
        return .init(outcome: .unchanged, administration: earlier.id)
      }
      // A person who deleted a record here does not want it back from its source.
      guard let record = try correct(earlier.id) else {
        return .init(outcome: .unchanged, administration: earlier.id)
      }
      return .init(outcome: .corrected, administration: earlier.id, record: record)
    }
    let status = view.status ?? ""
    if status == "entered-in-error" { return .init(outcome: .ignored, administration: nil) }
    guard status == "completed" || status == "not-done" else {
      throw ImportError.problem(.notFinal(status: status))
    }
    let otherKeys = Array(administration.requestKeys.dropFirst())
    let plan = try firstPlan ?? PlanSources.plan(otherKeys, patient: patient, in: writer)
    let (id, written) = try record(
      try time(), isTaken: status == "completed", plan: plan, right)
    let row = ImportedAdministrationRow(
      patient: patient, id: id, imported: administration, plan: plan)
    try writer.execute(Self.insertStatement, row.values)
    return .init(outcome: .recorded, administration: id, record: written)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO imported_administrations (\(ImportedAdministrationRow.columns))
    VALUES (\(ImportedAdministrationRow.placeholders))
    """)

  /// Answers the matching open dose of its plan; without one, it becomes a separate record.
  private func record(
    _ at: Timestamp, isTaken: Bool, plan: PlanID?, _ right: Authorization
  ) throws -> (id: AdministrationID, record: StoredRecord?) {
    let reason = isTaken ? nil : (view.statusReasonText.map { String($0.prefix(500)) })
    let action: AnswerAction = isTaken ? .taken : .skipped
    if let plan,
      let dose = try AnswerableDose.open(
        of: plan, patient: patient, holding: at, event: event, in: writer)
    {
      let checked = try CheckedAnswer(
        AnswerRequest(
          action: action, event: event, at: at, reason: reason, amount: amount, confirm: true),
        now: context.now)
      let answered = try AnswerCommands.perform(
        checked, on: dose, right, resource: linked(resource, to: plan), context: context,
        in: writer)
      if let id = answered.administration { return (id, answered.record) }
    }
    let id: AdministrationID = context.newID()
    let record = try RecordStore().create(
      linked(resource, to: plan), type: AdministrationResource.type, id: id.text,
      authorization: right, at: context.now, in: writer)
    let ledger = AnswerLedger(patient: patient, zone: zone, context: context, writer: writer)
    try ledger.record(
      AnswerRecorded(
        at: AnswerPlace(plan: plan),
        fact: AnswerFact(
          id: context.newID(), action: action, event: event, at: at, reason: reason,
          amount: isTaken ? amount : nil, minutes: nil, doseVersion: nil, corrects: nil,
          administration: id),
        intake: isTaken ? .counted(id, counted(at, plan: plan)) : nil))
    return (id, record)
  }

  /// Applies the source's current content to the record and to the counted intakes.
  ///
  /// Returns nil, and changes nothing, if the record was deleted here.
  private func correct(_ id: AdministrationID) throws -> StoredRecord? {
    let status = view.status ?? ""
    let answer: CorrectedAnswerRow? = try writer.first(
      Self.answerStatement, [.text(patient), .text(id)])?.decode()
    let at = try time()
    guard
      let record = try ImportedAdministrations.revise(
        id, patient: patient, context: context, in: writer,
        { old in
          let request = old["request"]
          old = resource
          old["request"] = request
        })
    else { return nil }
    let (plan, ledger) = (
      answer?.plan, AnswerLedger(patient: patient, zone: zone, context: context, writer: writer)
    )
    if answer?.occurrence == nil {
      try ledger.record(
        AnswerRecorded(
          at: AnswerPlace(plan: plan), fact: nil,
          intake: status == "completed"
            ? .recounted(id, counted(at, plan: plan)) : .uncounted(id),
          possible: answer?.possible ?? .all))
    } else {
      // A person may have changed an answer to a dose since, so only its record is updated.
      try ledger.record(
        AnswerRecorded(
          at: AnswerPlace(plan: plan), fact: nil, revised: id, possible: .notification))
    }
    try writer.execute(
      """
      UPDATE imported_administrations SET digest = $1 WHERE patient = $2 AND source_key = $3
      """, [.text(administration.digest), .text(patient), .text(administration.keys.first)])
    return record
  }

  private static let answerStatement = SQLStatement(
    """
    SELECT \(CorrectedAnswerRow.columns) FROM answers a
    LEFT JOIN plans p ON p.patient = a.patient AND p.plan = a.plan
    LEFT JOIN message_checks m ON m.patient = a.patient
    WHERE a.patient = $1 AND a.administration = $2
    ORDER BY a.recorded DESC LIMIT 1
    """)

  private func linked(_ resource: JSONValue, to plan: PlanID?) -> JSONValue {
    guard let plan else { return resource }
    var resource = resource
    resource["request"] = ["reference": .string("MedicationRequest/\(plan)")]
    return resource
  }

  private func counted(_ at: Timestamp, plan: PlanID?) -> AnswerRecorded.CountedIntake {
    .init(medicine: medicine(plan), taken: at, amount: amount)
  }

  private func medicine(_ plan: PlanID?) -> Medicine {
    // The elements for the medicine are the same as in a request.
    let request = MedicationRequestView(resource)
    let name = view.medicationName ?? view.medicationCodes.first?.code ?? ""
    return Medicine(
      plan: plan, name: String(name.prefix(200)),
      ingredients: Ingredient.column(Ingredient.keys(of: request)))
  }

  private var amount: Amount? {
    guard let quantity = view.doseQuantity, let value = quantity.valueText,
      quantity.comparator == nil
    else { return nil }
    return Amount(value: value, unit: quantity.unit ?? quantity.code ?? "", code: quantity.code)
  }

  /// Returns the time; a date without time means noon, or now if noon is in the future.
  private func time() throws -> Timestamp {
    guard let effective = view.effective else { throw ImportError.problem(.noTime) }
    if let milliseconds = effective.epochMilliseconds {
      let at = Timestamp(milliseconds: milliseconds)
      guard at <= context.now.adding(milliseconds: AnswerInput.clockToleranceMilliseconds) else {
        throw ImportError.problem(.futureTime)
      }
      return min(at, context.now)
    }
    let local = try context.zones.zone(zone)
    guard
      let date = CivilDate(
        year: effective.year, month: effective.month ?? 1, day: effective.day ?? 1)
    else { throw ImportError.problem(.noTime) }
    let start = Timestamp(milliseconds: local.startOfDay(date).milliseconds)
    guard start <= context.now else { throw ImportError.problem(.futureTime) }
    return min(start.adding(milliseconds: 12 * 3_600_000), context.now)
  }

  /// The permanent identifier of this administration, so that no path records it twice.
  private var event: String {
    let digest = ContentDigest.of(["key": .string(administration.keys.first)])
    let parts = [8, 4, 4, 4, 12]
    var rest = Substring(digest)
    return parts.map { length in
      defer { rest = rest.dropFirst(length) }
      return String(rest.prefix(length))
    }.joined(separator: "-")
  }
}
