// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Operations
@testable import Web

/// The signs of life for a service manager.
@Suite struct WatchdogTests {
  private static func patience(_ environment: [String: String]) -> Int64? {
    ServiceManager(environment: environment, process: 7)?.patience
  }

  @Test func `signs are given only to a manager that waits for them`() {
    let socket = ["NOTIFY_SOCKET": "/run/systemd/notify"]
    #expect(ServiceManager(environment: [:], process: 7) == nil)
    #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "notify"], process: 7) == nil)
    #expect(ServiceManager(environment: ["NOTIFY_SOCKET": ""], process: 7) == nil)
    #expect(ServiceManager(environment: socket, process: 7) != nil && Self.patience(socket) == nil)
    let watched = socket.merging(["WATCHDOG_USEC": "180000000"]) { $1 }
    #expect(Self.patience(watched) == 180_000)
    #expect(Self.patience(watched.merging(["WATCHDOG_PID": "7"]) { $1 }) == 180_000)
    #expect(Self.patience(watched.merging(["WATCHDOG_PID": "8"]) { $1 }) == nil)
    for text in ["", "soon", "-1", "0", "999"] {
      #expect(Self.patience(socket.merging(["WATCHDOG_USEC": text]) { $1 }) == nil, "\(text)")
    }
  }

  @Test func `a stalled part gives no sign, but a database that is away does`() async throws {
    try await ServerHarness.run { harness in
      let environment = harness.environment
      let watchdog = WatchdogService(environment: environment, manager: nil)
      #expect(await watchdog.isWorking(), "at the start")
      environment.heartbeat.beat(at: harness.clock.now)
      harness.clock.advance(minutes: 2)
      #expect(!(await watchdog.isWorking()))
      environment.heartbeat.beat(at: harness.clock.now)
      #expect(await watchdog.isWorking())
      harness.clock.advance(minutes: 2)
      await environment.database.close()
      #expect(await watchdog.isWorking())
    }
  }
}
