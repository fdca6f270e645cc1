// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Operations
@testable import Web

@Suite struct RetentionTests {
  private func count(_ sql: StaticString, _ harness: ServerHarness) async throws -> Int64? {
    try await harness.environment.database.read { try $0.first(sql)?.integer(0) }
  }

  @Test func `old reminder histories and credentials are deleted, answers stay`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let plan = try await MatrixPlan.make(harness, of: ann)
      let browser = try await harness.session(of: ann)
      let token = try await harness.token(of: ann)
      let sweep = RetentionSweep(environment: harness.environment)
      _ = try await harness.send(
        .post, "/api/v1/doses/\(plan.dose)/answers", token, json: ["action": "taken"])
      await harness.ring()
      let answers = try await count("SELECT COUNT(*) FROM answers", harness)
      #expect(try await count("SELECT COUNT(*) FROM deliveries", harness) ?? 0 > 0)

      harness.clock.advance(minutes: 29 * 24 * 60)
      #expect(try await sweep.perform() == RetentionSweep.Result())
      #expect(try await browser.open("/me/account").status == .ok)

      // 30 days without a request and 30 more; reminders are still there.
      harness.clock.advance(minutes: 65 * 24 * 60)
      #expect(try await sweep.perform().credentials == 2)
      #expect(try await count("SELECT COUNT(*) FROM sessions", harness) == 0)
      #expect(try await count("SELECT COUNT(*) FROM tokens", harness) ?? 0 > 0)

      harness.clock.advance(minutes: 400 * 24 * 60)
      let gone = try await sweep.perform()
      #expect(gone.deliveries > 0)
      #expect(
        try await count("SELECT COUNT(*) FROM deliveries WHERE state = 'done'", harness) == 0)
      #expect(try await count("SELECT COUNT(*) FROM answers", harness) == answers)
      #expect(try await harness.environment.database.verifyAudit().isIntact)
    }
  }

  @Test func `active reminders stay whatever their age`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let patient = ann.patient
      try await harness.environment.database.write { writer in
        for (subject, state) in [("old", "closed"), ("on", "ringing")] {
          try writer.execute(
            """
            INSERT INTO reminders (patient, subject, kind, generation, started, step, next_at, due,
              ends, fresh_until, state, opened, closed)
            VALUES ($1, $2, 'doses', 1, 0, 0, 0, 0, 0, 0, $3, 0, 0)
            """, [.text(patient), .text(subject), .text(state)])
        }
      }
      #expect(try await RetentionSweep(environment: harness.environment).perform().reminders == 1)
      #expect(
        try await count("SELECT COUNT(*) FROM reminders WHERE state = 'ringing'", harness) == 1)
    }
  }
}
