// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import Outbound

/// A breaker for use in assertions, which allow no mutating calls.
private final class HeldBreaker {
  private var breaker = CircuitBreaker()

  var isClosed: Bool { breaker.isClosed }

  func pauseSeconds(at now: UInt64) -> Int? { breaker.pauseSeconds(at: now) }

  func admit(at now: UInt64) -> CircuitBreaker.Admission? { breaker.admit(at: now) }

  func record(
    _ outcome: CircuitBreaker.Outcome, of admission: CircuitBreaker.Admission, at now: UInt64
  ) -> Bool {
    breaker.record(outcome, of: admission, at: now)
  }
}

struct CircuitBreakerTests {
  private let second: UInt64 = 1_000_000_000

  /// Fails as often as it takes to open the breaker, at a given time.
  private func open(_ breaker: HeldBreaker, at now: UInt64) throws {
    for _ in 0..<CircuitBreaker.failuresToOpen {
      let admission = try #require(breaker.admit(at: now))
      _ = breaker.record(.failure, of: admission, at: now)
    }
  }

  @Test func opensAfterFiveFailuresInARow() throws {
    let breaker = HeldBreaker()
    for count in 1...5 {
      let admission = try #require(breaker.admit(at: 0))
      #expect(!admission.isProbe)
      #expect(breaker.record(.failure, of: admission, at: 0) == (count == 5))
    }
    #expect(!breaker.isClosed)
    #expect(breaker.admit(at: second - 1) == nil)
    #expect(breaker.pauseSeconds(at: 0) == 1)
    #expect(breaker.pauseSeconds(at: second - 1) == 1)
    #expect(breaker.pauseSeconds(at: second) == nil)
  }

  @Test func oneSuccessForgetsTheFailures() throws {
    let breaker = HeldBreaker()
    for outcome in [
      CircuitBreaker.Outcome.failure, .failure, .failure, .failure, .success,
      .failure, .failure, .failure, .failure, .unknown,
    ] {
      let admission = try #require(breaker.admit(at: 0))
      #expect(!breaker.record(outcome, of: admission, at: 0))
    }
    #expect(breaker.isClosed)
  }

  @Test func thePauseDoublesUpToAMinute() throws {
    let breaker = HeldBreaker()
    var now: UInt64 = 0
    try open(breaker, at: now)
    for pause in [1, 2, 4, 8, 16, 32, 60, 60] as [UInt64] {
      #expect(breaker.pauseSeconds(at: now) == Int(pause))
      now += pause * second
      let probe = try #require(breaker.admit(at: now))
      #expect(probe.isProbe)
      #expect(!breaker.record(.failure, of: probe, at: now))
    }
  }

  @Test func oneProbeAtATimeAndItsSuccessCloses() throws {
    let breaker = HeldBreaker()
    try open(breaker, at: 0)
    let probe = try #require(breaker.admit(at: second))
    #expect(breaker.admit(at: second) == nil)
    #expect(breaker.pauseSeconds(at: second) == 1)
    #expect(breaker.record(.success, of: probe, at: second))
    #expect(breaker.isClosed)
    // The next time it starts with a short pause again.
    try open(breaker, at: second)
    #expect(breaker.pauseSeconds(at: second) == 1)
  }

  @Test func aProbeThatLearnsNothingIsFollowedByAnother() throws {
    let breaker = HeldBreaker()
    try open(breaker, at: 0)
    let probe = try #require(breaker.admit(at: second))
    #expect(!breaker.record(.unknown, of: probe, at: second))
    #expect(breaker.admit(at: second)?.isProbe == true)
  }

  @Test func lateAnswersOfAnEarlierPhaseChangeNothing() throws {
    let breaker = HeldBreaker()
    let early = try #require(breaker.admit(at: 0))
    try open(breaker, at: 0)
    #expect(!breaker.record(.success, of: early, at: 0))
    #expect(!breaker.isClosed)
    let probe = try #require(breaker.admit(at: second))
    #expect(!breaker.record(.failure, of: early, at: second))
    #expect(breaker.record(.success, of: probe, at: second))
  }
}

struct BulkheadTests {
  /// Longer than any run of the tests: on a busy machine a task may wait a minute for its turn.
  private static let long = 3600

