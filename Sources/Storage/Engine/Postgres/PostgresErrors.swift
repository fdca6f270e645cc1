// SPDX-License-Identifier: Apache-2.0
import CLibPQ

/// A failed result of PostgreSQL.
struct PostgresFailure {
  /// The SQLSTATE, five characters such as `23505`.
  let state: String
  private let result: OpaquePointer

  init(_ result: OpaquePointer) {
    self.result = result
    state = Self.field("C", of: result) ?? ""
  }

  /// Returns the reason why a connection failed, on one line: hosts and users, never a password.
  static func words(of connection: OpaquePointer?) -> String {
    guard let connection, let message = PQerrorMessage(connection) else { return "" }
    return String(cString: message).split(whereSeparator: \.isNewline)
      .map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: "; ")
  }

  private static func field(_ code: Unicode.Scalar, of result: OpaquePointer) -> String? {
    PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
  }

  /// True if another transaction came first: the same work may succeed when it is run again.
  var isConflict: Bool { ["40001", "40P01", "55P03"].contains(state) }

  /// True if the server ends this connection or accepts none for now; without a state the failure is libpq's
  /// own, which could not send or receive.
  var isUnavailable: Bool {
    ["", "53300", "25P03"].contains(state) || state.hasPrefix("08") || state.hasPrefix("57P")
  }

  /// The error for callers; texts contain no stored values.
  var error: StorageError {
    if isConflict { return .busy }
    if isUnavailable { return .unavailable }
    switch state {
    case "53100": return .diskFull
    case "58030": return .inputOutput(code: 0)
    case "XX001", "XX002": return .corrupt(code: 0)
    case "23505": return .constraint(.unique, place)
    case "23503": return .constraint(.foreignKey, place)
    case "23502": return .constraint(.notNull, place)
    case "23514": return .constraint(.check, place)
    default:
      if state.hasPrefix("23") { return .constraint(.other, place) }
      return .statement(code: 0, message: "[\(state)] \(words)")
    }
  }

  /// The table, column and rule, all names of the schema.
  private var place: String {
    ["t", "c", "n"].compactMap { Self.field($0, of: result) }.joined(separator: ".")
  }

  /// The server's message, only if it can name nothing but the schema and the statement.
  private var words: String {
    let nameNoValues = ["42", "25", "26", "0A"].contains { state.hasPrefix($0) }
    guard nameNoValues, let message = Self.field("M", of: result) else {
      return "message left out, because it may contain data"
    }
    return message
  }
}
