// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import Dosing
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import People
import Presentation
import Storage
import Web

/// `/api/v1/sites`: the sites of injections and patches, their reactions, and the removal of what is worn.
package enum SitesAPI {
  /// The routes that list and record sites.
  package static let all: [Route] = [
    .api(.get, "/api/v1/sites", list),
    .api(.put, "/api/v1/sites/:administration", record),
    .api(.post, "/api/v1/sites/:administration/removal", remove),
  ]

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let authorization = try call.authorize(.read, "MedicationRequest", of: patient)
    // The answer also contains intakes.
    _ = try call.authorize(.read, "Dose", of: patient)
    let zones = call.environment.zones
    let medicines = try await call.environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      let writer = DoseJSON(zone: try PeopleQueries.zone(patient, zones: zones, in: reader))
      var medicines: [JSONValue] = []
      for (plan, choice) in try SiteQueries.choices(patient: patient, in: reader) {
        let uses = try SiteQueries.history(ofPlan: plan, patient: patient, in: reader)
        medicines.append(Self.json(plan, choice, uses, writer))
      }
      return medicines
    }
    try await call.environment.audit(authorization, count: medicines.count, at: call.now)
    return JSONResponse.make(["medicines": .array(medicines)])
  }

  private static func record(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (body, bytes, patient) = try await opened(call, signedIn)
    let administration = AdministrationID(try call.parameter("administration"))
    guard let site = BodySite(rawValue: try body.required("site")) else {
      throw SiteError.site
    }
    let reactions = try (body.texts("reactions") ?? []).map { text in
      guard let reaction = SiteReaction(rawValue: text) else {
        let known = SiteReaction.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure.wrong("reactions", "must be some of \(known)")
      }
      return reaction
    }
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      try SiteCommands.record(
        site, reactions, of: administration, patient: patient, context: context, in: writer)
      return .nothing
    }
  }

  private static func remove(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (body, bytes, patient) = try await opened(call, signedIn)
    let administration = AdministrationID(try call.parameter("administration"))
    var time: Timestamp?
    if let text = try body.text("removed") {
      guard let milliseconds = FHIRDateTime(text)?.epochMilliseconds else {
        throw Failure.wrong("removed", "must be an instant with an offset")
      }
      time = Timestamp(milliseconds: milliseconds)
    }
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    let removed = time
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      try SiteCommands.remove(
        administration, at: removed, patient: patient, context: context, in: writer)
      return .nothing
    }
  }

  /// Returns the body, and the patient that it names.
  private static func opened(
    _ call: Call, _ signedIn: SignedIn
  ) async throws -> (JSONBody, [UInt8], PatientID) {
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    let body = try JSONBody(parsing: bytes)
    let patient = try PatientChoice.patient(named: try body.text("patient"), signedIn)
    _ = try call.authorize(.update, AdministrationResource.type, of: patient)
    return (body, bytes, patient)
  }

  private static func json(
    _ plan: PlanID, _ choice: SiteChoice, _ uses: [SiteUse], _ writer: DoseJSON
  ) -> JSONValue {
    var json: JSONValue = [
      "plan": .string(plan.text), "kind": .string(choice.kind.rawValue),
      "sites": .array(choice.sites.map { .string($0.rawValue) }),
      "uses": .array(uses.map { Self.json($0, writer) }),
    ]
    let known = uses.compactMap { use in use.site.map { (site: $0, used: use.used) } }
    if let rotation = SiteRotation(choice.sites, uses: known) {
      json["suggestion"] = .string(rotation.site.rawValue)
    }
    if let minutes = choice.wearMinutes { json["wearMinutes"] = .number(JSONNumber(minutes)) }
    return json
  }

  private static func json(_ use: SiteUse, _ writer: DoseJSON) -> JSONValue {
    var json: JSONValue = [
      "administration": .string(use.administration.text), "used": .string(writer.text(use.used)),
      "reactions": .array(use.reactions.map { .string($0.rawValue) }),
    ]
    if let site = use.site { json["site"] = .string(site.rawValue) }
    if let due = use.removeDue { json["removeDue"] = .string(writer.text(due)) }
    if let removed = use.removed { json["removed"] = .string(writer.text(removed)) }
    return json
  }
}

/// The operations of the OpenAPI document for sites.
enum OpenAPISites {
  private typealias Parts = OpenAPIDescription
  private typealias Schemas = OpenAPISchemas

  static let list: JSONValue = [
    "operationId": "sites",
    "summary": "The medicines whose sites are recorded, each with its last doses.",
    "parameters": [Parts.patient],
    "responses": [
      "200": Parts.response("The medicines, by plan.", "SiteList"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]

  static let record: JSONValue = [
    "operationId": "recordSite",
    "summary": "Records the site of a dose with the reactions there, in place of earlier ones.",
    "parameters": [administration, Parts.idempotencyKey],
    "requestBody": Parts.body("SiteInput"),
    "responses": [
      "204": ["description": "Done."], "401": Parts.problem("No valid token."),
      "403": Parts.problem("The caller may not log doses of the patient."),
      "404": Parts.problem("No such patient or dose."),
      "422": Parts.problem("The site or a reaction is not one of the listed ones."),
    ],
  ]

  static let remove: JSONValue = [
    "operationId": "removeFromSite",
    "summary": "Logs that something worn was taken off, and ends its reminder.",
    "parameters": [administration, Parts.idempotencyKey],
    "requestBody": Parts.body("SiteRemoval"),
    "responses": [
      "204": ["description": "Done."], "401": Parts.problem("No valid token."),
      "403": Parts.problem("The caller may not log doses of the patient."),
      "404": Parts.problem("No such patient or dose."),
      "409": Parts.problem("It is not worn, or was taken off before."),
      "422": Parts.problem("The time is before the dose or in the future."),
    ],
  ]

  static let schemas: [(String, JSONValue)] = [
    (
      "SiteList",
      Schemas.object([
        "medicines": Schemas.list(
          Schemas.object(
            [
              "plan": Schemas.text, "kind": Schemas.choice(SiteKind.allCases.map(\.rawValue)),
              "sites": Schemas.list(site), "suggestion": site,
              "wearMinutes": ["type": "integer", "minimum": 0],
              "uses": Schemas.list(Schemas.reference("SiteUse")),
            ], optional: ["suggestion", "wearMinutes"]))
      ])
    ),
    (
      "SiteUse",
      Schemas.object(
        [
          "administration": Schemas.text, "used": Schemas.instant, "site": site,
          "reactions": Schemas.list(reaction), "removeDue": Schemas.instant,
          "removed": Schemas.instant,
        ], optional: ["site", "removeDue", "removed"])
    ),
    (
      "SiteInput",
      Schemas.object(
        ["patient": Schemas.text, "site": site, "reactions": Schemas.list(reaction)],
        optional: ["patient", "reactions"])
    ),
    (
      "SiteRemoval",
      Schemas.object(
        ["patient": Schemas.text, "removed": Schemas.instant], optional: ["patient", "removed"])
    ),
  ]

  private static let administration = Parts.parameter(
    "administration", "path", "The id of the dose's MedicationAdministration.", isRequired: true)
  private static let site = Schemas.choice(BodySite.allCases.map(\.rawValue))
  private static let reaction = Schemas.choice(SiteReaction.allCases.map(\.rawValue))
}
