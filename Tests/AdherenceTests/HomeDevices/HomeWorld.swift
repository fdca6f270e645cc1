// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import People
import Storage
import TestSupport
import TimeZones

@testable import Adherence
@testable import HomeDevices

/// A pill box in the home of the patient of an ``AnswerWorld``.
struct HomeWorld: Sendable {
  static let box = HomeDeviceID("box")
  static let byName = "Pill box Kitchen"

  let world: AnswerWorld
  private let identifiers = CountingIdentifiers(prefix: "box-")

  /// Creates a world with the plan `m` and a pill box.
  init(
    _ compartments: [HomeDeviceCompartment] = [HomeDeviceCompartment("", .log)],
    gapHours: Int64? = nil
  ) async throws {
    world = try await AnswerWorld()
    try await world.addPlan("m", gapHours: gapHours)
    let commands = HomeDeviceCommands(
      patient: AnswerWorld.patient, account: "account-1", now: AnswerWorld.eight)
    try await world.database.write { writer in
      try commands.add(
        .pillBox, name: "Kitchen", byName: Self.byName, compartments: compartments, id: Self.box,
        token: Secret(text: "rgd_box"), in: writer)
    }
  }

  /// Returns the instant some minutes after eight.
  static func minutes(_ minutes: Double) -> Timestamp {
    AnswerWorld.eight.adding(milliseconds: Int64(minutes * 60_000))
  }

  /// Sends a report of the box some minutes after eight.
  @discardableResult
  func report(
    _ events: [DeviceEvent], boot: String = "b", sent: Timestamp? = nil, at minutes: Double,
    right: Relationship = .self_
  ) async throws -> [DeviceReports.Result] {
    let now = Self.minutes(minutes)
    let report = DeviceReport(boot: boot, sent: sent, events: events)
    let identifiers = identifiers
    return try await world.database.write { writer in
      guard
        let device = try HomeDeviceQueries.device(
          Self.box, patient: AnswerWorld.patient, in: writer)
      else { throw HomeDeviceError.notFound }
      let actor = Actor(
        accountID: device.account, kind: .token, relationships: [AnswerWorld.patient: right],
        scope: .homeDevice)
      let decision = decide(
        actor: actor, action: .create, patient: AnswerWorld.patient,
        resource: DeviceCaller.resource, purpose: .care)
      switch decision {
      case .deny(let reason): throw reason
      case .allow(let authorization):
        let caller = DeviceCaller(device: device, authorization: authorization)
        let context = caller.context(
          at: now, newIdentifier: { identifiers.next() }, zones: ZoneCatalog(),
          consequences: .all)
        return try DeviceReports(of: caller, context: context, in: writer).take(report)
      }
    }
  }

  /// Returns what was kept of the box's events, the newest first.
  func events() async throws -> [JudgedEvent] {
    try await world.database.read { reader in
      try HomeDeviceQueries.events(
        of: Self.box, patient: AnswerWorld.patient, limit: 1_000, in: reader)
    }
  }

  /// Returns the identifiers of the open alerts.
  func alerts() async throws -> [String] {
    try await world.database.read { reader in
      try reader.query(
        "SELECT alert FROM alerts WHERE patient = $1 ORDER BY alert", [.text(AnswerWorld.patient)]
      ).map { try $0.text(0) }
    }
  }
}

extension DeviceEvent {
  static func opened(
    _ sequence: Int64, _ compartment: String = "", at: Timestamp? = nil
  ) -> DeviceEvent {
    DeviceEvent(sequence: sequence, kind: .opened, compartment: compartment, at: at)
  }
}
