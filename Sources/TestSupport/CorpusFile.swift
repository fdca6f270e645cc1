// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identifiers

/// Seeds in Tests/Corpus: small inputs of one kind, separated by lines of `%%`.
///
/// Inputs that once broke a reader are added there, so that every run tries them.
package enum CorpusFile {
  /// Returns the seeds of `Tests/Corpus/<name>.txt`, with their line ends replaced by `lineEnd`.
  package static func seeds(_ name: String, lineEnd: String = "\n") throws -> [[UInt8]] {
    let file = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Tests/Corpus/\(name).txt")
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.components(separatedBy: "\n%%\n").map { seed in
      Array(seed.replacing("\n", with: lineEnd).utf8)
    }
  }

  /// Calls `body` with each seed, then with `count` mutated ones; the same `seed` gives the same
  /// mutations.
  package static func run(
    _ name: String, fragments: [String], marks: String, lineEnd: String = "\n",
    seed: UInt64, count: Int = 3000, _ body: ([UInt8]) throws -> Void
  ) throws {
    let seeds = try seeds(name, lineEnd: lineEnd)
    for document in seeds { try body(document) }
    let mutator = Mutator(fragments: fragments, marks: marks)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<count {
      guard let document = seeds.randomElement(using: &generator) else { return }
      try body(mutator.mutate(document, with: &generator))
    }
  }
}
