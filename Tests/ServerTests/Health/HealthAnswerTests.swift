// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import Operations
@testable import Server
@testable import Web

/// The answer of `/health`, as `regimen health` says it.
@Suite struct HealthAnswerTests {
  private static func stranger(_ status: Int) -> String {
    "The answer is not that of a Regimen server (status \(status))."
  }

  private static let cases: [(Int, String, Bool, String)] = [
    (200, #"{"status":"ok"}"#, true, "ok"),
    (200, #"{"status":"ok","faults":["backup","log"]}"#, true, "ok, with faults: backup, log"),
    (
      503, #"{"status":"unavailable","part":"clock"}"#, false,
      "The server is not healthy: clock. See docs/operate.md, Health."
    ),
    (
      503, #"{"status":"unavailable","part":"damaged database","advice":"Restore."}"#, false,
      "The server is not healthy: damaged database. Restore. See docs/operate.md, Health."
    ),
    (200, "<html>", false, stranger(200)),
    (200, #"{"status":"unavailable"}"#, false, stranger(200)),
    (404, #"{"status":"ok"}"#, false, stranger(404)),
    (502, "", false, stranger(502)),
  ]

  @Test(arguments: cases)
  func `an answer becomes one line`(status: Int, body: String, isHealthy: Bool, line: String) {
    let answer = HealthAnswer(status: status, body: Array(body.utf8))
    #expect(answer.isHealthy == isHealthy)
    #expect(answer.line == line)
  }

  @Test func `the socket answers as the port does`() async throws {
    try await ServerHarness.run { harness in
      let server = try RegimenServer(environment: harness.environment)
      let route = try #require(server.hostRoutes.first { $0.path == HealthRoutes.path })
      #expect(route.method == .get)
      #expect(server.routes.contains { $0.path == HealthRoutes.path && $0.method == .get })
    }
  }
}
