// SPDX-License-Identifier: Apache-2.0

/// The sounds that pages make themselves.
package enum AlarmSound: String, Sendable, Hashable, CaseIterable {
  case bell, chime, pulse, wood
  /// The page shows and shakes, and makes no sound.
  case mute

  /// The sound of a person who chose none.
  package static let standard = AlarmSound.bell
}
