// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A FHIR Quantity, Duration or SimpleQuantity as it stands in a resource.
public struct QuantityView: Sendable, Hashable {
  /// The underlying value.
  public let json: JSONValue

  /// Looks at a value, whatever its shape.
  public init(_ json: JSONValue) { self.json = json }

  /// The number, exact.
  public var value: Decimal? { json["value"]?.number?.decimal }
  /// The number as written, `72.10`.
  public var valueText: String? { json["value"]?.number?.text }
  /// The unit for people.
  public var unit: String? { json.text("unit") }
  /// The system of the code.
  public var system: String? { json.text("system") }
  /// The unit's code, mostly UCUM.
  public var code: String? { json.text("code") }
  /// `<`, `<=`, `>=` or `>`.
  public var comparator: String? { json.text("comparator") }
}
