// SPDX-License-Identifier: Apache-2.0

import FHIR
import Plans
import Web

extension JSONBody {
  /// Returns the amount of a member such as `{"value": 1.5, "unit": "tablet"}`.
  func amount(_ name: String) throws -> Amount? {
    guard let value = value(name) else { return nil }
    let expected = "an amount above zero, such as {\"value\": 1, \"unit\": \"tablet\"}"
    guard let number = value["value"]?.number, let unit = value["unit"]?.string, !unit.isEmpty,
      Self.isPlain(unit),
      let amount = Amount(value: number.text, unit: unit)
    else { throw wrong(name, expected) }
    return amount
  }
}
