// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import Storage

@Suite struct AuditObserverTests {
  /// A server that runs for months commits more often than this.
  ///
  /// If each commit wrapped the observer again, as it would a closure in a generic container, this test would
  /// never finish.
  @Test func `an observer is called once for each of a hundred thousand commits`() throws {
    let seal = AuditSeal(keys: try KeyRing.test)
    let log = AuditLog(
      chain: AuditChain(node: "n", seal: seal, head: .start), anchor: nil, logger: .quiet)
    let calls = Mutex(0)
    log.observe { _ in calls.withLock { $0 += 1 } }
    for _ in 0..<100_000 { log.committed(.start, at: []) }
    #expect(calls.withLock { $0 } == 100_000)
  }
}
