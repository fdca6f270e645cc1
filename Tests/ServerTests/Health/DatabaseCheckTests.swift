// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HTTPTypes
import HummingbirdTesting
import Storage
import Synchronization
import Testing
import TestSupport

@testable import Operations
@testable import Web

/// The question to the database behind `/health`, which a stalled database must not hold up.
@Suite struct DatabaseCheckTests {
  /// A question whose answer is held back until it is released.
  private final class HeldQuestion: Sendable {
    private let asked = Mutex(0)
    private let gate: AsyncStream<Void>
    private let opening: AsyncStream<Void>.Continuation

    init() { (gate, opening) = AsyncStream<Void>.makeStream() }

    /// The number of times that it was asked.
    var count: Int { asked.withLock { $0 } }

    func ask() async -> DatabaseCheck.Finding {
      asked.withLock { $0 += 1 }
      for await _ in gate {}
      return .working(isClockTrusted: true)
    }

    func release() { opening.finish() }
  }

  /// A check whose callers wait as long as it takes.
  private static func patient() -> DatabaseCheck {
    DatabaseCheck(sleep: { _ in try await Task.sleep(for: .seconds(600)) })
  }

  /// A check whose time is over at once.
  private static func impatient() -> DatabaseCheck { DatabaseCheck(sleep: { _ in }) }

  @Test func `an answer in time is returned`() async {
    let check = Self.patient()
    let answers: [DatabaseCheck.Finding] = [.working(isClockTrusted: false), .damaged, .failing]
    for answer in answers {
      #expect(await check.finding { answer } == answer)
      #expect(!check.isRunning && check.waiting == 0)
    }
  }

  @Test func `callers at the same time share one question`() async {
    let (check, question) = (Self.patient(), HeldQuestion())
    let callers = (0..<5).map { _ in
      Task { await check.finding { await question.ask() } }
    }
    while check.waiting < 5 { await Task.yield() }
    question.release()
    for caller in callers { #expect(await caller.value == .working(isClockTrusted: true)) }
    #expect(question.count == 1)
  }

  @Test func `a question without an answer is not asked again until it gets one`() async {
    let (check, question) = (Self.impatient(), HeldQuestion())
    for _ in 0..<20 { #expect(await check.finding { await question.ask() } == .silent) }
    // The question begins on its own and may not have done so yet.
    while question.count == 0 { await Task.yield() }
    #expect(question.count == 1 && check.waiting == 1)
    question.release()
    while check.isRunning { await Task.yield() }
    #expect(check.waiting == 0)
    let next = HeldQuestion()
    #expect(await check.finding { await next.ask() } == .silent)
    while next.count == 0 { await Task.yield() }
    next.release()
  }

  @Test func `a caller that goes away does not make the others give up`() async {
    let (check, question) = (Self.patient(), HeldQuestion())
    let caller = Task { await check.finding { await question.ask() } }
    while check.waiting < 1 { await Task.yield() }
    caller.cancel()
    #expect(await caller.value == .silent)
    let other = Task { await check.finding { await question.ask() } }
    while check.waiting < 2 { await Task.yield() }
    question.release()
    #expect(await other.value == .working(isClockTrusted: true))
    #expect(question.count == 1)
  }

  @Test func `a database that is held up counts as not answering, with advice`() async throws {
    try await ServerHarness.run { harness in
      let check = Self.impatient()
      var features = harness.environment.features
      features[DatabaseCheck.self] = check
      let environment = harness.environment.with(features: features)
      let (now, database) = (harness.clock.now, environment.database)
      let (held, holding) = AsyncStream<Void>.makeStream()
      let release = DispatchSemaphore(value: 0)
      let writing = Task {
        try await database.write { _ in
          holding.finish()
          release.wait()
        }
      }
      for await _ in held {}
      for _ in 0..<10 {
        let during = await environment.outage(at: now)
        #expect(during?.part == "database")
        #expect(during?.advice?.contains("no answer within 3 seconds") == true)
      }
      // One question waits, not ten.
      #expect(database.inProgress(.read) + database.inProgress(.write) <= 2)
      // A new start does not bring the database back, so the service manager gets its signs.
      #expect(await WatchdogService(environment: environment, manager: nil).isWorking())
      // The monitoring system gets its answer, and its scrape does not wait for the queues.
      let metrics = await ServerMetrics(environment: environment).text()
      #expect(metrics.contains(#"regimen_fault{part="database"} 1"#))
      #expect(!metrics.contains("regimen_deliveries_waiting{"))
      #expect(
        metrics.contains(#"regimen_database_connections{operation="write",state="busy"} 1"#))
      release.signal()
      try await writing.value
      while check.isRunning { await Task.yield() }
      features[DatabaseCheck.self] = Self.patient()
      let recovered = environment.with(features: features)
      #expect(await recovered.outage(at: now) == nil)
    }
  }

  @Test func `the route answers 503 with the part and what to do`() async throws {
    try await ServerHarness.run { harness in
      #expect(try await harness.send(.get, "/health").status == .ok)
      await harness.environment.database.close()
      let answer = try await harness.send(.get, "/health")
      #expect(answer.status == .serviceUnavailable)
      #expect(answer.text.contains(#""part":"database""#))
    }
  }
}
