// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import Encodings
import FHIR
import Foundation
import Identifiers
import Logging
import People
import Plans
import Prescriptions
import Storage
import Supply
import Synchronization
import Testing
import TestSupport

@testable import Exchange

/// A FHIR server without a network, which can be told to misbehave.
final class FakeHospital: Sendable {
  static let base = "https://fhir.example/r4"

  struct State {
    var version = "4.0.1"
    var software = "City"
    var resources: [String: JSONValue] = [:]
    var types = ["Patient", "MedicationRequest", "Medication", "MedicationAdministration"]
    var requests: [HospitalRequest] = []
    /// Answers that replace the server's own, by a prefix of the address; each is used once.
    var instead: [(prefix: String, answer: Result<HospitalAnswer, HospitalTrouble>)] = []
    var takesConditions = true
    var pageSize = 50
    var next = 1
  }

  let state = Mutex(State())

  init() {
    put(
      """
      {"resourceType":"Patient","id":"p1","identifier":[{"system":"urn:mrn","value":"7"}],
       "name":[{"family":"Example","given":["Ann"]}],"birthDate":"1948-07-02"}
      """)
  }

  var network: HospitalNetwork {
    HospitalNetwork { request throws(HospitalTrouble) in try self.answer(request) }
  }

  func put(_ text: String) {
    guard let json = try? JSONValue(parsing: Array(text.utf8)) else {
      Issue.record("no JSON: \(text)")
      return
    }
    put(json)
  }

  func put(_ json: JSONValue) {
    let key = "\(json["resourceType"]?.string ?? "")/\(json["id"]?.string ?? "")"
    state.withLock { $0.resources[key] = json }
  }

  func prescribe(
    _ id: String, name: String = "Bisoprolol 2.5 mg", times: [String] = ["08:00:00"],
    status: String = "active", patient: PatientID = "p1", updated: String = "2026-02-27T10:00:00Z",
    medicine: JSONValue? = nil, identifier: String? = nil, further: String? = nil
  ) {
    var request: JSONValue = [
      "resourceType": "MedicationRequest", "id": .string(id), "status": .string(status),
      "intent": "order", "meta": ["lastUpdated": .string(updated), "versionId": "1"],
      "subject": ["reference": .string("Patient/\(patient)")],
      "dosageInstruction": [
        [
          "timing": ["repeat": ["timeOfDay": .array(times.map { .string($0) })]],
          "doseAndRate": [["doseQuantity": ["value": 1, "unit": "tablet"]]],
        ]
      ],
    ]
    if let medicine {
      request["medicationReference"] = medicine
    } else {
      request["medicationCodeableConcept"] = ["text": .string(name)]
    }
    let identifiers = [identifier, further].compactMap(\.self)
    if !identifiers.isEmpty {
      request["identifier"] = .array(
        identifiers.map { ["system": "urn:rx", "value": .string($0)] })
    }
    put(request)
  }

  func fail(_ prefix: String, _ trouble: HospitalTrouble, times: Int = 1) {
    state.withLock { state in
      for _ in 0..<times { state.instead.append((prefix, .failure(trouble))) }
    }
  }

  func answer(
    _ prefix: String, _ status: Int, _ body: String = "", _ headers: [String: String] = [:]
  ) {
    state.withLock {
      $0.instead.append(
        (
          prefix,
          .success(HospitalAnswer(status: status, headers: headers, body: Array(body.utf8)))
        ))
    }
  }

  func administrations() -> [JSONValue] {
    state.withLock { state in
      state.resources.filter { $0.key.hasPrefix("MedicationAdministration/") }
        .sorted { $0.key < $1.key }.map(\.value)
    }
  }

  func requests(_ method: String, _ part: String) -> [HospitalRequest] {
    state.withLock { $0.requests.filter { $0.method == method && $0.url.contains(part) } }
  }

  // MARK: Serving

  private func answer(_ request: HospitalRequest) throws(HospitalTrouble) -> HospitalAnswer {
    let instead: Result<HospitalAnswer, HospitalTrouble>? = state.withLock { state in
      state.requests.append(request)
      guard
        let index = state.instead.firstIndex(where: {
          request.url.hasPrefix("\(Self.base)/\($0.prefix)")
        })
      else { return nil }
      return state.instead.remove(at: index).answer
    }
    if let instead { return try instead.get() }
    guard request.url.hasPrefix("\(Self.base)/") else { throw .address }
    let rest = request.url.dropFirst(Self.base.count + 1)
    let path = String(rest.prefix { $0 != "?" })
    let query = rest.dropFirst(path.count + 1).split(separator: "&").map { pair in
      pair.split(separator: "=", maxSplits: 1).map { String($0).removingPercentEncoding ?? "" }
    }
    return state.withLock { state in
      switch request.method {
      case "POST": Self.create(request, &state)
      case "PUT": Self.update(path, request, &state)
      default: Self.read(path, query, &state)
      }
    }
  }

