// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Storage
import Testing
import TestSupport

@testable import Operations
@testable import Web

/// Work that is not waited for beyond a limit.
@Suite struct LimitedWaitTests {
  @Test func `a result in time is returned`() async {
    let found = await LimitedWait.result(within: .seconds(600)) { 7 }
    #expect(found == 7)
  }

  @Test func `longer work is not waited for`() async {
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let found = await LimitedWait.result(within: .milliseconds(1)) {
      for await _ in gate {}
      return 7
    }
    #expect(found == nil)
    opening.finish()
  }

  @Test func `a database that takes too long counts as not answering`() async throws {
    try await ServerHarness.run { harness in
      let (environment, now) = (harness.environment, harness.clock.now)
      let (held, holding) = AsyncStream<Void>.makeStream()
      let release = DispatchSemaphore(value: 0)
      let writing = Task {
        try await environment.database.write { _ in
          holding.finish()
          release.wait()
        }
      }
      for await _ in held {}
      let during = await environment.outage(at: now, within: .milliseconds(1))
      #expect(during?.part == "database")
      release.signal()
      try await writing.value
      let after = await environment.outage(at: now, within: .seconds(600))
      #expect(after == nil)
    }
  }
}
