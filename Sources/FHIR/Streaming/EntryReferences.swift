// SPDX-License-Identifier: Apache-2.0

/// Resolves references between the entries of a file (FHIR R4, "Resolving references in Bundles").
public struct EntryReferences: Sendable {
  /// The target of a reference.
  public enum Target: Sendable, Hashable {
    /// Another entry, by its number.
    case entry(Int)
    /// A resource inside the referring one; an empty id is the referring resource itself.
    case contained(String)
    /// A resource outside the file, by its address if known.
    case outside(String)
    /// No target: a `urn:` that no entry has, or text that is not a reference.
    case broken
  }

  private var byAddress: [String: Int] = [:]
  private var byTypeAndID: [String: Int] = [:]

  /// Creates an empty list.
  public init() {}

  /// Adds an entry under its `fullUrl` and under its type and id; if two have the same name, the first is
  /// kept.
  ///
  /// Returns false if the `fullUrl` was already there.
  @discardableResult
  public mutating func add(number: Int, fullURL: String?, type: String, id: String?) -> Bool {
    var isNew = true
    if let fullURL {
      let key = Self.withoutVersion(fullURL)
      if byAddress[key] == nil { byAddress[key] = number } else { isNew = false }
    }
    if let id, byTypeAndID["\(type)/\(id)"] == nil { byTypeAndID["\(type)/\(id)"] = number }
    return isNew
  }

  /// Returns the target of a reference in the entry with a `fullUrl`.
  public func target(of reference: String, in fullURL: String?) -> Target {
    switch ReferenceSyntax(reference) {
    case nil: return .broken
    case .contained(let id): return .contained(id)
    case .absolute:
      let address = Self.withoutVersion(reference)
      if let number = byAddress[address] { return .entry(number) }
      return address.lowercased().hasPrefix("urn:") ? .broken : .outside(address)
    case .relative:
      let local = Self.withoutVersion(reference)
      if let base = Self.base(of: fullURL) {
        if let number = byAddress[base + local] { return .entry(number) }
        // A server that omits fullUrl in its other entries still refers to itself.
        return byTypeAndID[local].map { .entry($0) } ?? .outside(base + local)
      }
      return byTypeAndID[local].map { .entry($0) } ?? .outside(local)
    }
  }

  /// Returns `https://server/fhir/` for `https://server/fhir/MedicationRequest/1`; nil for a urn.
  static func base(of fullURL: String?) -> String? {
    guard let fullURL, fullURL.hasPrefix("http://") || fullURL.hasPrefix("https://") else {
      return nil
    }
    let parts = withoutVersion(fullURL).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 5 else { return nil }
    return parts.dropLast(2).joined(separator: "/") + "/"
  }

  private static func withoutVersion(_ address: String) -> String {
    guard let history = address.firstRange(of: "/_history/") else { return address }
    return String(address[..<history.lowerBound])
  }
}
