// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Synchronization

/// A cache of formatted amounts: a clinic has few different ones and shows them in every row.
final class SpokenAmounts: Sendable {
  private struct Key: Hashable {
    let amount: Amount
    let language: Language
  }

  private let texts = Mutex<[Key: String]>([:])
  private let capacity = 2000

  /// Returns the text of an amount, created by `speak` the first time.
  func text(of amount: Amount, in language: Language, _ speak: () -> String) -> String {
    let key = Key(amount: amount, language: language)
    if let known = texts.withLock({ $0[key] }) { return known }
    let text = speak()
    texts.withLock { texts in
      if texts.count >= capacity { texts.removeAll(keepingCapacity: true) }
      texts[key] = text
    }
    return text
  }
}
