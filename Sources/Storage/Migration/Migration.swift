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

  /// True if it only creates tables and their indexes: nodes whose program does not know it can go on.
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
      let start = words.prefix(3).filter { $0 != "UNIQUE" }.prefix(2)
      if start.elementsEqual(["CREATE", "TABLE"]), words.count > 2 {
        created.insert(words[2])
        continue
      }
      // The index of an older table keeps its writers waiting while it is built.
      guard start.elementsEqual(["CREATE", "INDEX"]), let on = words.firstIndex(of: "ON"),
        on + 1 < words.count, created.contains(words[on + 1])
      else { return false }
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
