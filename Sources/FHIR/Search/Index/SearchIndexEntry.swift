// SPDX-License-Identifier: Apache-2.0

/// A value of a resource by which a search finds it.
public enum SearchIndexValue: Sendable, Hashable {
  /// A code, or any other value that matches only as a whole; `system` is empty without one.
  case token(system: String, code: String)
  /// A text as it was written; it is compared through ``SearchFolding``.
  case string(String)
  /// A time in milliseconds since 1970, from `lower` and before `upper`; an open end of a period is
  /// `Int64.min` or `Int64.max`.
  case date(lower: Int64, upper: Int64)
  /// A number that `5.40` covers: from 5.395 to 5.405.
  case number(lower: Double, upper: Double)
  /// A quantity with the range that its digits cover; `system`, `code` and `unit` are empty without one.
  case quantity(lower: Double, upper: Double, system: String, code: String, unit: String)
  /// A resource of this server, or of another one: then `type` is empty, and `id` is its address.
  case reference(type: String, id: String)
  /// An address.
  case uri(String)
}

/// One entry of the search index of a resource.
///
/// Entries under a longer name serve a modifier: `code:text` has the texts of a code as strings, `subject:identifier`
/// the identifier of a reference as a token, and `identifier:of-type` a token with the type's system, and
/// `type's code|value` as its code.
public struct SearchIndexEntry: Sendable, Hashable {
  /// The name of the search parameter.
  public let parameter: String
  /// The value of the resource.
  public let value: SearchIndexValue

  /// Creates an entry.
  public init(parameter: String, value: SearchIndexValue) {
    self.parameter = parameter
    self.value = value
  }
}
