// SPDX-License-Identifier: Apache-2.0

import Access
import Exchange
import HealthData
import Knowledge
import Logging
import Observations
import People
import Prescriptions
import Presentation
import ServiceLifecycle
import Storage
import Supply
import Synchronization
import Web

extension ServerEnvironment {
  /// The context of the exchange with hospitals.
  var hospitalContext: HospitalContext {
    let environment = self
    return HospitalContext(
      database: database, accounts: accounts, network: hospitals, now: now,
      commands: { account, byName in
        environment.commandContext(
          for: .host(accountID: account), byName: byName, now: environment.now())
      },
      readVitals: { observations, patient in
        let zone = try await VitalIntake.offsets(of: patient, in: environment)
        let now = environment.now().milliseconds / 1_000
        return observations.compactMap { observation in
          guard
            case .success(let reading) = VitalPost.observation(observation, now: now, zone: zone)
          else { return nil }
          let sample = VitalSample(reading)
          return sample.metric == .heartRate || sample.metric == .restingHeartRate ? sample : nil
        }
      },
      // A prescription with any warning waits on Today: a rule accepts only what needs no
      // attention.
      asksFirst: { prescription, patient, context, reader in
        let checker = MedicineChecker(
          list: environment.interactions.list, patient: patient, actor: context.actor,
          region: .uk, now: context.now,
          zone: try PeopleQueries.zone(patient, zones: context.zones, in: reader))
        return try ImportChecks([prescription], patient: patient, checker: checker, in: reader)
          .checks.values.contains { !$0.isQuiet }
      }, dispenses: DispenseCommands(), logger: logger)
  }
}

/// Fetches from hospitals and sends answers to them.
///
/// The database lists the remaining work, so nothing is lost when the process ends between two
/// steps.
package struct HospitalService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "exchange with hospitals"

  /// The server that the service runs in.
  package let environment: ServerEnvironment

  /// Creates the service.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }
  private static let pause: Duration = .seconds(1)
  private static let syncsAtOnce = 8
  private static let sendingsAtOnce = 16
  private static let planned = 200

  /// Runs a round every second, or when woken, until the server shuts down.
  ///
  /// A process that does not share its database first releases the claims of an earlier one.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      if !environment.database.isShared {
        // Without other nodes, any lease belongs to an earlier run of this program.
        let now = environment.now()
        try? await environment.database.write { try HospitalOutbox.reclaim(at: now, in: $0) }
      }
      let places = Places()
      await withDiscardingTaskGroup { tasks in
        while !Task.isCancelled {
          do {
            try await round(places, &tasks)
          } catch {
            note(error)
          }
          await environment.hospitalWake.wait(atMost: Self.pause)
        }
        tasks.cancelAll()
      }
    }
  }

  private func note(_ error: any Error) {
    environment.logger.error(
      "the exchange with hospitals failed", metadata: ["type": .string("\(type(of: error))")])
  }

  private func round(_ places: Places, _ tasks: inout DiscardingTaskGroup) async throws {
    let now = environment.now()
    // Usually there is nothing to do, and then nothing is written.
    guard try await environment.database.read({ try HospitalOutbox.isAnythingDue(now, in: $0) })
    else { return }
    let accounts = environment.accounts
    let (syncs, sendings) = places.free(syncs: Self.syncsAtOnce, sendings: Self.sendingsAtOnce)
    // Few at a time: a long history must not delay answers.
    var planned = Self.planned
    while planned == Self.planned, !Task.isCancelled {
      planned = try await environment.database.write { writer in
        try HospitalOutbox.plan(limit: Self.planned, now: now, in: writer)
      }
    }
    let claimed = try await environment.database.write { writer in
      let fetching = try ClaimedSync.claim(
        limit: max(syncs, 0), accounts: accounts, now: now, in: writer)
      let sending = try ClaimedAdministration.claim(
        limit: max(sendings, 0), accounts: accounts, now: now, in: writer)
      return (fetching, sending)
    }
    let context = environment.hospitalContext
    for claim in claimed.0 {
      places.take(.sync)
      tasks.addTask {
        await attempt { try await HospitalSync(context).perform(claim) }
        places.leave(.sync)
        // Shows what was fetched, and starts the waiting work.
        environment.live.changed([claim.connection.patient])
        environment.hospitalWake.ring()
      }
    }
    for claim in claimed.1 {
      places.take(.sending)
      tasks.addTask {
        await attempt { try await HospitalDelivery(context).perform(claim) }
        places.leave(.sending)
        environment.hospitalWake.ring()
      }
    }
  }

  private func attempt(_ work: () async throws -> Void) async {
    do {
      try await work()
    } catch {
      note(error)
    }
  }

  /// The number of fetches and deliveries in progress.
  private final class Places: Sendable {
    enum Kind { case sync, sending }

    private let inUse = Mutex((syncs: 0, sendings: 0))

    func free(syncs: Int, sendings: Int) -> (syncs: Int, sendings: Int) {
      inUse.withLock { (syncs - $0.syncs, sendings - $0.sendings) }
    }

    func take(_ kind: Kind) { change(kind, by: 1) }
    func leave(_ kind: Kind) { change(kind, by: -1) }

    private func change(_ kind: Kind, by count: Int) {
      inUse.withLock { inUse in
        switch kind {
        case .sync: inUse.syncs += count
        case .sending: inUse.sendings += count
        }
      }
    }
  }
}
