// SPDX-License-Identifier: Apache-2.0

/// The built-in sounds, which pages generate themselves.
package enum AlarmSound: String, Sendable, Hashable, CaseIterable {
  case bell, chime, pulse, wood
  /// The page shows the alarm and vibrates without sound.
  case mute

  /// The sound for people who have not chosen one.
  package static let standard = AlarmSound.bell
}