  private static func read(
    _ path: String, _ query: [[String]], _ state: inout State
  ) -> HospitalAnswer {
    if path == "metadata" {
      let metadata: JSONValue = [
        "resourceType": "CapabilityStatement", "fhirVersion": .string(state.version),
        "software": ["name": .string(state.software)],
        "rest": [["resource": .array(state.types.map { ["type": .string($0)] })]],
      ]
      return HospitalAnswer(status: 200, body: metadata.bytes)
    }
    if path.contains("/") {
      guard let found = state.resources[path] else { return HospitalAnswer(status: 404) }
      return HospitalAnswer(status: 200, body: found.bytes)
    }
    func value(_ name: String) -> String? { query.first { $0.first == name }?.last }
    var matches = state.resources.filter { $0.key.hasPrefix("\(path)/") }.sorted { $0.key < $1.key }
      .map(\.value)
    if let patient = value("patient") {
      matches = matches.filter {
        ($0["subject"] ?? $0["patient"])?["reference"]?.string == "Patient/\(patient)"
      }
    }
    if let since = value("_lastUpdated")?.dropFirst(2), let bound = FHIRDateTime(String(since)) {
      matches = matches.filter {
        guard let text = $0["meta"]?["lastUpdated"]?.string else { return true }
        return (FHIRDateTime(text)?.epochMilliseconds ?? 0) >= (bound.epochMilliseconds ?? 0)
      }
    }
    if let identifier = value("identifier") {
      matches = matches.filter { resource in
        (resource["identifier"]?.array ?? []).contains {
          identifier == "\($0["system"]?.string ?? "")|\($0["value"]?.string ?? "")"
        }
      }
    }
    let start = value("start").flatMap { Int($0) } ?? 0
    let page = matches.dropFirst(start).prefix(state.pageSize)
    var bundle: JSONValue = [
      "resourceType": "Bundle", "type": "searchset",
      "entry": .array(page.map { ["resource": $0] }),
    ]
    if start + page.count < matches.count {
      let others = query.filter { $0.first != "start" }.map { ($0[0], $0.last ?? "") }
      let next = FormEncoding.encode(others + [("start", "\(start + page.count)")])
      bundle["link"] = [
        ["relation": "next", "url": .string("\(base)/\(path)?\(next)")]
      ]
    }
    return HospitalAnswer(status: 200, body: bundle.bytes)
  }

  private static func create(_ request: HospitalRequest, _ state: inout State) -> HospitalAnswer {
    guard var json = try? JSONValue(parsing: request.body),
      let type = json["resourceType"]?.string
    else { return HospitalAnswer(status: 400) }
    let identifier = json["identifier"]?[0]?["value"]?.string
    if state.takesConditions, request.headers["If-None-Exist"] != nil,
      let known = state.resources.first(where: {
        $0.key.hasPrefix("\(type)/") && $0.value["identifier"]?[0]?["value"]?.string == identifier
      })
    {
      return HospitalAnswer(status: 200, body: known.value.bytes)
    }
    let id = "n\(state.next)"
    state.next += 1
    json["id"] = .string(id)
    state.resources["\(type)/\(id)"] = json
    return HospitalAnswer(
      status: 201, headers: ["location": "\(base)/\(type)/\(id)/_history/1"], body: json.bytes)
  }

  private static func update(
    _ path: String, _ request: HospitalRequest, _ state: inout State
  ) -> HospitalAnswer {
    guard let json = try? JSONValue(parsing: request.body), state.resources[path] != nil else {
      return HospitalAnswer(status: 404)
    }
    state.resources[path] = json
    return HospitalAnswer(status: 200, body: json.bytes)
  }
}

/// A person with a connection to a fake hospital.
struct HospitalPlace {
  let place: TestPlace
  let hospital: FakeHospital
  let accounts: AccountStore
  /// Returns true if a prescription waits for the person, whatever the connection's rule.
  var asksFirst: HospitalContext.AsksFirst = { _, _, _, _ in false }
  let connection = ConnectionID("c1")

  static let account = AccountID("account")

