// SPDX-License-Identifier: Apache-2.0

import Access
import People
import Storage

extension ServerEnvironment {
  /// Returns the context in which an actor's command runs.
  ///
  /// - Parameter byName: The actor's name as it is kept with what the command records.
  package func commandContext(
    for actor: Actor, byName: String, now: Timestamp, purpose: Purpose = .care
  ) -> CommandContext {
    CommandContext(
      actor: actor, byName: byName, now: now, newIdentifier: newIdentifier, zones: zones,
      consequences: consequences, purpose: purpose)
  }
}
