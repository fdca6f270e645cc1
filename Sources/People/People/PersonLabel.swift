// SPDX-License-Identifier: Apache-2.0

import Localization

/// The short label by which an account that acts for several people tells them apart.
///
/// Chosen once and shown on every page and in notifications; it is never the full name.
package struct PersonLabel: Sendable, Hashable {
  /// The form of the label.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The initials of the first two words of the name.
    case initial
    /// A colour, written as a word.
    case colour
    case nickname
  }

  /// The form of the label.
  package var kind: Kind
  /// The colour next to the name on pages, and the label itself if `kind` is `colour`; nil for
  /// none.
  package var colour: PersonColour?
  /// The nickname; empty for none.
  package var nickname: String

  /// Creates a label.
  package init(_ kind: Kind = .initial, colour: PersonColour? = nil, nickname: String = "") {
    self.kind = kind
    self.colour = colour
    self.nickname = nickname
  }

  /// The maximum number of characters of a nickname, which appears on lock screens and in buttons.
  package static let maximumNickname = 20

  /// Returns the label of a person with a full name, in the reader's language; nil if there is no
  /// name to shorten.
  package func text(of name: String, _ localizer: Localizer) -> String? {
    switch kind {
    case .nickname where !nickname.isEmpty: return nickname
    case .colour:
      if let colour { return colour.word(localizer) }
    case .initial, .nickname: break
    }
    let initials = name.split(whereSeparator: \.isWhitespace).prefix(2).compactMap(\.first)
    return initials.isEmpty ? nil : String(initials).uppercased()
  }
}

/// A colour that has a plain word in every language.
package enum PersonColour: String, Sendable, Hashable, CaseIterable {
  case blue, green, yellow, orange, red, purple, pink, grey

  /// Returns the name of the colour in the reader's language.
  package func word(_ localizer: Localizer) -> String {
    localizer.text("people.colour", ["colour": .text(rawValue)])
  }
}
