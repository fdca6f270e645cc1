// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import Foundation
import HealthData
import Knowledge
import Web

/// The list with which this server checks medicines, and the result of reading the operator's file.
package struct InteractionSource: Sendable {
  /// A reason that the operator's file was not used at all.
  package enum Problem: Sendable, Hashable {
    /// The file does not exist or cannot be read.
    case unreadable
    case table(TableText.Problem)
    /// The first line does not contain the column names.
    case heading
  }

  /// The list in use: the shipped one, with the rows of the operator's file if there is one.
  package let list: InteractionList
  /// The path of the operator's file; nil if there is none.
  package let path: String?
  /// The reason why the file was not used; nil if it was, or if there is none.
  package let problem: Problem?

  /// The shipped list without a file of the operator.
  package static let shipped = InteractionSource(list: .shipped, path: nil, problem: nil)

  /// The name of the file in the data folder that is used if no setting names another.
  package static let fileName = "interactions.csv"  // not a message
  /// The largest file, in bytes.
  static let mostBytes = 5 << 20

  /// Reads the operator's file, leaving out rows with mistakes.
  ///
  /// A file that cannot be used is reported as ``problem``, and the shipped list is used alone.
  package static func load(_ path: String) -> InteractionSource {
    func failed(_ problem: Problem) -> InteractionSource {
      InteractionSource(list: .shipped, path: path, problem: problem)
    }
    guard let bytes = read(path) else { return failed(.unreadable) }
    return read(bytes, path: path, failed)
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    // Reads one byte more, to detect a file that is too large.
    let data = try? file.read(upToCount: mostBytes + 1)
    return Array(data ?? Data())
  }

  private static func read(
    _ bytes: [UInt8], path: String, _ failed: (Problem) -> InteractionSource
  ) -> InteractionSource {
    let table: TableText
    do throws(TableText.Problem) {
      table = try TableText(bytes, mostBytes: mostBytes, mostRows: 20_000, remark: "#")
    } catch {
      return failed(.table(error))
    }
    let rows = table.rows.filter { !isRemark($0.fields[0]) }
    let heading = rows.first?.fields.map { $0.lowercased() }
    guard heading == Interaction.columns else { return failed(.heading) }
    let digest = Hexadecimal.encode(Fingerprint.digest(of: bytes).prefix(4))
    let said = table.rows.lazy.compactMap { Self.version(in: $0.fields) }.first
    let list = InteractionList(
      .shipped, rows: rows.dropFirst().map { ($0.line, $0.fields) },
      ownVersion: said ?? digest, unread: table.broken)
    return InteractionSource(list: list, path: path, problem: nil)
  }

  private static func isRemark(_ cell: String) -> Bool { cell.hasPrefix("#") }

  /// Returns the version in a comment line `# version ...`.
  private static func version(in fields: [String]) -> String? {
    let mark = "# version "
    guard let first = fields.first, first.hasPrefix(mark) else { return nil }
    let version = first.dropFirst(mark.count).trimmingCharacters(in: .whitespaces)
    return version.isEmpty || version.count > 60 ? nil : version
  }
}

extension InteractionSource: FeatureValue {
  /// The shipped list without a file of the operator.
  package static let absent = shipped
}

extension ServerEnvironment {
  /// The list with which medicines are checked.
  package var interactions: InteractionSource { features[InteractionSource.self] }
}
