// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Web

@Suite struct GzipTests {
  @Test(arguments: [
    ("gzip", true), ("br, gzip", true), ("GZIP;q=0.5", true), ("*", true), ("gzip;q=0", false),
    ("gzip; q=0.000", false), ("br", false), ("", false), ("gzip;q=much", false),
    ("gzip2, identity", false),
  ])
  func `the header says which clients accept gzip`(header: String, isAccepted: Bool) {
    #expect(Gzip.isAccepted(header) == isAccepted)
  }

  @Test func `no client gets gzip unasked`() { #expect(!Gzip.isAccepted(nil)) }

  @Test func `repetitive data shrinks, and empty data is a valid file`() throws {
    let packed = try #require(Gzip.compressed(Array(repeating: 65, count: 10_000)))
    #expect(packed.starts(with: [0x1F, 0x8B]) && packed.count < 100)
    #expect(try #require(Gzip.compressed([])).count == 20)
  }
}