  init(
    _ hospital: FakeHospital = FakeHospital(), version: HospitalVersion = .r4,
    at start: String = "2026-03-01T06:00:00+01:00"
  ) async throws {
    place = try await TestPlace(at: start)
    self.hospital = hospital
    let keys = try KeyRing.generate { [UInt8](repeating: 7, count: $0) }
    accounts = AccountStore(
      cipher: FieldCipher(keys: keys), consequences: [HospitalAccountConsequence()])
    let patient = TestPlace.patient
    let (now, cipher, connection) = (place.now, accounts.cipher, connection)
    try await place.database.write { writer in
      try writer.execute(
        """
        INSERT INTO accounts (account, email_sealed, email_index, display_name, patient,
          administrator, created, changed) VALUES ($1, $2, $3, 'Ann', $4, 0, 1, 1)
        """,
        [
          .text(Self.account),
          .blob(try cipher.seal("ann@example.org", context: "accounts:email:\(Self.account)")),
          .blob([1]), .text(patient),
        ])
      try writer.execute(
        """
        INSERT INTO grants (patient, account, relationship, starts, ends)
        VALUES ($1, $2, 'self', 0, NULL)
        """, [.text(patient), .text(Self.account)])
    }
    let metadata = try await HospitalMetadata.fetch(client(version))
    let person = try await HospitalPersonQuery.person("p1", client(version))
    try await place.database.write { writer in
      let commands = HospitalCommands(
        patient: patient, account: Self.account, cipher: cipher, now: now, writer: writer)
      try commands.add(
        HospitalConnection(
          id: connection, patient: patient, account: Self.account,
          base: try #require(HospitalAddress(FakeHospital.base)), label: "City", version: version,
          access: .open, identity: metadata.identity, types: metadata.types, person: nil,
          state: .choosing, created: now), nil)
      try commands.choose(person, for: connection, birthDate: nil)
    }
  }

  func client(_ version: HospitalVersion = .r4) throws -> HospitalClient {
    HospitalClient(
      network: hospital.network, base: try #require(HospitalAddress(FakeHospital.base)),
      token: nil, version: version)
  }

  var context: HospitalContext {
    let place = place
    return HospitalContext(
      database: place.database, accounts: accounts, network: hospital.network,
      now: { place.now },
      commands: { account, byName in
        CommandContext(
          actor: .host(accountID: account), byName: byName, now: place.now,
          newIdentifier: place.identifiers.next, zones: place.zones, consequences: .all)
      },
      readVitals: { _, _ in [] }, asksFirst: asksFirst,
      dispenses: DispenseCommands(),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// Fetches what is due and returns the number of connections.
  @discardableResult
  func sync() async throws -> Int {
    let (accounts, now) = (accounts, place.now)
    let claims = try await place.database.write { writer in
      try ClaimedSync.claim(limit: 10, accounts: accounts, now: now, in: writer)
    }
    for claim in claims { try await HospitalSync(context).perform(claim) }
    return claims.count
  }

  /// Fetches now, even if nothing is due.
  func fetch() async throws -> HospitalConnection {
    try await command { try $0.fetch("c1") }
    try await sync()
    return try await load()
  }

  func command(_ body: @escaping @Sendable (HospitalCommands) throws -> Void) async throws {
    let (cipher, now) = (accounts.cipher, place.now)
    try await place.database.write { writer in
      try body(
        HospitalCommands(
          patient: TestPlace.patient, account: Self.account, cipher: cipher, now: now,
          writer: writer))
    }
  }

  func load() async throws -> HospitalConnection {
    let connection = connection
    let found = try await place.database.read { reader in
      try HospitalRows.load(connection, patient: TestPlace.patient, in: reader)
    }
    return try #require(found)
  }

  func proposals() async throws -> [Proposal] {
    try await place.database.read { try ProposalQueries.open(patient: TestPlace.patient, in: $0) }
  }

  @discardableResult
  func acceptAll() async throws -> Int {
    let context = place.context
    return try await place.database.write { writer in
      try ProposalCommands.acceptAll(patient: TestPlace.patient, context: context, in: writer)
    }
  }

  func plans() async throws -> [Plan] {
    try await place.database.read { try PlanQueries.all(patient: TestPlace.patient, in: $0) }
  }

  func claimSending() async throws -> [ClaimedAdministration] {
    let (accounts, now) = (accounts, place.now)
    return try await place.database.write { writer in
      _ = try HospitalOutbox.plan(limit: 100, now: now, in: writer)
      return try ClaimedAdministration.claim(limit: 100, accounts: accounts, now: now, in: writer)
    }
  }

  func send() async throws {
    for _ in 0..<5 {
      let claims = try await claimSending()
      if claims.isEmpty { return }
      for claim in claims { try await HospitalDelivery(context).perform(claim) }
    }
  }

  func lines() async throws -> [HospitalOutbox.Line] {
    let connection = connection
    return try await place.database.read { reader in
      try HospitalOutbox.lines(connection, patient: TestPlace.patient, limit: 50, in: reader).lines
    }
  }
}
