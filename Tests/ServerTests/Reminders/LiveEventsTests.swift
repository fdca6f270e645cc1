// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Operations
@testable import Web

@Suite struct LiveEventsTests {
  @Test func `a change wakes only its patient's streams`() async throws {
    let live = LiveEvents()
    let ann = try #require(live.open(account: "ann", patients: ["a"]))
    let bob = try #require(live.open(account: "bob", patients: ["b", "c"]))
    live.changed("a")
    live.changed("nobody")
    live.close(ann)
    live.close(bob)
    #expect(await count(ann.wakes) == 1)
    #expect(await count(bob.wakes) == 0)
  }

  @Test func `many changes leave one pending wake`() async throws {
    let live = LiveEvents()
    let stream = try #require(live.open(account: "ann", patients: ["a", "b"]))
    for _ in 0..<100 { live.changed(["a", "b"]) }
    live.close(stream)
    #expect(await count(stream.wakes) == 1)
  }

  @Test func `an account and the server have a limit of streams`() throws {
    let live = LiveEvents(limits: .init(perAccount: 2, total: 3))
    let first = try #require(live.open(account: "ann", patients: ["a"]))
    #expect(live.open(account: "ann", patients: ["a"]) != nil)
    #expect(live.open(account: "ann", patients: ["a"]) == nil)
    #expect(live.open(account: "bob", patients: ["b"]) != nil)
    #expect(live.open(account: "eve", patients: ["e"]) == nil)
    live.close(first)
    live.close(first)
    #expect(live.count == 2)
    #expect(live.open(account: "eve", patients: ["e"]) != nil)
  }

  @Test func `a stream follows changes of grants`() async throws {
    let live = LiveEvents()
    let stream = try #require(live.open(account: "ann", patients: ["a"]))
    live.follow(["b"], in: stream)
    live.changed("a")
    live.close(stream)
    #expect(await count(stream.wakes) == 0)
    let other = try #require(live.open(account: "ann", patients: ["a"]))
    live.follow(["b"], in: other)
    live.changed("b")
    live.close(other)
    #expect(await count(other.wakes) == 1)
  }

  @Test func `reads and refusals wake no stream`() async throws {
    let live = LiveEvents()
    let stream = try #require(live.open(account: "ann", patients: ["a"]))
    func entry(_ kind: AuditEntry.Kind, _ outcome: AuditEntry.Outcome = .success) -> AuditEntry {
      AuditEntry(
        at: Timestamp(milliseconds: 0), actor: "ann", kind: kind, patient: "a", resource: "Dose",
        purpose: "care", outcome: outcome)
    }
    live.committed([entry(.read), entry(.search), entry(.answer, .denied)])
    live.close(stream)
    #expect(await count(stream.wakes) == 0)
    let other = try #require(live.open(account: "ann", patients: ["a"]))
    live.committed([entry(.read), entry(.answer)])
    live.close(other)
    #expect(await count(other.wakes) == 1)
  }

  private func count(_ wakes: AsyncStream<Void>) async -> Int {
    var count = 0
    for await _ in wakes { count += 1 }
    return count
  }
}

@Suite struct WakeSignalTests {
  @Test func `a ring before the pause ends it at once`() async {
    let signal = WakeSignal()
    signal.ring()
    await signal.wait(atMost: .seconds(3600))
  }

  @Test func `a ring during the pause ends it`() async {
    let signal = WakeSignal()
    async let pause: Void = signal.wait(atMost: .seconds(3600))
    await Task.yield()
    signal.ring()
    await pause
  }

  @Test func `a pause ends automatically, an empty one at once`() async {
    let signal = WakeSignal()
    await signal.wait(atMost: .milliseconds(1))
    await signal.wait(atMost: .zero)
  }

  @Test func `a cancelled task stops pausing`() async {
    let signal = WakeSignal()
    let task = Task { await signal.wait(atMost: .seconds(3600)) }
    task.cancel()
    await task.value
  }
}

@Suite struct ClockMonitorTests {
  /// Wall clock and uptime in milliseconds, one check after the other, and the step found at the
  /// last.
  @Test(
    arguments: [
      ([(0, 0), (500, 500)], nil),
      ([(0, 0), (60_000, 500)], nil),
      ([(10_000, 0), (9_600, 500)], nil),
      ([(10_000, 0), (9_000, 500)], 1_500),
      ([(3_600_000, 0), (500, 500)], 3_600_000),
      ([(3_600_000, 0), (500, 500), (1_000, 1_000)], nil),
    ] as [([(Int64, UInt64)], Int64?)])
  func `a clock set back is detected once`(looks: [(Int64, UInt64)], step: Int64?) {
    var watch = ClockMonitor()
    var found: Int64?
    for (wall, uptime) in looks {
      found = watch.stepBack(
        wall: Timestamp(milliseconds: wall), uptime: uptime * 1_000_000)
    }
    #expect(found == step)
  }
}
