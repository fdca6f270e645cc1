// SPDX-License-Identifier: Apache-2.0
import Access
import Identifiers
import Storage
import TimeZones

/// The context of a command: the actor, the time, and the sources of values that commands do not
/// create themselves.
package struct CommandContext: Sendable {
  /// The account that gives the command, with its rights.
  package let actor: Actor
  /// The actor's name as it is stored with answers.
  package let byName: String
  /// The time of the command, which applies to everything in it.
  package let now: Timestamp
  /// The source of new FHIR ids, called once for each resource that a command creates.
  package let newIdentifier: @Sendable () -> String
  /// The time zones of the system.
  package let zones: ZoneCatalog
  /// The actions of other features that follow from changes.
  package let consequences: Consequences
  /// The purpose by which access is decided and audited.
  package let purpose: Purpose
  /// The device in the home that reported what happened; nil for people and programs.
  package let device: HomeDeviceID?

  /// Creates a context.
  package init(
    actor: Actor, byName: String, now: Timestamp,
    newIdentifier: @escaping @Sendable () -> String, zones: ZoneCatalog,
    consequences: Consequences, purpose: Purpose = .care, device: HomeDeviceID? = nil
  ) {
    self.actor = actor
    self.byName = byName
    self.now = now
    self.newIdentifier = newIdentifier
    self.zones = zones
    self.consequences = consequences
    self.purpose = purpose
    self.device = device
  }

  /// Returns an identifier that was never used before.
  package func newID<ID: Identifier>() -> ID { ID(newIdentifier()) }
}

extension CommandContext {
  /// Decides access to a patient's resources of a type, for the actor and purpose of the command.
  package func authorize(
    _ action: Access.Action, _ type: String, of patient: PatientID
  ) throws(DenialReason) -> Authorization {
    switch decide(
      actor: actor, action: action, patient: patient, resource: type, purpose: purpose)
    {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason
    }
  }
}
