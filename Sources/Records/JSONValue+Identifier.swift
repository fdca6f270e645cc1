// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers

extension JSONValue {
  /// Returns the identifier as a JSON string.
  package static func string(_ id: some Identifier) -> JSONValue {
    .string(id.text)
  }
}
