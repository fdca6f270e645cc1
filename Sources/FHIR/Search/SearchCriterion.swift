// SPDX-License-Identifier: Apache-2.0

/// One condition of a search; all conditions of a search must match.
public struct SearchCriterion: Sendable, Hashable {
  /// The name of the search parameter, such as `code`; `_has` for a reverse chain.
  public let parameter: String
  /// The values that match.
  public let test: SearchTest

  /// Creates a condition.
  public init(parameter: String, test: SearchTest) {
    self.parameter = parameter
    self.test = test
  }

  /// Returns the condition that a resource matches all conditions of at least one alternative; without alternatives,
  /// nothing matches.
  public static func anyOf(_ alternatives: [[SearchCriterion]]) -> SearchCriterion {
    SearchCriterion(parameter: "", test: .anyOf(alternatives))
  }
}

/// The values that match a condition: any value of a list.
public indirect enum SearchTest: Sendable, Hashable {
  /// `:missing`: the resource has no value, or has one.
  case missing(Bool)
  /// `_id`: the logical ids.
  case ids([String])
  /// `_lastUpdated`.
  case lastUpdated([DateSearchValue])
  case token([TokenSearchValue])
  /// `:not`: none of the resource's values matches, or it has none.
  case notToken([TokenSearchValue])
  /// `:text` of a token: the start of a display or text.
  case text([String])
  case string([String], StringSearchMatch)
  case date([DateSearchValue])
  case number([NumberSearchValue])
  case quantity([QuantitySearchValue])
  case reference([ReferenceSearchValue])
  case uri([String], URISearchMatch)
  /// The referenced resource of this type matches a condition: `subject:Patient.identifier=…`.
  case chain(target: ResourceType, SearchCriterion)
  /// A resource of this type that refers to the one sought by `reference` matches a condition: `_has`.
  case has(source: ResourceType, reference: String, SearchCriterion)
  /// All conditions of at least one alternative match. No search names it: it limits searches to what may be found.
  case anyOf([[SearchCriterion]])
}

/// The way in which a text must match.
public enum StringSearchMatch: Sendable, Hashable {
  /// It starts with the value; upper case and accents do not matter.
  case start
  /// It contains the value; upper case and accents do not matter.
  case contains
  /// It is the value, character by character.
  case exact
}

/// The way in which an address must match.
public enum URISearchMatch: Sendable, Hashable {
  case exact
  /// `:below`: it starts with the value.
  case below
  /// `:above`: the value starts with it.
  case above
}

/// A number of a search with its prefix and the range that its digits cover.
public struct NumberSearchValue: Sendable, Hashable {
  /// The relation of the resource's number to the range; `eq` without a prefix.
  public let prefix: DateSearchValue.Prefix
  /// The smallest number that the value covers.
  public let lower: Double
  /// The end of the numbers that the value covers.
  public let upper: Double
  /// The number itself, with which `gt`, `lt`, `ge` and `le` compare.
  public let value: Double

  /// Creates a value.
  public init(prefix: DateSearchValue.Prefix, lower: Double, upper: Double, value: Double) {
    self.prefix = prefix
    self.lower = lower
    self.upper = upper
    self.value = value
  }
}

/// A quantity of a search: a number, and a unit if one was given.
public struct QuantitySearchValue: Sendable, Hashable {
  /// The number with its prefix.
  public let number: NumberSearchValue
  /// The system of the unit; nil for any.
  public let system: String?
  /// The code of the unit, or its name if no system was given; nil for any.
  public let code: String?

  /// Creates a value.
  public init(number: NumberSearchValue, system: String?, code: String?) {
    self.number = number
    self.system = system
    self.code = code
  }
}

/// A reference of a search.
public enum ReferenceSearchValue: Sendable, Hashable {
  /// A resource of this server; a nil type is any type.
  case local(type: String?, id: String)
  /// An address on another server, or a `urn:`.
  case absolute(String)
  /// `:identifier`: the identifier in the reference.
  case identifier(TokenSearchValue)
}
