// SPDX-License-Identifier: Apache-2.0

import Localization

/// The short name by which an account that acts for several persons tells them apart: chosen once,
/// shown on every page and in notifications, and never the full name.
package struct PersonLabel: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The initials of the first two words of the name.
    case initial
    /// A colour, said as a word.
    case colour
    case nickname
  }

  package var kind: Kind
  /// Shown beside the name on pages; the label itself where `kind` says so.
  package var colour: PersonColour?
  /// Empty for none.
  package var nickname: String

  package init(_ kind: Kind = .initial, colour: PersonColour? = nil, nickname: String = "") {
    self.kind = kind
    self.colour = colour
    self.nickname = nickname
  }

  /// The greatest number of characters of a nickname: it stands on locked screens and in buttons.
  package static let maximumNickname = 20

  /// The label of a person with a full name, in a reader's language; nil where nothing can be said.
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

  package func word(_ localizer: Localizer) -> String {
    localizer.text("people.colour", ["colour": .text(rawValue)])
  }
}
