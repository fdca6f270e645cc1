// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization

/// The end of every page, in one line: the links of features, and signing out.
///
/// Strangers also find the languages here, since they may not be able to read the page yet.
struct PageFooter: PagePart {
  let frame: PageFrame

  private var localizer: Localizer { frame.localizer }

  var markup: Markup {
    """
    <footer class="page-footer">\(frame.pieces(at: .footerTop))\(languages)\
    <div class="footer-line">\(frame.pieces(at: .footer))\(signOut)</div></footer>
    """
  }

  private var languages: Markup {
    guard case .signedOut = frame.visitor, !frame.listsLanguages else { return Markup() }
    return DisplayChoiceList(.language, frame: frame).markup
  }

  private var signOut: Markup {
    guard case .signedIn(_, _, let token) = frame.visitor else { return Markup() }
    return FormButton(
      localizer.text("parts.account.sign-out"), action: "/sign-out", token: token, kind: .quiet
    ).markup
  }
}
