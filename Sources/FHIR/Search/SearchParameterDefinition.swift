// SPDX-License-Identifier: Apache-2.0

/// The type of a search parameter, which decides how its values are written.
public enum SearchParameterKind: String, Sendable, Hashable, CaseIterable {
  case number, date, string, token, reference, composite, quantity, uri, special
}

/// A search parameter of a resource type, as R4 defines it.
public struct SearchParameterDefinition: Sendable, Hashable {
  /// The name in a search, such as `authoredon`.
  public let name: String
  /// The type of its values.
  public let kind: SearchParameterKind
  /// The elements that it searches.
  public let paths: [SearchPath]
  /// The types to which a reference may point; empty for any type and for other kinds.
  public let targets: [String]

  /// Creates a definition.
  public init(name: String, kind: SearchParameterKind, paths: [SearchPath], targets: [String]) {
    self.name = name
    self.kind = kind
    self.paths = paths
    self.targets = targets
  }
}

/// A path to elements of a resource, such as `medication.ofType(CodeableConcept)`.
public struct SearchPath: Sendable, Hashable {
  /// One step: an element, with the type of a choice, and the condition that one of its own elements must meet.
  public struct Step: Sendable, Hashable {
    /// The name without `[x]`.
    public let element: String
    /// The only type of a choice to search; nil for any type.
    public let type: String?
    /// An element and the value that it must have, as in `telecom.where(system='phone')`.
    public let condition: Condition?
    /// True if the element also occurs inside of itself, at any depth, as the items of a Questionnaire.
    public let isNested: Bool

    /// Creates a step.
    public init(
      element: String, type: String? = nil, condition: Condition? = nil, isNested: Bool = false
    ) {
      self.element = element
      self.type = type
      self.condition = condition
      self.isNested = isNested
    }
  }

  /// An element of a step and the value that it must have.
  public struct Condition: Sendable, Hashable {
    /// The name of the element.
    public let element: String
    /// Its value.
    public let value: String

    /// Creates a condition.
    public init(element: String, value: String) {
      self.element = element
      self.value = value
    }
  }

  /// The steps below the resource.
  public let steps: [Step]

  /// Creates a path.
  public init(steps: [Step]) { self.steps = steps }
}
