// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A FHIR Quantity, Duration or SimpleQuantity in a resource.
public struct QuantityView: Sendable, Hashable {
  /// The underlying value.
  public let json: JSONValue

  /// Creates a view of a value of any shape.
  public init(_ json: JSONValue) { self.json = json }

  /// The exact number.
  public var value: Decimal? { json["value"]?.number?.decimal }
  /// The number as written, such as `72.10`.
  public var valueText: String? { json["value"]?.number?.text }
  /// The unit as text.
  public var unit: String? { json.text("unit") }
  /// The system of the code.
  public var system: String? { json.text("system") }
  /// The unit's code, usually UCUM.
  public var code: String? { json.text("code") }
  /// The comparator: `<`, `<=`, `>=` or `>`.
  public var comparator: String? { json.text("comparator") }
}
