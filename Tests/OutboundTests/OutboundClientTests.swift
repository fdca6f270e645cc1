// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization
import Testing

@testable import Outbound

struct OutboundClientTests {
  private let clock = HeldClock()

  /// Runs a client for the hosts of these rules, and shuts it down.
  private func withClient<Result>(
    operatorAllowed: [String] = [], allowed: [String] = [], resolver: ScriptedResolver? = nil,
    _ body: (OutboundClient, OutboundPolicy) async throws -> Result
  ) async throws -> Result {
    let policy = OutboundPolicy(
      allowed: allowed.compactMap(HostRule.init),
      operatorAllowed: operatorAllowed.compactMap(HostRule.init))
    let client = OutboundClient(
      policy: policy, monotonicNow: clock.read,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      resolver: resolver.map { resolver in { @Sendable name in try resolver.resolve(name) } })
    do {
      let result = try await body(client, policy)
      await client.shutdown()
      return result
    } catch {
      await client.shutdown()
      throw error
    }
  }

  private func withServer<Result>(
    _ body: (TestServer, OutboundClient, _ url: (String) throws -> CheckedURL) async throws ->
      Result
  ) async throws -> Result {
    try await TestServer.run { server in
      try await withClient(operatorAllowed: [server.rule]) { client, policy in
        try await body(server, client) { try policy.check("http://\(server.rule)\($0)") }
      }
    }
  }

  private func status(_ client: OutboundClient, _ url: CheckedURL) async throws -> Int {
    try await client.send(OutboundRequest(url: url, timeoutSeconds: 3600)).status
  }

