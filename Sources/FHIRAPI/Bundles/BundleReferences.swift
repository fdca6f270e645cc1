// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The references inside the resource of an entry.
struct BundleReferences {
  /// Returns the target of a reference or address; nil to leave it as it is.
  typealias Resolve = (_ text: String, _ isReference: Bool) throws -> String?

  /// Returns a resource with every resolved reference, also in contained resources and extensions.
  ///
  /// Addresses are the values of elements of the types `uri` and `url`; identifiers are not.
  static func rewritten(_ value: JSONValue, _ resolve: Resolve) rethrows -> JSONValue {
    switch value {
    case .object(let object):
      var changed = object
      for (name, element) in object {
        changed[name] = try rewritten(element, named: name, resolve)
      }
      return .object(changed)
    case .array(let items): return .array(try items.map { try rewritten($0, resolve) })
    default: return value
    }
  }

  private static func rewritten(
    _ value: JSONValue, named name: String, _ resolve: Resolve
  ) rethrows -> JSONValue {
    switch value {
    case .string(let text):
      guard name == "reference" || isAddress(name) else { return value }
      return try resolve(text, name == "reference").map(JSONValue.string) ?? value
    case .array(let items) where isAddress(name):
      return .array(
        try items.map { item in
          guard let text = item.string else { return try rewritten(item, resolve) }
          return try resolve(text, false).map(JSONValue.string) ?? item
        })
    default: return try rewritten(value, resolve)
    }
  }

  /// Returns true for the name of an element with addresses.
  private static func isAddress(_ name: String) -> Bool {
    name == "url" || name == "uri" || name.hasSuffix("Url") || name.hasSuffix("Uri")
  }

  /// Returns the texts of all references and addresses in a resource.
  static func texts(in resource: JSONValue) -> [(text: String, isReference: Bool)] {
    var found: [(text: String, isReference: Bool)] = []
    _ = rewritten(resource) { text, isReference in
      found.append((text, isReference))
      return nil
    }
    return found
  }
}

/// The addresses under which entries of one Bundle refer to each other.
struct BundleAddresses {
  /// The references to the resources, such as `Patient/1`, by the addresses of their entries.
  private(set) var resolved: [String: String] = [:]

  mutating func add(_ address: String, as reference: String) {
    resolved[address] = reference
  }

  /// Returns the reference for a text; nil if it names no entry.
  ///
  /// - Parameter fullURL: The address of the entry that refers; a relative reference begins at its
  ///   base.
  func reference(for text: String, from fullURL: String?) -> String? {
    if let known = resolved[text] { return known }
    guard let fullURL, let absolute = Self.absolute(text, from: fullURL) else { return nil }
    return resolved[absolute]
  }

  /// Returns the absolute form of a relative reference in a resource with an address.
  static func absolute(_ text: String, from fullURL: String) -> String? {
    guard fullURL.hasPrefix("http://") || fullURL.hasPrefix("https://") else { return nil }
    let own = fullURL.split(separator: "/", omittingEmptySubsequences: false)
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard own.count > 4, parts.count == 2, ResourceType(rawValue: String(parts[0])) != nil else {
      return nil
    }
    return own.dropLast(2).joined(separator: "/") + "/" + text
  }

  /// Returns true for an address that only means something inside its Bundle.
  static func isLocal(_ text: String) -> Bool {
    text.prefix(9).lowercased() == "urn:uuid:"
  }
}
