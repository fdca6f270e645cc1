// SPDX-License-Identifier: Apache-2.0

import Encodings
import FHIR
import Plans
import Scheduling
import Storage

/// The state that is published of a person's day; medicines are named only if chosen.
package enum HomeState {
  /// The most medicines that are named.
  private static let mostNames = 30

  /// Returns the state as JSON.
  ///
  /// - Parameter key: What a press must repeat, see ``doseKey(_:place:cipher:)``.
  package static func json(
    _ day: HomeDay, zone: Zone, namesMedicine: Bool, key: String
  ) -> JSONValue {
    var object: JSONValue = [
      "next": day.next.map { JSONValue.string(text($0, in: zone)) } ?? .null,
      "due": day.due.isEmpty ? "OFF" : "ON",
      "due_count": number(day.due.count), "taken": number(day.taken),
      "planned": number(day.planned), "missed": number(day.missed),
      "adherence": day.adherence.map(number) ?? .null,
      "supply_days": day.supplyDays.map(number) ?? .null, "dose_key": .string(key),
    ]
    if namesMedicine {
      object["medicines"] = .array(day.due.prefix(mostNames).map { .string($0.medicine) })
    }
    return object
  }

  /// Returns what a press must repeat, so that an old or repeated one never answers other doses: it stands for
  /// exactly these doses in exactly these versions.
  ///
  /// Empty if no dose waits.
  package static func doseKey(_ day: HomeDay, place: String, cipher: FieldCipher) -> String {
    if day.due.isEmpty { return "" }
    let doses = day.due.map { "\($0.id.text) \($0.version)" }.sorted()
    let digest = cipher.blindIndex(
      ([place] + doses).joined(separator: "\n"), context: "home_links:press")
    return Base64URL.encode(Array(digest.prefix(12)))
  }

  private static func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

  /// Returns an instant with the offset of a zone.
  private static func text(_ moment: Timestamp, in zone: Zone) -> String {
    let offset = zone.offsetSeconds(at: Instant(milliseconds: moment.milliseconds))
    return FHIRDateTime.instantText(
      milliseconds: moment.milliseconds, offsetMinutes: offset / 60)
  }
}
