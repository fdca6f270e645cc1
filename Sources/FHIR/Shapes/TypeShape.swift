// SPDX-License-Identifier: Apache-2.0

/// The elements of an R4 type in their order, for formats other than JSON.
package struct TypeShape: Sendable {
  /// The form of an element's value.
  package enum Content: Sendable {
    /// True or false.
    case boolean
    /// A number, as its text.
    case number
    /// Any other primitive value.
    case text
    /// The `div` of a narrative.
    case xhtml
    /// A datatype or nested element.
    case complex(TypeShape)
    /// A whole resource.
    case resource
  }

  /// One element; an element with a choice of types is one element for each type.
  package struct Element: Sendable {
    /// The content of one occurrence.
    package let content: Content
    /// True if the element may occur several times.
    package let isList: Bool
  }

  private let definition: TypeDefinition

  private init(_ definition: TypeDefinition) { self.definition = definition }

  /// The shape of a resource type; nil if its elements are not known individually.
  package init?(resource name: String) {
    guard ResourceType(rawValue: name) != nil,
      let definition = ElementTables.standard.type(named: name)
    else { return nil }
    self.definition = definition
  }

  /// The shape of what a primitive element may have besides its value: an id and extensions.
  package static var element: TypeShape? {
    ElementTables.standard.type(named: "Element").map(TypeShape.init(_:))
  }

  /// The name of the type.
  package var name: String { definition.name }

  /// The names of the elements in JSON and XML, in their order.
  package var names: [String] { definition.order }

  /// Returns an element by its name; nil if the type has none of that name.
  package subscript(name: String) -> Element? {
    guard let element = definition.elements[name] else { return nil }
    let content: Content =
      switch element.content {
      case .resource: .resource
      case .complex(let index, _): .complex(TypeShape(ElementTables.standard.types[index]))
      case .primitive(.boolean, _): .boolean
      case .primitive(.decimal, _), .primitive(.integer, _), .primitive(.unsignedInt, _),
        .primitive(.positiveInt, _):
        .number
      case .primitive(.xhtml, _): .xhtml
      case .primitive: .text
      }
    return Element(content: content, isList: element.isList)
  }
}
