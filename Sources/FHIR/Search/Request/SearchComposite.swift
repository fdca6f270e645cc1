// SPDX-License-Identifier: Apache-2.0

/// A composite parameter whose two parts are parameters of the whole resource, so that both matching is enough.
///
/// R4's other composites join values of the same component, which the search index does not keep together.
struct SearchComposite {
  let name: String
  let first: String
  let second: String

  /// The suffixes of the composites of an Observation: its only code with its only value.
  private static let values = ["value-concept", "value-date", "value-quantity", "value-string"]

  /// Returns the composite parameter of a type by its name; nil if it is none that can be searched.
  static func of(_ name: String, _ type: ResourceType) -> SearchComposite? {
    guard type == .observation, name.hasPrefix("code-") else { return nil }
    let second = String(name.dropFirst("code-".count))
    guard values.contains(second) else { return nil }
    return SearchComposite(name: name, first: "code", second: second)
  }
}
