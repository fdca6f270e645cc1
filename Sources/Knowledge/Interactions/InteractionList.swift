// SPDX-License-Identifier: Apache-2.0
import Localization

/// A list of interactions against which medicines are checked: the one that ships, with the operator's own
/// rows added or replacing its rows.
public struct InteractionList: Sendable {
  /// A rejected row of the operator's file.
  public struct Refused: Sendable, Hashable {
    /// The line of the file.
    public let line: Int
    /// The problem with it.
    public let problem: InteractionRowProblem
  }

  /// The result of reading the operator's file.
  public struct Own: Sendable, Hashable {
    /// The version in the file, otherwise a digest of it.
    public let version: String
    /// The number of accepted rows.
    public let count: Int
    /// The number of rows that replace a shipped row.
    public let corrections: Int
    /// The rows that were left out.
    public let refused: [Refused]
  }

  /// All rows in effect.
  public let interactions: [Interaction]
  /// The version of the list that ships.
  public let version: String
  /// The result of reading the operator's file; nil without one.
  public let own: Own?
  let index: InteractionIndex

  /// The conditions that can be recorded for a person by hand: illnesses and states in the rows, each with
  /// its English name.
  public var conditions: [(id: String, label: String)] {
    var found: [(id: String, label: String)] = []
    for row in interactions where row.kind == .condition {
      for id in row.others
      where !Self.told.contains(id) && !found.contains(where: { $0.id == id }) {
        found.append((id, row.second))
      }
    }
    return found.sorted { $0.label < $1.label }
  }

  /// Under sixteen, which follows from the date of birth.
  public static let child = "cond:age_lt_16"
  /// Stopping at once, which is advice to everyone.
  public static let stopping = "cond:abrupt_stop"
  private static let told: Set<String> = [child, stopping]
}

/// The rows for a medicine, by the prefixes of its codes.
struct InteractionIndex: Sendable {
  /// Row numbers as bits.
  typealias Rows = [UInt64]

  private let width: Int
  private var firsts: [String: Rows] = [:]
  private var seconds: [String: Rows] = [:]

  init(_ interactions: [Interaction]) {
    width = (interactions.count + 63) / 64
    let empty = Rows(repeating: 0, count: width)
    for (number, row) in interactions.enumerated() {
      for code in row.firstCodes { Self.set(number, &firsts[code, default: empty]) }
      for code in row.secondCodes { Self.set(number, &seconds[code, default: empty]) }
    }
  }

  private var empty: Rows { Rows(repeating: 0, count: width) }

  private static func set(_ number: Int, _ rows: inout Rows) {
    rows[number / 64] |= 1 << UInt64(number % 64)
  }

  /// Returns the rows with a substance on the first and on the second side.
  func rows(of substance: Substance) -> (first: Rows, second: Rows) {
    var (first, second) = (empty, empty)
    for code in substance.codes {
      for length in [1, 3, 4, 5, 7] where length <= code.utf8.count {
        let prefix = String(code.utf8.prefix(length)) ?? ""
        if let found = firsts[prefix] { Self.join(found, &first) }
        if let found = seconds[prefix] { Self.join(found, &second) }
      }
    }
    return (first, second)
  }

  private static func join(_ rows: Rows, _ all: inout Rows) {
    for place in rows.indices { all[place] |= rows[place] }
  }

  /// Returns the numbers in both sets.
  static func common(_ left: Rows, _ right: Rows) -> [Int] {
    var found: [Int] = []
    for place in left.indices {
      var bits = left[place] & right[place]
      while bits != 0 {
        found.append(place * 64 + bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    }
    return found
  }

  /// Returns the numbers in a set.
  static func numbers(_ rows: Rows) -> [Int] { common(rows, rows) }
}
