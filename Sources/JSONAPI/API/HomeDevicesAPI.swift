// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HomeAutomation
import HomeDevices
import Hummingbird
import Identifiers
import People
import Plans
import Presentation
import Scheduling
import Storage
import Web

/// `/api/v1/home-devices`: the devices in a person's home, and the events that they report with their own tokens.
package enum HomeDevicesAPI {
  /// The routes that list, add, change and revoke devices, and those for devices: one takes their events, one says how
  /// to send them through the broker.
  ///
  /// The last two are open to strangers, because the token of a device opens nothing else and is read there.
  package static let all: [Route] = [
    .api(.get, path, list),
    .api(.post, path, add),
    .api(.get, "\(path)/registered/:device", show),
    .api(.put, "\(path)/registered/:device", change),
    .api(.delete, "\(path)/registered/:device", revoke),
    .open(.post, "\(path)/events", as: .api, take),
    .open(.get, "\(path)/broker", as: .api, showBroker),
  ]

  static let path = "/api/v1/home-devices"
  /// The events that are shown with a device.
  private static let shownEvents = 100

  // MARK: Events

  private static func take(_ call: Call) async throws -> Response {
    let secret = try token(of: call)
    // An ordinary token may do more than report, but it is no device.
    guard call.signedIn == nil else { throw DenialReason.scopeNotAllowed }
    let (environment, now) = (call.environment, call.now)
    let accounts = environment.accounts
    // First, so that strangers neither send a body nor wait for the writer.
    let isKnown = try await environment.database.read { reader in
      try DeviceCaller.find(secret, accounts: accounts, at: now, in: reader) != nil
    }
    guard isKnown else { throw Failure.signInNeeded }
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    let report = try DeviceReportReading.report(JSONBody(parsing: bytes))
    let taken = try await environment.take(report, at: now) { reader in
      try DeviceCaller.find(secret, accounts: accounts, at: now, in: reader)
    }
    guard let results = taken else { throw Failure.signInNeeded }
    return JSONResponse.make(["results": DeviceReportReading.json(results)])
  }

  // MARK: The broker

  /// Answers a device that asks how to speak over the broker: its topics and its signing key.
  private static func showBroker(_ call: Call) async throws -> Response {
    let secret = try token(of: call)
    guard call.signedIn == nil else { throw DenialReason.scopeNotAllowed }
    let (environment, now) = (call.environment, call.now)
    let accounts = environment.accounts
    let found = try await environment.database.read { reader in
      try DeviceCaller.find(secret, accounts: accounts, at: now, in: reader)
    }
    guard let caller = found else { throw Failure.signInNeeded }
    guard let broker = environment.features[ifSet: HomeBroker.self],
      let address = DeviceAddress(of: caller.device),
      let key = DeviceSigningKey(of: caller.device, cipher: accounts.cipher)
    else { throw Failure.notFound }
    let topics = DeviceTopics(prefix: broker.prefix, address: address.text)
    return JSONResponse.make([
      "events": .string(topics.events), "answers": .string(topics.answers),
      "key": .string(key.secret.text),
    ])
  }

  private static func token(of call: Call) throws -> Secret {
    let scheme = "bearer "
    guard let header = call.request.headers[.authorization], header.utf8.count < 512,
      header.lowercased().hasPrefix(scheme)
    else { throw Failure.signInNeeded }
    return Secret(text: String(header.dropFirst(scheme.count)))
  }

  // MARK: Devices

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let authorization = try call.authorize(.read, HomeDeviceCommands.resource, of: patient)
    let zones = call.environment.zones
    let (devices, zone) = try await call.environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      return (
        try HomeDeviceQueries.all(patient: patient, in: reader),
        try PeopleQueries.zone(patient, zones: zones, in: reader)
      )
    }
    try await call.environment.audit(authorization, count: devices.count, at: call.now)
    let writer = DoseJSON(zone: zone)
    return JSONResponse.make(["devices": .array(devices.map(writer.json))])
  }

  private static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let authorization = try call.authorize(.read, HomeDeviceCommands.resource, of: patient)
    let id = HomeDeviceID(try call.parameter("device"))
    let zones = call.environment.zones
    let json = try await call.environment.database.read { reader in
      guard let device = try HomeDeviceQueries.device(id, patient: patient, in: reader) else {
        throw Failure.notFound
      }
      let writer = DoseJSON(zone: try PeopleQueries.zone(patient, zones: zones, in: reader))
      var json = writer.json(device)
      json["compartments"] = .array(
        try HomeDeviceQueries.compartments(of: id, patient: patient, in: reader)
          .map(writer.json))
      json["events"] = .array(
        try HomeDeviceQueries.events(
          of: id, patient: patient, limit: shownEvents, in: reader
        ).map(writer.json))
      return json
    }
    try await call.environment.audit(authorization, count: 1, at: call.now)
    return JSONResponse.make(json)
  }

  private static func add(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (body, _, commands) = try await opened(call, signedIn, to: .create)
    guard let kind = HomeDevice.Kind(rawValue: try body.required("kind")) else {
      let known = HomeDevice.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure.wrong("kind", "must be one of \(known)")
    }
    let name = try body.required("name")
    let compartments = try compartments(body)
    let byName = HomeDeviceText(call.localizer).byName(kind, name)
    let environment = call.environment
    let id = HomeDeviceID(environment.newIdentifier())
    let secret = Secret(prefix: Secret.homeDevicePrefix, random: environment.random)
    // No idempotency key: its answer would be kept, with the token in it.
    return try await environment.database.write { writer in
      guard try PeopleQueries.exists(commands.patient, in: writer) else { throw Failure.notFound }
      let device = try commands.add(
        kind, name: name, byName: byName, compartments: compartments, id: id, token: secret,
        in: writer)
      let zone = try PeopleQueries.zone(
        commands.patient, zones: environment.zones, in: writer)
      var json = DoseJSON(zone: zone).json(device)
      json["token"] = .string(secret.text)
      return WrittenAnswer(status: 201, json: json)
    }.response
  }

  private static func change(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (body, bytes, commands) = try await opened(call, signedIn, to: .update)
    let id = HomeDeviceID(try call.parameter("device"))
    let name = try body.required("name")
    let compartments = try compartments(body)
    let text = HomeDeviceText(call.localizer)
    let zones = call.environment.zones
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      guard
        let device = try HomeDeviceQueries.device(id, patient: commands.patient, in: writer)
      else { throw Failure.notFound }
      try commands.change(
        id, name: name, byName: text.byName(device.kind, name), compartments: compartments,
        in: writer)
      guard let now = try HomeDeviceQueries.device(id, patient: commands.patient, in: writer)
      else { throw Failure.notFound }
      let zone = try PeopleQueries.zone(commands.patient, zones: zones, in: writer)
      return WrittenAnswer(status: 200, json: DoseJSON(zone: zone).json(now))
    }
  }

  private static func revoke(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    _ = try call.authorize(.delete, HomeDeviceCommands.resource, of: patient)
    let commands = HomeDeviceCommands(
      patient: patient, account: signedIn.account.id, now: call.now, actor: signedIn.actor)
    let id = HomeDeviceID(try call.parameter("device"))
    return try await IdempotentWrite.perform(call, signedIn, body: []) { writer in
      try commands.revoke(id, in: writer)
      return .nothing
    }
  }

  // MARK: Steps

  /// Returns the body, and the commands for the patient that it names.
  private static func opened(
    _ call: Call, _ signedIn: SignedIn, to action: Access.Action
  ) async throws -> (JSONBody, [UInt8], HomeDeviceCommands) {
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    let body = try JSONBody(parsing: bytes)
    let patient = try PatientChoice.patient(named: try body.text("patient"), signedIn)
    _ = try call.authorize(action, HomeDeviceCommands.resource, of: patient)
    return (
      body, bytes,
      HomeDeviceCommands(
        patient: patient, account: signedIn.account.id, now: call.now, actor: signedIn.actor)
    )
  }

  /// Returns the compartments of a body; without any, events of the device as a whole are asked about.
  private static func compartments(_ body: JSONBody) throws -> [HomeDeviceCompartment] {
    guard body.value("compartments") != nil else {
      return [HomeDeviceCompartment(HomeDeviceCompartment.whole, .ask)]
    }
    return try body.objects("compartments", most: HomeDeviceCompartment.most).map { one in
      guard let meaning = HomeDeviceCompartment.Meaning(rawValue: try one.required("meaning"))
      else { throw Failure.wrong("meaning", "must be log, ask or note") }
      return HomeDeviceCompartment(
        try one.text("name") ?? HomeDeviceCompartment.whole, meaning,
        plan: try one.text("plan").map { PlanID($0) })
    }
  }
}

