// SPDX-License-Identifier: Apache-2.0
import Crypto
import Encodings
import Foundation

/// One migration of the schema, from a file that never changes once released.
struct Migration: Sendable, Hashable {
  /// The file's name without its extension, such as `m0001-storage`; names sort in the order of the
  /// migrations.
  let name: String
  let sql: String

  var checksum: String {
    Hexadecimal.encode(SHA256.hash(data: Data(sql.utf8)))
  }

  /// The checksum of the first migration of schemas from development builds before the first release.
  private static let unreleased =
    "dda09993cf47f043cd021dd2f444ad9f7966d6ac5cfe71c7fc9de1dbbe88e2b9"

  /// Returns true for a migration of a schema that was never released and cannot be upgraded.
  static func isUnreleased(checksum: String) -> Bool { checksum == unreleased }

  /// True if it only adds tables, columns that need no value, and indexes: nodes whose program does not know it can go
  /// on.
  ///
  /// Writers of a table wait while an index of it is built.
  var isAdditive: Bool {
    let lines = sql.split(separator: "\n").map { line -> Substring in
      guard let comment = line.firstRange(of: "--") else { return line }
      return line[..<comment.lowerBound]
    }
    let text: String = lines.joined(separator: "\n")
    var created: Set<Substring> = []
    for statement in text.split(separator: ";") {
      let words: [Substring] = statement.split { $0.isWhitespace || $0 == "(" }
      if words.isEmpty { continue }
      switch (words.first, words.dropFirst().first) {
      case ("CREATE", "TABLE") where words.count > 2: created.insert(words[2])
      case ("CREATE", "INDEX") where words.dropLast().contains("ON"): break
      case ("CREATE", "UNIQUE"):
        // The older program may write what the rule forbids, except in a table that it does not know.
        guard let on = words.firstIndex(of: "ON"), on + 1 < words.count,
          created.contains(words[on + 1])
        else { return false }
      case ("ALTER", "TABLE"):
        guard words.dropFirst(3).starts(with: ["ADD", "COLUMN"]), words.count > 6,
          !words.contains("NOT") || words.contains("DEFAULT")
        else { return false }
      default: return false
      }
    }
    return true
  }

  /// The migrations that ship with the program, in order.
  static var embedded: [Migration] {
    EmbeddedResources.files.compactMap { file -> Migration? in
      let parts = file.path.split(separator: "/")
      guard parts.count == 2, parts[0] == "Migrations", parts[1].hasSuffix(".sql") else {
        return nil
      }
      return Migration(name: String(parts[1].dropLast(4)), sql: file.content)
    }
    .sorted { $0.name < $1.name }
  }
}
