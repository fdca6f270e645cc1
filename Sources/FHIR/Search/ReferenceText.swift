// SPDX-License-Identifier: Apache-2.0

/// The text of a reference as a search sees it; a version in it does not matter.
enum ReferenceText: Hashable {
  /// A resource of this server.
  case local(type: String, id: String)
  /// An address on another server, or a `urn:`.
  case absolute(String)

  /// Reads `Type/id`, with or without version, or an absolute address; nil for `#id` and any other text.
  init?(_ text: String) {
    let unversioned = Self.withoutHistory(text)
    let parts = unversioned.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, R4ResourceNames.contains(String(parts[0])),
      FHIRIdentifierText.isValidResourceID(String(parts[1]))
    {
      self = .local(type: String(parts[0]), id: String(parts[1]))
      return
    }
    guard ["http://", "https://", "urn:"].contains(where: text.hasPrefix),
      !text.utf8.contains(where: { $0 <= 0x20 })
    else { return nil }
    self = .absolute(String(unversioned))
  }

  /// The type that the reference names; nil for an address that does not end in `Type/id`.
  var type: String? {
    switch self {
    case .local(let type, _): return type
    case .absolute(let address):
      let parts = address.split(separator: "/")
      guard parts.count > 2 else { return nil }
      let name = String(parts[parts.count - 2])
      return R4ResourceNames.contains(name) ? name : nil
    }
  }

  private static func withoutHistory(_ text: String) -> Substring {
    guard text.utf8.count > 10, let slash = text.lastIndex(of: "/"),
      text[..<slash].hasSuffix("/_history")
    else { return Substring(text) }
    return text[..<slash].dropLast(9)
  }
}
