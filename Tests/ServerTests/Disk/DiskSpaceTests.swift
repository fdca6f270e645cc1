// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Web

@Suite struct DiskSpaceTests {
  private static let megabyte: Int64 = 1 << 20

  @Test func `the reserve is small on small file systems`() {
    #expect(DiskSpace.reserve(of: room(free: 0, total: 32)) == 2 * Self.megabyte)
    #expect(DiskSpace.reserve(of: room(free: 0, total: 1 << 20)) == 16 * Self.megabyte)
  }

  @Test func `writes are refused on a full disk until the reserve fits again`() {
    func isShort(_ free: Int64, before: Bool) -> Bool {
      DiskSpace.isShort(room(free: free, total: 100_000), before: before)
    }
    #expect(!isShort(4, before: false))
    #expect(isShort(3, before: false))
    #expect(isShort(23, before: true))
    #expect(!isShort(24, before: true))
  }

  private func room(free: Int64, total: Int64) -> DiskSpace.Room {
    DiskSpace.Room(free: free * Self.megabyte, total: total * Self.megabyte)
  }
}
