// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import Testing

@testable import Web

@Suite struct ConnectionBudgetTests {
  private static let most = ServerSettings.enoughConnections

  @Test(arguments: [512, 1024, 4096, 65_536], [1, 2, 16])
  func `connections leave file descriptors for the rest`(limit: Int, cores: Int) throws {
    let budget = try #require(ConnectionBudget(limit: limit, cores: cores, most: Self.most))
    #expect(budget.connections >= 32 && budget.connections <= Self.most)
    #expect(2 * budget.connections + ConnectionBudget.refusals + 4 * cores + 96 <= limit)
  }

  @Test func `usual file limits are enough for everything`() {
    #expect(ConnectionBudget(limit: 65_536, cores: 8, most: Self.most)?.connections == Self.most)
  }

  @Test(arguments: [0, 1, 64, 128])
  func `too few files are refused`(limit: Int) {
    #expect(ConnectionBudget(limit: limit, cores: 2, most: Self.most) == nil)
  }

  @Test(arguments: [1, 2, 16, 128])
  func `the stated minimum is enough`(cores: Int) {
    let least = ConnectionBudget.least(cores: cores, most: Self.most)
    #expect(ConnectionBudget(limit: least, cores: cores, most: Self.most) != nil)
  }

  @Test(arguments: [
    (EADDRINUSE, "Port 8080 on 127.0.0.1 is in use"), (EACCES, "This user may not use port 8080"),
    (EADDRNOTAVAIL, "not an address of this machine"),
  ])
  func `errors that prevent listening are explained`(code: Int32, words: String) throws {
    let error = try #require(
      ListeningError(IOError(errnoCode: code, reason: "bind"), host: "127.0.0.1", port: 8080))
    #expect(error.description.contains(words) && !error.description.contains("bind"))
    #expect(ListeningError(IOError(errnoCode: EMFILE, reason: "x"), host: "h", port: 1) == nil)
  }
}
