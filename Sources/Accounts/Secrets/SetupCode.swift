// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// The one-time code that lets the operator, and no stranger, make the first account.
///
/// Printed at the start while there is no account; good until it is used or the program ends.
package final class SetupCode: Sendable {
  /// In groups of four from an alphabet without look-alikes, for example `K7QM-2XPA-9RTD`.
  package let text: String
  private let state: Mutex<State>

  private struct State {
    var used = false
    var wrongTries = 0
  }

  /// Makes a code of 60 random bits.
  package init(random: RandomBytes) {
    let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    let letters = random(12).map { alphabet[Int($0) % alphabet.count] }
    text = stride(from: 0, to: 12, by: 4)
      .map { String(letters[$0..<$0 + 4]) }
      .joined(separator: "-")
    state = Mutex(State())
  }

  /// Whether what was typed is the code, with or without dashes and in any case.
  ///
  /// After 100 wrong tries the code is dead until the next start.
  package func matches(_ typed: String) -> Bool {
    let folded = typed.uppercased().filter { $0.isLetter || $0.isNumber }
    let expected = text.filter { $0 != "-" }
    return state.withLock { state in
      guard !state.used, state.wrongTries < 100 else { return false }
      guard folded == expected else {
        state.wrongTries += 1
        return false
      }
      return true
    }
  }

  /// Retires the code once the first account is made.
  package func use() {
    state.withLock { $0.used = true }
  }
}
