// SPDX-License-Identifier: Apache-2.0
import Access
import Identifiers
import Storage
import TimeZones

/// Who gives a command, when, and the sources of what a command must not make itself.
package struct CommandContext: Sendable {
  package let actor: Actor
  /// The person's name as it is kept with an answer.
  package let byName: String
  package let now: Timestamp
  /// Makes a new FHIR id; called once for each resource that the command creates.
  package let newIdentifier: @Sendable () -> String
  package let zones: ZoneCatalog
  /// Everything that follows from what the command changes.
  package let consequences: Consequences
  package let purpose: Purpose

  package init(
    actor: Actor, byName: String, now: Timestamp,
    newIdentifier: @escaping @Sendable () -> String, zones: ZoneCatalog,
    consequences: Consequences, purpose: Purpose = .care
  ) {
    self.actor = actor
    self.byName = byName
    self.now = now
    self.newIdentifier = newIdentifier
    self.zones = zones
    self.consequences = consequences
    self.purpose = purpose
  }

  /// Returns an identifier that was never used before.
  package func newID<ID: Identifier>() -> ID { ID(newIdentifier()) }
}
