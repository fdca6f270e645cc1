// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// The one-time code with which the operator, and no stranger, creates the first account.
///
/// Printed at the start while there is no account; it expires when it is used or the program ends.
package final class SetupCode: Sendable {
  /// The code in groups of four, from an alphabet without look-alikes, for example
  /// `K7QM-2XPA-9RTD`.
  package let text: String
  private let state: Mutex<State>

  private struct State {
    var used = false
    var wrongTries = 0
  }

  /// Creates a code of 60 random bits.
  package init(random: RandomBytes) {
    let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    let letters = random(12).map { alphabet[Int($0) % alphabet.count] }
    text = stride(from: 0, to: 12, by: 4)
      .map { String(letters[$0..<$0 + 4]) }
      .joined(separator: "-")
    state = Mutex(State())
  }

  /// Returns true if the code was typed, with or without dashes and in any case.
  ///
  /// After 100 wrong attempts the code is invalid until the next start.
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

  /// Makes the code invalid, once the first account is created.
  package func use() {
    state.withLock { $0.used = true }
  }
}
