// SPDX-License-Identifier: Apache-2.0

/// The value by which a search sorts a resource; texts compare by their bytes, as SQLite does.
public enum SearchSortKey: Sendable {
  /// The resource has no value; it comes first.
  case none
  /// A time in milliseconds since 1970.
  case integer(Int64)
  /// A number.
  case real(Double)
  /// A text, already folded if it is one that people read.
  case text(String)
}

extension SearchSortKey: Hashable {
  /// Returns true for the same kind and value; texts must have the same bytes.
  public static func == (left: SearchSortKey, right: SearchSortKey) -> Bool {
    switch (left, right) {
    case (.none, .none): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }

  /// Hashes the kind and the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    switch self {
    case .none: break
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    case .text(let value): for byte in value.utf8 { hasher.combine(byte) }
    }
  }
}

extension SearchSortKey: Comparable {
  /// Orders values of one kind; different kinds in the order of the cases.
  public static func < (left: SearchSortKey, right: SearchSortKey) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: left.rank < right.rank
    }
  }

  private var rank: Int {
    switch self {
    case .none: 0
    case .integer: 1
    case .real: 2
    case .text: 3
    }
  }
}

extension SearchSortKey {
  /// The value as text that ``init(encoded:)`` reads back exactly, for the link to the next page.
  public var encoded: String {
    switch self {
    case .none: "n"
    case .integer(let value): "i\(value)"
    case .real(let value): "r" + String(value.bitPattern, radix: 16)
    case .text(let value): "t" + value
    }
  }

  /// Reads an encoded value; nil for any other text.
  public init?(encoded: String) {
    let rest = encoded.dropFirst()
    switch encoded.first {
    case "n" where rest.isEmpty: self = .none
    case "i":
      guard let value = Int64(rest) else { return nil }
      self = .integer(value)
    case "r":
      guard let bits = UInt64(rest, radix: 16) else { return nil }
      let value = Double(bitPattern: bits)
      guard !value.isNaN else { return nil }
      self = .real(value)
    default:
      // A text may begin with a mark that joins the "t" to another first character.
      guard encoded.utf8.first == UInt8(ascii: "t") else { return nil }
      self = .text(String(decoding: encoded.utf8.dropFirst(), as: UTF8.self))
    }
  }
}
