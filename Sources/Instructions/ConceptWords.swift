// SPDX-License-Identifier: Apache-2.0
import FHIR

extension JSONValue {
  /// The words of a CodeableConcept; nil where it has only codes, which tell a person nothing.
  var words: String? {
    if let text = self["text"]?.string, !text.isEmpty { return text }
    return self["coding"]?.array?.lazy.compactMap { $0["display"]?.string }.first { !$0.isEmpty }
  }
}
