// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Operations

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
}
