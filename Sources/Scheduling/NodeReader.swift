// SPDX-License-Identifier: Apache-2.0

/// Reads the members of an object and names the invalid one in its errors.
struct NodeReader {
  let members: [TimingMember]
  let path: String

  init(members: [TimingMember], path: String) {
    self.members = members
    self.path = path
  }

  /// Creates a reader for an object at a path; throws for any other node.
  init(_ node: TimingNode, path: String) throws(TimingError) {
    guard case .object(let members) = node else {
      throw TimingError(path, .wrongType("an object"))
    }
    self.members = members
    self.path = path
  }

  func place(_ name: String) -> String { path.utf8.isEmpty ? name : path + "." + name }

  subscript(name: String) -> TimingNode? {
    for member in members where member.name.isSame(as: name) { return member.value }
    return nil
  }

  func has(_ name: String) -> Bool { self[name] != nil }

  func error(_ name: String, _ cause: TimingError.Cause) -> TimingError {
    TimingError(place(name), cause)
  }

  func object(_ name: String) throws(TimingError) -> NodeReader? {
    guard let node = self[name] else { return nil }
    return try NodeReader(node, path: place(name))
  }

  func list(_ name: String) throws(TimingError) -> [TimingNode]? {
    guard let node = self[name] else { return nil }
    guard case .list(let items) = node else { throw error(name, .wrongType("a list")) }
    return items
  }

  func text(_ name: String) throws(TimingError) -> String? {
    guard let node = self[name] else { return nil }
    guard case .text(let text) = node else { throw error(name, .wrongType("a string")) }
    return text
  }

  /// Returns a list of at least one string; `acceptsOne` also accepts a single string, as in DSTU2.
  func texts(_ name: String, acceptsOne: Bool = false) throws(TimingError) -> [String]? {
    if acceptsOne, case .text(let text)? = self[name] { return [text] }
    guard let items = try list(name) else { return nil }
    if items.isEmpty { throw error(name, .empty) }
    var texts: [String] = []
    for item in items {
      guard case .text(let text) = item else { throw error(name, .wrongType("a list of strings")) }
      texts.append(text)
    }
    return texts
  }

  func number(_ name: String) throws(TimingError) -> ExactNumber? {
    guard let node = self[name] else { return nil }
    guard case .number(let text) = node else { throw error(name, .wrongType("a number")) }
    guard let number = ExactNumber(text) else { throw error(name, .outOfRange) }
    return number
  }

  /// Returns a number greater than zero.
  func positive(_ name: String) throws(TimingError) -> ExactNumber? {
    guard let number = try number(name) else { return nil }
    if number.digits <= 0 { throw error(name, .notPositive) }
    return number
  }

  /// Returns a 32-bit whole number written without point or exponent, as FHIR's integers are.
  func integer(_ name: String) throws(TimingError) -> Int? {
    guard let node = self[name] else { return nil }
    return try Self.integer(node, place(name))
  }

  static func integer(_ node: TimingNode, _ place: String) throws(TimingError) -> Int {
    guard case .number(let text) = node else { throw TimingError(place, .wrongType("a number")) }
    let bytes = text.utf8
    let isWhole = bytes.allSatisfy { $0 >= 0x30 && $0 <= 0x39 || $0 == UInt8(ascii: "-") }
    guard isWhole else { throw TimingError(place, .notWhole) }
    guard let number = ExactNumber(text)?.whole, let value = Int32(exactly: number) else {
      throw TimingError(place, .outOfRange)
    }
    return Int(value)
  }

  /// Returns a whole number greater than zero.
  func positiveInteger(_ name: String) throws(TimingError) -> Int? {
    guard let value = try integer(name) else { return nil }
    if value <= 0 { throw error(name, .notPositive) }
    return value
  }
}
