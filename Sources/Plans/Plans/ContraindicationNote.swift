// SPDX-License-Identifier: Apache-2.0

import FHIR
import Storage

/// The reason for which someone set a contraindication aside, as the prescription keeps it.
package struct ContraindicationNote: Sendable, Hashable {
  /// The key of the contraindication.
  package let contraindication: String
  /// The reason as typed.
  package let text: String
  /// The name of the person who gave it.
  package let by: String
  /// The time at which it was given; nil for a note read from a request.
  package let at: Timestamp?

  /// Creates a note.
  package init(contraindication: String, text: String, by: String, at: Timestamp?) {
    self.contraindication = contraindication
    self.text = text
    self.by = by
    self.at = at
  }

  private static let url = "urn:regimen:set-aside"

  /// Adds notes to a request and keeps existing ones.
  static func write(_ notes: [ContraindicationNote], into request: inout JSONValue) {
    guard !notes.isEmpty else { return }
    let added: [JSONValue] = notes.map { note in
      var annotation: JSONValue = [
        "extension": [["url": .string(url), "valueString": .string(note.contraindication)]],
        "authorString": .string(note.by), "text": .string(note.text),
      ]
      if let at = note.at {
        annotation["time"] = .string(
          FHIRDateTime.instantText(milliseconds: at.milliseconds, offsetMinutes: 0))
      }
      return annotation
    }
    request["note"] = .array((request["note"]?.array ?? []) + added)
  }

  /// Returns the notes of a request that set a contraindication aside, without their times.
  package static func all(in request: MedicationRequestView) -> [ContraindicationNote] {
    (request.json["note"]?.array ?? []).compactMap { note in
      let own = note["extension"]?.array?.first { $0["url"]?.string == url }
      guard let contraindication = own?["valueString"]?.string else { return nil }
      return ContraindicationNote(
        contraindication: contraindication, text: note["text"]?.string ?? "",
        by: note["authorString"]?.string ?? "",
        at: nil)
    }
  }
}
