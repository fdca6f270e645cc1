// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Storage

/// Everything that surrounds the content of a page.
///
/// A request makes one frame; the page then sets `title`, `place` and the rest.
package struct PageFrame: Sendable {
  /// The viewer of the page.
  package enum Visitor: Sendable {
    /// A person who is not signed in: no navigation, one narrow column.
    case signedOut
    /// A signed-in account looking at a person's pages.
    case signedIn(personName: String, accountEmail: String, token: FormToken)
  }

  /// The account that a page was made for.
  package struct Holder: Sendable, Hashable {
    let id: String
    let name: String
    /// The session's mark on a page that the device may copy; nil if it may not.
    var offline: String?
    /// The time of the server at which the page was made.
    let made: Timestamp
  }

  /// A link one level up, shown above the heading.
  package struct BackLink: Sendable, Hashable {
    let label: String
    /// The address that the link leads to.
    package let address: String

    /// Creates a link back to the page that its label names.
    package init(_ label: String, address: String) {
      self.label = label
      self.address = address
    }
  }

  /// The texts in the language of the page.
  package var localizer: Localizer
  /// The colours: light, dark or the device's choice.
  package var theme: Theme
  /// The size of texts.
  package var textSize: TextSize
  /// The person who looks at the page.
  package var visitor: Visitor
  /// The nonce of this response's content security policy.
  package var nonce: String
  /// The path of this page, to which the display choices return.
  package var path: String
  /// The heading and the document's title.
  package var title: String = ""
  /// A quiet line under the heading, such as the date; nil without one.
  package var lead: String?
  /// The link one level up; nil without one.
  package var back: BackLink?
  /// The place that the page belongs to, whose tab is shown as current; nil for none.
  package var place: NavigationItem?
  /// The kind of navigation that the viewer needs.
  package var role = NavigationRole.patient
  /// The addresses of the places in the navigation.
  package var addresses = NavigationAddresses()
  /// True if the search field is under the heading.
  package var hasSearch = false
  /// True if the page itself offers the languages, which the footer then does not repeat.
  package var listsLanguages = false
  /// The message about the last action; nil for none.
  package var flash: FlashBar?
  /// True if a form of the page has errors, with which the document's title then begins.
  package var hasErrors = false
  /// True if this installation shows invented people, which every page then says.
  package var isDemo = false
  /// The pieces that features add to the page.
  var pieces: [FramePiece] = []
  /// The persons whose pages the account may open.
  package var people: [PersonInReach] = []
  /// The person whose page this is; nil for strangers.
  package var person: PersonInReach?
  /// The person chosen on the device, if the page shows another; else nil.
  package var chosenPerson: PersonInReach?
  /// The seconds out of sight after which the page is reloaded when it is seen again; nil for
  /// never.
  package var secondsFresh: Int?
  /// True if the page, while it is visible, is updated when the person's doses or proposals change.
  package var isLive = false
  /// The cursor of the changes that the page includes, from which its event stream continues.
  package var changes: String?

  /// The scripts of this page, in addition to the one that all pages have.
  package var scripts: [PageAsset] = []

  /// The signed-in account, even if the page shows nothing of it.
  package var account: Holder?
  /// True if an account is signed in.
  package var hasAccount: Bool { account != nil }
  /// True if someone has just signed out here, so that the page clears the device's stored data.
  package var isSignedOut = false
  /// The identifier of the account that was just erased; nil otherwise.
  package var erased: String?
  /// True if the page was opened over plain http, which works only on this computer.
  package var isPlain = false

  /// Creates a frame for a request; the page fills in the rest.
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

  /// The tab that is shown as current; nil for none.
  package var tab: NavigationItem? {
    place.map { role.tab(of: $0, mayAct: person?.mayAct ?? true) }
  }

  /// True if the page is the one that its tab opens.
  var isTabItself: Bool {
    tab.map { addresses[$0] == String(path.prefix { $0 != "?" }) } ?? false
  }

  /// Returns the markup of the pieces on a tab: those of all places that belong to it.
  func pieces(onTab tab: NavigationItem) -> Markup {
    "\(each: pieces.lazy.filter { $0.isOn(tab, of: role) }, { $0.markup(self) })"
  }

  /// Returns the markup of all pieces at a place, in their order.
  func pieces(at place: FramePiece.Place) -> Markup {
    "\(each: pieces.lazy.filter { $0.place == place }, { $0.markup(self) })"
  }
}
