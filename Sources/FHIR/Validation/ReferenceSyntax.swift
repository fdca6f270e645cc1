// SPDX-License-Identifier: Apache-2.0

/// The parsed text of `Reference.reference`.
enum ReferenceSyntax: Hashable {
  /// `#id`, a contained resource; an empty id is the containing resource.
  case contained(String)
  /// `Type/id`, optionally with `/_history/version`.
  case relative(type: String)
  /// An absolute address or a `urn:`.
  case absolute

  /// Parses the text; nil if FHIR does not allow its form.
  init?(_ text: String) {
    guard !text.utf8.contains(where: { $0 <= 0x20 }) else { return nil }
    if text.hasPrefix("#") {
      let id = String(text.dropFirst())
      guard id.isEmpty || FHIRIdentifierText.isValidResourceID(id) else { return nil }
      self = .contained(id)
      return
    }
    let lowercased = text.prefix(9).lowercased()
    if lowercased.hasPrefix("urn:uuid:") {
      guard PrimitiveType.isUUID("urn:uuid:" + text.dropFirst(9)) else { return nil }
      self = .absolute
      return
    }
    if ["http://", "https://", "urn:oid:"].contains(where: lowercased.hasPrefix) {
      self = .absolute
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 || parts.count == 4, R4ResourceNames.contains(parts[0]),
      FHIRIdentifierText.isValidResourceID(parts[1])
    else { return nil }
    if parts.count == 4 {
      guard parts[2] == "_history", FHIRIdentifierText.isValidResourceID(parts[3]) else {
        return nil
      }
    }
    self = .relative(type: parts[0])
  }
}
