// SPDX-License-Identifier: Apache-2.0

/// The primitive types of R4 and the JSON form of their values.
enum PrimitiveType: String, CaseIterable, Sendable {
  case boolean, integer, unsignedInt, positiveInt, decimal
  case string, markdown, code, uri, url, canonical, id, oid, uuid, base64Binary, xhtml
  case date, dateTime, instant, time

  /// Returns the problem with a value of this type; nil if it is valid.
  func problem(with value: JSONValue) -> (code: FHIRIssueCode, message: String)? {
    switch self {
    case .boolean:
      return value.bool == nil ? (.structure, "The value must be true or false.") : nil
    case .integer, .unsignedInt, .positiveInt, .decimal:
      guard let number = value.number else { return (.structure, "The value must be a number.") }
      return numberProblem(number).map { (.value, $0) }
    default:
      guard let text = value.string else { return (.structure, "The value must be a string.") }
      guard !text.isEmpty else { return (.value, "A string must not be empty.") }
      return textProblem(text).map { (.value, $0) }
    }
  }

  private func numberProblem(_ number: JSONNumber) -> String? {
    if self == .decimal { return nil }
    guard let integer = number.integer, number.text != "-0", Int32(exactly: integer) != nil else {
      return "The value must be a 32-bit whole number, without fraction or exponent."
    }
    if self == .unsignedInt, integer < 0 { return "The value must not be negative." }
    if self == .positiveInt, integer < 1 { return "The value must be 1 or more." }
    return nil
  }

  private func textProblem(_ text: String) -> String? {
    switch self {
    case .code:
      Self.isCode(text) ? nil : "A code must not have spaces at its ends or double spaces."
    case .uri, .url, .canonical:
      text.utf8.contains(where: { $0 <= 0x20 }) ? "An address must not contain spaces." : nil
    case .id:
      FHIRIdentifierText.isValidResourceID(text)
        ? nil : "An id must be 1 to 64 letters, digits, hyphens and dots."
    case .oid:
      Self.isOID(text) ? nil : "The value must be an object identifier, such as urn:oid:1.2.3."
    case .uuid: Self.isUUID(text) ? nil : "The value must be a UUID: urn:uuid: and 36 characters."
    case .base64Binary: Self.isBase64(text) ? nil : "The value must be base64."
    case .date:
      (FHIRDateTime(text)?.precision ?? .second) <= .day
        ? nil : "The value must be a valid date: YYYY, YYYY-MM or YYYY-MM-DD."
    case .dateTime:
      FHIRDateTime(text) != nil
        ? nil : "The value must be a valid date, or a time with seconds and an offset."
    case .instant:
      FHIRDateTime(text)?.offsetMinutes != nil
        ? nil : "The value must be a time with seconds and an offset."
    case .time: Self.isTime(text) ? nil : "The value must be a time of day: HH:MM:SS."
    case .xhtml: NarrativeCheck.problem(in: text)
    default: Self.hasControlCharacter(text) ? "The value must not contain control characters." : nil
    }
  }

  private static func hasControlCharacter(_ text: String) -> Bool {
    text.utf8.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
  }

  private static func isCode(_ text: String) -> Bool {
    var previousIsSpace = true
    for byte in text.utf8 {
      let isSpace = byte <= 0x20
      if isSpace, previousIsSpace || byte != 0x20 { return false }
      previousIsSpace = isSpace
    }
    return !previousIsSpace
  }

  private static func isTime(_ text: String) -> Bool {
    guard text.utf8.count <= 32 else { return false }
    var scanner = TextScanner(text)
    guard scanner.number(digits: 2, within: 0...23) != nil, scanner.take(":"),
      scanner.number(digits: 2, within: 0...59) != nil, scanner.take(":"),
      scanner.number(digits: 2, within: 0...60) != nil
    else { return false }
    if scanner.take("."), scanner.fraction() == nil { return false }
    return scanner.isAtEnd
  }

  private static func isOID(_ text: String) -> Bool {
    guard text.hasPrefix("urn:oid:") else { return false }
    let arcs = text.utf8.dropFirst(8).split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard arcs.count >= 2, let first = arcs.first, first.count == 1,
      first.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "2") })
    else { return false }
    return arcs.allSatisfy { arc in
      !arc.isEmpty && (arc.count == 1 || arc.first != UInt8(ascii: "0"))
        && arc.allSatisfy { $0 &- 0x30 < 10 }
    }
  }

  static func isUUID(_ text: String) -> Bool {
    guard text.hasPrefix("urn:uuid:"), text.utf8.count == 45 else { return false }
    return text.utf8.dropFirst(9).enumerated().allSatisfy { index, byte in
      switch index {
      case 8, 13, 18, 23: byte == UInt8(ascii: "-")
      default: (byte | 0x20) &- UInt8(ascii: "a") < 6 || byte &- 0x30 < 10
      }
    }
  }

  private static func isBase64(_ text: String) -> Bool {
    var length = 0
    var padding = 0
    for byte in text.utf8 {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: continue
      case UInt8(ascii: "="): padding += 1
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        if padding > 0 { return false }
      default: return false
      }
      length += 1
    }
    return length > 0 && length % 4 == 0 && padding <= 2
  }
}
