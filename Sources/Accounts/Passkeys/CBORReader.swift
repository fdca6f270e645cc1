// SPDX-License-Identifier: Apache-2.0

/// A value in the subset of CBOR that authenticators use (RFC 8949, CTAP2 canonical form).
indirect enum CBORValue: Sendable, Hashable {
  case integer(Int64)
  case bytes([UInt8])
  case text(String)
  case array([CBORValue])
  case map([CBORKey: CBORValue])
  case bool(Bool)
  case null

  var bytes: [UInt8]? {
    if case .bytes(let value) = self { value } else { nil }
  }

  var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  /// Returns the member of a map with a name.
  subscript(_ name: String) -> CBORValue? { self[.text(name)] }
  /// Returns the member of a map with a number.
  subscript(_ number: Int64) -> CBORValue? { self[.integer(number)] }

  private subscript(_ key: CBORKey) -> CBORValue? {
    if case .map(let members) = self { members[key] } else { nil }
  }
}

/// The key of a map's member.
enum CBORKey: Sendable, Hashable {
  case integer(Int64)
  case text(String)
}

/// A reason why bytes are not CBOR as authenticators write it.
enum CBORError: Error, Sendable, Hashable {
  case endsEarly
  case tooDeep
  case tooLong
  /// A number has more bytes than it needs.
  case notShortest
  case repeatedKey
  case unsupported(initial: UInt8)
  case notText
  case trailingBytes
}

/// Reads one value with definite lengths, shortest numbers and distinct map keys.
struct CBORReader {
  private static let deepest = 8
  /// The maximum number of members of a map or array: far more than any authenticator sends.
  private static let longest: UInt64 = 256

  private let bytes: [UInt8]
  private(set) var position = 0

  /// Reads bytes that contain exactly one value.
  static func value(of bytes: [UInt8]) throws(CBORError) -> CBORValue {
    var reader = CBORReader(bytes)
    let value = try reader.next()
    guard reader.position == bytes.count else { throw .trailingBytes }
    return value
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads the next value and moves ``position`` after it.
  mutating func next() throws(CBORError) -> CBORValue {
    try next(depth: 0)
  }

  private mutating func next(depth: Int) throws(CBORError) -> CBORValue {
    guard depth < Self.deepest else { throw .tooDeep }
    let initial = try byte()
    switch initial >> 5 {
    case 0: return .integer(try signed(try argument(initial), initial))
    case 1: return .integer(-1 - (try signed(try argument(initial), initial)))
    case 2: return .bytes(try string(try argument(initial)))
    case 3: return .text(try text(try argument(initial)))
    case 4:
      let count = try argument(initial)
      guard count <= Self.longest else { throw .tooLong }
      var items: [CBORValue] = []
      for _ in 0..<count { items.append(try next(depth: depth + 1)) }
      return .array(items)
    case 5: return .map(try members(try argument(initial), depth: depth))
    default:
      switch initial {
      case 0xF4: return .bool(false)
      case 0xF5: return .bool(true)
      case 0xF6: return .null
      default: throw .unsupported(initial: initial)
      }
    }
  }

  private mutating func members(
    _ count: UInt64, depth: Int
  ) throws(CBORError) -> [CBORKey: CBORValue] {
    guard count <= Self.longest else { throw .tooLong }
    var members: [CBORKey: CBORValue] = [:]
    for _ in 0..<count {
      let initial = position < bytes.count ? bytes[position] : 0
      let key: CBORKey
      switch try next(depth: depth + 1) {
      case .integer(let number): key = .integer(number)
      case .text(let name): key = .text(name)
      default: throw .unsupported(initial: initial)
      }
      let value = try next(depth: depth + 1)
      guard members.updateValue(value, forKey: key) == nil else { throw .repeatedKey }
    }
    return members
  }

  private mutating func byte() throws(CBORError) -> UInt8 {
    guard position < bytes.count else { throw .endsEarly }
    defer { position += 1 }
    return bytes[position]
  }

  /// Reads the number in or after an initial byte.
  private mutating func argument(_ initial: UInt8) throws(CBORError) -> UInt64 {
    let short = initial & 0x1F
    guard short >= 24 else { return UInt64(short) }
    guard short <= 27 else { throw .unsupported(initial: initial) }
    let width = 1 << Int(short - 24)
    var value: UInt64 = 0
    for _ in 0..<width { value = value << 8 | UInt64(try byte()) }
    let least: UInt64 = width == 1 ? 24 : 1 << (4 * UInt64(width))
    guard value >= least else { throw .notShortest }
    return value
  }

  private func signed(_ value: UInt64, _ initial: UInt8) throws(CBORError) -> Int64 {
    guard let signed = Int64(exactly: value) else { throw .unsupported(initial: initial) }
    return signed
  }

  private mutating func string(_ count: UInt64) throws(CBORError) -> [UInt8] {
    guard count <= UInt64(bytes.count - position) else { throw .endsEarly }
    let end = position + Int(count)
    defer { position = end }
    return Array(bytes[position..<end])
  }

  private mutating func text(_ count: UInt64) throws(CBORError) -> String {
    guard let text = String(validating: try string(count), as: UTF8.self) else { throw .notText }
    return text
  }
}
