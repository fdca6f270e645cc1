// SPDX-License-Identifier: Apache-2.0

import FHIR
import Storage
import Synchronization
import Testing

@testable import AccountPages

/// The server of an app, as a test sees it.
private final class KeyServer: Sendable {
  struct State: Sendable {
    var asked = 0
    var status = 200
    var key = "one"
    var cacheControl: String?
  }

  let state = Mutex(State())

  func set(_ change: @Sendable (inout State) -> Void) {
    state.withLock { change(&$0) }
  }

  var asked: Int { state.withLock { $0.asked } }

  var network: AppKeyNetwork {
    AppKeyNetwork(
      network: ProviderNetwork { [self] _ throws(ProviderError) in
        let now = state.withLock { state -> State in
          state.asked += 1
          return state
        }
        return ProviderNetwork.Answer(
          status: now.status, body: ["keys": [["kid": .string(now.key)]]],
          cacheControl: now.cacheControl)
      })
  }
}

/// The keys of apps are not fetched for each assertion.
@Suite struct AppKeyCacheTests {
  private static let address = "https://keys.example.org/keys"
  private static let minute: Int64 = 60_000

  /// Returns the name of the key that serves; nil if none can be had.
  private func key(
    _ network: AppKeyNetwork, _ wanted: String?, minutes: Int64,
    at address: String = AppKeyCacheTests.address
  ) async -> String? {
    let now = Timestamp(milliseconds: minutes * Self.minute)
    let document = try? await network.keySet(at: address, with: wanted, now: now)
    return document?["keys"]?[0]?["kid"]?.string
  }

  @Test func `keys are fetched once in five minutes`() async {
    let server = KeyServer()
    let network = server.network
    for minutes: Int64 in [0, 1, 4] {
      #expect(await key(network, "one", minutes: minutes) == "one")
    }
    #expect(server.asked == 1)
    #expect(await key(network, nil, minutes: 5) == "one")
    #expect(server.asked == 2)
    #expect(await key(network, "one", minutes: 5, at: Self.address + "/other") == "one")
    #expect(server.asked == 3)
  }

  @Test(
    arguments: [
      ("max-age=1200", 1_200_000), ("public, Max-Age = \"600\"", 600_000),
      ("max-age=99999999999999", 3_600_000), ("max-age=0", 0), ("no-store, max-age=900", 0),
      ("max-age=-1", nil), ("max-age=x", nil), ("max-age", nil), ("", nil),
      ("max-age=99999999999999999999999", nil),
    ] as [(String, Int64?)])
  func `the age of a document is read`(field: String, age: Int64?) {
    #expect(CacheAge.milliseconds(field) == age)
  }

  @Test func `a server decides how long its keys are kept, from a minute to an hour`() async {
    for (field, last, first) in [
      ("max-age=1200", 19, 20), ("max-age=999999", 59, 60), ("no-store", 0, 1),
    ] as [(String, Int64, Int64)] {
      let server = KeyServer()
      server.set { $0.cacheControl = field }
      let network = server.network
      for minutes in [0, last] { _ = await key(network, "one", minutes: minutes) }
      #expect(server.asked == 1, "\(field)")
      _ = await key(network, "one", minutes: first)
      #expect(server.asked == 2, "\(field)")
    }
  }

  @Test func `an unknown key causes one fetch a minute`() async {
    let server = KeyServer()
    let network = server.network
    #expect(await key(network, "one", minutes: 0) == "one")
    server.set { $0.key = "two" }
    #expect(await key(network, "two", minutes: 0) == "one")
    #expect(server.asked == 1)
    #expect(await key(network, "two", minutes: 1) == "two")
    #expect(await key(network, "forged", minutes: 1) == "two")
    #expect(server.asked == 2)
    _ = await key(network, "forged", minutes: 2)
    #expect(server.asked == 3)
  }

  @Test func `known keys outlast a short outage, but no long one`() async {
    let server = KeyServer()
    let network = server.network
    #expect(await key(network, "one", minutes: 0) == "one")
    server.set { $0.status = 503 }
    for minutes: Int64 in [5, 5, 30, 64] {
      #expect(await key(network, "one", minutes: minutes) == "one")
    }
    #expect(server.asked == 4)
    #expect(await key(network, "one", minutes: 65) == nil)
    #expect(await key(network, "one", minutes: 66) == nil)
    server.set { $0.status = 200 }
    #expect(await key(network, "one", minutes: 66) == "one")
  }

  @Test func `the oldest document makes room`() {
    let cache = AppKeyCache(capacity: 2)
    let document: JSONValue = ["keys": []]
    for number in 0..<3 {
      cache.keep(
        document, at: "\(number)", age: nil, now: Timestamp(milliseconds: Int64(number)))
    }
    let now = Timestamp(milliseconds: 3)
    #expect(cache.document(at: "0", with: nil, now: now) == nil)
    #expect(cache.document(at: "1", with: nil, now: now) == document)
    #expect(cache.document(at: "2", with: nil, now: now) == document)
  }
}