extension DoseJSON {
  fileprivate func json(_ device: HomeDevice) -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(device.id.text)
    object["patient"] = .string(device.patient.text)
    object["kind"] = .string(device.kind.rawValue)
    object["name"] = .string(device.name)
    object["created"] = .string(text(device.created))
    object["revoked"] = device.revoked.map { .string(text($0)) }
    object["seen"] = device.seen.map { .string(text($0)) }
    object["battery"] = device.battery.map { .number(JSONNumber($0)) }
    return .object(object)
  }

  fileprivate func json(_ compartment: HomeDeviceCompartment) -> JSONValue {
    var object = JSONObject()
    object["name"] = .string(compartment.name)
    object["meaning"] = .string(compartment.meaning.rawValue)
    object["plan"] = compartment.plan.map { .string($0.text) }
    return .object(object)
  }

  fileprivate func json(_ event: JudgedEvent) -> JSONValue {
    var object = JSONObject()
    object["boot"] = .string(event.boot)
    object["sequence"] = .number(JSONNumber(event.event.sequence))
    object["event"] = .string(event.event.kind.rawValue)
    object["compartment"] = .string(event.event.compartment)
    object["at"] = event.event.at.map { .string(text($0)) }
    object["received"] = .string(text(event.received))
    object["happened"] = .string(text(event.judged))
    object["outcome"] = .string(event.outcome.rawValue)
    object["reason"] = event.reason.map { .string($0.rawValue) }
    object["doses"] = .array(event.doses.map { .string($0.text) })
    return .object(object)
  }
}
