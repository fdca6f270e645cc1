// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization

/// The top of every page: skip links, the page's person, and the logo.
struct PageHeader: PagePart {
  let frame: PageFrame

  private var localizer: Localizer { frame.localizer }

  var markup: Markup {
    """
    <header class="page-header"><div class="skip-links">\
    <a href="#\(PageLayout.mainID)">\(localizer.text("parts.skip.content"))</a>\
    \(if: isSignedIn, navigationLink("skip-navigation"))</div>\
    \(person)\(if: isSignedIn, navigationLink("menu-link", icon: .menu))\
    \(Wordmark(name: localizer.text("parts.product"), address: frame.addresses[frame.role.home]))\(waiting)\
    \(if: frame.hasAccount, UnsentAnswers(localizer: localizer).markup)</header>
    """
  }

  private var isSignedIn: Bool {
    if case .signedIn = frame.visitor { true } else { false }
  }

  /// The place, filled in by a script, for the names of people with queued entries on this device;
  /// omitted on alarm pages.
  private var waiting: Markup {
    guard frame.account == nil || isSignedIn else { return Markup() }
    return """
      <div class="notice notice-information" id="waiting" hidden \
      data-words="\(localizer.text("parts.waiting", ["names": .text("…")]))" \
      data-someone="\(localizer.text("parts.waiting.someone"))">\(Icon.info)\
      <p class="notice-body" role="status"></p></div>
      """
  }

  /// Large text leaves no room for a fixed bar, so the link leads to the list at the end.
  private func navigationLink(_ style: Markup, icon: Icon? = nil) -> Markup {
    let words = localizer.text(icon == nil ? "parts.skip.navigation" : "parts.navigation.menu")
    return """
      <a class="\(style)" href="#\(NavigationBar.id)">\(icon)<span>\(words)</span></a>
      """
  }

  private var person: Markup {
    guard case .signedIn(let name, _, let token) = frame.visitor else { return Markup() }
    return PersonSwitcher(frame: frame, name: name, token: token).markup
  }
}
