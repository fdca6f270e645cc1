// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Hummingbird
import Identifiers
import ImportPages
import Localization
import People
import Plans
import Prescriptions
import Presentation
import Storage
import Web

/// `/api/v1/proposals`: prescriptions from elsewhere that wait for a decision.
package enum ProposalsAPI {
  /// The routes that list proposals, and accept, decline or mark them as seen.
  package static let all: [Route] = [
    .api(.get, path, list),
    .api(.post, "\(path)/accept", acceptAll),
    .api(.post, "\(path)/:proposal/accept", accept),
    .api(.post, "\(path)/:proposal/decline", decline),
    .api(.post, "\(path)/:proposal/seen", seen),
  ]

  private static let path = "/api/v1/proposals"

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let authorization = try call.authorize(.read, "MedicationRequest", of: patient)
    let environment = call.environment
    let (reading, zone) = try await environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      let checker = call.medicineChecker(patient: patient, actor: signedIn.actor, zone: zone)
      return (try ProposalReading(patient: patient, checker: checker, in: reader), zone)
    }
    let list = environment.interactions.list
    let words = DoseFormatter(localizer: call.localizer, zone: zone, now: call.now)
    let clock = MedicineClock(zone: zone, localizer: call.localizer)
    let context = environment.commandContext(for: signedIn, now: call.now)
    var proposals: [JSONValue] = []
    for item in reading.items {
      let preview = try await ProposalPreview.make(
        item, clock: clock, context: context, in: environment.database)
      var json = preview.json(clock)
      if let check = item.check {
        MedicineFindings(check, list: list, words: words).write(into: &json)
      }
      proposals.append(json)
    }
    let stops = reading.stops.map(ProposalJSON(zone: zone).json(stop:))
    try await environment.audit(
      authorization, count: proposals.count + stops.count, at: call.now)
    return JSONResponse.make(["proposals": .array(proposals), "stopped": .array(stops)])
  }

  private static func accept(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await decide(call, signedIn) { proposal, patient, answer, context, writer in
      let item = try waiting(patient, call, context, in: writer)
        .first { $0.item.proposal.id == proposal }
      var confirmed: [PlanConfirmation] = []
      if let answer, let waiting = item?.item.proposal {
        confirmed = try ProposalCommands.confirmations(answer, waiting, context, in: writer)
      }
      let plan = try ProposalCommands.accept(
        proposal, patient: patient, confirmed: confirmed, context: context, in: writer)
      var json: JSONValue = [
        "id": .string(proposal.text), "state": .string(Proposal.State.accepted.rawValue),
        "plan": .string(plan.text),
      ]
      item?.findings?.write(into: &json)
      if let request = item?.item.proposal.request {
        PreviewJSON.unusualAmounts(AmountFinding.all(in: request), call.localizer, in: &json)
      }
      return WrittenAnswer(status: 200, json: json)
    }
  }

  /// Returns the open proposals, each with its findings before it is accepted.
  private static func waiting(
    _ patient: PatientID, _ call: Call, _ context: CommandContext, in reader: any SQLReader
  ) throws -> [(item: ProposalReading.Item, findings: MedicineFindings?)] {
    let zone = try PeopleQueries.zone(patient, zones: context.zones, in: reader)
    let checker = call.medicineChecker(patient: patient, actor: context.actor, zone: zone)
    let words = DoseFormatter(localizer: call.localizer, zone: zone, now: call.now)
    return try ProposalReading(patient: patient, checker: checker, in: reader).items.map { item in
      (item, item.check.map { MedicineFindings($0, list: checker.list, words: words) })
    }
  }

  /// Returns a proposal with its findings, or nil if there are none.
  private static func json(
    _ item: ProposalReading.Item, _ findings: MedicineFindings?, _ localizer: Localizer
  ) -> JSONValue? {
    guard let findings, !findings.check.isQuiet else { return nil }
    var json: JSONValue = [
      "proposal": .string(item.proposal.id.text),
      "medicine": .string(item.shownName(in: localizer.language)),
    ]
    findings.write(into: &json)
    return json
  }

  private static func decline(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await decide(call, signedIn) { proposal, patient, _, context, writer in
      try ProposalCommands.decline(proposal, patient: patient, context: context, in: writer)
      return WrittenAnswer(
        status: 200,
        json: ["id": .string(proposal.text), "state": .string(Proposal.State.declined.rawValue)])
    }
  }

  /// Records that the person has read that a medicine was stopped by its source.
  private static func seen(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await decide(call, signedIn) { proposal, patient, _, context, writer in
      try ProposalCommands.markSeen(proposal, patient: patient, context: context, in: writer)
      return .nothing
    }
  }

  /// All in one transaction: if one is refused, nothing is accepted.
  private static func acceptAll(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (patient, bytes) = try await patient(call, signedIn)
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      guard try PeopleQueries.exists(patient, in: writer) else { throw Failure.notFound }
      let found = try waiting(patient, call, context, in: writer)
      let count = try ProposalCommands.acceptAll(patient: patient, context: context, in: writer)
      return WrittenAnswer(
        status: 200,
        json: [
          "accepted": .number(JSONNumber(count)),
          "findings": .array(found.compactMap { json($0.item, $0.findings, call.localizer) }),
        ])
    }
  }

  // MARK: Steps

  private static func decide(
    _ call: Call, _ signedIn: SignedIn,
    _ command:
      @escaping @Sendable (
        _ proposal: ProposalID, _ patient: PatientID, _ supply: SupplyQuestion.Answer?,
        CommandContext, any SQLWriter
      ) throws -> WrittenAnswer
  ) async throws -> Response {
    let (patient, bytes) = try await patient(call, signedIn)
    let proposal = try ProposalID(call.parameter("proposal"))
    let answer = try supply(in: bytes)
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      do {
        return try command(proposal, patient, answer, context, writer)
      } catch let error as ImportError {
        // Throws the failure itself, so that a conflict is kept as the answer for the key.
        throw error.failure
      }
    }
  }

  /// Returns the answer about the supply in a body; nil if there is none.
  private static func supply(in bytes: [UInt8]) throws -> SupplyQuestion.Answer? {
    guard !bytes.isEmpty else { return nil }
    let body = try JSONBody(parsing: bytes)
    guard let text = try body.text("supply") else { return nil }
    guard let answer = SupplyQuestion.Answer(rawValue: text) else {
      throw body.wrong("supply", "stop or go-on")
    }
    return answer
  }

  /// Returns the patient that the body names; if there is only one, the body can be omitted.
  private static func patient(
    _ call: Call, _ signedIn: SignedIn
  ) async throws -> (patient: PatientID, body: [UInt8]) {
    let isTyped = call.request.headers[.contentType] != nil
    let bytes =
      isTyped
      ? try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
      : try await BodyReader.bytes(of: call)
    let name = bytes.isEmpty ? nil : try JSONBody(parsing: bytes).text("patient")
    let patient = try PatientChoice.patient(named: name, signedIn)
    _ = try call.authorize(.update, "MedicationRequest", of: patient)
    return (patient, bytes)
  }
}
