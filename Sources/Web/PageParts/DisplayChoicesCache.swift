// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Synchronization

/// The choices of language, theme and text size at the foot of pages, remembered by page: they are
/// the longest part that is the same for all people.
final class DisplayChoicesCache: Sendable {
  private struct Key: Hashable {
    let path: String
    let language: Language
    let theme: Theme
    let textSize: TextSize
  }

  private let parts = Mutex<[Key: Markup]>([:])
  private let capacity = 500

  func markup(of frame: PageFrame, _ make: () -> Markup) -> Markup {
    let key = Key(
      path: frame.path, language: frame.localizer.language, theme: frame.theme,
      textSize: frame.textSize)
    if let known = parts.withLock({ $0[key] }) { return known }
    let markup = make()
    parts.withLock { parts in
      if parts.count >= capacity { parts.removeAll(keepingCapacity: true) }
      parts[key] = markup
    }
    return markup
  }
}
