// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization

/// The links that set the language, the colours or the text size of this device.
package struct DisplayChoiceList: PagePart {
  /// A choice that a device remembers.
  package enum Kind: Sendable, CaseIterable {
    case language, theme, textSize

    var label: MessageKey {
      switch self {
      case .language: "parts.display.language"
      case .theme: "parts.display.theme"
      case .textSize: "parts.display.text-size"
      }
    }
  }

  private let kind: Kind
  private let frame: PageFrame

  /// Creates the links of one choice, which return to the page of the frame.
  package init(_ kind: Kind, frame: PageFrame) {
    self.kind = kind
    self.frame = frame
  }

  /// The name of the choice and its links.
  package var markup: Markup {
    let name = localizer.text(kind.label)
    return """
      <nav class="choice-line" aria-label="\(name)"><span aria-hidden="true">\(name)</span>\
      <ul class="choice-list" role="list">\(each: links, { "<li>\($0)</li>" })</ul></nav>
      """
  }

  private var localizer: Localizer { frame.localizer }

  private var links: [Markup] {
    switch kind {
    case .language: languages
    case .theme: themes
    case .textSize: textSizes
    }
  }

  private var languages: [Markup] {
    Language.allCases.map { language in
      link(
        PreferenceAddress.language, language.rawValue, language.nativeName,
        isCurrent: language == localizer.language,
        more: " lang=\"\(language.rawValue)\" hreflang=\"\(language.rawValue)\"")
    }
  }

  private var themes: [Markup] {
    Theme.allCases.map { theme in
      link(
        PreferenceAddress.theme, theme.rawValue,
        localizer.text("parts.display.theme-name", ["theme": .text(theme.rawValue)]),
        isCurrent: theme == frame.theme)
    }
  }

  private var textSizes: [Markup] {
    TextSize.allCases.map { size in
      link(
        PreferenceAddress.textSize, String(size.rawValue),
        localizer.text("parts.display.percent", ["number": .number(size.rawValue)]),
        isCurrent: size == frame.textSize)
    }
  }

  private func link(
    _ parameter: String, _ value: String, _ label: String, isCurrent: Bool,
    more: Markup = Markup()
  ) -> Markup {
    """
    <a href="\(PreferenceAddress.link(parameter, value, from: frame.path))" rel="nofollow"\
    \(more)\(if: isCurrent, " aria-current=\"true\"")>\(label)</a>
    """
  }
}
