// SPDX-License-Identifier: Apache-2.0

import FHIR
import Plans
import Scheduling

/// Something that happened to a person's doses, for automations.
package enum HomeEvent: String, Sendable, Hashable, CaseIterable {
  /// A dose became due.
  case due
  case taken, skipped, snoozed, missed
  /// A press was not answered: the app asks a question first.
  case question

  /// Returns what happened between two states of one local day, in a fixed order; nothing if the day is new.
  package static func between(_ before: HomeDay, _ after: HomeDay) -> [HomeEvent] {
    guard before.date == after.date else { return [] }
    let known = Set(before.due.map(\.id))
    var events: [HomeEvent] = []
    if after.taken > before.taken { events.append(.taken) }
    if after.skipped > before.skipped { events.append(.skipped) }
    if after.later > before.later { events.append(.snoozed) }
    if after.missed > before.missed { events.append(.missed) }
    if after.due.contains(where: { !known.contains($0.id) }) { events.append(.due) }
    return events
  }

  /// The payload of the event.
  package var json: JSONValue { ["event_type": .string(rawValue)] }
}