  @Test func sendsAndGivesTheAnswerBack() async throws {
    try await withServer { server, client, url in
      let response = try await client.send(
        OutboundRequest(
          method: "POST", url: try url("/echo/a%20b?c=d&e=%2F"),
          headers: [("Topic", "abc"), ("TTL", "60")], body: Array("Grüße".utf8),
          timeoutSeconds: 3600
        ))
      #expect(response.status == 200)
      let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
      #expect(
        lines == [
          "POST /echo/a%20b?c=d&e=%2F", "content-length: 7", "host: 127.0.0.1:\(server.port)",
          "topic: abc", "ttl: 60", "Grüße",
        ])
      #expect(response.header("CONTENT-length") == String(response.body.count))
      #expect(response.header("nothing") == nil)
    }
  }

  @Test func usesItsConnectionsAgainAndKeepsNoCookies() async throws {
    try await withServer { server, client, url in
      for _ in 0..<20 {
        _ = try await client.send(OutboundRequest(url: try url("/cookie"), timeoutSeconds: 3600))
      }
      let echo = try await client.send(
        OutboundRequest(method: "GET", url: try url("/echo"), timeoutSeconds: 3600))
      #expect(!String(decoding: echo.body, as: UTF8.self).contains("cookie"))
      // Usually one; a few if the machine is so busy that an idle one was closed in between.
      #expect((1...3).contains(server.seen.value.withLock { $0.connections }))
    }
  }

  @Test func followsNoRedirect() async throws {
    try await withServer { server, client, url in
      let response = try await client.send(
        OutboundRequest(method: "GET", url: try url("/redirect"), timeoutSeconds: 3600))
      #expect(response.status == 302)
      #expect(response.header("location") == "http://127.0.0.1:1/elsewhere")
      #expect(server.seen.value.withLock { $0.requests } == ["/redirect"])
    }
  }

  @Test(arguments: [200, 201, 204, 304, 400, 403, 404, 410, 413, 429, 500, 503, 599])
  func everyStatusIsAnAnswer(status: Int) async throws {
    try await withServer { _, client, url in
      let response = try await client.send(
        OutboundRequest(url: try url("/status/\(status)"), timeoutSeconds: 3600))
      #expect(response.status == status)
    }
  }

  @Test(arguments: [0, 1, 65_536, 65_537, 5_000_000])
  func keepsTheFirstPartOfALongBody(count: Int) async throws {
    try await withServer { _, client, url in
      let response = try await client.send(
        OutboundRequest(url: try url("/bytes/\(count)"), timeoutSeconds: 3600))
      #expect(response.status == 201)
      #expect(response.body.count == min(count, 65_536))
    }
  }

  @Test func hangsUpOnABodyWithoutEnd() async throws {
    try await withServer { _, client, url in
      let response = try await client.send(
        OutboundRequest(url: try url("/endless"), timeoutSeconds: 3600))
      #expect(response.status == 201)
      #expect(response.body.count == 65_536)
      await #expect(throws: OutboundError.responseTooLarge) {
        try await client.send(
          OutboundRequest(
            url: try url("/endless"), timeoutSeconds: 3600,
            responseLimit: .refuseBeyond(bytes: 1000)
          ))
      }
    }
  }

  @Test(arguments: [(1000, true), (1001, false)])
  func refusesABodyBeyondItsLimit(count: Int, isTaken: Bool) async throws {
    try await withServer { _, client, url in
      let request = OutboundRequest(
        url: try url("/bytes/\(count)"), timeoutSeconds: 3600,
        responseLimit: .refuseBeyond(bytes: 1000))
      if isTaken {
        #expect(try await client.send(request).body.count == count)
      } else {
        await #expect(throws: OutboundError.responseTooLarge) { try await client.send(request) }
      }
    }
  }

  @Test(arguments: [
    ("/silent", OutboundError.timeout), ("/half", .timeout), ("/drop", .connection),
    ("/garbage", .connection),
  ])
  func tellsWhatWentWrong(path: String, error: OutboundError) async throws {
    try await withServer { _, client, url in
      await #expect(throws: error) {
        try await client.send(
          OutboundRequest(url: try url(path), timeoutSeconds: error == .timeout ? 1 : 3600))
      }
      // Other requests to the host are not affected.
      let after = try await status(client, try url("/status/200"))
      #expect(after == 200)
    }
  }

  @Test func waitsForAPlaceNoLongerThanItsTime() async throws {
    try await withServer { server, client, url in
      let silent = try url("/silent")
      let quick = try url("/status/200")
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<Destination.placesOnLoopback {
          group.addTask {
            _ = try? await client.send(OutboundRequest(url: silent, timeoutSeconds: 3600))
          }
        }
        while server.seen.value.withLock({ $0.current }) < Destination.placesOnLoopback {
          await Task.yield()
        }
        await #expect(throws: OutboundError.timeout) {
          try await client.send(OutboundRequest(url: quick, timeoutSeconds: 1))
        }
        group.cancelAll()
      }
      #expect(server.seen.value.withLock { $0.requests.count } == Destination.placesOnLoopback)
      // The cancelled ones returned their slots.
      #expect(try await status(client, quick) == 200)
    }
  }

  @Test func noMoreRequestsAtATimeThanPlaces() async throws {
    try await withServer { server, client, url in
      let later = try url("/later/5")
      let started = ContinuousClock.now
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<200 {
          group.addTask {
            try await client.send(OutboundRequest(url: later, timeoutSeconds: 3600)).status
          }
        }
        for try await status in group { #expect(status == 200) }
      }
      #expect(server.seen.value.withLock { $0.most } <= Destination.placesOnLoopback)
      // On a very slow machine, some connections are idle for so long that the client closes them and
      // opens others later.
      let turns = started.duration(to: .now).components.seconds / PinnedClient.idleSeconds + 1
      let connections = server.seen.value.withLock { $0.connections }
      #expect(connections <= Destination.placesOnLoopback * Int(turns))
    }
  }

  @Test func leavesAFailingHostAloneAndProbesIt() async throws {
    try await withServer { server, client, url in
      for _ in 0..<5 {
        let failing = try await status(client, try url("/status/503"))
        #expect(failing == 503)
      }
      for _ in 0..<3 {
        await #expect(throws: OutboundError.circuitOpen(retryAfterSeconds: 1)) {
          try await client.send(OutboundRequest(url: try url("/status/200"), timeoutSeconds: 3600))
        }
      }
      #expect(server.seen.value.withLock { $0.requests.count } == 5)
      clock.advance(seconds: 1)
      let probe = try await status(client, try url("/status/500"))
      #expect(probe == 500)
      await #expect(throws: OutboundError.circuitOpen(retryAfterSeconds: 2)) {
        try await client.send(OutboundRequest(url: try url("/status/200"), timeoutSeconds: 3600))
      }
      clock.advance(seconds: 2)
      let recovered = try await status(client, try url("/status/201"))
      #expect(recovered == 201)
      let next = try await status(client, try url("/status/200"))
      #expect(next == 200)
    }
  }

  @Test func aHostThatIsDownFailsAtOnceAndOpensTheCircuit() async throws {
    let rule = try await TestServer.run { $0.rule }
    try await withClient(operatorAllowed: [rule]) { client, policy in
      let url = try policy.check("http://\(rule)/")
      for _ in 0..<5 {
        await #expect(throws: OutboundError.connection) {
          try await client.send(OutboundRequest(url: url, timeoutSeconds: 3600))
        }
      }
      await #expect(throws: OutboundError.circuitOpen(retryAfterSeconds: 1)) {
        try await client.send(OutboundRequest(url: url, timeoutSeconds: 3600))
      }
    }
  }

  @Test func aTLSHandshakeWithAPlainServerFails() async throws {
    try await TestServer.run { server in
      try await withClient(operatorAllowed: [server.rule]) { client, policy in
        let url = try policy.check("https://\(server.rule)/")
        await #expect(throws: OutboundError.tls) {
          try await client.send(OutboundRequest(url: url, timeoutSeconds: 3600))
        }
      }
    }
  }

  @Test(arguments: [
    "127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1",
    "100.64.0.1", "192.0.2.1", "224.0.0.1",
  ])
  func aListedNameAtAPrivateAddressIsRefused(address: String) async throws {
    let resolver = ScriptedResolver([address])
    try await withClient(allowed: ["push.example.org"], resolver: resolver) { client, policy in
      let url = try policy.check("https://push.example.org/x")
      for _ in 0..<7 {
        // Our own rule is not the host's fault: the circuit stays closed.
        await #expect(throws: OutboundError.privateAddress) {
          try await client.send(OutboundRequest(url: url, timeoutSeconds: 3600))
        }
      }
    }
  }

  @Test func aNameThatIsNotKnownIsToldSo() async throws {
    try await withClient(allowed: ["push.example.org"], resolver: ScriptedResolver([])) {
      client, policy in
      let url = try policy.check("https://push.example.org/x")
      await #expect(throws: OutboundError.resolution) {
        try await client.send(OutboundRequest(url: url, timeoutSeconds: 3600))
      }
    }
  }

  @Test func connectsToTheAddressThatWasCheckedWhateverTheNameSaysNext() async throws {
    try await TestServer.run { server in
      let rule = "localhost:\(server.port)"
      // A name that resolves to this machine first and then to another one.
      let resolver = ScriptedResolver(["127.0.0.1"], ["10.0.0.1"])
      try await withClient(operatorAllowed: [rule], resolver: resolver) { client, policy in
        let url = try policy.check("http://\(rule)/echo")
        for _ in 0..<3 {
          let response = try await client.send(
            OutboundRequest(method: "GET", url: url, timeoutSeconds: 3600))
          #expect(String(decoding: response.body, as: UTF8.self).contains("host: \(rule)"))
        }
        #expect(resolver.count == 1)
        clock.advance(seconds: 61)
        await #expect(throws: OutboundError.privateAddress) {
          try await client.send(OutboundRequest(url: url, timeoutSeconds: 3600))
        }
        #expect(resolver.count == 2)
      }
    }
  }

  @Test func followsAHostThatMoved() async throws {
    try await TestServer.run(at: "127.0.0.1") { server in
      let rule = "localhost:\(server.port)"
      // The first address has no server any more: the second one answers, then stays preferred.
      let resolver = ScriptedResolver(["127.0.0.3", "127.0.0.1"])
      try await withClient(operatorAllowed: [rule], resolver: resolver) { client, policy in
        let url = try policy.check("http://\(rule)/status/200")
        for _ in 0..<6 {
          #expect(try await status(client, url) == 200)
        }
      }
      #expect(server.seen.value.withLock { $0.requests.count } == 6)
      #expect(server.seen.value.withLock { $0.connections } == 1)
    }
  }

  @Test func theSystemsResolverKnowsThisMachine() async throws {
    try await TestServer.run { server in
      let rule = "localhost:\(server.port)"
      try await withClient(operatorAllowed: [rule]) { client, policy in
        let url = try policy.check("http://\(rule)/status/204")
        #expect(try await status(client, url) == 204)
      }
    }
  }

  @Test(arguments: [
    ("POST", "Topic", "a\r\nX-Evil: 1"), ("POST", "Topic", "a\nb"), ("POST", "Topic", "a\0"),
    ("POST", "Top ic", "a"), ("POST", "Topic:", "a"), ("POST", "", "a"), ("POST", "Host", "evil"),
    ("POST", "content-LENGTH", "0"), ("POST", "Transfer-Encoding", "chunked"),
    ("GET / HTTP/1.1\r\nX:", "Topic", "a"), ("", "Topic", "a"),
  ])
  func headersThatWouldChangeTheMessageAreRefused(
    method: String, name: String, value: String
  ) async throws {
    try await withServer { server, client, url in
      await #expect(throws: OutboundError.notAllowed(.header)) {
        try await client.send(
          OutboundRequest(
            method: method, url: try url("/echo"), headers: [(name, value)], timeoutSeconds: 3600))
      }
      #expect(server.seen.value.withLock { $0.requests } == [])
    }
  }

  @Test func anAddressOfAnotherPolicyIsRefused() async throws {
    try await withServer { server, client, _ in
      let other = OutboundPolicy(
        allowed: [], operatorAllowed: ["localhost:\(server.port)"].compactMap(HostRule.init))
      let url = try other.check("http://localhost:\(server.port)/echo")
      await #expect(throws: OutboundError.notAllowed(.hostNotListed)) {
        try await client.send(OutboundRequest(url: url, timeoutSeconds: 3600))
      }
    }
  }

  @Test func aCancelledRequestEnds() async throws {
    try await withServer { server, client, url in
      let silent = try url("/silent")
      let task = Task {
        try await client.send(OutboundRequest(url: silent, timeoutSeconds: 3600))
      }
      while server.seen.value.withLock({ $0.current }) < 1 { await Task.yield() }
      task.cancel()
      await #expect(throws: OutboundError.closed) { try await task.value }
    }
  }

  @Test func shutdownEndsWhatRunsAndWaits() async throws {
    try await withServer { server, client, url in
      let silent = try url("/silent")
      let tasks = (0..<40).map { _ in
        Task { try await client.send(OutboundRequest(url: silent, timeoutSeconds: 3600)) }
      }
      while server.seen.value.withLock({ $0.current }) < Destination.placesOnLoopback {
        await Task.yield()
      }
      await client.shutdown()
      for task in tasks { await #expect(throws: OutboundError.closed) { try await task.value } }
      await #expect(throws: OutboundError.closed) {
        try await client.send(OutboundRequest(url: silent, timeoutSeconds: 3600))
      }
      await client.shutdown()
    }
  }

  @Test func remembersABoundedNumberOfHosts() async throws {
    let resolver = ScriptedResolver(["10.0.0.1"])
    try await withClient(allowed: ["*.push.example.org"], resolver: resolver) { client, policy in
      for number in 0..<(OutboundClient.rememberedHosts * 2) {
        let url = try policy.check("https://host\(number).push.example.org/")
        await #expect(throws: OutboundError.privateAddress) {
          try await client.send(OutboundRequest(url: url, timeoutSeconds: 3600))
        }
      }
      #expect(client.rememberedCount == OutboundClient.rememberedHosts)
    }
  }
}
