// SPDX-License-Identifier: Apache-2.0

import Crypto
import Encodings

/// The order in which participants get their arms: permuted blocks of a sealed seed.
///
/// The same seed, arms and block sizes give the same order on every machine, so that an auditor can repeat it after the
/// study is closed. Until then nobody sees the seed; its SHA-256 is published when the study is loaded.
package struct StudyAllocation: Sendable {
  private let arms: [StudyArm]
  private let blocks: [Int]
  private let seed: [UInt8]

  /// Creates the allocation of a study.
  ///
  /// - Parameter seed: 32 random bytes.
  package init(_ study: StudyDefinition, seed: [UInt8]) {
    arms = study.arms
    blocks = study.blocks
    self.seed = seed
  }

  /// Returns the text that binds the operator to a seed without showing it: its SHA-256.
  package static func commitment(to seed: [UInt8]) -> String {
    Hexadecimal.encode(Array(SHA256.hash(data: seed)))
  }

  /// Returns the ids of the arms at the first places of the order.
  package func order(_ count: Int) -> [String] {
    let total = arms.reduce(0) { $0 + $1.weight }
    guard total > 0, !blocks.isEmpty else { return [] }
    var stream = SealedStream(seed: seed)
    var order: [String] = []
    while order.count < count {
      let size = blocks[stream.below(blocks.count)]
      var block = arms.flatMap { arm in
        [String](repeating: arm.id, count: arm.weight * size / total)
      }
      // Fisher and Yates, written out: the order must not depend on the version of a library.
      for last in stride(from: block.count - 1, to: 0, by: -1) {
        block.swapAt(last, stream.below(last + 1))
      }
      order += block
    }
    return Array(order.prefix(count))
  }

  /// Returns the id of the arm at a place, counted from 0; nil for a study without arms.
  package func arm(at place: Int) -> String? { order(place + 1).last }
}

/// Numbers from a seed: SHA-256 of the seed and a counter, read eight bytes at a time, the most significant first.
struct SealedStream {
  private let seed: [UInt8]
  private var counter: UInt64 = 0
  private var waiting: ArraySlice<UInt8> = []

  init(seed: [UInt8]) {
    self.seed = seed
  }

  /// Returns the next number of 64 bits.
  mutating func next() -> UInt64 {
    if waiting.isEmpty {
      let tail = (0..<8).map { UInt8(truncatingIfNeeded: counter >> UInt64(56 - 8 * $0)) }
      waiting = Array(SHA256.hash(data: seed + tail))[...]
      counter += 1
    }
    let number = waiting.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    waiting = waiting.dropFirst(8)
    return number
  }

  /// Returns a number from 0 to below a limit, each equally likely.
  mutating func below(_ limit: Int) -> Int {
    guard limit > 1 else { return 0 }
    let limit = UInt64(limit)
    let most = UInt64.max - UInt64.max % limit
    while true {
      let number = next()
      if number < most { return Int(number % limit) }
    }
  }
}
