// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Server

@Suite struct ServiceNameTests {
  /// The group logs each service by printing it: one without its own name would reveal its content.
  @Test func `every service describes itself without its contents`() async throws {
    try await ServerHarness.run { harness in
      let services = try RegimenServer(environment: harness.environment).services(
        host: "127.0.0.1", port: 0, controlSocket: "/nowhere/control.sock"
      ) { _ in }
      #expect(services.count > 10)
      for service in services {
        let name = "\(service)"
        #expect(!name.contains("("), "\(type(of: service)): \(name)")
        #expect(name.utf8.count < 60)
      }
      var dumped = ""
      dump(harness.environment, to: &dumped)
      #expect(dumped == "- ServerEnvironment #0\n")
    }
  }
}
