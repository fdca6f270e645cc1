// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Testing
import TestSupport

@testable import Studies

/// The allocation: balanced in every block, the same for the same seed, and not to be guessed.
@Suite struct StudyAllocationTests {
  private func allocation(_ seed: UInt8, blocks: String = "[4, 6]") throws -> StudyAllocation {
    let study = try StudyFile(Array(StudySample.file(blocks: blocks).utf8)).definition
    return StudyAllocation(study, seed: [UInt8](repeating: seed, count: 32))
  }

  @Test func `every block holds the arms in equal numbers`() throws {
    let order = try allocation(1, blocks: "[4]").order(400)
    for start in stride(from: 0, to: 400, by: 4) {
      #expect(order[start..<start + 4].count(where: { $0 == "basic" }) == 2)
    }
  }

  @Test func `blocks of different sizes never differ by more than half of the largest`() throws {
    for seed in 0..<UInt8(20) {
      var difference = 0
      for arm in try allocation(seed).order(300) {
        difference += arm == "basic" ? 1 : -1
        #expect(abs(difference) <= 3)
      }
    }
  }

  @Test func `the same seed gives the same order, another one does not`() throws {
    let order = try allocation(7).order(100)
    #expect(try allocation(7).order(100) == order)
    #expect(try allocation(7).order(40) == Array(order.prefix(40)))
    #expect(try allocation(7).arm(at: 57) == order[57])
    #expect(try allocation(8).order(100) != order)
  }

  @Test func `weights decide how often an arm comes`() throws {
    let text = StudySample.file(blocks: "[6]").replacing(
      "\"id\": \"escalating\"", with: "\"id\": \"escalating\", \"weight\": 2")
    let study = try StudyFile(Array(text.utf8)).definition
    let order = StudyAllocation(study, seed: [UInt8](repeating: 3, count: 32)).order(60)
    #expect(order.count(where: { $0 == "escalating" }) == 40)
  }

  @Test func `the commitment is the SHA-256 of the seed`() {
    // The digest of 32 zero bytes, as sha256sum prints it.
    #expect(
      StudyAllocation.commitment(to: [UInt8](repeating: 0, count: 32))
        == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925")
  }

  @Test func `weeks of a shift depend on the seed and the participant`() {
    let seed = StudySeed(bytes: [UInt8](repeating: 1, count: 32))
    let other = StudySeed(bytes: [UInt8](repeating: 2, count: 32))
    let weeks = (0..<50).map { seed.weeks(of: .init("p\($0)")) }
    #expect(weeks.allSatisfy { (1...StudySeed.mostWeeks).contains($0) })
    #expect(Set(weeks).count > 20)
    #expect(weeks == (0..<50).map { seed.weeks(of: .init("p\($0)")) })
    #expect(weeks != (0..<50).map { other.weeks(of: .init("p\($0)")) })
  }
}
