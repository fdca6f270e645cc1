// SPDX-License-Identifier: Apache-2.0

import Web

/// The fixed time steps after which the form of a new account is answered.
///
/// Creating an account takes a few milliseconds longer than finding that the address has one. An
/// answer at the end of a time step hides the difference.
package struct SignUpPace: Sendable, Hashable {
  /// The length of a step in milliseconds; 0 to answer at once.
  package var milliseconds: UInt64

  /// Creates a pace.
  package init(milliseconds: UInt64 = 500) {
    self.milliseconds = milliseconds
  }

  /// Returns the nanoseconds from an elapsed time to the end of its step.
  func rest(after elapsed: UInt64) -> UInt64 {
    let step = milliseconds * 1_000_000
    return step == 0 ? 0 : step - elapsed % step
  }
}

extension ServerSettings {
  /// The time steps of answers to the form of a new account.
  package var signUpPace: SignUpPace {
    get { features[ifSet: SignUpPace.self] ?? SignUpPace() }
    set { features[ifSet: SignUpPace.self] = newValue }
  }
}

extension ServerEnvironment {
  /// Waits for the end of the step that began at an instant of ``ServerEnvironment/uptime``.
  func keepPace(since began: UInt64) async throws {
    let now = uptime()
    let rest = settings.signUpPace.rest(after: now > began ? now - began : 0)
    if rest > 0 { try await Task.sleep(nanoseconds: rest) }
  }
}
