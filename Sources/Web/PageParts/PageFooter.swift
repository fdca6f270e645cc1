// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization

/// The end of every page: the account, and the choices of language, theme and text size.
struct PageFooter: PagePart {
  let frame: PageFrame

  private var localizer: Localizer { frame.localizer }

  var markup: Markup {
    """
    <footer class="page-footer">\(frame.pieces(at: .footerTop))\(account)\
    \(frame.pieces(at: .footer))\(Self.remembered.markup(of: frame) { display })</footer>
    """
  }

  private static let remembered = DisplayChoicesCache()

  private var display: Markup {
    """
    \(choices("parts.display.language", languages))\
    \(choices("parts.display.theme", themes))\
    \(choices("parts.display.text-size", textSizes))
    """
  }

  private var account: Markup {
    guard case .signedIn(_, let email, let token) = frame.visitor else { return Markup() }
    return """
      <div class="account-line"><p>\
      \(localizer.text("parts.account.signed-in", ["email": .text(email)]))</p>\
      \(FormButton(
        localizer.text("parts.account.sign-out"), action: "/sign-out", token: token, kind: .quiet,
        icon: .signOut))</div>
      """
  }

  private func choices(_ label: MessageKey, _ links: [Markup]) -> Markup {
    let name = localizer.text(label)
    return """
      <nav class="choice-line" aria-label="\(name)"><span aria-hidden="true">\(name)</span>\
      <ul class="choice-list" role="list">\(each: links, { "<li>\($0)</li>" })</ul></nav>
      """
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