  /// Waits until a number of callers are in line; a call that has ended meanwhile would never join it.
  private func line(of bulkhead: Bulkhead, reaches count: Int, _ deadline: CallDeadline) async
    -> Bool
  {
    while bulkhead.waitingCount < count {
      if deadline.hasEnded { return false }
      await Task.yield()
    }
    return true
  }

  private func waiter(
    _ bulkhead: Bulkhead, _ deadline: CallDeadline, _ entered: Shared<[Int]>, _ number: Int
  ) -> Task<OutboundError?, Never> {
    Task {
      do throws(OutboundError) {
        try await bulkhead.enter(within: deadline)
        entered.value.withLock { $0.append(number) }
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func lateComersWaitInLine() async throws {
    let bulkhead = Bulkhead(limit: 1)
    let deadline = CallDeadline(seconds: Self.long)
    defer { deadline.stop() }
    try await bulkhead.enter(within: deadline)
    #expect(!bulkhead.isEmpty)
    let entered = Shared<[Int]>([])
    var tasks: [Task<OutboundError?, Never>] = []
    let deadlines = (0..<3).map { _ in CallDeadline(seconds: Self.long) }
    for number in 0..<3 {
      tasks.append(waiter(bulkhead, deadlines[number], entered, number))
      try #require(await line(of: bulkhead, reaches: number + 1, deadlines[number]))
    }
    #expect(entered.value.withLock { $0 } == [])
    for count in 1...3 {
      bulkhead.leave()
      #expect(await tasks[count - 1].value == nil)
      #expect(entered.value.withLock { $0 } == Array(0..<count))
    }
    bulkhead.leave()
    #expect(bulkhead.isEmpty)
    for deadline in deadlines { deadline.stop() }
  }

  @Test func whoGivesUpIsPassedOver() async throws {
    let bulkhead = Bulkhead(limit: 1)
    let deadline = CallDeadline(seconds: Self.long)
    defer { deadline.stop() }
    try await bulkhead.enter(within: deadline)
    let entered = Shared<[Int]>([])
    let (hasty, patient) = (CallDeadline(seconds: Self.long), CallDeadline(seconds: Self.long))
    let first = waiter(bulkhead, hasty, entered, 0)
    try #require(await line(of: bulkhead, reaches: 1, hasty))
    let second = waiter(bulkhead, patient, entered, 1)
    try #require(await line(of: bulkhead, reaches: 2, patient))
    hasty.end(.timeout)
    #expect(await first.value == .timeout)
    bulkhead.leave()
    #expect(await second.value == nil)
    #expect(entered.value.withLock { $0 } == [1])
    bulkhead.leave()
    #expect(bulkhead.isEmpty)
    hasty.stop()
    patient.stop()
  }

  @Test func aCallThatIsOverTakesNoPlaceInLine() async throws {
    let bulkhead = Bulkhead(limit: 1)
    let deadline = CallDeadline(seconds: Self.long)
    defer { deadline.stop() }
    try await bulkhead.enter(within: deadline)
    deadline.end(.closed)
    await #expect(throws: OutboundError.closed) { try await bulkhead.enter(within: deadline) }
    bulkhead.leave()
    #expect(bulkhead.isEmpty)
  }

  @Test func manyComeAndGo() async throws {
    let bulkhead = Bulkhead(limit: 3)
    let inside = Shared<(now: Int, most: Int)>((0, 0))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2000 {
        group.addTask {
          let deadline = CallDeadline(seconds: Self.long)
          defer { deadline.stop() }
          guard (try? await bulkhead.enter(within: deadline)) != nil else { return }
          inside.value.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
          await Task.yield()
          inside.value.withLock { $0.now -= 1 }
          bulkhead.leave()
        }
      }
    }
    #expect(inside.value.withLock { $0.most } <= 3)
    #expect(inside.value.withLock { $0.now } == 0)
    #expect(bulkhead.isEmpty)
  }

  @Test func theTimerEndsACall() async {
    let deadline = CallDeadline(seconds: 0)
    await #expect(throws: OutboundError.timeout) {
      let _: Int = try await deadline.wait { _ in }
    }
    #expect(deadline.hasEnded)
  }
}

/// A value that closures share under a lock.
final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>
  init(_ value: Value) { self.value = Mutex(value) }
}
