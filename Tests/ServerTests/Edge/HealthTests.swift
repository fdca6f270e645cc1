// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Operations
@testable import Reminders
@testable import Web

@Suite struct HealthTests {
  @Test func `a healthy server says so without sign-in`() async throws {
    try await ServerHarness.run { harness in
      let answer = try await harness.send(.get, "/health")
      #expect(answer.status == .ok)
      #expect(try answer.json() == ["status": "ok"])
      #expect(answer.headers[.cacheControl] == "no-store")
    }
  }

  @Test func `planning that stalls for a minute is reported`() async throws {
    try await ServerHarness.run { harness in
      harness.environment.heartbeat.beat(at: harness.clock.now)
      #expect(try await harness.send(.get, "/health").status == .ok)
      harness.clock.advance(minutes: 1)
      let answer = try await harness.send(.get, "/health")
      #expect(answer.status == .serviceUnavailable)
      #expect(try answer.json()["part"] == "planning")
      harness.environment.heartbeat.beat(at: harness.clock.now)
      #expect(try await harness.send(.get, "/health").status == .ok)
    }
  }

  @Test func `a heartbeat is sent only while everything runs`() async throws {
    try await ServerHarness.run { harness in
      let service = AliveService(environment: harness.environment)
      harness.environment.reminderHeartbeat.beat(at: harness.clock.now)
      await service.tell()
      #expect(harness.outbox.signsOfLife == 1)
      harness.clock.advance(minutes: 1)
      await service.tell()
      #expect(harness.outbox.signsOfLife == 1)
      harness.environment.reminderHeartbeat.beat(at: harness.clock.now)
      await service.tell()
      #expect(harness.outbox.signsOfLife == 2)
      await harness.environment.database.close()
      await service.tell()
      #expect(harness.outbox.signsOfLife == 2)
    }
  }

  @Test func `a held clock is reported and sends no heartbeat`() async throws {
    try await ServerHarness.run { harness in
      let (ahead, now) = (harness.clock.now.adding(milliseconds: 3_600_000), harness.clock.now)
      try await harness.environment.database.write { try ReminderEngine.tick(ahead, in: $0) }
      let answer = try await harness.send(.get, "/health")
      #expect(answer.status == .serviceUnavailable)
      #expect(try answer.json() == ["status": "unavailable", "part": "clock"])
      await AliveService(environment: harness.environment).tell()
      #expect(harness.outbox.signsOfLife == 0)
      try await harness.environment.database.write { writer in
        try ReminderEngine.trustClock(now, by: "eve", in: writer)
      }
      #expect(try await harness.send(.get, "/health").status == .ok)
    }
  }

  @Test func `a closed database is reported`() async throws {
    try await ServerHarness.run { harness in
      await harness.environment.database.close()
      let answer = try await harness.send(.get, "/health")
      #expect(answer.status == .serviceUnavailable)
      #expect(try answer.json()["part"] == "database")
    }
  }

  @Test func `display settings are stored in cookies and return to the page`() async throws {
    try await ServerHarness.run { harness in
      let answer = try await harness.send(
        .get, "/preferences?theme=dark&language=tr&text-size=150&return=/sign-in?next%3D/")
      #expect(answer.status == .seeOther)
      #expect(answer.headers[.location] == "/sign-in?next=/")
      let cookies = answer.headers[values: .setCookie]
      #expect(cookies.count == 3)
      #expect(cookies.allSatisfy { $0.contains("HttpOnly; SameSite=Lax") })
      let odd = try await harness.send(
        .get, "/preferences?theme=neon&language=xx&text-size=1000&return=//evil.example")
      #expect(odd.headers[.location] == "/")
      #expect(odd.headers[values: .setCookie].isEmpty)
    }
  }
}
