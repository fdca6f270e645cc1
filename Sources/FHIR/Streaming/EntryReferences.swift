// SPDX-License-Identifier: Apache-2.0

/// Finds what references between the entries of a file lead to (FHIR R4, "Resolving references in Bundles").
public struct EntryReferences: Sendable {
  /// The target of a reference.
  public enum Target: Sendable, Hashable {
    /// To another entry, by its number.
    case entry(Int)
    /// To a resource inside the one that refers; the empty id is that one itself.
    case contained(String)
    /// To something outside the file, by its address where that is known.
    case outside(String)
    /// To nothing: a `urn:` that no entry has, or text that is no reference.
    case broken
  }

  private var byAddress: [String: Int] = [:]
  private var byTypeAndID: [String: Int] = [:]

  /// Makes an empty list.
  public init() {}

  /// Notes an entry under its `fullUrl` and under its type and id; of two with one name the first stays.
  ///
  /// Returns false where the `fullUrl` was there already.
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

  /// Returns the target of a reference in the entry with that `fullUrl`.
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
        // A server that leaves fullUrl out of its other entries still means itself.
        return byTypeAndID[local].map { .entry($0) } ?? .outside(base + local)
      }
      return byTypeAndID[local].map { .entry($0) } ?? .outside(local)
    }
  }

  /// `https://server/fhir/` of `https://server/fhir/MedicationRequest/1`; nil for a urn.
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
