// SPDX-License-Identifier: Apache-2.0

/// The time zones of a select in readable form: `Europe / Oslo`.
package enum ZoneChoices {
  /// Returns a choice for each zone, and one for the current zone even if the list lacks it.
  package static func make(_ identifiers: [String], including current: String) -> [FieldChoice] {
    var all = identifiers
    if !current.isEmpty, !all.contains(current) { all.insert(current, at: 0) }
    return all.map { identifier in
      FieldChoice(
        identifier,
        identifier.replacing("/", with: " / ").replacing("_", with: " "))
    }
  }
}
