// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization

/// What surrounds the content of a page: who looks at it, in which language, at which place.
///
/// A request makes one frame; the page then sets `title`, `place` and what else is its own.
package struct PageFrame: Sendable {
  /// Who is looking.
  package enum Visitor: Sendable {
    /// Nobody yet: no navigation, one narrow column.
    case signedOut
    /// A signed-in account looking at a person's pages.
    case signedIn(personName: String, accountEmail: String, token: FormToken)
  }

  /// The account that a page was made for.
  package struct Holder: Sendable, Hashable {
    let id: String
    let name: String
  }

  /// A link one level up, shown above the heading.
  package struct BackLink: Sendable, Hashable {
    let label: String
    package let address: String

    /// Makes a link back to a place that its label names.
    package init(_ label: String, address: String) {
      self.label = label
      self.address = address
    }
  }

  /// The texts and the language of the page.
  package var localizer: Localizer
  /// Light or dark.
  package var theme: Theme
  /// How large texts are.
  package var textSize: TextSize
  /// Who is looking.
  package var visitor: Visitor
  /// The nonce of the content security policy of this response.
  package var nonce: String
  /// The path of this page, where the display choices return to.
  package var path: String
  /// The heading and the document's title.
  package var title: String = ""
  /// A quiet line under the heading, such as the date.
  package var lead: String?
  /// The link one level up.
  package var back: BackLink?
  /// The place in the navigation that is shown as current.
  package var place: NavigationItem?
  /// What was just done.
  package var flash: FlashBar?
  /// Whether a form of the page came back with errors: the document's title says so first.
  package var hasErrors = false
  /// Whether this installation shows invented people: every page says so.
  package var isDemo = false
  /// The pieces that features add to the page.
  var pieces: [FramePiece] = []
  /// The persons whose pages the account may open, and the one whose page this is.
  package var people: [PersonInReach] = []
  package var person: PersonInReach?
  /// After how many seconds out of sight the page is loaded anew when it is seen again.
  package var secondsFresh: Int?
  /// Whether the page is made anew, while it is seen, when the person's doses or proposals change.
  package var isLive = false
  /// The cursor of the changes that the page includes, from which its event stream goes on.
  package var changes: String?

  /// Scripts of this page alone, besides the one that all pages have.
  package var scripts: [PageAsset] = []

  /// The signed-in account, even if the page shows nothing of it.
  package var account: Holder?
  /// True if an account is signed in.
  package var hasAccount: Bool { account != nil }
  /// True if someone has just signed out here, so that the page clears the device's stored data.
  package var isSignedOut = false
  /// The id of the account that was just erased.
  package var erased: String?
  /// Whether the page came over plain http, which reaches this computer alone.
  package var isPlain = false

  /// Makes a frame for a request; the page fills in the rest.
  package init(
    localizer: Localizer, theme: Theme = .automatic, textSize: TextSize = .normal,
    visitor: Visitor = .signedOut, nonce: String, path: String
  ) {
    self.localizer = localizer
    self.theme = theme
    self.textSize = textSize
    self.visitor = visitor
    self.nonce = nonce
    self.path = path
  }

  /// Returns the markup of all pieces at a place, in their order.
  func pieces(at place: FramePiece.Place) -> Markup {
    "\(each: pieces.lazy.filter { $0.place == place }, { $0.markup(self) })"
  }
}
