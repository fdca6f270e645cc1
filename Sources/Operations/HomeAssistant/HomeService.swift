// SPDX-License-Identifier: Apache-2.0

import HomeAutomation
import Logging
import MQTT
import ServiceLifecycle
import Storage
import Web

/// Holds the connection to the MQTT broker: publishes people's days for Home Assistant, and takes presses.
///
/// Of several nodes only one is connected. The database lists what must be published and removed, so nothing is lost
/// when the process ends.
package struct HomeService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "MQTT"

  /// The server that the service runs in.
  package let environment: ServerEnvironment

  /// The longest pause between two rounds.
  private static let pause: Duration = .milliseconds(500)
  /// The milliseconds between two renewals of the lease.
  private static let renewal = HomeLease.milliseconds / 3
  /// The milliseconds that the last messages may take at the end.
  private static let patience: UInt64 = 2_000

  /// Creates the service.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// Works until the server shuts down; does nothing if no broker is set up.
  package func run() async throws {
    guard let broker = environment.features[ifSet: HomeBroker.self] else {
      // A service that returns would end all others.
      try await gracefulShutdown()
      return
    }
    await cancelWhenGracefulShutdown {
      await work(broker)
    }
  }

  private func work(_ broker: HomeBroker) async {
    let node = environment.newIdentifier()
    let wake = environment.live.followed.wake
    var lease = Lease()
    var session: HomeSession?
    while !Task.isCancelled {
      await hold(&lease, as: node)
      if lease.isHeld, session == nil {
        session = HomeSession(environment: environment, broker: broker)
      } else if !lease.isHeld {
        if let ending = session { await ending.end(within: Self.patience) }
        session = nil
        report(.elsewhere, of: broker)
      }
      let hasMore = await session?.round() ?? false
      if let session { report(session.condition(at: environment.now()), of: broker) }
      await wake.wait(atMost: hasMore ? .zero : Self.pause)
    }
    environment.live.followed.end()
    // The task is cancelled, and the last messages must still be sent.
    let (ending, database) = (session, environment.database)
    await Task {
      await ending?.end(within: Self.patience)
      if database.isShared {
        try? await database.write { try HomeLease.giveBack(by: node, in: $0) }
      }
    }.value
  }

  /// The lease of this node.
  private struct Lease {
    var isHeld = false
    /// When it was last asked for.
    var asked: Timestamp?
    /// When it was last taken or renewed.
    var taken: Timestamp?
  }

  /// Takes or renews the lease; without other nodes it is always held.
  private func hold(_ lease: inout Lease, as node: String) async {
    guard environment.database.isShared else {
      lease.isHeld = true
      return
    }
    let now = environment.now()
    if let asked = lease.asked, (0..<Self.renewal).contains(now.milliseconds - asked.milliseconds) {
      return
    }
    do {
      lease.isHeld = try await environment.database.write { writer in
        try HomeLease.take(by: node, at: now, in: writer)
      }
      lease.asked = now
      if lease.isHeld { lease.taken = now }
    } catch {
      // Another node may take it as soon as it has expired.
      let age = lease.taken.map { now.milliseconds - $0.milliseconds } ?? .max
      if age >= HomeLease.milliseconds - Self.renewal { lease.isHeld = false }
    }
  }

  /// Notes the state of the connection, and logs and counts its changes.
  private func report(_ condition: HomeBroker.Condition, of broker: HomeBroker) {
    guard broker.note(condition) else { return }
    environment.homeMetrics.note(isConnected: condition == .connected)
    switch condition {
    case .starting: break
    case .elsewhere:
      environment.logger.notice("another node holds the connection to the MQTT broker")
    case .connected: environment.logger.notice("connected to the MQTT broker")
    case .down(let trouble, since: _):
      environment.homeMetrics.failed(trouble)
      environment.logger.error(
        "there is no connection to the MQTT broker",
        metadata: ["reason": .string(trouble.rawValue)])
    }
  }
}

extension ServerEnvironment {
  /// The milliseconds without a broker after which it counts as a fault.
  private static let brokerPatience: Int64 = 5 * 60_000

  /// Returns true if the broker has been out of reach for a while.
  func brokerIsLost(at now: Timestamp) -> Bool {
    guard let broker = features[ifSet: HomeBroker.self],
      case .down(_, since: let since) = broker.condition
    else { return false }
    return now.milliseconds - since.milliseconds >= Self.brokerPatience
  }
}
