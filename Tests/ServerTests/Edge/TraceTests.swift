// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import Storage
@testable import Web

/// The identifier of a request in its answer.
@Suite struct TraceTests {
  private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
  private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

  @Test(arguments: [
    parent, "cc-\(trace)-00f067aa0ba902b7-00", "01-\(trace)-00f067aa0ba902b7-01-further-parts",
  ])
  func `a well-formed field is taken over`(field: String) throws {
    #expect(TraceID(traceparent: field)?.text == Self.trace)
  }

  @Test(arguments: [
    "", "-", "---", trace, "00-\(trace)-00f067aa0ba902b7", "\(parent)-more", "\(parent) ",
    "ff-\(trace)-00f067aa0ba902b7-01", "0-\(trace)-00f067aa0ba902b7-01",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-\(trace)-0000000000000000-01",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
  ])
  func `any other field is ignored`(field: String) throws {
    #expect(TraceID(traceparent: field) == nil)
  }

  @Test func `an answer has the identifier that the client sent, or one of its own`() async throws {
    try await ServerHarness.run { harness in
      let field = try #require(HTTPField.Name("traceparent"))
      let name = try #require(HTTPField.Name("X-Request-ID"))
      let sent = try await harness.send(.get, "/health", [field: Self.parent])
      #expect(sent.headers[name] == Self.trace)
      var seen: Set<String> = []
      for headers in [[:], [field: "00-x-y-z"]] as [HTTPFields] {
        let answer = try await harness.send(.get, "/welcome", headers)
        let trace = try #require(answer.headers[name])
        #expect(trace.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        seen.insert(trace)
      }
      var twice: HTTPFields = [field: Self.parent]
      twice.append(HTTPField(name: field, value: Self.parent))
      let doubled = try await harness.send(.get, "/health", twice)
      seen.insert(try #require(doubled.headers[name]))
      #expect(seen.count == 3 && !seen.contains(Self.trace))
    }
  }

  @Test func `errors name the identifier`() async throws {
    try await ServerHarness.run { harness in
      let field = try #require(HTTPField.Name("traceparent"))
      let problem = try await harness.send(.get, "/api/v1/doses", [field: Self.parent])
      #expect(problem.status == .unauthorized)
      #expect(try problem.json()["trace"] == .string(Self.trace))
      harness.environment.database.noteDamage()
      let page = try await harness.send(.get, "/sign-in", [field: Self.parent])
      #expect(page.status.code >= 500)
      #expect(page.text.contains("Reference \(Self.trace)"))
    }
  }
}
